"""The forward kernel: one pass over the keys, and the scores never leave the chip.

Source: Dao et al. 2022 (arXiv:2205.14135), algorithm 1, with the loops in the order of Dao 2023
(arXiv:2307.08691), algorithm 1.
"""

import triton
import triton.language as tl

from kernels.pairs import (
    LN_2,
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
def forward(
    q: Matrix,  # (B, Hq, L, D)
    k: Matrix,  # (B, Hkv, S, D)
    v: Matrix,  # (B, Hkv, S, DV)
    mask: Matrix,  # (B, Hq, ⌈L / MASK_L⌉, ⌈S / MASK_S⌉), or None
    out: Matrix,  # (B, Hq, L, DV)
    lse: Matrix,  # (B, Hq, L)
    ends_q: tl.tensor,  # where packed sequences end, (B + 1,), or None
    ends_k: tl.tensor,
    needed: Matrix,  # the tiles of keys that a tile of queries needs, or None
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
    """One program: BLOCK_L queries of one head, against all keys they see, BLOCK_S at a time."""
    # The last queries, which see most keys, start first: no long program is left to the end.
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
    q_tile = load(q, b, h, q_from, i, L, d, plan.D, True)  # (BLOCK_L, BLOCK_D)
    q_tile = signed(q_tile, plan)
    kv = h // G

    last = tl.minimum(first + plan.BLOCK_L, L) - 1
    low, high = S - L - left, S - L + right
    parts = span(first, last, low, high, S, plan.BLOCK_S, plan.LEFT, plan.RIGHT)
    if needed is not None:
        listed = along(needed, b, h, tile)
        parts = chosen(listed, needed)

    u = unit(scale, plan)
    band, scaling = (L, S, left, right), (scale, cap)
    top = tl.full([plan.BLOCK_L], float("-inf"), tl.float32)  # largest score so far
    total = tl.zeros([plan.BLOCK_L], tl.float32)  # Σ 2^(score − top)
    acc = tl.zeros([plan.BLOCK_L, plan.BLOCK_DV], tl.float32)  # Σ 2^(score − top) v
    for PART in tl.static_range(0 if plan.LEFT else 1, 3):
        for n in range(parts[PART], parts[PART + 1]):
            s = n * plan.BLOCK_S
            if needed is not None:
                s = tl.load(listed + (2 + n) * needed.column) * plan.BLOCK_S
            j = s + from_0  # (BLOCK_S,)
            k_tile = fetch(k, b, kv, k_from, s, j, S, d, plan.D, PART != 1, plan)
            v_tile = fetch(v, b, kv, k_from, s, j, S, dv, plan.DV, PART != 1, plan)
            raw = tl.dot(q_tile, k_tile.T, input_precision="ieee")  # (BLOCK_L, BLOCK_S)
            scores, _ = scored(
                raw, i[:, None], j[None, :], band, mask, b, h, scaling, plan, PART != 1
            )  # (BLOCK_L, BLOCK_S)

            higher = tl.maximum(top, tl.max(scores, 1))  # (BLOCK_L,)
            base = higher * u  # (BLOCK_L,)
            if PART != 1 or plan.MASK != "":
                # −∞ − (−∞) is NaN: while a query has seen no key, its scores count from 0.
                base = tl.where(higher == float("-inf"), 0.0, base)
            p = tl.exp2(scores * u - base[:, None])  # (BLOCK_L, BLOCK_S)
            fade = tl.exp2(top * u - base)  # (BLOCK_L,)
            total = total * fade + tl.sum(p, 1)
            p = p.to(v_tile.dtype)
            acc = tl.dot(p, v_tile, acc * fade[:, None], input_precision="ieee")
            top = higher

    empty = total == 0.0  # (BLOCK_L,): no key at all
    total = tl.where(empty, 1.0, total)
    out_tile = (acc / total[:, None]).to(out.ptr.dtype.element_ty)  # (BLOCK_L, BLOCK_DV)
    inside = (i[:, None] < L) & (dv[None, :] < plan.DV)
    tl.store(place(out, b, h, q_from + i, dv), out_tile, mask=inside)
    natural = tl.where(empty, float("-inf"), (top * u + tl.log2(total)) * LN_2)  # (BLOCK_L,)
    tl.store(along(lse, b, h, q_from + i), natural, mask=i < L)
