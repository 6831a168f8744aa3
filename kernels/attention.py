"""Scaled dot-product attention in one pass over the keys: the scores never leave the chip."""

from math import e, log, log2
from typing import Any

import torch
import triton
import triton.language as tl

from attnref.checks import check_arrays, check_number
from kernels import INTERPRETED
from kernels.tiles import constants


def attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    *,
    causal: bool = False,
    scale: float | None = None,
    return_lse: bool = False,
) -> Any:
    """softmax(q kᵀ · scale) v, as `attnref.attention`: to come here from there, change one word.

    q (…, Hq, L, D), k (…, Hkv, S, D), v (…, Hkv, S, Dv) → (…, Hq, L, Dv), or with `return_lse`
    the pair of it and the log-sum-exp of the scores, (…, Hq, L), float32, natural logarithm. Rank
    2 is one head. Hkv divides Hq: KV head h // (Hq / Hkv) serves query head h.

    causal   query i sees keys j ≤ i + S − L: the last query stands at the last key
    scale    what the dot products are multiplied by; 1/√D if not given

    A query with no key gets zeros and lse = −∞. Inputs are finite torch tensors, all float32,
    float16 or bfloat16, with D and Dv up to 256. They may lie in memory in any way (transposed,
    expanded, sliced): they are read where they are, never copied. Sums are made in float32, and
    float32 inputs are multiplied as such, not in TF32. There is no backward pass yet.

    Raises TypeError or ValueError that names the argument, what it was and what was expected.

    Source: Dao et al. 2022 (arXiv:2205.14135), algorithm 1, with the loops in the order of Dao
    2023 (arXiv:2307.08691), algorithm 1.
    """
    _check(q, k, v)
    scale = q.shape[-1] ** -0.5 if scale is None else check_number("scale", scale)
    out = torch.empty((*q.shape[:-1], v.shape[-1]), dtype=q.dtype, device=q.device)
    lse = torch.empty(q.shape[:-1], dtype=torch.float32, device=q.device)
    if lse.numel():
        _launch(q, k, v, out, lse, scale=scale, causal=causal)
    return (out, lse) if return_lse else out


