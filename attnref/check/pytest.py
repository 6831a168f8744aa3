"""For test suites: test_attention = conformance(attention) is one test for each case."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from attnref.check.cases import NAMES
from attnref.check.diagnosis import diagnose
from attnref.check.report import Report


def conformance(fn: Callable[..., Any], *, strict: bool = False, **options: Any) -> Any:
    """A parametrised test that fails where `fn` makes a mistake; options as in `diagnose`."""

    @pytest.mark.parametrize("case", cases(fn, strict=strict, **options))
    def test(case: Checked) -> None:
        case.check()

    return test


def cases(fn: Callable[..., Any], *, strict: bool = False, **options: Any) -> list[Any]:
    """Parameters for pytest.mark.parametrize, one for each case; each has a method check()."""
    report = cache(lambda: diagnose(fn, **options))
    return [pytest.param(Checked(name, report, strict), id=name) for name in NAMES]


@dataclass(frozen=True)
class Checked:
    """One case of one implementation, which is diagnosed when the first case is checked."""

    name: str
    report: Callable[[], Report]
    strict: bool = False

    def check(self) -> None:
        """Fails with what is wrong in this case; skips if the implementation does not offer it."""
        report = self.report()
        outcome = report.outcomes.get(self.name, "not run, because of another finding")
        about = [f for f in report.findings if self.name in f.cases]
        if outcome == "differs" and not about:  # explained by what other cases have shown
            about = list(report.findings)
        wrong = [f for f in about if self.strict or f.kind == "mistake"]
        if wrong:
            pytest.fail("\n".join(f"{f}" for f in wrong), pytrace=False)
        if outcome not in ("right", "differs"):
            pytest.skip(outcome)
