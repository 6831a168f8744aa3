"""Implementations that everybody uses: what they do otherwise is a convention."""

from importlib.util import find_spec
from typing import Any

import pytest
import torch

import attnref
from attnref.check import Report, diagnose
from attnref.check.cases import NAMES
from attnref.check.target import load


def skipped(report: Report) -> dict[str, str]:
    return {n: o for n, o in report.outcomes.items() if o not in ("right", "differs")}


def test_attnref_has_no_complaint_in_any_case() -> None:
    report = diagnose(attnref.attention)
    assert report.outcomes == dict.fromkeys(NAMES, "right"), report
    assert report.conforms(strict=True)


def test_attnref_with_numpy_arrays_has_none_either() -> None:
    report = diagnose(attnref.attention, library="numpy")
    assert skipped(report) == {"gradients": "NumPy has none"}
    assert report.conforms(strict=True)


@pytest.mark.skipif(find_spec("triton") is None, reason="there is no Triton here")
def test_our_kernel_has_no_complaint() -> None:
    import kernels

    device = "cpu" if kernels.INTERPRETED else "cuda"
    report = diagnose(kernels.attention, library="torch", device=device)
    assert report.conforms(strict=True), report
    assert "torch float32" in report.called
    assert set(report.outcomes.values()) == {"right"}, skipped(report)


def test_sdpa_differs_by_its_alignment_alone() -> None:
    report = diagnose(load("torch.nn.functional:scaled_dot_product_attention"))
    assert report.conforms()
    assert not report.conforms(strict=True)
    assert [f.names for f in report.findings if f.kind == "convention"] == [
        ("alignment: top-left",)
    ]
    for role in ("attn_mask", "is_causal", "scale", "enable_gqa", "dropout_p"):
        assert f"{role}=…" in report.called
    for case in ("mask", "bias", "scale", "grouped heads", "rows without keys", "gradients"):
        assert report.outcomes[case] == "right"
    assert "should not be set when is_causal" in report.outcomes["mask + causal"]


def test_flex_attention_gets_masks_in_its_own_way() -> None:
    report = diagnose(load("torch.nn.attention.flex_attention:flex_attention"), library="torch")
    assert report.conforms()
    for case in ("plain", "mask", "bias", "scale", "grouped heads", "rows without keys", "lse"):
        assert report.outcomes[case] == "right", case


def test_the_plain_way_loses_in_half_precision() -> None:
    def naive(q: Any, k: Any, v: Any) -> Any:
        return torch.softmax(q @ k.mT / q.size(-1) ** 0.5, dim=-1) @ v

    report = diagnose(naive)
    assert report.conforms()
    assert [f.names[0] for f in report.findings] == ["float16: overflows", "half precision: lost"]
    assert {f.kind for f in report.findings} == {"note"}
