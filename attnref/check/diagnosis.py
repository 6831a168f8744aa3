"""The examination from beginning to end."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

from attnref.check.cases import CAUSAL, GROUPED, NAMES, ONE, PLAIN
from attnref.check.examination import Examination
from attnref.check.fitting import fit, plain
from attnref.check.known import BY_NAME
from attnref.check.model import predict
from attnref.check.parameters import CannotRun, find_parameters
from attnref.check.probes import probe
from attnref.check.report import Finding, Report
from attnref.check.search import agrees
from attnref.check.stranger import LAYOUTS, MASKS, Stranger, last_line
from attnref.check.target import usable

BASE = ("axes", "scale", "roles", "weights", "softmax", "always")
CAUSALITY = ("causal", "alignment", "causal fill")


def diagnose(
    fn: Callable[..., Any],
    *,
    name: str = "",
    library: str | None = None,
    device: str = "cpu",
    layout: str = "auto",
    rank: int | None = None,
    mask_true: str = "seen",
    parameters: Mapping[str, str] | None = None,
    fixed: Mapping[str, Any] | None = None,
) -> Report:
    """Runs an attention function through all cases and says which mistakes it makes.

    library     "torch" or "numpy"; whichever it takes if not given
    layout      "bhld", "blhd", "bld" (heads merged), or "auto" to find out
    rank        4, 3 (heads or batch, length, width) or 2
    mask_true   what True means in its mask: "seen", "ignored", or "added" for a bias only
    parameters  names of its parameters by role: {"mask": "m", "causal": "is_causal"}
    fixed       what to pass in every call: {"training": False}

    Raises CannotRun if it is no function, or fails on the plainest input.
    """
    name = name or getattr(fn, "__name__", type(fn).__name__)
    fn = usable(fn, name)
    fixed = dict(fixed or {})
    found = find_parameters(fn, parameters or {}, fixed, added=mask_true == "added")
    fit_to = partial(fit, fn, found, fixed, library=library, device=device, layout=layout)
    strangers = fit_to(rank=rank)

    random = _randomness(strangers[0])
    if random and "dropout" in found.roles:
        for stranger in strangers:
            stranger.fixed = {**fixed, found.roles["dropout"]: 0.0}
    if random and _randomness(strangers[0]) is not None:
        exam = Examination(strangers[0])
    else:
        exam = min((_plain(stranger) for stranger in strangers), key=_badness)
        if exam.theory and rank is None and exam.stranger.form.rank == 4:
            _fewer_axes(exam, fit_to)
        _examine(exam, mask_true)
        _conventions(exam, asked=layout)
    exam.passes("same twice")
    if random is not None:
        exam.find("calls: differ", "same twice", random)
    outcomes = {case: exam.outcomes[case] for case in NAMES if case in exam.outcomes}
    return Report(name, _called(exam.stranger, name), tuple(exam.findings), outcomes)


def _randomness(stranger: Stranger) -> str | None:
    """What shows that two calls with the same inputs differ; None if they don't."""
    x = plain(stranger.form)
    try:
        first = stranger(x)
        stranger(replace(x, k=x.k[:, :, ::-1]))  # in between, in case something is kept
        if agrees(stranger(x), first, 1e-5):
            return None
    except Exception as error:
        return f"a later call fails: {last_line(error)}"
    dropout = stranger.parameters.roles.get("dropout")
    more = f"with {dropout}=0" if dropout else "try --set training=False"
    return f"the same call, twice, and another between; {more}"


def _plain(stranger: Stranger) -> Examination:
    """The first stage: no masks, no options."""
    exam = Examination(stranger)
    other = "causal" if stranger.offers("causal") else "causal even if not asked"
    exam.stage(PLAIN, BASE + CAUSALITY, without=[f"always: {other}"])
    return exam


def _fewer_axes(exam: Examination, fit_to: Callable[..., list[Stranger]]) -> None:
    """Notes if it would be right for fewer axes than it was given."""
    for n in (3, 2):
        try:
            seen = Examination(fit_to(rank=n)[0]).observe(PLAIN)
        except CannotRun:
            continue
        if seen and all(agrees(out, predict(x, {}), exam.tolerance) for x, out in seen.values()):
            return exam.find(f"rank: right for {n}", "plain")


def _badness(exam: Examination) -> tuple[bool, int]:
    return exam.unexplained, sum(f.kind == "mistake" for f in exam.findings)


