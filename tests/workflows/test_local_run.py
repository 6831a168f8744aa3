"""The local run: jobs one after the other, what they hand on, what fails and what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workflows import __main__ as local
from tests.workflows import steps

UPLOAD, DOWNLOAD = "actions/upload-artifact@0", "actions/download-artifact@0"
WORKFLOW = f"""
env: {{WORD: workflow, PLACE: workflow}}
jobs:
  make:
    runs-on: ubuntu-24.04
    strategy: {{matrix: {{part: [1, 2]}}}}
    env: {{PLACE: job}}
    steps:
      - name: Write
        env: {{PART: "${{{{ matrix.part }}}} of ${{{{ strategy.job-total }}}}"}}
        run: mkdir -p out/a .hidden && echo "$WORD $PLACE $PART" | tee "out/a/$PART" .hidden/b
      - name: Hand on part ${{{{ matrix.part }}}}
        uses: {UPLOAD}
        with: {{name: "part-${{{{ matrix.part }}}}", path: "out/a\\n.hidden"}}
  check:
    runs-on: ubuntu-24.04
    steps:
      - name: Get
        uses: {DOWNLOAD}
        with: {{pattern: part-*, path: got, merge-multiple: "true"}}
      - name: Look
        run: |
          cd got/out/a
          test "$(cat "1 of 2" "2 of 2")" = "$(printf "workflow job %s\\n" "1 of 2" "2 of 2")"
      - name: Hidden
        run: test ! -e got/.hidden
  fail:
    runs-on: ubuntu-24.04
    steps:
      - name: Miss
        uses: {DOWNLOAD}
        with: {{name: nothing, path: got}}
      - name: Break in a pipe
        run: false | cat
      - name: After
        run: "true"
      - name: Ask
        run: gh api user
"""


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    (tmp_path / "it.yml").write_text(WORKFLOW)
    monkeypatch.setattr(steps, "FOLDER", tmp_path)
    monkeypatch.setattr(local, "copy", Path.mkdir)
    (tmp_path / "scratch").mkdir()
    rows = local.run("it.yml", tmp_path / "scratch")
    told = {f"{step.job}: {step.name}": result for step, result in rows}
    return told | {"table": local.table(rows)}


def test_a_matrix_runs_each_of_its_jobs(results: dict[str, str]) -> None:
    assert [results[f"make {part}: Write"] for part in (1, 2)] == ["ran", "ran"]


def test_artifacts_reach_the_next_job_as_on_github(results: dict[str, str]) -> None:
    assert results["make 1: Hand on part 1"] == "ran, in a stand-in"
    assert results["check: Get"] == "ran, in a stand-in"
    assert results["check: Look"] == "ran"
    assert results["check: Hidden"] == "ran"


def test_a_failure_ends_its_job_and_is_told(results: dict[str, str]) -> None:
    assert results["fail: Miss"] == "not run: what hands it out did not run here"
    assert results["fail: Break in a pipe"] == "FAILED with 1"
    assert results["fail: After"] == "not run: a step before it failed"


def test_the_table_has_every_step_and_counts_them(results: dict[str, str]) -> None:
    *rows, _, total = results["table"].splitlines()
    assert len(rows) == len(results) - 1
    assert total == "7 steps ran here, 1 failed, 3 were not run."


def test_an_upload_of_nothing_fails(tmp_path: Path) -> None:
    told = local.artifacts.upload({"name": "a", "path": "no"}, tmp_path, tmp_path / "shelf")
    assert told == "FAILED: no has no files"
