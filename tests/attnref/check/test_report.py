"""What a report looks like, and that strangers cannot stop it."""

from typing import Any

import numpy as np
import pytest
import torch

from attnref import attention
from attnref.check import Finding, Report, diagnose
from attnref.check.known import BY_NAME, KNOWN


def test_many_findings_still_fit_a_screen_and_what_is_left_out_is_counted() -> None:
    findings = tuple(Finding(k.kind, (k.name,), k.says, "here", ("plain",)) for k in KNOWN)
    report = Report("mine", "mine(q, k, v)", findings, {"plain": "differs", "mask": "right"})
    lines = str(report).splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 100
    shown = sum(line.startswith(("  ✗", "  ≠", "  ~")) for line in lines)
    assert f"  … and {len(KNOWN) - shown} more: --json has all" in lines


def test_mistakes_come_first() -> None:
    findings = [BY_NAME[n] for n in ("float16: overflows", "lse: base 2", "scale: missing")]
    report = Report("m", "m()", tuple(Finding(k.kind, (k.name,), k.says) for k in findings), {})
    signs = [line.strip()[0] for line in str(report).splitlines() if line[2:3] in "✗≠~" and line]
    assert signs == ["✗", "≠", "~"]


@pytest.mark.parametrize("known", KNOWN, ids=[known.name for known in KNOWN])
def test_a_sentence_is_short_and_ends(known: Any) -> None:
    assert known.says.endswith((".", ".)"))
    assert len(known.says) < 280


def test_an_error_in_one_case_does_not_stop_the_others() -> None:
    def no_single_query(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
        if q.shape[-2] == 1 or mask is not None:
            raise RuntimeError("not yet")
        return attention(q, k, v)

    report = diagnose(no_single_query)
    assert report.outcomes["one query"] == report.outcomes["mask"] == "RuntimeError: not yet"
    assert report.outcomes["many keys"] == "right"
    assert "one query, mask (RuntimeError: not yet)" in str(report)


def test_an_error_at_the_second_call_is_a_finding() -> None:
    calls = []

    def once(q: Any, k: Any, v: Any) -> Any:
        calls.append(q)
        if len(calls) > 1:
            raise RuntimeError("only once")
        return attention(q, k, v)

    (finding,) = diagnose(once, library="numpy").findings
    assert finding.names == ("calls: differ",)
    assert "RuntimeError: only once" in finding.evidence


def test_a_stranger_with_all_options_is_called_with_them() -> None:
    def all_of_them(
        values: Any, keys: Any, query: Any, is_causal: bool, attn_mask: Any = None
    ) -> Any:
        return attention(query, keys, values, mask=attn_mask, causal=is_causal)

    report = diagnose(all_of_them)
    assert report.called.startswith("all_of_them(values=v, keys=k, query=q, attn_mask=…, is_causal")
    assert report.conforms(strict=True)


def test_a_numpy_function_gets_numpy_arrays_even_if_it_bears_tensors() -> None:
    def bears_tensors(q: Any, k: Any, v: Any) -> Any:
        weights = np.exp(q @ k.swapaxes(-1, -2) * q.shape[-1] ** -0.5)
        return weights / weights.sum(-1, keepdims=True) @ v

    assert "on numpy float64" in diagnose(bears_tensors).called
    assert "on torch float64" in diagnose(attention).called


@pytest.mark.parametrize(
    ("rank", "says"), [(3, "--rank 3"), (2, "--rank 2")], ids=["3 axes", "2 axes"]
)
def test_who_is_right_for_fewer_axes_is_told_so(rank: int, says: str) -> None:
    def last_by_number(q: Any, k: Any, v: Any) -> Any:
        return torch.softmax(q @ k.mT / q.size(-1) ** 0.5, dim=rank - 1) @ v

    report = diagnose(last_by_number)
    assert len(report.mistakes) == 1
    assert any(says in f.says for f in report.findings)
    assert diagnose(last_by_number, rank=rank).conforms()


def test_half_precision_alone_is_enough() -> None:
    def only_half(q: Any, k: Any, v: Any) -> Any:
        if q.dtype != torch.bfloat16:
            raise TypeError("bfloat16 only")
        return torch.softmax(q.float() @ k.float().mT, -1).to(q.dtype) @ v

    (mistake,) = diagnose(only_half).mistakes
    assert mistake.names == ("scale: missing",)


@pytest.mark.parametrize(("factor", "name"), [(1 / np.log(2), "lse: base 2"), (2, "lse: other")])
def test_the_logarithm_of_lse_is_told(factor: float, name: str) -> None:
    def with_lse(q: Any, k: Any, v: Any, return_lse: bool = False) -> Any:
        out, lse = attention(q, k, v, return_lse=True)
        return (out, lse * factor) if return_lse else out

    assert [f.names[0] for f in diagnose(with_lse).findings] == [name]


def test_a_row_that_a_mask_empties_may_give_other_numbers() -> None:
    def first_value(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
        out = attention(q, k, v, mask=mask)
        return out if mask is None else out.where(mask.any(-1, keepdim=True), v[..., :1, :])

    names = [f.names[0] for f in diagnose(first_value, library="torch").findings]
    assert names == ["rows without keys: other"]


def test_a_mask_after_softmax_that_divides_again_is_noted() -> None:
    def renormalised(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
        weights = torch.softmax(q.float() @ k.float().mT / q.size(-1) ** 0.5, -1)
        weights = weights if mask is None else weights * mask
        weights = weights / (weights.sum(-1, keepdim=True) + 1e-9)
        return (weights @ v.float()).to(q.dtype)

    report = diagnose(renormalised)
    assert [f.names[0] for f in report.findings] == ["mask: after softmax"]


def test_a_mask_of_nothing_times_infinity_is_told_by_its_nan() -> None:
    def product(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
        scores = q @ k.mT / q.size(-1) ** 0.5
        scores = scores if mask is None else scores + (~mask) * -torch.inf
        return torch.softmax(scores, -1) @ v

    assert [f.names[0] for f in diagnose(product).mistakes] == ["output: NaN"]
