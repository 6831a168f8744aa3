"""Linear attention: a product of features in place of the softmax, so that the past is a state."""

from math import inf
from typing import Any

from array_api_compat import array_namespace, device

from attnref import Array, masks
from attnref.checks import (
    check_arrays,
    check_choice,
    check_count,
    check_kin,
    check_pair,
    check_shape,
    expect,
)
from attnref.softmax import widen

FORMS = ("parallel", "recurrent", "chunked")
State = tuple[Array, Array]  # Σ k vᵀ (…, Hkv, D, Dv) and Σ k (…, Hkv, D)


def linear_attention(
    q: Array,
    k: Array,
    v: Array,
    *,
    form: str = "parallel",
    chunk: int = 64,
    decay: Array | None = None,
    state: State | None = None,
    return_state: bool = False,
    normalise: bool = True,
) -> Any:
    """Causal attention with the weights qᵢ·kⱼ in place of exp(qᵢ·kⱼ): (…, Hq, n, Dv).

    q (…, Hq, n, D), k (…, Hkv, n, D), v (…, Hkv, n, Dv); rank 2 is one head. The caller has applied
    a feature map to q and k, so that no weight is negative: `elu_features`, for instance. What the
    past leaves behind has a fixed size:

        Sᵢ = gᵢ Sᵢ₋₁ + kᵢ vᵢᵀ,   zᵢ = gᵢ zᵢ₋₁ + kᵢ,   oᵢ = qᵢ Sᵢ / (qᵢ · zᵢ)

    form       three ways to the same outputs, up to rounding: "parallel" makes the n × n weights,
               "recurrent" takes the equations above token by token, "chunked" is parallel within
               chunks of `chunk` tokens and carries the state from one to the next
    decay      g, (…, Hkv, n), in (0, 1]: how much of the state each token keeps; 1 if not given
    state      (S, z) to begin with, S (…, Hkv, D, Dv) and z (…, Hkv, D); zeros if not given
    normalise  divide by qᵢ · zᵢ; a query with nothing to weigh gets zeros

    With `return_state` the pair of the outputs and the last (S, z). float16 and bfloat16 are
    computed in float32, and the state stays float32.

    Raises TypeError or ValueError that names the argument, what it was and what was expected.

    Source: Katharopoulos et al. 2020 (arXiv:2006.16236), section 3; chunks: Yang et al.
    2023 (arXiv:2312.06635), section 2.2; decay: Dao & Gu 2024, Mamba-2 (arXiv:2405.21060).
    """
    check_choice("form", form, FORMS)
    check_count("chunk", chunk, least=1)
    _check(q, k, v, decay)
    xp = array_namespace(q)
    dtype, place = widen(q).dtype, device(q)
    lead, n, D, Dv = tuple(k.shape[:-2]), q.shape[-2], q.shape[-1], v.shape[-1]
    S, z = _first_state(state, (*lead, D, Dv), dtype, place, xp)
    g = xp.ones((*lead, n), dtype=dtype, device=place) if decay is None else widen(decay)
    wide = _grouped(widen(q), widen(k), widen(v), g, S, z)

    out, S, z = _outputs(*wide, form, chunk, normalise)
    out = xp.astype(xp.reshape(out, (*q.shape[:-1], Dv)), q.dtype, copy=False)
    if not return_state:
        return out
    return out, (xp.reshape(S, (*lead, D, Dv)), xp.reshape(z, (*lead, D)))


def _outputs(
    q: Array,
    k: Array,
    v: Array,
    g: Array,
    S: Array,
    z: Array,
    form: str,
    chunk: int,
    normalise: bool,
) -> tuple[Array, Array, Array]:
    """(…, n, Dv) and the last state, for heads whose axes broadcast."""
    xp = array_namespace(q)
    n = q.shape[-2]
    size = {"parallel": max(n, 1), "recurrent": 1, "chunked": chunk}[form]
    step = _token if form == "recurrent" else _chunk
    outs = [q[..., :0, :] @ S]
    for start in range(0, n, size):
        at = slice(start, start + size)
        out, weight, S, z = step(q[..., at, :], k[..., at, :], v[..., at, :], g[..., at], S, z)
        outs.append(out / xp.where(weight == 0, 1.0, weight)[..., None] if normalise else out)
    return xp.concat(outs, axis=-2), S, z


