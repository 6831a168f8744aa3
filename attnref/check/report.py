"""What was found, on one screen."""

import json
from dataclasses import asdict, dataclass
from textwrap import wrap

WIDTH, HEIGHT = 96, 40
SIGNS = {"mistake": "✗", "convention": "≠", "note": "~"}


@dataclass(frozen=True)
class Finding:
    """Something that is not as in attnref: a mistake, another convention, or a weakness."""

    kind: str  # "mistake", "convention" or "note"
    names: tuple[str, ...]  # several, if what was seen fits each of them
    says: str
    evidence: str = ""
    cases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """All findings about one implementation, and how each case came out."""

    name: str
    called: str  # how it was called
    findings: tuple[Finding, ...]
    outcomes: dict[str, str]  # case → "right", "differs", or why it was not run

    @property
    def mistakes(self) -> tuple[Finding, ...]:
        return tuple(f for f in self.findings if f.kind == "mistake")

    def conforms(self, strict: bool = False) -> bool:
        """No mistake; if strict, no other convention and no weakness either."""
        return not (self.findings if strict else self.mistakes)

    def json(self) -> str:
        """The same as a JSON object."""
        return json.dumps(asdict(self) | {"conforms": self.conforms()}, ensure_ascii=False)

    def __str__(self) -> str:
        blocks = [_block(f) for kind in SIGNS for f in self.findings if f.kind == kind]
        head, tail = self._head(), self._tail()
        left = 0
        while len(head) + len(tail) + sum(map(len, blocks)) + 1 > HEIGHT and blocks:
            blocks.pop()
            left += 1
        more = [f"  … and {left} more: --json has all"] if left else []
        return "\n".join([*head, *(line for b in blocks for line in b), *more, *tail])

    def _head(self) -> list[str]:
        count = len(self.mistakes)
        verdict = f"{count} mistake{'s' * (count > 1)}" if count else "no mistake"
        return [f"{self.name}: {verdict}", *_hung("  ", f"called {self.called}"), ""]

    def _tail(self) -> list[str]:
        right = [name for name, outcome in self.outcomes.items() if outcome == "right"]
        why: dict[str, list[str]] = {}
        for name, outcome in self.outcomes.items():
            if outcome not in ("right", "differs"):
                why.setdefault(outcome, []).append(name)
        lines = _hung("  ✓ ", "right: " + " · ".join(right)) if right else []
        others = [f"{', '.join(names)} ({reason})" for reason, names in why.items()]
        return lines + (_hung("  – ", "not looked at: " + " · ".join(others)) if others else [])


def _block(finding: Finding) -> list[str]:
    name = " | ".join(finding.names)
    lines = [f"  {SIGNS[finding.kind]} {name}", *_hung("      ", finding.says)]
    return lines + (_hung("      ", f"({finding.evidence})") if finding.evidence else [])


def _hung(first: str, text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent=first, subsequent_indent=" " * len(first))
