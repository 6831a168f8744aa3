"""States of every widget to look at, besides its first."""

from typing import Any

DEPARTURES: dict[str, list[dict[str, Any]]] = {
    "attn-embedding-space": [
        {"view": "-65.2,0", "first": 5, "second": 7},
        {"grouped": "0", "first": 2, "second": 8},
        {"view": "180,90", "grouped": "0.37", "first": 8, "second": 5},
    ],
    "attn-word-order": [
        {"position": 1},
        {"sentence": 2, "first": 2, "second": 5, "position": 1},
        {"sentence": 3, "first": 2, "second": 5},
    ],
    "attn-mixture": [
        {"q": "0.4,-1.3", "k2": "-1,1.2", "pair": 2},
        {"v2": "-0.5,2.5", "pair": 1},
        {"q": "-1.2,-1.2", "pair": 3},  # a tie
    ],
    "attn-shapes": [
        {"hkv": 4, "l": 12},
        {"l": 1, "s": 12, "hkv": 1},
        {"b": 3, "hq": 8, "hkv": 8, "l": 12, "s": 12, "dh": 8, "dv": 8},
        {"b": 3, "hq": 7, "hkv": 5, "l": 12, "s": 12},
    ],
    "attn-fan": [
        {"token": 2, "entry": 5},
        {
            "x": "1,0,2,-1,1;0,1,-1,1,2;-9.99,9.99,-9.98,1.25,-9.99;1,-1,1,0,1",
            "token": 3,
            "entry": 3,
        },
    ],
    "attn-score-grid": [
        {"key": 3, "query": 2, "mirror": 1},
        {"q": "1.5,1,2;1,-2.5,-1;-1,-2,-1.25;2,1,1", "query": 3, "mirror": 1},
    ],
    "attn-variance": [{"d": 256}, {"d": 1}, {"d": 1024, "seed": 7}],
    "attn-saturation": [{"by": 0.125}, {"by": 1.4, "s": "-3,-3,9.5,-2.5"}, {"by": 0}],
    "attn-mask-painter": [
        {"family": "document", "causal": 1, "painted": "2,1;2,2;5,6"},
        {"l": 8, "s": 3, "additive": 1},
        {"l": 3, "s": 8, "align": "top-left"},
        {"family": "global", "l": 10, "s": 10, "w": 2, "painted": "2,1;2,2;9,9"},
        {"family": "padding", "l": 1, "s": 2, "length": 0},
    ],
    "attn-softmax-axis": [
        {"columns": 1, "cell": 1},
        {"columns": 1, "causal": 1, "cell": 4},
        {"causal": 1, "cell": 3, "s": "9.99,0,1;-9.99,1.25,1;1,1,9.99"},
        {"columns": 1, "s": "9.99,9.99,9.99;9.99,9.99,9.99;9.99,9.99,9.99"},
    ],
    "attn-hull": [
        {"t": "2,2"},
        {"t": "-0.9,-1.1"},
        {"t": "3.9,3.1"},
        {"t": "3,1"},
        {"t": "-0.9,1.1"},
        {"t": "1.1234,0.7"},
    ],
    "attn-worked-example": [
        {"step": 4, "row": 3, "k": "0.3,-1;0,1.5;1,1"},
        {"step": 5, "row": 3},
        {"step": 5, "q": "9.99,-9.99;-9.99,1.11;-9.87,9.99", "row": 1},
    ],
    "attn-streams": [
        {"kind": "decoder", "translation": 8, "query": 3},
        {"kind": "encoder", "original": 8, "translation": 1},
        {"original": 1, "translation": 8, "query": 8},
        {"kind": "decoder", "translation": 1},
    ],
    "attn-heads": [
        {"mixed": 0},
        {"heads": 24, "head": 9, "by": "-1.3"},
        {"heads": 1, "mixed": 0},
        {"heads": 3, "head": 24, "by": "0"},
        {"heads": 24, "head": 24, "by": "-1.3", "mixed": 0},
    ],
    "attn-growth": [{"n": 131072, "heads": 128}, {"n": 1024, "heads": 1}, {"heads": 8}],
    "attn-permute": [
        {"order": "54321", "causal": 1},
        {"order": "12345", "position": "turned"},
        {"order": "21354", "causal": 1, "position": "added"},
        {"order": "53412", "causal": 1, "position": "turned"},
    ],
    "attn-rope": [
        {"i": 7, "j": 6},
        {"front": 999, "dtype": "bfloat16", "together": 0, "width": 2},
        {"front": 999998, "dtype": "float32", "width": 128, "base": 500000},
        {"i": 1, "j": 16, "front": 999998, "speed": 89, "dtype": "bfloat16", "width": 128},
        {"i": 5, "j": 5, "speed": 0},
    ],
    "attn-serving": [
        {"at": 3, "keep": 0},
        {"prompt": 8, "steps": 8, "at": 8},
        {"prompt": 8, "steps": 8, "at": 5, "keep": 0},
        {"prompt": 1, "steps": 0, "at": 4},
    ],
    "attn-bug-hunt": [
        {"bug": "none"},
        {"bug": "polarity"},
        {"bug": "columns"},
        {"bug": "cache"},
        {"bug": "dropout", "seed": 999},
        {"bug": "nokey"},
        {"bug": "never"},
    ],
    "attn-six-verbs": [
        {"verb": "project", "token": 1},
        {"verb": "mask", "token": 1},
        {"verb": "normalise"},
        {"verb": "mix", "token": 2},
    ],
}
