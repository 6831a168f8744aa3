"""Feature maps: what linear attention is given in place of queries and keys."""

from typing import Any

import numpy as np
from array_api_compat import array_namespace, device

from attnref import Array
from attnref.checks import check_array, check_count, expect
from attnref.softmax import widen


def elu_features(x: Array) -> Array:
    """elu(x) + 1: x + 1 where x is positive, eˣ elsewhere. Shape and dtype of x.

    Raises TypeError if x is not an array of real floats.

    Source: Katharopoulos et al. 2020 (arXiv:2006.16236), equation 7.
    """
    check_array("x", x, "real floating")
    xp = array_namespace(x)
    below = xp.exp(xp.where(x > 0, 0.0, x))  # where x is large, not even computed
    return xp.where(x > 0, x + 1, below)


def performer_features(x: Array, *, features: int, seed: int) -> Array:
    """Positive random features, whose products estimate exp(x · y): (…, D) → (…, features).

    exp(w · x − |x|²/2) / √features for each of so many random directions w. To estimate the
    weights of attention, give it q and k times D^(−1/4). The directions are normal, orthogonal in
    groups of D, and the same on every machine for one seed.

    Raises TypeError or ValueError unless x is of real floats, features a whole number, 1 or more,
    and seed one, 0 or more.

    Source: Choromanski et al. 2020 (arXiv:2009.14794), lemma 1; orthogonal directions: section 2.4.
    """
    check_array("x", x, "real floating")
    check_count("features", features, least=1)
    check_count("seed", seed)
    expect(x.ndim >= 1 and x.shape[-1] > 0, "x", x, "expected (…, D), D 1 or more")
    xp = array_namespace(x)
    directions = _directions(features, x.shape[-1], np.random.RandomState(seed))
    w = xp.asarray(directions, dtype=widen(x).dtype, device=device(x))  # (features, D)
    half = xp.sum(widen(x) ** 2, axis=-1, keepdims=True) / 2
    return xp.astype(xp.exp(widen(x) @ w.T - half) / features**0.5, x.dtype, copy=False)


def _directions(features: int, D: int, rng: np.random.RandomState) -> np.ndarray[Any, Any]:
    """Rows that are as long as normal ones, and orthogonal within each group of D."""
    groups = []
    for _ in range(-(-features // D)):
        orthogonal, r = np.linalg.qr(rng.standard_normal((D, D)))
        orthogonal *= np.sign(np.diag(r))  # no direction is favoured
        lengths = np.linalg.norm(rng.standard_normal((D, D)), axis=1, keepdims=True)
        groups.append(lengths * orthogonal.T)
    return np.concatenate(groups)[:features]
