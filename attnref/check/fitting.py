"""Finding out what arrays a stranger takes, by trying."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib.util import find_spec
from itertools import product
from typing import Any

from attnref.check.cases import PLAIN
from attnref.check.parameters import CannotRun, Parameters
from attnref.check.stranger import LAYOUTS, MASKS, Form, Stranger, last_line

# Strangers that take any length and width are asked with all different, which tells most.
DTYPES = ("float64", "float32", "bfloat16", "float16")
SIZES = ((False, False), (False, True), (True, False), (True, True))  # square, same width


def fit(
    fn: Callable[..., Any],
    parameters: Parameters,
    fixed: Mapping[str, Any],
    *,
    library: str | None,
    device: str,
    layout: str,
    rank: int | None,
) -> list[Stranger]:
    """The stranger in the form it takes; several if its layout, or its mask, is yet to be told.

    Raises CannotRun with what each library's arrays led to, if nothing can be called.
    """
    libraries = [library] if library else ["torch", "numpy"] if find_spec("torch") else ["numpy"]
    must_mask = not {"mask", "bias"}.isdisjoint(parameters.required)
    said: dict[str, str] = {}
    for form in _forms(device, layout, rank, must_mask):
        found: dict[str, list[Stranger]] = {}
        for name, axes in product(libraries, _layouts(form, layout, parameters)):
            stranger = Stranger(fn, parameters, replace(form, library=name, layout=axes), fixed)
            try:
                stranger(plain(stranger.form))
            except Exception as error:
                said.setdefault(name, last_line(error))
            else:
                found.setdefault(name, []).append(stranger)
        if len(found) == 2 and not _differentiable(found["torch"][0]):
            del found["torch"]  # a NumPy function, which happens to bear with tensors
        if found:
            strangers = next(iter(found.values()))
            hiding = [replace(s, form=replace(s.form, hidden=True)) for s in strangers]
            return strangers + hiding if form.always else strangers
    raise CannotRun("it fails on the plainest input\n" + _errors(said))


def plain(form: Form) -> Any:
    return PLAIN[0].fitted(form.rank, form.square, form.same_width).inputs()


def _errors(said: Mapping[str, str]) -> str:
    return "\n".join(f"  given {name} arrays: {error}" for name, error in said.items())


def _forms(device: str, layout: str, rank: int | None, must_mask: bool) -> Iterator[Form]:
    ranks = [rank] if rank else [4, 3, 2] if layout in ("auto", "bhld") else [4]
    for n in ranks:
        form = Form(device=device, rank=n, mask=("bool", MASKS[n][0]))
        for dtype, (square, same_width) in product(DTYPES, SIZES):
            yield replace(form, dtype=dtype, square=square, same_width=same_width)
        if must_mask:
            for dtype, mask in product(DTYPES[:2], product(("bool", ""), MASKS[n])):
                yield replace(form, dtype=dtype, mask=mask, always=True)


def _layouts(form: Form, layout: str, parameters: Parameters) -> list[str]:
    if form.rank < 4:
        return ["bhld"]
    if layout != "auto":
        return [layout]
    return list(LAYOUTS) if "heads" in parameters.roles else ["bhld", "blhd"]


def _differentiable(stranger: Stranger) -> bool:
    try:
        out, _ = stranger.raw(plain(stranger.form), grad=True)
    except Exception:
        return False
    return bool(getattr(out, "requires_grad", False))
