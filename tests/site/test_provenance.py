"""claims.json tells programs what the book claims, and where each number comes from."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from book import provenance
from proofread.proof import Proof, prove_all
from proofread.settings import load

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def proofs() -> list[Proof]:
    settings = load(ROOT)
    return prove_all(settings.files(), settings)


@pytest.fixture(scope="module")
def told(proofs: list[Proof], tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict]:
    folder = tmp_path_factory.mktemp("site")
    provenance.write(proofs, folder)
    return json.loads((folder / "claims.json").read_text(encoding="utf-8"))["pages"]


def test_every_claim_of_every_page_is_there(proofs: list[Proof], told: dict[str, dict]) -> None:
    for proof in proofs:
        claims = told.get(proof.page.path, {"claims": []})["claims"]
        assert [claim["line"] for claim in claims] == [
            proof.page.line(claim.start) for claim in proof.page.claims
        ]


def test_a_value_is_exactly_what_code_said(proofs: list[Proof], told: dict[str, dict]) -> None:
    count = 0
    for proof in proofs:
        for number, answer in proof.outcome.answers.items():
            claim = told[proof.page.path]["claims"][number]
            values = answer.values or answer.operands
            for shown, value in zip(claim["value"] if values else (), values, strict=True):
                count += 1
                assert str(value.number) in ("inf", "-inf") or Fraction(shown) == value.number or (
                    float(shown) == float(value.number)
                )  # fmt: skip
    assert count > 100


def test_a_page_says_with_what_it_was_computed(told: dict[str, dict]) -> None:
    versions = told["docs/chapters/07-worked-example.md"]["versions"]
    assert {"Python", "numpy", "torch"} <= set(versions)
    assert all(re.match(r"\d+\.\d+", version) for version in versions.values())


def test_a_kernels_number_says_on_which_device(told: dict[str, dict]) -> None:
    claims = told["docs/chapters/07-worked-example.md"]["claims"]
    devices = {
        claim["device"] for claim in claims if claim.get("source", "").endswith("triton_rung.py")
    }
    assert devices
    assert "CPU" not in devices
