"""The kernels compiled ahead of time for GPUs: in a process of their own, since this interprets."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kernels import binaries, elsewhere
from kernels import compile as gate

ROOT = Path(__file__).parents[2]
FINE = binaries.Report(
    "forward", "sm_90", "bf16 D=64 causal", 126, 40_960, {"HGMMA": 16, "LDGSTS": 8}, stack=0
)
AMD = replace(FINE, target="gfx942", instructions={"v_mfma": 1}, stack=None, scratch=0)
APART = 8  # registers between one compilation and the next; 5 have been seen
SMALL = (
    *("--target", "sm_90", "--target", "gfx942", "--dtype", "bfloat16", "--head", "64"),
    *("--variant", "causal", "--variant", "bias"),
)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return python("-m", "kernels.compile", *arguments, interpreted="1")


def python(*arguments: str, interpreted: str = "0") -> subprocess.CompletedProcess[str]:
    """In the mode of a test that interprets, if nothing else is said."""
    env = {**os.environ, "TRITON_INTERPRET": interpreted}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)


@cache
def small() -> list[dict[str, Any]]:
    done = run(*SMALL, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_the_kernels_compile_for_cards_that_are_not_here() -> None:
    made = [(report["target"], report["shape"], report["kernel"]) for report in small()]
    assert made == [
        (target, f"bf16 D=64 {variant}", kernel)
        for target in ("sm_90", "gfx942")
        for variant in ("causal", "bias")
        for kernel in gate.KERNELS
    ]


def test_nothing_spills_and_matrices_are_multiplied_by_their_instructions() -> None:
    for report in small():
        if report["target"] == "gfx942":
            assert report["scratch"] == report["vgpr_spill"] == 0
            assert report["instructions"]["v_mfma"] > 0
            assert 0 < report["shared"] <= 65_536
        else:
            assert report["stack"] == 0
            assert report["instructions"]["HGMMA"] > 0
            assert report["instructions"]["UTMALDG"] > 0  # copies that go on by themselves
            assert 0 < report["shared"] <= 232_448
        assert 0 < report["registers"] <= 512


def assert_as_recorded(made: list[dict[str, Any]], record: list[dict[str, Any]]) -> None:
    """All the same but for registers: for some kernels they depend on the compiler's luck."""
    for found, known in zip(made, record, strict=True):
        assert {**found, "registers": None} == {**known, "registers": None}
        assert abs(found["registers"] - known["registers"]) <= APART, (found, known)


def recorded() -> list[dict[str, Any]]:
    """What the page shows; skips where other versions would make other binaries."""
    record = json.loads(gate.RECORD.read_text("utf-8"))
    if record["versions"] != gate.versions():
        pytest.skip(f"recorded with {record['versions']}, here is {gate.versions()}")
    return record["kernels"]  # type: ignore[no-any-return]


def test_what_is_compiled_is_what_the_page_shows() -> None:
    rows = [row for row in recorded() if row["target"] in ("sm_90", "gfx942")]
    rows = [row for row in rows if row["shape"] in ("bf16 D=64 causal", "bf16 D=64 bias")]
    assert_as_recorded(small(), rows)


@pytest.mark.deep
def test_every_binary_of_the_page_is_in_order_and_as_recorded() -> None:
    done = run("--json")
    assert done.returncode == 0, done.stderr
    assert_as_recorded(json.loads(done.stdout), recorded())


def test_the_record_has_each_kernel_card_and_variant() -> None:
    rows = json.loads(gate.RECORD.read_text("utf-8"))["kernels"]
    assert len(rows) == len(binaries.CARDS) * len(gate.MATRIX) * len(gate.KERNELS)
    assert {row["shape"].split(" ", 2)[2] for row in rows} == set(elsewhere.VARIANTS)


def test_a_kernel_in_order_has_no_faults() -> None:
    assert FINE.faults() == AMD.faults() == []


FAULTS: dict[str, binaries.Report] = {
    "spills 8 bytes of registers to memory": replace(FINE, stack=8),
    "spills 4 bytes of registers to memory": replace(AMD, scratch=4),
    "spills 12 bytes of registers to memory": replace(AMD, vgpr_spill=3),
    "wants 232449 bytes of shared memory, the card has 232448": replace(FINE, shared=232_449),
    "wants 65537 bytes of shared memory, the card has 65536": replace(AMD, shared=65_537),
    "has no HGMMA instruction": replace(FINE, instructions={"HMMA": 16, "LDGSTS": 8}),
    "copies nothing while it computes: no LDGSTS or UTMALDG": replace(
        FINE, instructions={"HGMMA": 16}
    ),
}


@pytest.mark.parametrize(("complaint", "report"), FAULTS.items(), ids=FAULTS)
def test_a_fault_is_named(complaint: str, report: binaries.Report) -> None:
    assert report.faults() == [f"forward for {report.target}, bf16 D=64 causal: {complaint}"]


def test_an_excuse_has_a_reason_and_covers_the_missing_instruction_alone() -> None:
    (kernel, target, width), reason = next(iter(binaries.EXCUSED.items()))
    shape = f"bf16 {width} causal"
    odd = replace(FINE, kernel=kernel, target=target, shape=shape, instructions={"HMMA": 1})
    assert reason
    assert [fault.split(": ")[1] for fault in odd.faults()] == ["copies nothing while it computes"]
    assert len(replace(odd, instructions={}, stack=8).faults()) == 3


def test_float32_needs_no_instructions_for_matrices() -> None:
    assert replace(FINE, shape="fp32 D=64 causal", instructions={"LDGSTS": 1}).faults() == []


def test_a_fault_is_printed_and_is_the_exit_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gate, "INTERPRETED", False)
    monkeypatch.setattr(gate, "_reports", lambda *_: iter([FINE, replace(FINE, stack=16)]))
    assert gate.main([]) == 1
    said = "forward for sm_90, bf16 D=64 causal: spills 16 bytes of registers to memory"
    assert capsys.readouterr().err == f"FAULT: {said}\n"
    monkeypatch.setattr(gate, "_reports", lambda *_: iter([FINE]))
    assert gate.main([]) == 0


def test_only_the_whole_matrix_without_faults_is_recorded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(gate, "INTERPRETED", False)
    monkeypatch.setattr(gate, "RECORD", tmp_path / "compiled.json")
    monkeypatch.setattr(gate, "_reports", lambda *_: iter([FINE, replace(FINE, stack=16)]))
    with pytest.raises(SystemExit):
        gate.main(["--record", "--target", "sm_90"])
    gate.main(["--record"])
    assert not gate.RECORD.exists()
    monkeypatch.setattr(gate, "_reports", lambda *_: iter([FINE, AMD]))
    gate.main(["--record"])
    record = json.loads(gate.RECORD.read_text("utf-8"))
    assert record["versions"] == gate.versions()
    assert record["kernels"] == [FINE.fields(), AMD.fields()]


def test_a_tile_that_is_too_large_is_seen_to_spill() -> None:
    done = python(
        "-c",
        """
from kernels import compile as gate, elsewhere, tiles
tiles.tile = lambda *_: tiles.Tile(128, 64, 4, 2)
call = elsewhere.Call("bfloat16", 256, "full")
for report in gate._compile(("sm_80", call), ("forward",)):
    print(*report.faults(), sep=chr(10))
""",
    )
    assert "spills" in done.stdout, done.stderr
