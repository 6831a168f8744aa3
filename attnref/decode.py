"""Attention of the newest tokens over what a cache holds, whole or in parts."""

from collections.abc import Sequence
from typing import Any

from array_api_compat import array_namespace, device

from attnref import Array
from attnref.attention import capped_scores, masked, mixture
from attnref.checks import (
    check_array,
    check_count,
    check_heads,
    check_kin,
    check_place,
    check_shape,
)
from attnref.merge import merge
from attnref.softmax import logsumexp, softmax, widen


def decode(
    q: Array,
    k_cache: Array,
    v_cache: Array,
    seq_lens: Array | Sequence[int],
    *,
    block_table: Array | None = None,
    splits: int | None = None,
    scale: float | None = None,
    return_lse: bool = False,
) -> Any:
    """Each sequence's last n queries attend to the keys that it has in the cache, causally.

    q (B, Hq, n, D), k_cache (B, Hkv, S, D), v_cache (B, Hkv, S, Dv) → (B, Hq, n, Dv), or with
    `return_lse` the pair of it and (B, Hq, n). Sequence b has the keys j < seq_lens[b], the n
    newest of which belong to its queries: query i sees j ≤ i + seq_lens[b] − n. What lies behind
    is never read.

    block_table   integers (B, max_pages): then the caches are pages, (pages, page, Hkv, D) and
                  (pages, page, Hkv, Dv), and row b lists the pages of sequence b in order;
                  entries that it does not need are not looked at
    splits        cut the keys into so many parts, attend to each on its own, and merge; the
                  output is the same up to rounding
    scale         as in `attention`

    Raises TypeError or ValueError that names the argument, what it was and what was expected.

    Source: Dao et al. 2023, Flash-Decoding, for the splits; Kwon et al. 2023, PagedAttention
    (arXiv:2309.06180), section 4.1, for the pages.
    """
    lengths = _lengths(q, k_cache, v_cache, seq_lens, block_table)
    parts = 1 if splits is None else check_count("splits", splits, least=1)
    xp = array_namespace(q)
    outs, lses = [], []
    for b, length in enumerate(lengths):
        k, v = (_sequence(x, b, length, block_table) for x in (k_cache, v_cache))
        size = max(1, -(-length // parts))
        pieces = []
        for start in range(0, max(1, length), size):
            part = slice(start, start + size)
            scores = capped_scores(q[b], k[:, part], scale, softcap=None)
            scores = masked(scores, q[b], causal=True, ahead=length - q.shape[-2] - start)
            pieces.append((mixture(softmax(scores), v[:, part]), logsumexp(scores)))
        out, lse = merge(*zip(*pieces, strict=True))
        outs.append(xp.astype(out, q.dtype, copy=False))
        lses.append(lse)
    out = _stack(outs, (*q.shape[:-1], v_cache.shape[-1]), q)
    return (out, _stack(lses, q.shape[:-1], widen(q))) if return_lse else out


def _lengths(
    q: Array,
    k_cache: Array,
    v_cache: Array,
    seq_lens: Array | Sequence[int],
    block_table: Array | None,
) -> list[int]:
    """The sequences' lengths as ints; raises unless the caches hold them and suit q."""
    for name, x in (("q", q), ("k_cache", k_cache), ("v_cache", v_cache)):
        check_kin(name, x, "q", q)
    check_shape("q", q, (None,) * 4, "(B, Hq, n, D)")
    B, Hq, n, D = q.shape
    lengths = [int(length) for length in seq_lens]
    if len(lengths) != B:
        raise ValueError(f"seq_lens has {len(lengths)} lengths: expected one a sequence, {B}")
    if block_table is None:
        check_shape("k_cache", k_cache, (B, None, None, D), "(B, Hkv, S, D)")
        Hkv, S = k_cache.shape[1:3]
        check_shape("v_cache", v_cache, (B, Hkv, S, None), "(B, Hkv, S, Dv)")
        room = S
    else:
        check_array("block_table", block_table, "integral")
        check_place("block_table", block_table, "q", q)
        check_shape("block_table", block_table, (B, None), "(B, max_pages)")
        check_shape("k_cache", k_cache, (None, None, None, D), "(pages, page, Hkv, D)")
        pages, page, Hkv = k_cache.shape[:3]
        check_shape("v_cache", v_cache, (pages, page, Hkv, None), "(pages, page, Hkv, Dv)")
        room = page * block_table.shape[1]
    check_heads("k_cache", k_cache, Hq, Hkv)
    for b, length in enumerate(lengths):
        if not n <= length <= room:
            raise ValueError(f"seq_lens[{b}] is {length}: expected {n} (queries) to {room} (room)")
    return lengths


def _sequence(cache: Array, b: int, length: int, block_table: Array | None) -> Array:
    """The keys or values of one sequence: (Hkv, length, D)."""
    if block_table is None:
        return cache[b, :, :length, :]
    xp = array_namespace(cache)
    page = cache.shape[1]
    table = [int(block_table[b, p]) for p in range(-(-length // page))]
    for p, number in enumerate(table):
        if not 0 <= number < cache.shape[0]:
            raise ValueError(
                f"block_table[{b}, {p}] is {number}: expected a page below {cache.shape[0]}"
            )
    rows = xp.concat([cache[number] for number in table] or [cache[0, :0]], axis=0)[:length]
    return xp.moveaxis(rows, 0, 1)  # (length, Hkv, D) → (Hkv, length, D)


def _stack(rows: list[Array], shape: tuple[int, ...], like: Array) -> Array:
    """The rows, or where there is none an empty array of this shape."""
    xp = array_namespace(like)
    return xp.stack(rows) if rows else xp.zeros(shape, dtype=like.dtype, device=device(like))
