"""Two array libraries, seeded draws, and attention written out as loops to compare with."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch


def numpy_array(values: Any, dtype: str = "float64") -> Any:
    return np.asarray(values).astype(dtype)


def torch_array(values: Any, dtype: str = "float64") -> Any:
    return torch.as_tensor(np.asarray(values)).to(getattr(torch, dtype))


@pytest.fixture(scope="session", params=[numpy_array, torch_array], ids=["numpy", "torch"])
def array(request: pytest.FixtureRequest) -> Any:
    """Makes an array of one library: array(values, dtype="float64")."""
    return request.param


@pytest.fixture(scope="session")
def draw() -> Callable[..., Any]:
    """Normal numbers of the given shapes, the same at every call: draw((2, 3), (4, 3), seed=0)."""

    def normal(*shapes: tuple[int, ...], seed: int = 0) -> list[Any]:
        rng = np.random.default_rng(seed)
        return [rng.standard_normal(shape) for shape in shapes]

    return normal


@pytest.fixture(scope="session")
def defined() -> Callable[..., tuple[Any, Any, Any]]:
    """Output, weights and lse by the definition: loops over floats, nothing subtracted first."""

    def of_all_heads(q: Any, k: Any, v: Any, *, mask: Any = True, **options: Any) -> Any:
        L, S, Dv = q.shape[-2], k.shape[-2], v.shape[-1]
        out = np.empty((*q.shape[:-1], Dv))
        weights, lse = np.empty((*q.shape[:-1], S)), np.empty(q.shape[:-1])
        mask = np.broadcast_to(mask, weights.shape)
        for at in np.ndindex(q.shape[:-2]):
            kv = (*at[:-1], at[-1] * k.shape[-3] // q.shape[-3]) if at else ()  # h // G
            rows = of_one_head(q[at], k[kv], v[kv], mask[at], **options)
            out[at], weights[at], lse[at] = (
                np.reshape(x, (L, *n)) for x, n in zip(rows, [(Dv,), (S,), ()], strict=True)
            )
        return out, weights, lse

    return of_all_heads


def of_one_head(
    q: Any,
    k: Any,
    v: Any,
    mask: Any,
    causal: bool = False,
    window: tuple[float, float] = (math.inf, math.inf),
    scale: float | None = None,
    softcap: float | None = None,
) -> tuple[list[Any], list[Any], list[float]]:
    out, weights, lse = [], [], []
    scale = 1 / math.sqrt(q.shape[1]) if scale is None else scale
    left, right = window
    for i in range(len(q)):
        exps = []
        for j in range(len(k)):
            score = scale * sum(float(a) * float(b) for a, b in zip(q[i], k[j], strict=True))
            if softcap is not None:
                score = softcap * math.tanh(score / softcap)
            # Both sequences end at the same position, so positions are counted from there.
            before = (len(k) - j) - (len(q) - i)  # > 0: the key comes before the query
            allowed = -right <= before <= left and (before >= 0 or not causal)
            if mask.dtype == bool:
                allowed = allowed and bool(mask[i, j])
            else:
                score += float(mask[i, j])
            exps.append(math.exp(score) if allowed else 0.0)
        total = sum(exps)
        row = [e / total if total else 0.0 for e in exps]
        weights.append(row)
        out.append([sum(row[j] * float(v[j, d]) for j in range(len(k))) for d in range(v.shape[1])])
        lse.append(math.log(total) if total else -math.inf)
    return out, weights, lse


@pytest.fixture(scope="session")
def float32_error() -> Callable[..., float]:
    """How far attention in float32 may lie from the truth, by counting its roundings.

    With u = 2⁻²⁴, a score is off by at most (D + 3)·u·Σ|q||k|/√D, and a weight by twice that
    (in the exponential and in the sum it is divided by), relative to itself; S additions, S more in
    the mixture, and the exponentials and divisions (some ulps each) come on top. Weights sum to 1,
    so |v| carries this to the output; with v = 1 it also covers lse, which rounds less often.
    """

    def bound(q: Any, k: Any, v: Any = 1.0) -> float:
        D, S = q.shape[-1], k.shape[-2]
        k = np.repeat(k, q.shape[-3] // k.shape[-3], axis=-3) if q.ndim > 2 else k
        largest = float(np.max(np.abs(q) @ np.abs(k).swapaxes(-1, -2))) / math.sqrt(D)
        roundings = 2 * (D + 3) * largest + 2 * S + 16
        return roundings * 2.0**-24 * float(np.max(np.abs(v)))

    return bound
