"""The model is attnref where nothing is switched on, and every switch is recognised by itself."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from attnref import attention
from attnref.check import diagnose
from attnref.check.cases import CAUSAL, GROUPED, ONE, PLAIN, Inputs
from attnref.check.diagnosis import BASE, CAUSALITY
from attnref.check.known import KNOWN, Known
from attnref.check.model import Theory, predict

OPTIONS = ("polarity", "mask fill", "together", "given scale", "softcap", "window", "bias", "heads")
BY_FORM = {"always: causal", "polarity: True is hidden", "window: neighbours"}  # told in the zoo
BY_FORM |= {"window: on both sides"}
SWITCHES = {s.name: s for s in KNOWN if s.group in BASE + CAUSALITY + OPTIONS}
ALONE = {name: s for name, s in SWITCHES.items() if name not in BY_FORM}


def stranger(*switches: Known) -> Callable[..., Any]:
    """A function that makes these mistakes, and gives zeros where there is no key."""
    theory: Theory = {s.group: s.value for s in switches}

    def fn(
        q: Any,
        k: Any,
        v: Any,
        mask: Any = None,
        bias: Any = None,
        causal: bool = False,
        scale: float | None = None,
        window: Any = None,
        softcap: float | None = None,
    ) -> Any:
        wide = (x.astype(np.float64) for x in (q, k, v))
        options = {"mask": mask, "bias": bias, "causal": causal, "window": window}
        x = Inputs(*wide, scale=scale, softcap=softcap, **options)
        return np.nan_to_num(predict(x, theory)).astype(q.dtype)

    return fn


@pytest.mark.parametrize("case", [*PLAIN, *CAUSAL, *GROUPED, *ONE.values()], ids=lambda c: c.name)
def test_without_mistakes_the_model_is_attnref(case: Any) -> None:
    x = case.inputs()
    options = {name: getattr(x, name) for name in ("causal", "window", "scale", "softcap")}
    mask = x.bias if x.mask is None else x.mask
    expected = attention(x.q, x.k, x.v, mask=mask, **options)
    np.testing.assert_allclose(np.nan_to_num(predict(x, {})), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("switch", ALONE.values(), ids=ALONE)
def test_every_mistake_is_recognised_by_itself(switch: Known) -> None:
    report = diagnose(stranger(switch), layout="bhld")
    assert [f.names for f in report.findings] == [(switch.name,)], report


APART = [s for s in ALONE.values() if s.group in ("scale", "polarity", "heads", "given scale")]


@pytest.mark.parametrize(
    "pair",
    [pair for pair in pairwise(APART[::-1]) if pair[0].group != pair[1].group]
    + [(APART[1], s) for s in ALONE.values() if s.group in ("roles", "causal", "bias")],
    ids=lambda pair: " + ".join(s.name for s in pair),
)
def test_two_mistakes_are_both_recognised(pair: tuple[Known, Known]) -> None:
    report = diagnose(stranger(*pair), layout="bhld")
    assert {f.names for f in report.findings} == {(s.name,) for s in pair}, report


def test_what_cannot_be_told_apart_is_said_so() -> None:
    def same_widths_only(q: Any, k: Any, v: Any) -> Any:
        if q.shape != k.shape:
            raise ValueError("q and k must be alike")
        return stranger(SWITCHES["scale: √L"])(q, k, v)

    (finding,) = diagnose(same_widths_only).findings
    assert finding.names == ("scale: √S", "scale: √L")
    assert "cannot tell which. Either: Scores are divided by √S" in finding.says
    assert "Or: Scores are divided by √L" in finding.says


def test_later_cases_are_explained_by_whichever_fits_of_what_cannot_be_told_apart() -> None:
    both = SWITCHES["softmax: over all pairs"], SWITCHES["weights: transposed"]
    certain, either = diagnose(stranger(*both), layout="bhld").findings
    assert certain.names == ("softmax: over all pairs",)
    assert either.names == ("roles: queries and keys exchanged", "weights: transposed")


def test_what_is_unknown_is_said_so_with_the_place() -> None:
    def cosine(q: Any, k: Any, v: Any) -> Any:
        q, k = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in (q, k))
        return attention(q, k, v, scale=20.0)  # some weights are tiny: they count all the same

    (finding,) = diagnose(cosine).mistakes
    assert finding.names == ("output: unknown",)
    assert "in no way that is known here" in finding.says
    case, _, where = finding.evidence.partition(": out[")
    assert case == "plain"
    at, _, numbers = where.partition("] is ")
    got, expected = numbers.split(", expected ")
    x = PLAIN[0].inputs()
    index = tuple(int(i) for i in at.split(", "))
    errors = np.abs(cosine(x.q, x.k, x.v) - attention(x.q, x.k, x.v))
    assert index == np.unravel_index(errors.argmax(), errors.shape)
    assert float(got) == pytest.approx(cosine(x.q, x.k, x.v)[index], rel=1e-3)
    assert float(expected) == pytest.approx(attention(x.q, x.k, x.v)[index], rel=1e-3)


def test_which_keys_a_query_sees_is_told_if_it_is_others() -> None:
    def dilated(q: Any, k: Any, v: Any) -> Any:
        return attention(q, k[..., ::2, :], v[..., ::2, :])

    (finding,) = diagnose(dilated).mistakes
    assert finding.evidence.endswith("query 0 sees keys 0, 2, 4, 6, expected 0, 1, 2, 3, 4, 5, 6")
