"""The rule by which a kernel is judged: its error against that of plain torch, in the same dtype.

Both are measured against attnref in float64, given the same inputs. A kernel in float16 or
bfloat16 may lie twice as far from the truth as torch's softmax(q kᵀ · scale) v at its worst
element, one in float32 ten times as far; infinities and NaNs stand in the same places.
"""

from collections.abc import Callable
from typing import Any

import torch

import attnref
import kernels

DEVICE = "cpu" if kernels.INTERPRETED else "cuda"
ALLOWED = {torch.float32: 10, torch.float16: 2, torch.bfloat16: 2}  # times the error of torch


def draw(*shapes: tuple[int, ...], dtype: str = "float32", seed: int = 0) -> list[torch.Tensor]:
    """Normal numbers of the given shapes, the same at every call."""
    generator = torch.Generator().manual_seed(seed)
    to = getattr(torch, dtype)
    return [torch.randn(shape, generator=generator).to(DEVICE, to) for shape in shapes]


def assert_as_good_as_torch(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    *,
    attention: Callable[..., Any] | None = None,
    **options: Any,
) -> None:
    """Output and lse of the kernel obey the rule, for these inputs and options."""
    out, lse = (attention or kernels.attention)(q, k, v, **options, return_lse=True)
    true, true_lse = attnref.attention(*_double(q, k, v), **options, return_lse=True)
    assert out.dtype == q.dtype
    assert lse.dtype == torch.float32
    plain, plain_lse = _plain(q, k, v, **options)
    if q.dtype != torch.float32:  # lse is never narrower
        _, plain_lse = _plain(q.float(), k.float(), v.float(), **options)
    _compare("out", out, true, plain, roundings=1)
    _compare("lse", lse, true_lse, plain_lse, roundings=4)  # to base 2 and back, as GPUs want it


def _compare(name: str, ours: Any, true: Any, theirs: Any, roundings: int) -> None:
    dtype, times = ours.dtype, ALLOWED[ours.dtype]
    ours, theirs = _double(ours, theirs)
    assert ours.shape == true.shape, f"{name} has shape {tuple(ours.shape)}"
    both_nan = ours.isnan() & true.isnan()
    alike = torch.where(true.isfinite(), ours.isfinite(), (ours == true) | both_nan)
    assert alike.all(), f"{name} at {_first(~alike)}: {ours[~alike][0]}, expected {true[~alike][0]}"
    if not (finite := true.isfinite()).any():
        return
    errors = torch.where(finite, (ours - true).abs(), 0.0)
    # In a small case torch may be exact by luck: these roundings of the result are granted.
    floor = roundings * torch.finfo(dtype).eps / 2 * float(true[finite].abs().max())
    allowed = times * float((theirs - true)[finite].abs().max()) + floor
    worst = _first(errors == errors.max())
    assert errors.max() <= allowed, (
        f"{name} at {worst}: {ours[worst]}, expected {true[worst]} ± {allowed:.3g}"
    )


def _plain(q: Any, k: Any, v: Any, causal: bool = False, scale: float | None = None) -> Any:
    """softmax(q kᵀ · scale) v, every step in the dtype of the inputs; with the log-sum-exp."""
    if k.ndim > 2 and k.shape[-3]:
        k, v = (x.repeat_interleave(q.shape[-3] // k.shape[-3], dim=-3) for x in (k, v))
    L, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale)
    if causal:
        hidden = torch.ones(L, S, dtype=torch.bool, device=q.device).triu(S - L + 1)
        scores = scores.masked_fill(hidden, -torch.inf)
    some = (scores > -torch.inf).any(-1, keepdim=True) | scores.isnan().any(-1, keepdim=True)
    return torch.where(some, scores.softmax(-1), 0.0) @ v, scores.logsumexp(-1)


def _double(*arrays: torch.Tensor) -> list[torch.Tensor]:
    return [x.detach().cpu().double() for x in arrays]


def _first(where: torch.Tensor) -> tuple[int, ...]:
    return tuple(int(i) for i in where.nonzero()[0])
