"""What a token costs published models."""

import json
from pathlib import Path

import attnref
from attnref.costs import cache_bytes, latent_cache_bytes

book = Path(attnref.__file__).parents[1]
models = json.loads((book / "docs/reference/models.json").read_text())


def kept(model, tokens=1, size=2):
    """The bytes of a sequence's cache."""
    tokens = min(tokens, model["window"] or tokens)
    layers, Hkv = model["layers"], model["kv_heads"]
    if Hkv is None:
        C, R = model["latent_width"], model["rope_width"]
        return latent_cache_bytes(
            tokens, layers=layers, C=C, R=R, size=size
        )
    D = model["head_width"]
    return cache_bytes(tokens, layers=layers, Hkv=Hkv, D=D, size=size)


def factors(model):
    if model["kv_heads"] is None:
        each = f"({model['latent_width']} + {model['rope_width']})"
        return f"{model['layers']} · {each} · 2"
    each = f"{model['kv_heads']} · {model['head_width']}"
    return f"2 · {model['layers']} · {each} · 2"


per_token = {model["name"]: kept(model) for model in models}
by_name = {model["name"]: model for model in models}
for name, size in per_token.items():
    print(f"{name:15}  {factors(by_name[name]):22} = {size:9,}")
