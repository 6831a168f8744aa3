"""The published models: their file keeps its schema, their sources say what it says, by hand."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from attnref.costs import cache_bytes, latent_cache_bytes
from book import bibliography

FOLDER = Path(__file__).parents[2] / "docs/reference"
MODELS: list[dict[str, Any]] = json.loads((FOLDER / "models.json").read_text(encoding="utf-8"))
SCHEMA = json.loads((FOLDER / "models.schema.json").read_text(encoding="utf-8"))
BY_HAND = {  # bytes a token, at 2 bytes a number: worked out with a pencil, not by a program
    "GPT-3 175B": 4_718_592,  # 2 · 96 · 96 · 128 · 2 = 24,576 · 192
    "PaLM 540B": 120_832,  # 2 · 118 · 1 · 256 · 2 = 1,024 · 118
    "LLaMA 65B": 2_621_440,  # 2 · 80 · 64 · 128 · 2 = 32,768 · 80
    "Mistral 7B v0.1": 131_072,  # 2 · 32 · 8 · 128 · 2 = 4,096 · 32
    "Gemma 2B": 18_432,  # 2 · 18 · 1 · 256 · 2 = 1,024 · 18
    "Llama 3 8B": 131_072,  # 2 · 32 · 8 · 128 · 2 = 4,096 · 32
    "Llama 3 70B": 327_680,  # 2 · 80 · 8 · 128 · 2 = 4,096 · 80
    "Llama 3 405B": 516_096,  # 2 · 126 · 8 · 128 · 2 = 4,096 · 126
    "DeepSeek-V2": 69_120,  # 60 · (512 + 64) · 2 = 60 · 1,152
    "DeepSeek-V3": 70_272,  # 61 · (512 + 64) · 2 = 61 · 1,152
}
DERIVED = {  # the head's width, where the source gives the model's: width / heads
    "LLaMA 65B": 8192,
    "Llama 3 8B": 4096,
    "Llama 3 70B": 8192,
    "Llama 3 405B": 16384,
}


def bytes_a_token(model: dict[str, Any]) -> int:
    if model["kv_heads"] is None:
        C, R = model["latent_width"], model["rope_width"]
        return latent_cache_bytes(1, layers=model["layers"], C=C, R=R)
    return cache_bytes(1, layers=model["layers"], Hkv=model["kv_heads"], D=model["head_width"])


def test_the_file_keeps_its_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(MODELS, SCHEMA)
    names = [model["name"] for model in MODELS]
    assert len(set(names)) == len(names)
    for model in MODELS:
        assert model["query_heads"] % (model["kv_heads"] or 1) == 0, model["name"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("layers", 0),
        ("layers", "80"),
        ("kv_heads", None),  # and no latent either
        ("latent_width", 512),  # beside heads
        ("window", 0),
        ("source", "somebody"),
        ("place", "somewhere"),
        ("size", "large"),  # a field too many
        ("year", None),
    ],
)
def test_the_schema_refuses(field: str, value: object) -> None:
    spoilt = copy.deepcopy(MODELS)
    spoilt[0][field] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(spoilt, SCHEMA)


def test_the_bytes_of_each_model_are_those_of_a_hand_calculation() -> None:
    assert {model["name"]: bytes_a_token(model) for model in MODELS} == BY_HAND


def test_every_figure_is_quoted_from_the_source_or_follows_from_it() -> None:
    sources = bibliography.entries(FOLDER / "bibliography.toml")
    for model in MODELS:
        name = model["name"]
        source = sources[model["source"]]
        quoted = {
            int(figure.replace(",", ""))
            for figure in source["figures"][model["place"]]
            if figure.replace(",", "").isdigit()
        }
        fields = ["layers", "query_heads", "head_width", "latent_width", "rope_width", "window"]
        if model["kv_heads"] not in (None, 1, model["query_heads"]):
            fields.append("kv_heads")  # of MHA and MQA there is nothing to count
        if name in DERIVED:
            fields.remove("head_width")
            assert DERIVED[name] in quoted
            assert model["head_width"] * model["query_heads"] == DERIVED[name]
            assert f"{DERIVED[name]:,} / {model['query_heads']}" in model["note"]
        for field in fields:
            assert model[field] is None or model[field] in quoted, (name, field)
        assert model["year"] == source["year"], name
