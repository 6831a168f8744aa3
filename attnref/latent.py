"""Multi-head latent attention: a token leaves one small latent, in place of keys and values."""

from collections.abc import Sequence
from typing import Any

from array_api_compat import array_namespace

from attnref import Array
from attnref.attention import attention
from attnref.checks import check_array, check_choice, check_count, check_kin, check_shape, expect
from attnref.decode import decode

FORMS = ("naive", "absorbed")


def mla(
    q: Array,
    q_rope: Array,
    latent: Array,
    k_rope: Array,
    w_uk: Array,
    w_uv: Array,
    *,
    form: str = "naive",
    mask: Array | None = None,
    causal: bool = False,
    scale: float | None = None,
) -> Array:
    """Attention to keys and values that are projected up from a latent: (…, H, L, Dv).

    q (…, H, L, D), q_rope (…, H, L, R), latent (…, S, C), k_rope (…, S, R), w_uk (H, C, D),
    w_uv (H, C, Dv). With c_j a row of latent, head h has the keys [c_j w_uk[h], k_rope_j] and the
    values c_j w_uv[h]. q_rope and k_rope, the part with the positions, come already rotated: each
    head has its own q_rope, and all share k_rope. It stays outside the latent, or the projections
    could not be absorbed.

    form "naive"     makes the keys and values of all heads, then attends
    form "absorbed"  multiplies w_uk into the query and w_uv into the output: multi-query
                     attention over the latents themselves, equal up to rounding

    A token costs C + R numbers of cache a layer. mask, causal and scale as in `attention`, but
    the scale is 1/√(D + R) if not given.

    Raises TypeError or ValueError that names the argument, what it was and what was expected.

    Source: DeepSeek-V2, 2024 (arXiv:2405.04434), section 2.1.
    """
    check_choice("form", form, FORMS)
    _check(q, q_rope, latent, k_rope, w_uk, w_uv)
    xp = array_namespace(q)
    H, D, R = q.shape[-3], q.shape[-1], q_rope.shape[-1]
    scale = (D + R) ** -0.5 if scale is None else scale
    c = latent[..., None, :, :]  # (…, 1, S, C)
    position = k_rope[..., None, :, :]  # (…, 1, S, R)
    if form == "naive":
        heads = xp.repeat(position, H, axis=-3)  # (…, H, S, R)
        q_all = xp.concat([q, q_rope], axis=-1)  # (…, H, L, D + R)
        k_all = xp.concat([c @ w_uk, heads], axis=-1)  # (…, H, S, D + R)
        return attention(q_all, k_all, c @ w_uv, mask=mask, causal=causal, scale=scale)
    q_all = xp.concat([absorb(q, w_uk), q_rope], axis=-1)  # (…, H, L, C + R)
    k_all = xp.concat([c, position], axis=-1)  # (…, 1, S, C + R)
    return attention(q_all, k_all, c, mask=mask, causal=causal, scale=scale) @ w_uv


def absorb(q: Array, w_uk: Array) -> Array:
    """The query that scores latents as q scores the keys made of them: (…, H, L, C).

    q (…, H, L, D), w_uk (H, C, D): q · (c w_uk) = (q w_ukᵀ) · c.

    Raises TypeError or ValueError that names the argument, what it was and what was expected.

    Source: DeepSeek-V2, 2024 (arXiv:2405.04434), section 2.1.2.
    """
    check_array("q", q, "real floating")
    check_kin("w_uk", w_uk, "q", q)
    expect(q.ndim >= 3, "q", q, "expected (…, H, L, D)")
    check_shape("w_uk", w_uk, (q.shape[-3], None, q.shape[-1]), "(H, C, D)")
    return q @ w_uk.mT


def mla_decode(
    q: Array,
    latent_cache: Array,
    seq_lens: Array | Sequence[int],
    *,
    rank: int,
    scale: float,
    block_table: Array | None = None,
    splits: int | None = None,
    return_lse: bool = False,
) -> Any:
    """`decode` over latents: (B, H, n, C), or with `return_lse` the pair of it and (B, H, n).

    q (B, H, n, C + R) is absorbed (see `absorb`) with its rotated part behind. latent_cache holds
    [latent, k_rope] for each token: (B, S, C + R), or with a block_table pages of them,
    (pages, page, C + R). The output times w_uv is that of `mla`. rank is C. The scale has to be
    said, since q no longer shows it: 1/√(D + R).

    Raises TypeError or ValueError that names the argument, what it was and what was expected.

    Source: DeepSeek-V2, 2024 (arXiv:2405.04434), section 2.1.
    """
    check_array("latent_cache", latent_cache, "real floating")
    expect(latent_cache.ndim == 3, "latent_cache", latent_cache, "expected 3 axes, the last C + R")
    if check_count("rank", rank) > latent_cache.shape[-1]:
        raise ValueError(f"rank is {rank}: expected at most the cache's {latent_cache.shape[-1]}")
    heads = -3 if block_table is None else -2
    k_cache = array_namespace(latent_cache).expand_dims(latent_cache, axis=heads)
    return decode(
        q,
        k_cache,
        k_cache[..., :rank],
        seq_lens,
        block_table=block_table,
        splits=splits,
        scale=scale,
        return_lse=return_lse,
    )


def _check(q: Array, q_rope: Array, latent: Array, k_rope: Array, w_uk: Array, w_uv: Array) -> None:
    check_array("q", q, "real floating")
    for name, x in (
        ("q_rope", q_rope),
        ("latent", latent),
        ("k_rope", k_rope),
        ("w_uk", w_uk),
        ("w_uv", w_uv),
    ):
        check_kin(name, x, "q", q)
    expect(q.ndim >= 3, "q", q, "expected (…, H, L, D)")
    *batch, H, L, D = q.shape
    check_shape("q_rope", q_rope, (*batch, H, L, None), "(…, H, L, R)")
    check_shape("latent", latent, (*batch, None, None), "(…, S, C)")
    S, C = latent.shape[-2:]
    check_shape("k_rope", k_rope, (*batch, S, q_rope.shape[-1]), "(…, S, R)")
    check_shape("w_uk", w_uk, (H, C, D), "(H, C, D)")
    check_shape("w_uv", w_uv, (H, C, None), "(H, C, Dv)")
