"""A stranger: an attention function of which only its behaviour is known, and how to call it."""

import contextlib
import io
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from textwrap import shorten
from typing import Any

import numpy as np

from attnref.check.cases import Inputs
from attnref.check.parameters import OFF, Parameters

LAYOUTS = {"bhld": "(B, H, L, D)", "blhd": "(B, L, H, D)", "bld": "(B, L, H·D)"}
MASKS = {4: ("bhls", "b1ls", "ls", "b11s", "bls", "bs"), 3: ("hls", "ls", "h1s", "hs"), 2: ("ls",)}


@dataclass
class Form:
    """What arrays a stranger takes: which library, how wide, in which order of axes."""

    library: str = "numpy"
    device: str = "cpu"
    dtype: str = "float64"
    rank: int = 4
    layout: str = "bhld"
    square: bool = False  # takes only L = S
    same_width: bool = False  # takes only Dv = D
    mask: tuple[str, str] = ("bool", "bhls")  # dtype ("": that of q) and axes, 1 for a length of 1
    hidden: bool = False  # True in a mask means hidden
    always: bool = False  # there has to be a mask, even if it hides nothing
    pair: bool = True  # a window is (left, right), not a number of keys


@dataclass
class Stranger:
    """Calls the function with canonical inputs, in the form it wants, and reads what it returns."""

    fn: Callable[..., Any]
    parameters: Parameters
    form: Form
    fixed: Mapping[str, Any] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)  # arguments that calls have written to
    returned: str = ""  # the layout of the last output

    def offers(self, role: str) -> bool:
        return role in self.parameters.roles

    def __call__(self, x: Inputs, **how: Any) -> Any:
        """The output in float64, as (B, H, L, Dv). Raises what the function raises."""
        out, _ = self.raw(x, **how)
        return self._canonical(self.numpy(out), x)

    def raw(
        self,
        x: Inputs,
        *,
        dtype: str = "",
        strided: bool = False,
        grad: bool = False,
        extra: Mapping[str, Any] | None = None,
        whole: bool = False,
    ) -> tuple[Any, list[Any]]:
        """What the function returns, or the output in it unless `whole`, and q, k, v as given."""
        dtype = dtype or self.form.dtype
        arrays = [self.array(self._laid(a), dtype) for a in (x.q, x.k, x.v)]
        if strided:
            arrays = [as_projections_leave(a) for a in arrays]
        if grad:
            arrays = [a.requires_grad_() for a in arrays]
        options = self._options(x, dtype) | dict(extra or {})
        watched = dict(zip("qkv", arrays, strict=True)) | {"mask": options.get("mask")}
        before = {name: self.numpy(a) for name, a in watched.items() if hasattr(a, "dtype")}
        named = {self.parameters.roles[role]: value for role, value in options.items()}
        named |= self.fixed
        ordered = [arrays[n] for n in self.parameters.order]
        if self.parameters.keyword:
            named |= dict(zip(self.parameters.first, ordered, strict=True))
            ordered = []
        with quiet():
            result = self.fn(*ordered, **named)
        self.changed |= {n for n, a in before.items() if not same(a, self.numpy(watched[n]))}
        return result if whole else self._output(result, x), arrays

    def array(self, x: Any, dtype: str) -> Any:
        """A fresh array of the stranger's library."""
        if self.form.library == "numpy":
            return np.array(x, dtype)
        import torch

        # Through float64: NumPy has no bfloat16.
        tensor = torch.tensor(np.ascontiguousarray(x), device=self.form.device)
        return tensor.to(getattr(torch, dtype))

    def numpy(self, x: Any) -> Any:
        """Numbers of any library, as a copy in float64."""
        if hasattr(x, "detach"):
            x = x.detach().cpu().double().numpy()
        return np.array(x, np.float64)

    def _laid(self, x: Any) -> Any:
        x = x if self.form.layout == "bhld" else x.swapaxes(1, 2)
        if self.form.layout == "bld":
            x = x.reshape(*x.shape[:2], -1)
        return x.reshape(x.shape[4 - self.form.rank :]) if self.form.rank < 4 else x

    def _options(self, x: Inputs, dtype: str) -> dict[str, Any]:
        """Keyword arguments by role."""
        roles, form = self.parameters.roles, self.form
        off = OFF | {"scale": x.q.shape[-1] ** -0.5}
        options = {role: off.get(role) for role in self.parameters.required}
        for role in ("scale", "softcap", "window"):
            if getattr(x, role):
                options[role] = getattr(x, role)
        if "causal" in roles:
            options["causal"] = x.causal
        if "gqa" in roles and x.q.shape[1] != x.k.shape[1]:
            options["gqa"] = True
        if "heads" in options or ("heads" in roles and form.layout == "bld"):
            options["heads"] = x.q.shape[1]
        if form.always and x.mask is None and x.bias is None:
            nothing = cut(np.zeros((*x.q.shape[:3], x.k.shape[2])), form.mask[1])
            x = replace(x, mask=nothing == 0) if "mask" in roles else replace(x, bias=nothing)
        if x.mask is not None:
            options["mask"] = self._mask(x.mask ^ form.hidden, form.mask[0] or dtype)
        if x.bias is not None:
            options["bias" if "bias" in roles else "mask"] = self._mask(x.bias, dtype)
        return options

    def _mask(self, mask: Any, dtype: str) -> Any:
        if self.parameters.flex:
            return self._flex(mask)
        sizes = dict(zip("bhls", mask.shape, strict=True)) | {"1": 1}
        return self.array(mask.reshape([sizes[axis] for axis in self.form.mask[1]]), dtype)

    def _flex(self, mask: Any) -> Any:
        """A mask as FlexAttention takes it: block_mask if it is Boolean, score_mod if a bias."""
        from torch.nn.attention.flex_attention import create_block_mask

        numbers = self.array(mask, "bool" if mask.dtype == bool else self.form.dtype)
        if mask.dtype != bool:
            return lambda score, b, h, i, j: score + numbers[b, h, i, j]
        B, H, L, S = mask.shape
        return create_block_mask(
            lambda b, h, i, j: numbers[b, h, i, j], B, H, L, S, device=self.form.device
        )

    def _output(self, result: Any, x: Inputs) -> Any:
        """The first array of a fitting shape; raises TypeError or ValueError if there is none."""
        arrays = [a for a in _flat(result) if hasattr(a, "shape") and hasattr(a, "dtype")]
        if not arrays:
            raise TypeError(f"it returned a {type(result).__name__}: expected an array")
        fitting = [a for a in arrays if tuple(a.shape) in self._shapes(x).values()]
        if not fitting:
            expected = self._shapes(x)[self.form.layout]
            raise ValueError(f"it returned shape {tuple(arrays[0].shape)}: expected {expected}")
        return fitting[0]

    def _shapes(self, x: Inputs) -> dict[str, tuple[int, ...]]:
        """How the output may come back, the layout of the inputs first."""
        (B, H, L, _), Dv = x.q.shape, x.v.shape[-1]
        if self.form.rank < 4:
            return {"bhld": (B, H, L, Dv)[4 - self.form.rank :]}
        shapes = {"bhld": (B, H, L, Dv), "blhd": (B, L, H, Dv), "bld": (B, L, H * Dv)}
        return {self.form.layout: shapes[self.form.layout]} | shapes

    def _canonical(self, out: Any, x: Inputs) -> Any:
        (B, H, L, _), Dv = x.q.shape, x.v.shape[-1]
        shapes = self._shapes(x)
        self.returned = next(layout for layout, shape in shapes.items() if out.shape == shape)
        if self.returned == "bhld":
            return out.reshape(B, H, L, Dv)
        return out.reshape(B, L, H, Dv).swapaxes(1, 2)


def cut(mask: Any, axes: str) -> Any:
    """The part of a mask (B, H, L, S) that can be said with these axes: others have length 1."""
    return mask[tuple(slice(None) if axis in axes else slice(1) for axis in "bhls")]


def as_projections_leave(x: Any) -> Any:
    """The same numbers, with heads and tokens exchanged in memory; columns first if (L, D)."""
    axes = (1, 0) if x.ndim == 2 else (*range(x.ndim - 3), x.ndim - 2, x.ndim - 3, x.ndim - 1)
    if isinstance(x, np.ndarray):
        return np.ascontiguousarray(x.transpose(axes)).transpose(axes)
    return x.permute(axes).contiguous().permute(axes)


def same(a: Any, b: Any) -> bool:
    return bool(np.array_equal(a, b, equal_nan=True))


def last_line(error: BaseException) -> str:
    """An error as Python would end with it, cut to what fits on a line."""
    lines = str(error).strip().splitlines() or [""]
    return shorten(f"{type(error).__name__}: {lines[-1]}", 120, placeholder=" …")


def _flat(result: Any) -> list[Any]:
    return list(result) if isinstance(result, tuple | list) else [result]


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """What strangers print and warn of is not shown."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            yield
