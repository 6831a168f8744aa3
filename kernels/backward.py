"""The backward kernels: the weights are made again, from the scores and their log-sum-exp.

With P the weights and dP = dO vᵀ: dS = P (dP − δ), where δ = Σ O dO − dlse is one number a query;
then dq = scale · dS k, dk = scale · dSᵀ q and dv = Pᵀ dO. One kernel goes through keys and gives
dq, the other through queries and gives dk and dv: no two programs add to the same place, so the
result is the same every time.

Source: Dao et al. 2022 (arXiv:2205.14135), algorithm 4.
"""

import triton
import triton.language as tl

from kernels.pairs import (
    LOG2_E,
    Matrix,
    Plan,
    along,
    chosen,
    fetch,
    load,
    place,
    scored,
    sequence,
    signed,
    span,
    unit,
)


@triton.jit(do_not_specialize=("Hq", "G", "L", "S", "left", "right", "scale", "cap"))
def backward_q(
    q: Matrix,  # (B, Hq, L, D)
    k: Matrix,  # (B, Hkv, S, D)
    v: Matrix,  # (B, Hkv, S, DV)
    mask: Matrix,  # (B, Hq, ⌈L / MASK_L⌉, ⌈S / MASK_S⌉), or None
    out: Matrix,  # (B, Hq, L, DV)
    d_out: Matrix,  # as out
    lse: Matrix,  # (B, Hq, L)
    d_lse: Matrix,  # as lse, or None
    delta: Matrix,  # as lse: written, for the other kernel
    dq: Matrix,  # as q: written
    d_mask: Matrix,  # (B, Hq, L, S): written where tiles take part, or None
    ends_q: tl.tensor,  # where packed sequences end, (B + 1,), or None
    ends_k: tl.tensor,
    needed: Matrix,  # which tiles of keys a tile of queries needs, or None
    Hq: tl.tensor,
    G: tl.tensor,
    L: tl.tensor,
    S: tl.tensor,
    left: tl.tensor,
    right: tl.tensor,
    scale: tl.tensor,
    cap: tl.tensor,
    plan: Plan,
) -> None:
    """One program: the gradient of BLOCK_L queries of one head, over all keys they see."""
    tiles = tl.cdiv(L, plan.BLOCK_L)
    tile = tiles - 1 - tl.program_id(0) % tiles
    first = tile * plan.BLOCK_L
    bh = (tl.program_id(0) // tiles).to(tl.int64)
    b, h = bh // Hq, bh % Hq
    q_from, k_from, L, S = sequence(ends_q, ends_k, b, L, S)
    if ends_q is not None and first >= L:
        return  # some sequences are shorter than others

    i = first + tl.arange(0, plan.BLOCK_L)  # (BLOCK_L,)
    d = tl.arange(0, plan.BLOCK_D)  # (BLOCK_D,)
    dv = tl.arange(0, plan.BLOCK_DV)  # (BLOCK_DV,)
    from_0 = tl.arange(0, plan.BLOCK_S)  # (BLOCK_S,)
    at = q_from + i
    q_tile = signed(load(q, b, h, q_from, i, L, d, plan.D, True), plan)  # (BLOCK_L, BLOCK_D)
    o_tile = load(out, b, h, q_from, i, L, dv, plan.DV, True)  # (BLOCK_L, BLOCK_DV)
    do_tile = load(d_out, b, h, q_from, i, L, dv, plan.DV, True)  # (BLOCK_L, BLOCK_DV)
    kv = h // G

    δ = tl.sum(o_tile.to(tl.float32) * do_tile.to(tl.float32), 1)  # (BLOCK_L,)
    if d_lse is not None:
        δ -= tl.load(along(d_lse, b, h, at), mask=i < L, other=0.0)
    tl.store(along(delta, b, h, at), δ, mask=i < L)
    log_sum = tl.load(along(lse, b, h, at), mask=i < L, other=0.0)  # (BLOCK_L,)
    # A query that sees no key has no weights: 2^(−∞ − ∞) is 0.
    log_sum = tl.where(log_sum == float("-inf"), float("inf"), log_sum * LOG2_E)

    last = tl.minimum(first + plan.BLOCK_L, L) - 1
    low, high = S - L - left, S - L + right
    parts = span(first, last, low, high, S, plan.BLOCK_S, plan.LEFT, plan.RIGHT)
    if needed is not None:
        listed = along(needed, b, h, tile)
        parts = chosen(listed, needed)

    u = unit(scale, plan)
    band, scaling = (L, S, left, right), (scale, cap)
    acc = tl.zeros([plan.BLOCK_L, plan.BLOCK_D], tl.float32)  # dS k
    for PART in tl.static_range(0 if plan.LEFT else 1, 3):
        for n in range(parts[PART], parts[PART + 1]):
            s = n * plan.BLOCK_S
            if needed is not None:
                s = tl.load(listed + (2 + n) * needed.column) * plan.BLOCK_S
            j = s + from_0  # (BLOCK_S,)
            k_tile = fetch(k, b, kv, k_from, s, j, S, d, plan.D, PART != 1, plan)
            v_tile = fetch(v, b, kv, k_from, s, j, S, dv, plan.DV, PART != 1, plan)
            raw = tl.dot(q_tile, k_tile.T, input_precision="ieee")  # (BLOCK_L, BLOCK_S)
            scores, slope = scored(
                raw, i[:, None], j[None, :], band, mask, b, h, scaling, plan, PART != 1
            )  # (BLOCK_L, BLOCK_S)
            p = tl.exp2(scores * u - log_sum[:, None])  # (BLOCK_L, BLOCK_S)
            dp = tl.dot(do_tile, v_tile.T, input_precision="ieee")  # (BLOCK_L, BLOCK_S)
            ds = p * (dp - δ[:, None])  # (BLOCK_L, BLOCK_S)
            if d_mask is not None:
                inside = (i[:, None] < L) & (j[None, :] < S)
                tl.store(place(d_mask, b, h, i, j), ds, mask=inside)
            ds = (ds * slope).to(k_tile.dtype)
            acc = tl.dot(ds, k_tile, acc, input_precision="ieee")

    dq_tile = (acc * (scale * plan.SIGN)).to(dq.ptr.dtype.element_ty)  # (BLOCK_L, BLOCK_D)
    inside = (i[:, None] < L) & (d[None, :] < plan.D)
    tl.store(place(dq, b, h, at, d), dq_tile, mask=inside)


@triton.jit(do_not_specialize=("Hkv", "G", "L", "S", "left", "right", "scale", "cap"))
def backward_kv(
    q: Matrix,  # (B, Hq, L, D)
    k: Matrix,  # (B, Hkv, S, D)
    v: Matrix,  # (B, Hkv, S, DV)
    mask: Matrix,  # (B, Hq, ⌈L / MASK_L⌉, ⌈S / MASK_S⌉), or None
    d_out: Matrix,  # (B, Hq, L, DV)
    lse: Matrix,  # (B, Hq, L)
    delta: Matrix,  # as lse
    dk: Matrix,  # as k: written
    dv: Matrix,  # as v: written
    ends_q: tl.tensor,  # where packed sequences end, (B + 1,), or None
    ends_k: tl.tensor,
    needed: Matrix,  # which tiles of queries a tile of keys needs, or None
    Hkv: tl.tensor,
    G: tl.tensor,
    L: tl.tensor,
    S: tl.tensor,
    left: tl.tensor,
    right: tl.tensor,
    scale: tl.tensor,
    cap: tl.tensor,
    plan: Plan,
) -> None:
    """One program: the gradients of BLOCK_S keys and values of one KV head, over all queries."""
    # The first keys, which most queries see, start first.
    tiles = tl.cdiv(S, plan.BLOCK_S)
    tile = tl.program_id(0) % tiles
    first = tile * plan.BLOCK_S
    bh = (tl.program_id(0) // tiles).to(tl.int64)
    b, kv = bh // Hkv, bh % Hkv
    q_from, k_from, L, S = sequence(ends_q, ends_k, b, L, S)
    if ends_q is not None and first >= S:
        return  # some sequences are shorter than others

    j = first + tl.arange(0, plan.BLOCK_S)  # (BLOCK_S,)
    d = tl.arange(0, plan.BLOCK_D)  # (BLOCK_D,)
    e = tl.arange(0, plan.BLOCK_DV)  # (BLOCK_DV,)
    from_0 = tl.arange(0, plan.BLOCK_L)  # (BLOCK_L,)
    at = k_from + j
    k_tile = fetch(k, b, kv, k_from, first, j, S, d, plan.D, True, plan)  # (BLOCK_S, BLOCK_D)
    v_tile = fetch(v, b, kv, k_from, first, j, S, e, plan.DV, True, plan)  # (BLOCK_S, BLOCK_DV)

    last = tl.minimum(first + plan.BLOCK_S, S) - 1
    low, high = L - S - right, L - S + left  # key j is seen by queries j + low … j + high
    parts = span(first, last, low, high, L, plan.BLOCK_L, plan.RIGHT, plan.LEFT)
    u = unit(scale, plan)
    band, scaling = (L, S, left, right), (scale, cap)
    dk_acc = tl.zeros([plan.BLOCK_S, plan.BLOCK_D], tl.float32)  # dSᵀ q
    dv_acc = tl.zeros([plan.BLOCK_S, plan.BLOCK_DV], tl.float32)  # Pᵀ dO
    for g in range(G):
        h = kv * G + g
        if needed is not None:
            listed = along(needed, b, h, tile)
            parts = chosen(listed, needed)
        for n in range(parts[0], parts[3]):
            edge = (n < parts[1]) | (n >= parts[2])
            row = n * plan.BLOCK_L
            if needed is not None:
                row = tl.load(listed + (2 + n) * needed.column) * plan.BLOCK_L
            i = row + from_0  # (BLOCK_L,)
            q_tile = fetch(q, b, h, q_from, row, i, L, d, plan.D, True, plan)
            do_tile = fetch(d_out, b, h, q_from, row, i, L, e, plan.DV, True, plan)
            q_tile = signed(q_tile, plan)
            log_sum = tl.load(along(lse, b, h, q_from + i), mask=i < L, other=float("-inf"))
            δ = tl.load(along(delta, b, h, q_from + i), mask=i < L, other=0.0)
            log_sum = tl.where(log_sum == float("-inf"), float("inf"), log_sum * LOG2_E)

            raw = tl.dot(k_tile, q_tile.T, input_precision="ieee")  # (BLOCK_S, BLOCK_L)
            scores, slope = scored(
                raw, i[None, :], j[:, None], band, mask, b, h, scaling, plan, edge
            )  # (BLOCK_S, BLOCK_L)
            p = tl.exp2(scores * u - log_sum[None, :])  # (BLOCK_S, BLOCK_L)
            dv_acc = tl.dot(p.to(do_tile.dtype), do_tile, dv_acc, input_precision="ieee")
            dp = tl.dot(v_tile, do_tile.T, input_precision="ieee")  # (BLOCK_S, BLOCK_L)
            ds = (p * (dp - δ[None, :]) * slope).to(q_tile.dtype)  # (BLOCK_S, BLOCK_L)
            dk_acc = tl.dot(ds, q_tile, dk_acc, input_precision="ieee")

    dk_tile = (dk_acc * scale).to(dk.ptr.dtype.element_ty)  # (BLOCK_S, BLOCK_D)
    tl.store(place(dk, b, kv, at, d), dk_tile, mask=(j[:, None] < S) & (d[None, :] < plan.D))
    dv_tile = dv_acc.to(dv.ptr.dtype.element_ty)  # (BLOCK_S, BLOCK_DV)
    tl.store(place(dv, b, kv, at, e), dv_tile, mask=(j[:, None] < S) & (e[None, :] < plan.DV))