def _examine(exam: Examination, mask_true: str) -> None:
    """All other stages, each on top of what is known by then."""
    if not exam.unexplained:
        exam.stage([ONE["one query"]], ())
        exam.stage([ONE["many keys"]], ())
        exam.stage([ONE["scale"]], ["given scale"])
        explained = exam.stage(CAUSAL, CAUSALITY)
        explained &= _mask(exam, mask_true)
        _bias(exam)
        if explained and not exam.deviates("mask fill", "causal fill"):
            exam.stage([ONE["mask + causal"]], ["together"])
        _softcap(exam)
        _window(exam)
        exam.stage(GROUPED, ["heads"])
    probe(exam)


def _mask(exam: Examination, mask_true: str) -> bool:
    stranger, form = exam.stranger, exam.stranger.form
    form.hidden = mask_true == "ignored"
    _find_mask(exam, "mask", ("bool", "", "int64"))
    padding = "pad" in stranger.parameters.roles.get("mask", "") and mask_true == "seen"
    other = "inverted" if padding else "True is hidden"
    explained = exam.stage([ONE["mask"]], ["polarity", "mask fill"], without=[f"polarity: {other}"])
    if exam.theory.pop("polarity", ""):  # from here on it gets masks as it reads them
        form.hidden = not form.hidden
    return explained


def _find_mask(exam: Examination, name: str, dtypes: tuple[str, ...]) -> None:
    """Which dtype and axes a mask, or a bias, may have: the first that leads to an output."""
    form = exam.stranger.form
    if not exam.stranger.offers(name):
        return
    first = form.mask
    for mask in product(dtypes, MASKS[form.rank]):
        form.mask = mask
        try:
            exam.stranger(exam.inputs(ONE[name]))
        except Exception:
            continue
        return
    form.mask = first


def _bias(exam: Examination) -> None:
    """A bias of its own, or by way of the mask: then one that is not added is just not offered."""
    roles, form = exam.stranger.parameters.roles, exam.stranger.form
    if "bias" in roles:
        masks = form.mask
        _find_mask(exam, "bias", ("",))
        exam.stage([ONE["bias"]], ["bias"])
        form.mask = masks
    elif "mask" in roles and form.mask[0] == "bool":
        roles["bias"] = roles["mask"]
        seen = exam.observe([ONE["bias"]]).get("bias")
        if seen and agrees(seen[1], predict(seen[0], exam.theory), exam.tolerance):
            exam.outcomes["bias"] = "right"
        else:
            exam.outcomes["bias"] = "its mask is Boolean only"
        del roles["bias"]


def _softcap(exam: Examination) -> None:
    case = ONE["softcap"]
    masked = exam.outcomes.get("mask") == "right"
    causal = exam.stranger.offers("causal") and not exam.deviates("causal", "causal fill")
    case = replace(case, mask="some" if masked else "", causal=causal and not masked)
    exam.stage([case], ["softcap"])


def _window(exam: Examination) -> None:
    stranger, form, case = exam.stranger, exam.stranger.form, ONE["window"]

    def matters(pair: bool) -> bool:
        form.pair = pair
        x = exam.inputs(case)
        try:
            return not agrees(stranger(x), stranger(replace(x, window=None)), exam.tolerance)
        except Exception:
            return False

    if stranger.offers("window"):
        form.pair = matters(pair=True) or not matters(pair=False)
    wrong = ["neighbours", "on both sides"] if form.pair else ["one key long"]
    exam.stage([case], ["window"], without=[f"window: {value}" for value in wrong])


def _conventions(exam: Examination, asked: str) -> None:
    """What is said of the order of axes."""
    form, returned = exam.stranger.form, exam.stranger.returned
    names = [f"layout: {LAYOUTS[form.layout]}"] * (form.layout == "blhd" and asked == "auto")
    names += [f"output: {LAYOUTS[returned]}"] * (returned != form.layout)
    for known in (BY_NAME[name] for name in names):
        exam.findings.append(Finding(known.kind, (known.name,), known.says, "", ("plain",)))


def _called(stranger: Stranger, name: str) -> str:
    """attention(q, k, v, mask=…) with float64 torch arrays (B, H, L, D)."""
    found, form = stranger.parameters, stranger.form
    arguments = ["qkv"[n] for n in found.order]
    if found.order != (0, 1, 2):
        arguments = [f"{p}={a}" for p, a in zip(found.first, arguments, strict=True)]
    arguments += [f"{name}=…" for name in dict.fromkeys(found.roles.values())]
    arguments += [f"{name}={value!r}" for name, value in stranger.fixed.items()]
    axes = LAYOUTS[form.layout] if form.rank == 4 else {3: "(H, L, D)", 2: "(L, D)"}[form.rank]
    only = [" with L = S"] * form.square + [" with Dv = D"] * form.same_width
    return (
        f"{name.rpartition(':')[2]}({', '.join(arguments)}) "
        f"on {form.library} {form.dtype} {axes}{' and'.join(only)}"
    )
