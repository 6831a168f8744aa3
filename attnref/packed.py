"""Attention over several sequences that lie one behind the other, without padding."""

from array_api_compat import array_namespace

from attnref import Array
from attnref.attention import attention
from attnref.checks import check_array, check_arrays, check_place, expect


def attention_varlen(
    q: Array,
    k: Array,
    v: Array,
    cu_seqlens_q: Array,
    cu_seqlens_k: Array,
    *,
    causal: bool = False,
    window: tuple[int, int] | None = None,
    scale: float | None = None,
) -> Array:
    """`attention` within each of B packed sequences: (tokens of all, Hq, Dv).

    q (tokens, Hq, D), k (keys, Hkv, D), v (keys, Hkv, Dv): heads in the middle. cu_seqlens_q and
    cu_seqlens_k are integers (B + 1,): sequence b has the queries from cu_seqlens_q[b] up to, but
    not with, cu_seqlens_q[b + 1], and its keys likewise. The rest as in `attention`.

    Raises TypeError or ValueError that names the argument, what it was and what was expected.

    Source: Dao et al., flash-attn, `flash_attn_varlen_func`, for the layout.
    """
    ends_q, ends_k = check_packed(q, k, v, cu_seqlens_q, cu_seqlens_k)
    xp = array_namespace(q)
    q, k, v = (xp.moveaxis(x, 0, 1) for x in (q, k, v))  # (H, tokens, D)
    outs = [attention(q[:, :0, :], k[:, :0, :], v[:, :0, :])]
    for b in range(len(ends_q) - 1):
        rows, keys = slice(*ends_q[b : b + 2]), slice(*ends_k[b : b + 2])
        part = (q[:, rows, :], k[:, keys, :], v[:, keys, :])
        outs.append(attention(*part, causal=causal, window=window, scale=scale))
    return xp.moveaxis(xp.concat(outs, axis=1), 0, 1)


def check_packed(
    q: Array, k: Array, v: Array, cu_seqlens_q: Array, cu_seqlens_k: Array
) -> tuple[list[int], list[int]]:
    """Where queries and keys begin and end; raises TypeError or ValueError if arguments differ."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        check_array(name, x, "real floating")
        check_place(name, x, "q", q)
        expect(x.ndim == 3, name, x, "expected (tokens, H, D)")
    check_arrays(*(array_namespace(q).moveaxis(x, 0, 1) for x in (q, k, v)))
    ends_q = _ends("cu_seqlens_q", cu_seqlens_q, q.shape[0])
    ends_k = _ends("cu_seqlens_k", cu_seqlens_k, k.shape[0])
    if len(ends_q) != len(ends_k):
        told = f"cu_seqlens_k has {len(ends_k)} entries: expected as many as cu_seqlens_q"
        raise ValueError(f"{told}, {len(ends_q)}")
    return ends_q, ends_k


def _ends(name: str, cu_seqlens: Array, tokens: int) -> list[int]:
    """Where sequences begin and end, checked: from 0 to all tokens, never falling."""
    check_array(name, cu_seqlens, "integral")
    expect(cu_seqlens.ndim == 1 and cu_seqlens.shape[0] > 0, name, cu_seqlens, "expected (B + 1,)")
    ends = [int(end) for end in cu_seqlens]
    if ends[0] != 0 or ends[-1] != tokens or ends != sorted(ends):
        raise ValueError(f"{name} is {ends}: expected to rise from 0 to the {tokens} tokens")
    return ends
