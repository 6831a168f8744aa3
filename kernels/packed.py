"""Attention over several sequences that lie one behind the other, without padding."""

from itertools import pairwise

import torch

from attnref.packed import check_packed
from kernels.attention import band, check_fit, check_torch, factor
from kernels.autograd import attend
from kernels.launch import How


def attention_varlen(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    cu_seqlens_q: torch.Tensor,
    cu_seqlens_k: torch.Tensor,
    *,
    causal: bool = False,
    window: tuple[int, int] | None = None,
    scale: float | None = None,
) -> torch.Tensor:
    """`attention` within each of B packed sequences, as `attnref.attention_varlen`.

    q (tokens, Hq, D), k (keys, Hkv, D), v (keys, Hkv, Dv) → (tokens, Hq, Dv). cu_seqlens_q and
    cu_seqlens_k are integers (B + 1,): sequence b has the queries from cu_seqlens_q[b] up to, but
    not with, cu_seqlens_q[b + 1], and its keys likewise. The rest as in `attention`. A program
    never reads beyond its sequence. The lengths are read here, which waits for the GPU.

    Raises TypeError or ValueError that names the argument, what it was and what was expected.

    Source: Dao et al., flash-attn, `flash_attn_varlen_func`, for the layout.
    """
    check_torch(q=q, k=k, v=v, cu_seqlens_q=cu_seqlens_q, cu_seqlens_k=cu_seqlens_k)
    lengths = [
        [end - begin for begin, end in pairwise(ends)]
        for ends in check_packed(q, k, v, cu_seqlens_q.cpu(), cu_seqlens_k.cpu())
    ]
    q, k, v = (x.transpose(0, 1) for x in (q, k, v))  # (H, tokens, D)
    check_fit(q, k, v)
    longest = max(lengths[0], default=0), max(lengths[1], default=0)
    left, right = band(causal, window, sum(longest))
    how = How(
        scale=factor(q, scale),
        left=left,
        right=right,
        ends=(cu_seqlens_q.contiguous(), cu_seqlens_k.contiguous()),
        longest=longest,
    )
    out, _ = attend(q[None], k[None], v[None], None, how)
    return out[0].transpose(0, 1)
