"""Many heads: projections, what each head does on its own, and the projection that mixes them."""

from array_api_compat import array_namespace

from attnref import Array
from attnref.attention import attention
from attnref.checks import check_array, check_count, check_kin, expect


def multi_head_attention(
    x: Array,
    w_q: Array,
    w_k: Array,
    w_v: Array,
    w_o: Array,
    *,
    heads: int,
    kv_heads: int | None = None,
    context: Array | None = None,
    mask: Array | None = None,
    causal: bool = False,
    window: tuple[int, int] | None = None,
    scale: float | None = None,
    softcap: float | None = None,
) -> Array:
    """Project, attend in each head, join the heads, and mix them: (…, L, columns of w_o).

    x (…, L, d_model) asks. What is asked is `context` (…, S, d_model), x itself if not given:
    then it is self-attention, else cross-attention.

    w_q (d_model, Hq · D), w_k (d_model, Hkv · D), w_v (d_model, Hkv · Dv), w_o (Hq · Dv, any)
    multiply from the right. Each head owns D neighbouring columns of w_q, each KV head D of w_k and
    Dv of w_v. There is no bias: it would be one more row of each matrix, for one more coordinate,
    always 1, of what it multiplies.

    kv_heads is Hkv; `heads` if not given (multi-head attention), 1 is multi-query attention, and
    what lies between is grouped-query attention. The other options are those of `attention`: mask
    (broadcastable to (…, Hq, L, S)), causal, window, scale, softcap.

    Raises TypeError or ValueError that names the argument, what it was and what was expected.

    Source: Vaswani et al. 2017 (arXiv:1706.03762), section 3.2.2; Shazeer 2019 (arXiv:1911.02150),
    section 3; Ainslie et al. 2023 (arXiv:2305.13245), section 2.2.
    """
    context = x if context is None else context
    kv_heads = heads if kv_heads is None else kv_heads
    check_array("x", x, "real floating")
    for name, y in (("context", context), ("w_q", w_q), ("w_k", w_k), ("w_v", w_v), ("w_o", w_o)):
        check_kin(name, y, "x", x)
    expect(x.ndim >= 2, "x", x, "expected (…, L, d_model)")
    for name, w, rows, source in (
        ("w_q", w_q, x.shape[-1], "x"),
        ("w_k", w_k, context.shape[-1], "context"),
        ("w_v", w_v, context.shape[-1], "context"),
    ):
        says = f"expected as many rows as {source} has columns, {rows}"
        expect(w.ndim == 2 and w.shape[0] == rows, name, w, says)

    q = split_heads(x @ w_q, heads)  # (…, Hq, L, D)
    k = split_heads(context @ w_k, kv_heads)  # (…, Hkv, S, D)
    v = split_heads(context @ w_v, kv_heads)  # (…, Hkv, S, Dv)
    out = attention(
        q, k, v, mask=mask, causal=causal, window=window, scale=scale, softcap=softcap
    )  # (…, Hq, L, Dv)
    mixed = join_heads(out)  # (…, L, Hq · Dv)
    rows = mixed.shape[-1]
    fits = w_o.ndim == 2 and w_o.shape[0] == rows
    expect(fits, "w_o", w_o, f"expected as many rows as all heads have columns, {rows}")
    return mixed @ w_o


def split_heads(x: Array, heads: int) -> Array:
    """Cut each row into one piece a head: (…, n, H · D) → (…, H, n, D).

    Head h gets the columns from h · D up to, but not with, (h + 1) · D. The axes are exchanged,
    never reshaped into each other: that would deal the tokens to the heads.

    Raises TypeError or ValueError unless `heads` divides the last axis.
    """
    check_array("x", x, "real floating")
    check_count("heads", heads, least=1)
    divides = x.ndim >= 2 and x.shape[-1] % heads == 0
    expect(divides, "x", x, f"its last axis must be a multiple of the heads, {heads}")
    xp = array_namespace(x)
    pieces = xp.reshape(x, (*x.shape[:-1], heads, x.shape[-1] // heads))  # (…, n, H, D)
    return xp.moveaxis(pieces, -2, -3)


def join_heads(x: Array) -> Array:
    """Put the heads' rows side by side again: (…, H, n, D) → (…, n, H · D).

    Raises TypeError or ValueError unless x has these three axes.
    """
    check_array("x", x, "real floating")
    expect(x.ndim >= 3, "x", x, "expected (…, H, n, D)")
    xp = array_namespace(x)
    pieces = xp.moveaxis(x, -3, -2)  # (…, n, H, D)
    return xp.reshape(pieces, (*pieces.shape[:-2], pieces.shape[-2] * pieces.shape[-1]))
