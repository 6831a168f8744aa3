"""All that can be said of a stranger: mistakes, other conventions, weaknesses."""

from dataclasses import dataclass

from attnref.check.mistakes import MISTAKES

CONVENTIONS = {
    "layout": {
        "(B, L, H, D)": "It takes (B, L, H, D), as FlashAttention and JAX do. If (B, H, L, D) was "
        "meant, it attends over heads: transpose axes 1 and 2.",
    },
    "output": {
        "(B, H, L, D)": "It returns (B, H, L, Dv), and takes another order of axes.",
        "(B, L, H, D)": "It returns (B, L, H, Dv), and takes another order of axes.",
        "(B, L, H·D)": "It returns (B, L, H·Dv), the heads side by side.",
    },
    "alignment": {
        "top-left": "When L ≠ S, causal is aligned top-left, as in PyTorch's SDPA: the first "
        "query stands at the first key. Here the last stands at the last. With a KV cache, "
        "top-left is a bug: a new query sees only the oldest keys.",
    },
    "always": {"causal": "It is always causal: there is no parameter to switch that off."},
    "polarity": {
        "True is hidden": "In its padding mask True means hidden, as in nn.MultiheadAttention. "
        "Here True takes part.",
    },
    "window": {
        "neighbours": "window=w means w keys before a query's own, and its own on top.",
        "on both sides": "window=w means w − 1 keys on each side, and a query's own.",
    },
    "rows without keys": {
        "averaged": "A query that sees no key gets the plain average of all values, of hidden "
        "keys too: the mask is a large finite number. Here it gets zeros.",
        "unmasked": "A query that sees no key is answered as if nothing were hidden: a large "
        "finite number is added. Here it gets zeros.",
        "other": "A query that sees no key gets some other finite numbers. Here it gets zeros.",
    },
    "dtype": {
        "float32 out": "Half-precision inputs give a float32 output. Here it has their dtype.",
    },
    "lse": {"base 2": "The log-sum-exp is a base-2 logarithm. Here it is natural."},
}
NOTES = {
    "float16": {
        "overflows": "In float16, scores beyond 65504 become inf and the output NaN. Scale q "
        "before the product, or compute scores in float32.",
        "mask refused": "In float16 a mask raises an error: its number is too large. Fill with −∞.",
    },
    "half precision": {
        "lost": "In half precision more is lost than the rounding of the output: scores or "
        "weights are rounded on the way. Keep both in float32.",
    },
    "mask": {
        "after softmax": "It masks after softmax and divides again. Hidden keys with large scores "
        "take all the weight, and nothing is left to divide by. Mask before softmax.",
    },
    "rank": {
        "right for 3": "It is right for (H, L, D): if it is for no more, say --rank 3.",
        "right for 2": "It is right for (L, D): if it is for no more, say --rank 2.",
    },
}


@dataclass(frozen=True)
class Known:
    """One way to differ: its group, the value it has there, and what to say of it.

    model.py can predict those of some groups; there they are its switches.
    """

    group: str
    value: str
    kind: str  # "mistake", "convention" or "note"
    says: str

    @property
    def name(self) -> str:
        return f"{self.group}: {self.value}"


_KINDS = {"mistake": MISTAKES, "convention": CONVENTIONS, "note": NOTES}
KNOWN = [
    Known(group, value, kind, says)
    for kind, table in _KINDS.items()
    for group, values in table.items()
    for value, says in values.items()
]
BY_NAME = {known.name: known for known in KNOWN}
assert len(BY_NAME) == len(KNOWN)