def _launch(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    out: torch.Tensor,
    lse: torch.Tensor,
    *,
    scale: float,
    causal: bool,
) -> None:
    """Fills out and lse: in one launch, if q, k and v can each walk their batch with one stride."""
    if q.ndim > 4:
        if all(_first_axes_merge(x) for x in (q, k, v)):
            merged = (x.view(x.shape[0] * x.shape[1], *x.shape[2:]) for x in (q, k, v, out, lse))
            _launch(*merged, scale=scale, causal=causal)
        else:
            for one in zip(q, k, v, out, lse, strict=True):
                _launch(*one, scale=scale, causal=causal)
        return

    while q.ndim < 4:
        q, k, v = q[None], k[None], v[None]
    B, Hq, L, D = q.shape
    _, Hkv, S, Dv = v.shape
    backend = "hip" if torch.version.hip else "cuda"
    tile = constants(D, Dv, q.dtype, backend)
    grid = (triton.cdiv(L, tile["BLOCK_L"]) * B * Hq,)
    with torch.cuda.device(q.get_device()):  # Triton launches on the current one
        forward[grid](
            *(q, k, v, out, lse, q.stride(), k.stride(), v.stride()),
            *(Hq, Hq // Hkv, L, S, scale * log2(e)),
            CAUSAL=bool(causal),
            **tile,
        )


def _first_axes_merge(x: torch.Tensor) -> bool:
    return x.stride(0) == x.shape[1] * x.stride(1) or 1 in x.shape[:2]


LN_2 = tl.constexpr(log(2))


# One binary serves all lengths and numbers of heads.
@triton.jit(do_not_specialize=("Hq", "G", "L", "S"))
def forward(
    q_ptr: tl.tensor,
    k_ptr: tl.tensor,
    v_ptr: tl.tensor,
    out_ptr: tl.tensor,  # (B, Hq, L, DV), contiguous
    lse_ptr: tl.tensor,  # (B, Hq, L), contiguous
    q_strides: tl.tuple,  # of B, Hq, L, D
    k_strides: tl.tuple,  # of B, Hkv, S, D
    v_strides: tl.tuple,  # of B, Hkv, S, DV
    Hq: tl.tensor,
    G: tl.tensor,
    L: tl.tensor,
    S: tl.tensor,
    scale_log2: tl.tensor,  # scale · log₂ e, so that 2^ does for e^, which GPUs don't have
    D: tl.constexpr,
    DV: tl.constexpr,
    BLOCK_D: tl.constexpr,  # D and DV, rounded up to a power of two
    BLOCK_DV: tl.constexpr,
    BLOCK_L: tl.constexpr,
    BLOCK_S: tl.constexpr,
    CAUSAL: tl.constexpr,
) -> None:
    """One program: BLOCK_L queries of one head, against all keys they see, BLOCK_S at a time."""
    q_sb, q_sh, q_sl, q_sd = q_strides
    k_sb, k_sh, k_ss, k_sd = k_strides
    v_sb, v_sh, v_ss, v_sd = v_strides

    # The last queries, which see most keys, start first: no long program is left to the end.
    tiles = tl.cdiv(L, BLOCK_L)
    first = (tiles - 1 - tl.program_id(0) % tiles) * BLOCK_L
    bh = (tl.program_id(0) // tiles).to(tl.int64)  # offsets can pass 2³¹
    b, h = bh // Hq, bh % Hq

    i = first + tl.arange(0, BLOCK_L)  # (BLOCK_L,)
    d = tl.arange(0, BLOCK_D)  # (BLOCK_D,)
    dv = tl.arange(0, BLOCK_DV)  # (BLOCK_DV,)
    q_tile = _tile(q_ptr + b * q_sb + h * q_sh, i, q_sl, d, q_sd)  # (BLOCK_L, BLOCK_D)
    q = tl.load(q_tile, mask=(i[:, None] < L) & (d[None, :] < D), other=0.0)

    from_0 = tl.arange(0, BLOCK_S)  # (BLOCK_S,)
    kv = h // G
    k_tile = _tile(k_ptr + b * k_sb + kv * k_sh, d, k_sd, from_0, k_ss)  # (BLOCK_D, BLOCK_S)
    v_tile = _tile(v_ptr + b * v_sb + kv * v_sh, from_0, v_ss, dv, v_sd)  # (BLOCK_S, BLOCK_DV)

    # Of the keys [0, edge) every query of this tile sees all; from `end` on none sees any.
    edge, end = S // BLOCK_S * BLOCK_S, S
    if CAUSAL:
        after = first + 1 + S - L  # the first key that the first query doesn't see
        edge = tl.maximum(0, tl.minimum(S, after)) // BLOCK_S * BLOCK_S
        end = tl.minimum(S, after + BLOCK_L - 1)

    top = tl.full([BLOCK_L], float("-inf"), tl.float32)  # largest score so far
    total = tl.zeros([BLOCK_L], tl.float32)  # Σ 2^(score − top)
    acc = tl.zeros([BLOCK_L, BLOCK_DV], tl.float32)  # Σ 2^(score − top) v
    for AT_EDGE in tl.static_range(2):
        for s in range(edge if AT_EDGE else 0, end if AT_EDGE else edge, BLOCK_S):
            j = s + from_0  # (BLOCK_S,)
            far = tl.cast(s, tl.int64)
            k_mask, v_mask = d[:, None] < D, dv[None, :] < DV
            if AT_EDGE:
                k_mask, v_mask = k_mask & (j[None, :] < S), v_mask & (j[:, None] < S)
            k = tl.load(k_tile + far * k_ss, mask=k_mask, other=0.0)  # (BLOCK_D, BLOCK_S)
            v = tl.load(v_tile + far * v_ss, mask=v_mask, other=0.0)  # (BLOCK_S, BLOCK_DV)

            scores = tl.dot(q, k, input_precision="ieee") * scale_log2  # (BLOCK_L, BLOCK_S)
            if AT_EDGE:
                sees = j[None, :] <= i[:, None] + (S - L) if CAUSAL else j[None, :] < S
                scores = tl.where(sees, scores, float("-inf"))

            higher = tl.maximum(top, tl.max(scores, 1))  # (BLOCK_L,)
            # −∞ − (−∞) is NaN: while a query has seen no key, its scores are measured from 0.
            base = tl.where(higher == float("-inf"), 0.0, higher)  # (BLOCK_L,)
            p = tl.exp2(scores - base[:, None])  # (BLOCK_L, BLOCK_S)
            fade = tl.exp2(top - base)  # (BLOCK_L,)
            total = total * fade + tl.sum(p, 1)
            acc = tl.dot(p.to(v.dtype), v, acc * fade[:, None], input_precision="ieee")
            top = higher

    empty = total == 0.0  # (BLOCK_L,): no key at all
    total = tl.where(empty, 1.0, total)
    lse = tl.where(empty, float("-inf"), (top + tl.log2(total)) * LN_2)  # (BLOCK_L,)
    out = acc / total[:, None]  # (BLOCK_L, BLOCK_DV)
    row = bh * L + i
    tl.store(
        _tile(out_ptr, row, DV, dv, 1),
        out.to(out_ptr.dtype.element_ty),
        mask=(i[:, None] < L) & (dv[None, :] < DV),
    )
    tl.store(lse_ptr + row, lse, mask=i < L)


@triton.jit
def _tile(
    ptr: tl.tensor,
    rows: tl.tensor,
    row_stride: tl.tensor,
    columns: tl.tensor,
    column_stride: tl.tensor,
) -> tl.tensor:
    """Where the elements of a tile are: (rows, columns)."""
    rows, columns = rows.to(tl.int64), columns.to(tl.int64)
    return ptr + rows[:, None] * row_stride + columns[None, :] * column_stride


def _check(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> None:
    """Raises TypeError or ValueError unless the kernel can take the three."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        if not isinstance(x, torch.Tensor):
            raise TypeError(f"{name} is a {type(x).__name__}: expected a torch.Tensor")
    check_arrays(q, k, v)

    if q.dtype not in (torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(
            f"q has dtype {q.dtype}: expected torch.float32, torch.float16 or torch.bfloat16"
        )
    if q.device.type != "cuda" and not (INTERPRETED and q.device.type == "cpu"):
        expected = "cpu, where Triton interprets" if INTERPRETED else "cuda"
        raise TypeError(f"q is a torch.Tensor on {q.device}: expected one on {expected}")
    for name, x in (("q", q), ("k", k), ("v", v)):
        if x.shape[-1] > 256:
            raise ValueError(
                f"{name} has shape {tuple(x.shape)}: its last axis must be 256 or less"
            )
        if x.requires_grad and torch.is_grad_enabled():
            raise ValueError(
                f"{name} requires a gradient, and kernels.attention has no backward pass yet: "
                f"expected torch.no_grad() or {name}.detach()"
            )
