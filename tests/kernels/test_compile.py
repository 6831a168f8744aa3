"""The kernels compiled ahead of time for GPUs: in a process of their own, since this interprets."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from kernels import compile as gate

ROOT = Path(__file__).parents[2]
FINE = gate.Report("attention forward", "sm_90", "bf16 D=64", 126, 0, 40_960, {"HGMMA": 16})


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kernels.compile", *arguments]
    env = {**os.environ, "TRITON_INTERPRET": "1"}  # as a test that interprets leaves it
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)


def test_the_kernel_compiles_for_a_card_that_is_not_here() -> None:
    done = run("--target", "sm_90", "--dtype", "bfloat16", "--head", "64", "--json")
    assert done.returncode == 0, done.stderr
    reports = json.loads(done.stdout)
    assert [report["shape"] for report in reports] == ["bf16 D=64", "bf16 D=64 causal"]
    for report in reports:
        assert report["kernel"] == "attention forward"
        assert report["target"] == "sm_90"
        assert 0 < report["registers"] <= 255
        assert report["stack"] == 0
        assert 0 < report["shared"] <= 232_448
        assert report["instructions"]["HGMMA"] > 0
        assert report["instructions"]["LDGSTS"] > 0  # copies that go on by themselves


@pytest.mark.deep
@pytest.mark.parametrize("target", gate.CARDS)
def test_nothing_spills_on_any_card(target: str) -> None:
    done = run("--target", target)
    assert done.returncode == 0, done.stderr
    rows = done.stdout.splitlines()
    assert len(rows) == 1 + 2 * len(gate.DTYPES) * len(gate.HEADS)
    assert all(row.startswith(target) for row in rows[1:])


def test_a_kernel_in_order_has_no_faults() -> None:
    assert FINE.faults() == []


FAULTS = {
    "spills 8 bytes of registers to memory": {"stack": 8},
    "wants 232449 bytes of shared memory, the card has 232448": {"shared": 232_449},
    "has no HGMMA instruction": {"instructions": {"HMMA": 16}},
    "wants 65537 bytes of shared memory, the card has 65536": {
        "target": "gfx942",
        "shared": 65_537,
        "instructions": {"v_mfma": 1},
    },
}


@pytest.mark.parametrize(("complaint", "change"), FAULTS.items(), ids=FAULTS)
def test_a_fault_is_named(complaint: str, change: dict[str, object]) -> None:
    report = replace(FINE, **change)
    assert report.faults() == [f"attention forward for {report.target}, bf16 D=64: {complaint}"]


def test_float32_needs_no_instructions_for_matrices() -> None:
    assert replace(FINE, shape="fp32 D=64", instructions={}).faults() == []


def test_a_fault_is_printed_and_is_the_exit_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gate, "INTERPRETED", False)
    monkeypatch.setattr(gate, "compile_attention", lambda *_: replace(FINE, stack=16))
    assert gate.main(["--target", "sm_90", "--dtype", "float16", "--head", "64"]) == 1
    said = "FAULT: attention forward for sm_90, bf16 D=64: spills 16 bytes of registers to memory\n"
    assert capsys.readouterr().err == 2 * said
    monkeypatch.setattr(gate, "compile_attention", lambda *_: FINE)
    assert gate.main(["--target", "sm_90", "--dtype", "float16", "--head", "64"]) == 0


@pytest.mark.deep
def test_a_tile_that_is_too_large_is_seen_to_spill() -> None:
    code = """
from kernels import compile as gate, tiles
tiles.TILES[2][256] = tiles.Tile(128, 64, 4, 2)
print(gate.compile_attention("sm_80", "bfloat16", 256, False).faults())
"""
    env = {**os.environ, "TRITON_INTERPRET": "0"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True
    )
    assert "spills" in done.stdout, done.stderr
