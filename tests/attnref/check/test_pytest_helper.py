"""The helper for other people's test suites, used as they would."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

import attnref
from attnref.check.cases import NAMES
from attnref.check.pytest import cases, conformance

test_attnref_conforms = conformance(attnref.attention, strict=True)


@pytest.mark.parametrize("case", cases(attnref.attention, library="numpy"))
def test_numpy_arrays_too(case: Any) -> None:
    case.check()


def outcomes(fn: Any, **options: Any) -> dict[str, str]:
    found = {}
    for parameter in cases(fn, **options):
        try:
            parameter.values[0].check()
        except (pytest.fail.Exception, pytest.skip.Exception) as outcome:
            found[parameter.id] = type(outcome).__name__ + ": " + str(outcome)
        else:
            found[parameter.id] = "passed"
    return found


def only_the_future(q: Any, k: Any, v: Any, causal: bool = False) -> Any:
    mask = torch.ones(q.size(-2), k.size(-2), dtype=torch.bool).triu(1) if causal else None
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, mask)


def test_a_mistake_fails_the_cases_that_show_it_and_no_others() -> None:
    found = outcomes(only_the_future)
    assert list(found) == list(NAMES)
    failed = {name for name, outcome in found.items() if outcome.startswith("Failed")}
    assert failed == {"causal", "causal L < S", "causal L > S"}
    assert "queries see only the future" in found["causal"]
    assert found["plain"] == "passed"
    assert found["window"] == "Skipped: no parameter"


def test_an_output_that_an_earlier_mistake_spoils_fails_too() -> None:
    def unscaled(q: Any, k: Any, v: Any) -> Any:
        return attnref.attention(q, k, v, scale=1.0)

    found = outcomes(unscaled)
    assert "Divide them by √D" in found["plain"]
    assert "Divide them by √D" in found["grouped heads"]


def test_strict_fails_what_is_a_convention() -> None:
    def top_left(q: Any, k: Any, v: Any, is_causal: bool = False) -> Any:
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=is_causal)

    assert outcomes(top_left)["causal L < S"] == "passed"
    assert outcomes(top_left, strict=True)["causal L < S"].startswith("Failed: ")


def test_a_suite_of_its_own_reports_each_case(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(
        "from attnref.check.pytest import conformance\n"
        "def mine(q, k, v): return (q @ k.swapaxes(-1, -2)) @ v\n"
        "test_mine = conformance(mine, library='numpy')\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=Path(attnref.__file__).parents[1],
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "test_mine.py::test_mine[plain]" in done.stdout
    assert "There is no softmax" in done.stdout
