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
        {"prompt": 8, "steps": 6, "at": 6},
        {"prompt": 8, "steps": 6, "at": 5, "keep": 0},
        {"prompt": 1, "steps": 0, "at": 4},
    ],
    "attn-kv-cache": [{"step": 3}, {"step": 3, "cache": "none"}, {"step": 2}],
    "attn-head-morph": [
        {"kept": 2},
        {"kept": "latent"},
        {"heads": 16, "kept": 16, "width": 128},
        {"heads": 16, "kept": "latent", "width": 128},
        {"heads": 4, "kept": 16},
    ],
    "attn-cache-calculator": [
        {"kind": "MLA", "layers": 60, "heads": 128},
        {"kind": "MHA", "layers": 32, "heads": 32, "window": 4096, "tokens": 1048576},
        {"kind": "MQA", "layers": 118, "heads": 48, "width": 256},
        {
            "layers": 160,
            "heads": 128,
            "kv": 64,
            "width": 256,
            "size": 4,
            "tokens": 1048576,
            "batch": 1024,
        },
        {"kind": "MHA", "layers": 96, "heads": 96, "batch": 256, "room": 8},
        {"layers": 1, "heads": 1, "kv": 128, "width": 32, "size": 1, "tokens": 256, "window": 256},
    ],
    "attn-online-softmax": [
        {"order": "ascending", "tile": 1, "step": 8},
        {"order": "descending", "tile": 4, "step": 2},
        {"step": 0},
        {"z": "-9.9,-9.9,-9.8,-9.9,-9.9,-9.9,-9.9,-9.9", "tile": 2, "step": 2},
        {"z": "0,0,0,0,0,0,0,0", "v": "-99,-99,-99,-99,-99,-99,-99,-99", "step": 8, "tile": 1},
        {"z": "-9.9,9.9,-9.9,9.9,-9.9,9.9,-9.9,9.9", "tile": 1, "step": 2},
    ],
    "attn-memory-hierarchy": [
        {"way": "tiled"},
        {"way": "tiled", "n": 131072, "d": 256, "rows": 512, "keys": 256},
        {"way": "naive", "n": 131072, "d": 256},
        {"way": "tiled", "n": 1024, "d": 32, "rows": 16, "keys": 16},
        {"way": "tiled", "n": 131072, "d": 256, "rows": 16},
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
