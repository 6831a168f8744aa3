"""What can still be said of an output that no known mistake explains."""

from dataclasses import replace
from typing import Any

import numpy as np

from attnref.check.cases import Inputs
from attnref.check.model import visible
from attnref.check.search import agrees
from attnref.check.stranger import Stranger


def clue(
    stranger: Stranger, x: Inputs, out: Any, expected: Any, tolerance: float
) -> tuple[str, str]:
    """The name of what is wrong, and evidence, from how the output changes with the inputs."""

    def moved(least: float = tolerance, **arrays: Any) -> Any:
        """Where (B, H, L) the output is another with these arrays."""
        other = stranger(replace(x, **arrays))
        return (np.abs(other - out) > least * np.abs(out).max()).any(-1)

    def with_other(index: Any, names: str = "qkv", least: float = tolerance) -> Any:
        arrays = {name: getattr(x, name).copy() for name in names}
        for array in arrays.values():
            array[index] = array[index][..., ::-1] + 1
        return moved(least, **arrays)

    B, H, S, _ = x.v.shape
    back = np.s_[:, :, ::-1]
    told = np.isfinite(expected)
    if np.isnan(out[told]).any():
        return "output: NaN", ""
    if B > 1 and with_other(np.s_[1])[0].any():
        return "leak: between batch elements", ""
    if H > 1 and x.q.shape[1] == H and with_other(np.s_[:, 1])[:, 0].any():
        return "leak: between heads", ""
    # The smallest weight shows, and one that is 0 changes nothing at all.
    seen = np.stack([with_other(np.s_[:, :, j], "v", least=0)[0, 0] for j in range(S)]).T
    wanted = visible(x)[0, 0]
    for i in np.flatnonzero((seen != wanted).any(-1)):
        return "keys: others are seen", (
            f"query {i} sees keys {_listed(seen[i])}, expected {_listed(wanted[i])}"
        )
    ones = stranger(replace(x, v=np.ones_like(x.v)))
    if not agrees(ones, np.where(told, 1.0, np.nan), tolerance):
        return "output: weights do not sum to 1", ""
    if x.mask is None and x.bias is None and not x.causal and moved(k=x.k[back], v=x.v[back]).any():
        return "keys: their order matters", ""
    return "output: unknown", ""


def _listed(seen: Any) -> str:
    keys = [str(j) for j in np.flatnonzero(seen)]
    return ", ".join(keys if len(keys) < 9 else [*keys[:4], "…", *keys[-4:]]) or "none"
