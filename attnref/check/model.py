"""Attention written plainly, in which each known mistake is a switch.

A theory is a dict from groups to values, as mistakes.py lists them; a group that it lacks is as it
should be. Rows that a theory leaves without keys are NaN here: what a stranger makes of those is
found out elsewhere.
"""

from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from attnref.check.cases import Inputs

Theory: TypeAlias = dict[str, str]


def predict(x: Inputs, theory: Theory, low: float = -np.inf) -> Any:
    """The output (B, H, L, Dv) of attention with these mistakes; `low` is what hides a pair."""
    with np.errstate(all="ignore"):
        return _leave(_attend(_enter(x, theory), theory, low), theory)


def _enter(x: Inputs, theory: Theory) -> Inputs:
    G = x.q.shape[1] // x.k.shape[1]
    q, k, v = x.q, x.k, x.v
    if theory.get("heads") == "tiled":
        k, v = (np.tile(a, (1, G, 1, 1)) for a in (k, v))
    else:
        k, v = (np.repeat(a, G, axis=1) for a in (k, v))
    axes = theory.get("axes")
    if axes == "attends over heads":
        q, k, v = (a.swapaxes(1, 2) for a in (q, k, v))
    elif axes in ("viewed on the way in", "viewed both ways"):
        q, k, v = (a.swapaxes(1, 2).reshape(a.shape) for a in (q, k, v))
    return replace(x, q=q, k=k, v=v)


def _leave(out: Any, theory: Theory) -> Any:
    axes = theory.get("axes")
    if axes == "attends over heads":
        return out.swapaxes(1, 2)
    if axes in ("viewed on the way out", "viewed both ways"):
        B, H, L, Dv = out.shape
        return out.reshape(B, L, H, Dv).swapaxes(1, 2)
    return out


ROLES = {
    "queries and keys exchanged": "kqv",
    "keys and values exchanged": "qvk",
    "keys averaged": "qkk",
    "queries averaged": "qkq",
}


def _attend(x: Inputs, theory: Theory, low: float) -> Any:
    a, b, c = (getattr(x, name) for name in ROLES.get(theory.get("roles", ""), "qkv"))
    scores, kept = _hide(_scores(a, b, x, theory), x, theory, low)
    if theory.get("softcap") == "after the mask" and x.softcap:
        scores = x.softcap * np.tanh(scores / x.softcap)
    weights = _softmax(scores, theory.get("softmax", "")) * kept
    if theory.get("weights") == "transposed":
        weights = weights.swapaxes(-1, -2)
    return weights @ c


def _scores(a: Any, b: Any, x: Inputs, theory: Theory) -> Any:
    """Scaled and capped, and the bias added: (B, H, L, S)."""
    raw, factor = a @ b.swapaxes(-1, -2), _factor(x, theory)
    softcap = theory.get("softcap")
    if x.softcap and softcap == "before the scale":
        raw = x.softcap * np.tanh(raw / x.softcap)
    bias = theory.get("bias", "added") if x.bias is not None else ""
    if bias == "scaled too":
        raw = raw + x.bias
    scores = raw * factor
    if x.softcap and not softcap:
        scores = x.softcap * np.tanh(scores / x.softcap)
    if bias == "added":
        scores = scores + x.bias
    elif bias == "subtracted":
        scores = scores - x.bias
    return scores


def _factor(x: Inputs, theory: Theory) -> float:
    """What the dot products are multiplied by."""
    H, L, D = x.q.shape[1:]
    S, Dv = x.v.shape[-2:]
    sizes = {"missing": 1.0, "D": D**2, "√(H·D)": H * D, "√S": S, "√L": L, "√H": H, "√Dv": Dv}
    sizes |= {"": D, "multiplied": 1 / D}
    of = theory.get("scale", "")
    size = sizes[of] if of in sizes else int(of.removeprefix("√"))
    default: float = size**-0.5
    if x.scale is None:
        return default
    given = {"ignored": default, "on top": x.scale * default, "divided by": 1 / x.scale}
    return float(given.get(theory.get("given scale", ""), x.scale))


def _hide(scores: Any, x: Inputs, theory: Theory, low: float) -> tuple[Any, Any]:
    """Scores after all masks, and what the weights are multiplied by afterwards."""
    L, S = scores.shape[-2:]
    ahead = _ahead(L, S, theory)
    seen: dict[str, Any] = {}  # group that says how → Boolean
    if x.causal or "always" in theory:
        seen["causal fill"] = _causal(ahead, theory.get("causal", ""))
    if x.mask is not None:
        seen["mask fill"] = x.mask ^ ("polarity" in theory)
    if len(seen) == 2 and "together" in theory:
        causal, mask = seen["causal fill"], seen["mask fill"]
        both = {"only causal": causal, "only the mask": mask, "either": causal | mask}
        seen = {"mask fill": both[theory["together"]]}
    if x.window is not None:
        seen["window fill"] = _window(ahead, x.window, theory.get("window", ""))

    kept = np.ones(())
    for group, visible in seen.items():
        fill = theory.get(group, "")
        if fill == "zeros before softmax":
            scores = np.where(visible, scores, 0.0)
        elif fill == "added as numbers":
            scores = scores + visible
        elif fill == "zeros after softmax":
            kept = kept * visible
        elif fill != "ignored":
            scores = np.where(visible, scores, low)
    return scores, kept


def visible(x: Inputs) -> Any:
    """Which keys each query should see: (B, H, L, S)."""
    scores = np.zeros((*x.q.shape[:3], x.k.shape[2]))
    scores = scores if x.bias is None else scores + x.bias
    return _hide(scores, x, {}, -np.inf)[0] > -np.inf


def _ahead(L: int, S: int, theory: Theory) -> Any:
    """How many positions key j lies after query i: (L, S)."""
    offset = 0 if "alignment" in theory else S - L
    return np.arange(S)[None, :] - np.arange(L)[:, None] - offset


def _causal(ahead: Any, how: str) -> Any:
    return {
        "": ahead <= 0,
        "ignored": ahead == ahead,
        "hides the diagonal": ahead < 0,
        "one ahead": ahead <= 1,
        "upside down": ahead >= 0,
        "only the future": ahead > 0,
    }[how]


def _window(ahead: Any, window: Any, how: str) -> Any:
    if isinstance(window, int):
        window = (window - 1, 0)
    left, right = window
    lengths = {"one key short": -1, "one key long": 1, "neighbours": 1}
    left += lengths.get(how, 0)
    if how == "ignored":
        return ahead == ahead
    if how == "on both sides":
        right = left
    return (-left <= ahead) & (ahead <= right)


AXES = {"over queries": -2, "over heads": 1, "over the batch": 0, "over all pairs": (-2, -1)}


def _softmax(scores: Any, how: str) -> Any:
    if how == "missing":
        return scores
    axis: Any = AXES.get(how, -1)
    top = 0.0 if how == "not normalised" else scores.max(axis=axis, keepdims=True)
    exps = np.exp(scores - top)
    if how == "not normalised":
        return exps
    weights = exps / exps.sum(axis=axis, keepdims=True)
    return _softmax(weights, "") if how == "twice" else weights
