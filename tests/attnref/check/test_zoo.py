"""Each of the wrong implementations gets its diagnosis and no other; right ones get none."""

from importlib import import_module
from typing import Any

import pytest

from attnref.check import Report, diagnose
from tests.attnref.check.zoo.registry import RIGHT, WRONG

for part in ("unmasked", "masked", "edges", "right"):
    import_module(f"tests.attnref.check.zoo.{part}")


def names(report: Report, *kinds: str) -> set[str]:
    return {" | ".join(f.names) for f in report.findings if f.kind in kinds}


def assert_fits_a_screen(report: Report) -> None:
    lines = str(report).splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize(("fn", "mistakes", "options"), WRONG.values(), ids=WRONG)
def test_a_wrong_one_gets_its_diagnosis_and_no_other(
    fn: Any, mistakes: set[str], options: Any
) -> None:
    report = diagnose(fn, **options)
    assert names(report, "mistake") == mistakes, report
    assert not report.conforms()
    assert_fits_a_screen(report)


@pytest.mark.parametrize(("fn", "conventions", "options"), RIGHT.values(), ids=RIGHT)
def test_a_right_one_makes_no_mistake(fn: Any, conventions: set[str], options: Any) -> None:
    report = diagnose(fn, **options)
    assert report.conforms(), report
    assert names(report, "convention") == conventions
    assert report.conforms(strict=True) == (not report.findings)
    assert_fits_a_screen(report)


def test_a_case_that_comes_out_right_is_right_whatever_others_have_shown() -> None:
    report = diagnose(WRONG["causal_only_beside_a_mask"][0])
    assert report.outcomes["causal"] == "differs"
    assert report.outcomes["mask + causal"] == "right"


def test_the_zoo_is_large() -> None:
    assert len(WRONG) >= 25
    assert len(RIGHT) >= 10
    assert sum(len(mistakes) > 1 for _, mistakes, _ in WRONG.values()) >= 5
