"""Attention as torch has it without a kernel: what the error of a kernel is measured against.

Every step is taken in the dtype of the inputs, as in flash-attention's tests: sums are made in
float32, as the matrix units of a GPU make them, and each result is rounded.
"""

from math import inf
from typing import Any

import torch

import attnref


def plain(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    *,
    mask: torch.Tensor | None = None,
    causal: bool = False,
    window: tuple[int, int] | None = None,
    scale: float | None = None,
    softcap: float | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Output and log-sum-exp, as of attnref.attention, with their gradients through autograd."""
    if k.ndim > 2 and k.shape[-3]:
        k, v = (x.repeat_interleave(q.shape[-3] // x.shape[-3], dim=-3) for x in (k, v))
    scores = _product(q, k.mT) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if softcap is not None:
        scores = softcap * torch.tanh(scores / softcap)
    hidden = ~allowed(scores, mask, causal, window)
    if mask is not None and mask.dtype != torch.bool:
        scores = scores + mask.to(scores.dtype)
    scores = scores.masked_fill(hidden, -inf)
    empty = hidden.all(-1, keepdim=True)
    scores = scores.masked_fill(empty, 0.0)  # softmax of −∞ alone is NaN, and so is its gradient
    weights = scores.softmax(-1).masked_fill(empty, 0.0)
    lse = scores.logsumexp(-1) if scores.shape[-1] else scores.sum(-1)
    return _product(weights, v), lse.masked_fill(empty[..., 0], -inf)


def allowed(
    scores: torch.Tensor,
    mask: torch.Tensor | None,
    causal: bool = False,
    window: tuple[int, int] | None = None,
) -> torch.Tensor:
    """Which pairs take part, in the shape of their scores."""
    pairs = torch.ones_like(scores, dtype=torch.bool)
    L, S = scores.shape[-2:]
    if mask is not None:
        pairs = pairs & (mask if mask.dtype == torch.bool else mask > -inf)
    if causal:
        pairs = pairs & attnref.masks.causal(L, S, like=scores)
    if window is not None:
        pairs = pairs & attnref.masks.window(L, S, *window, like=scores)
    return pairs


def _product(a: Any, b: Any) -> Any:
    return (a.float() @ b.float()).to(a.dtype)
