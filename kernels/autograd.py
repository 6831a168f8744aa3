"""Attention as a function that torch can differentiate, once."""

from typing import Any

import torch

from kernels.launch import How, run_backward, run_forward


def attend(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None, how: How
) -> tuple[torch.Tensor, torch.Tensor]:
    """The output and its log-sum-exp. The mask is broadcast to the scores, or to their blocks."""
    out, lse = Attend.apply(q, k, v, mask, how)  # type: ignore[no-untyped-call]
    return out, lse


class Attend(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, q: Any, k: Any, v: Any, mask: Any, how: How) -> tuple[Any, Any]:
        out = _empty(q, v.shape[-1], q.dtype, how)
        lse = torch.empty(q.shape[:-1], dtype=torch.float32, device=q.device)
        run_forward(q, k, v, _wide(q, k, mask, how), out, lse, how)
        ctx.save_for_backward(q, k, v, mask, out, lse)
        ctx.how = how
        ctx.set_materialize_grads(False)
        return out, lse

    @staticmethod
    def backward(ctx: Any, d_out: Any, d_lse: Any) -> tuple[Any, ...]:
        wanted = ctx.needs_input_grad[3]
        given = (*ctx.saved_tensors, d_out, d_lse, ctx.how, wanted)
        return *Gradients.apply(*given), None  # type: ignore[no-untyped-call]


class Gradients(torch.autograd.Function):
    """A function too, so that asking for its own gradient is an error, and not a 0 unnoticed.

    torch's `once_differentiable` notices only if the gradient of the output has a gradient.
    """

    @staticmethod
    def forward(ctx: Any, *given: Any) -> tuple[Any, ...]:
        q, k, v, mask, out, lse, d_out, d_lse, how, wanted = given
        if d_out is None:
            d_out = out.new_zeros(()).expand(out.shape)
        dq, dk, dv = (_empty(x, x.shape[-1], x.dtype, how) for x in (q, k, v))
        wide, d_mask = _wide(q, k, mask, how), None
        if wanted:
            d_mask = torch.zeros((*q.shape[:-1], k.shape[-2]), dtype=torch.float32, device=q.device)
        inputs = (q, k, v, wide, out, d_out, lse, d_lse)
        run_backward(*inputs, how, dq, dk, dv, d_mask)
        if d_mask is not None:
            d_mask = d_mask.sum_to_size(mask.shape).to(mask.dtype)
        return dq, dk, dv, d_mask

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        raise NotImplementedError("kernels have no second derivatives: attnref has them")


def _empty(like: torch.Tensor, width: int, dtype: torch.dtype, how: How) -> torch.Tensor:
    """Room for a result; packed sequences keep their heads inside."""
    if how.ends is None:
        return torch.empty((*like.shape[:-1], width), dtype=dtype, device=like.device)
    _, H, tokens, _ = like.shape
    return torch.empty((1, tokens, H, width), dtype=dtype, device=like.device).transpose(1, 2)


def _wide(q: torch.Tensor, k: torch.Tensor, mask: torch.Tensor | None, how: How) -> Any:
    """The mask as kernels take it: for each score, or for each of their blocks; bits as bytes."""
    if mask is None:
        return None
    shape = (*q.shape[:-2], *mask.shape[-2:]) if how.block else (*q.shape[:-1], k.shape[-2])
    return (mask.view(torch.uint8) if mask.dtype == torch.bool else mask).expand(shape)
