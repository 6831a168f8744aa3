"""Whether a contestant computes what it should: its output and gradients against attnref.

The truth is attention in float64, from the very bfloat16 numbers that contestants get: the first
and the last KV head of every sequence, with their query heads. All other numbers have to be finite.
"""

from typing import NamedTuple

import torch

import attnref
from kernels.bench.shapes import Shape

LIMIT = 0.01  # bfloat16 takes up to half of it; a window of 1,024 keys that is one off takes more
SCORES = 2**26  # at once: half a GiB


class Problem(NamedTuple):
    """A shape and its tensors: q and d_out (B, Hq, L, D), k and v (B, Hkv, L, D)."""

    shape: Shape
    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor
    d_out: torch.Tensor


class Truth(NamedTuple):
    """In float64, of some heads."""

    out: torch.Tensor
    dq: torch.Tensor
    dk: torch.Tensor
    dv: torch.Tensor


def draw(shape: Shape, device: str, dtype: torch.dtype = torch.bfloat16) -> Problem:
    """Normal numbers, the same at every call."""
    generator = torch.Generator(device).manual_seed(0)
    heads = (shape.Hq, shape.Hkv, shape.Hkv, shape.Hq)
    sizes = [(shape.B, H, shape.L, shape.D) for H in heads]
    drawn = [torch.randn(size, generator=generator, device=device) for size in sizes]
    return Problem(shape, *(x.to(dtype) for x in drawn))


def truth(problem: Problem) -> Truth:
    """The reference, some queries at a time, so that their scores have room."""
    shape, device = problem.shape, str(problem.q.device)
    q, k, v, d_out = (_some(x, shape).double() for x in problem[1:])
    q, k, v = (x.requires_grad_() for x in (q, k, v))
    out, rule = torch.empty_like(d_out), shape.rule(device)
    step = max(1, SCORES // (q[..., 0, 0].numel() * shape.L))
    keys = torch.arange(shape.L, device=device)
    for first in range(0, shape.L, step):
        rows = keys[first : first + step]
        mask = None if rule is None else rule(rows[:, None], keys)  # (rows, L)
        part = attnref.attention(q[..., rows, :], k, v, mask=mask)
        part.backward(d_out[..., rows, :])
        out[..., rows, :] = part.detach()
    assert q.grad is not None
    assert k.grad is not None
    assert v.grad is not None
    return Truth(out, q.grad, k.grad, v.grad)


def fault(name: str, x: torch.Tensor, true: torch.Tensor, shape: Shape) -> str | None:
    """What is wrong with a result, (B, H, L, D), in a sentence; None if nothing is."""
    heads = shape.Hkv if name in ("dk", "dv") else shape.Hq
    if x.shape != (expected := (shape.B, heads, shape.L, shape.D)):
        return f"{name} has shape {tuple(x.shape)}: expected {expected}"
    if not x.isfinite().all():
        return f"{name} is not finite everywhere"
    error = distance(_some(x, shape).double(), true)
    return None if error <= LIMIT else f"{name} is off by {error:.1%}, and {LIMIT:.0%} is allowed"


def distance(x: torch.Tensor, true: torch.Tensor) -> float:
    """How far the vector of a token lies from the truth, as a share of its length: the mean."""
    lengths = true.norm(dim=-1)
    lengths = lengths.clamp(min=float(lengths.mean()) / 10)  # some are 0, or almost
    return float(((x - true).norm(dim=-1) / lengths).mean())


def _some(x: torch.Tensor, shape: Shape) -> torch.Tensor:
    """The first and the last KV head, or the query heads that share them."""
    group = x.shape[1] // shape.Hkv
    heads = [h * group + g for h in sorted({0, shape.Hkv - 1}) for g in range(group)]
    return x.detach()[:, heads]