def _token(q: Array, k: Array, v: Array, g: Array, S: Array, z: Array) -> tuple[Array, ...]:
    """One token: the state takes it in, then answers."""
    S = g[..., None] * S + k.mT @ v  # (…, D, Dv)
    z = g * z + k[..., 0, :]  # (…, D)
    return q @ S, (q @ z[..., None])[..., 0], S, z


def _chunk(q: Array, k: Array, v: Array, g: Array, S: Array, z: Array) -> tuple[Array, ...]:
    """c tokens at once: weights among themselves, and the state for what came before."""
    xp = array_namespace(q)
    kept = xp.cumulative_sum(xp.log(g), axis=-1)  # (…, c), ln of g₁ ⋯ gᵢ
    between = kept[..., :, None] - kept[..., None, :]  # (…, c, c), ln of gⱼ₊₁ ⋯ gᵢ
    past = masks.causal(q.shape[-2], like=q)
    weights = (q @ k.mT) * xp.exp(xp.where(past, between, -inf))
    from_start = q * xp.exp(kept)[..., None]  # (…, c, D)
    out = weights @ v + from_start @ S
    weight = xp.sum(weights, axis=-1) + (from_start @ z[..., None])[..., 0]
    to_end = k * xp.exp(kept[..., -1:] - kept)[..., None]  # (…, c, D)
    all_kept = xp.exp(kept[..., -1:])  # (…, 1)
    S = all_kept[..., None] * S + to_end.mT @ v
    z = all_kept * z + xp.sum(to_end, axis=-2)
    return out, weight, S, z


def _grouped(
    q: Array, k: Array, v: Array, g: Array, S: Array, z: Array
) -> tuple[Array, Array, Array, Array, Array, Array]:
    """The G query heads of a KV head get an axis of their own, over which its state broadcasts."""
    if q.ndim == 2:
        return q, k, v, g, S, z
    Hq, Hkv = q.shape[-3], k.shape[-3]
    q = array_namespace(q).reshape(q, (*k.shape[:-2], Hq // (Hkv or 1), *q.shape[-2:]))
    S, z, g = S[..., None, :, :], z[..., None, :], g[..., None, :]
    return q, k[..., None, :, :], v[..., None, :, :], g, S, z


def _first_state(
    state: State | None, shape: tuple[int, ...], dtype: Any, place: Any, xp: Any
) -> State:
    """The state to begin with, checked; zeros if there is none."""
    S = xp.zeros(shape, dtype=dtype, device=place)
    z = xp.zeros(shape[:-1], dtype=dtype, device=place)
    if state is None:
        return S, z
    given = check_pair("state", state, "(S, z)")
    for name, x, zero, letters in (
        ("state[0]", given[0], S, "(…, Hkv, D, Dv)"),
        ("state[1]", given[1], z, "(…, Hkv, D)"),
    ):
        check_kin(name, x, "a state", zero)
        check_shape(name, x, zero.shape, letters)
    return given


def _check(q: Array, k: Array, v: Array, decay: Array | None) -> None:
    check_arrays(q, k, v)
    expect(q.shape[-2] == k.shape[-2], "k", k, f"expected one for each query, {q.shape[-2]}")
    if decay is not None:
        check_kin("decay", decay, "q", q)
        check_shape("decay", decay, k.shape[:-1], "(…, Hkv, n)")
        if not bool(array_namespace(q).all((decay > 0) & (decay <= 1))):
            raise ValueError("decay has numbers outside (0, 1]: expected shares of a state to keep")
