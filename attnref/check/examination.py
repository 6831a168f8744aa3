"""One stranger under examination: what was seen so far, and what it comes to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from attnref.check.cases import Case, Inputs
from attnref.check.clues import clue
from attnref.check.known import BY_NAME, KNOWN, Known
from attnref.check.model import Theory, predict
from attnref.check.report import Finding
from attnref.check.search import agrees, explain, fits, values
from attnref.check.stranger import Stranger, cut, last_line

TOLERANCE = {"float64": 1e-4, "float32": 1e-4, "float16": 0.02, "bfloat16": 0.1}
BY_HEADS = ("scale: √H", "scale: √(H·D)")  # nothing to see of these where there are no heads
Seen: TypeAlias = dict[str, tuple[Inputs, Any]]  # case → its inputs, and the output


@dataclass
class Examination:
    stranger: Stranger
    theory: Theory = field(default_factory=dict)  # the mistakes found so far
    others: list[Theory] = field(default_factory=list)  # which explain as much, for now
    findings: list[Finding] = field(default_factory=list)
    outcomes: dict[str, str] = field(default_factory=dict)  # case → right, differs, or why not run
    unexplained: bool = False

    @property
    def tolerance(self) -> float:
        return TOLERANCE[self.stranger.form.dtype]

    def deviates(self, *groups: str) -> bool:
        return not self.theory.keys().isdisjoint(groups)

    def right(self, case: str) -> bool:
        return self.outcomes.get(case) == "right"

    def passes(self, case: str) -> None:
        self.outcomes.setdefault(case, "right")

    def skip(self, case: str, why: str) -> None:
        self.outcomes.setdefault(case, why)

    def find(self, name: str, case: str, evidence: str = "") -> None:
        """Adds what is known under this name to the findings, as seen in this case."""
        known = BY_NAME[name]
        self.findings.append(Finding(known.kind, (name,), known.says, evidence, (case,)))
        self.outcomes[case] = "differs"

    def inputs(self, case: Case) -> Inputs:
        """The inputs of a case, as far as this stranger takes them."""
        form = self.stranger.form
        x = case.fitted(form.rank, form.square, form.same_width).inputs()
        if x.window and not form.pair:
            x = replace(x, window=3, causal=self.stranger.offers("causal"))
        mask, bias = (None if a is None else cut(a, form.mask[1]) for a in (x.mask, x.bias))
        return replace(x, mask=mask, bias=bias)

    def observe(self, cases: Iterable[Case]) -> Seen:
        """Inputs and outputs of those cases that can be run; notes why others cannot."""
        seen, form = {}, self.stranger.form
        for case in cases:
            if case.needs() - self.stranger.parameters.roles.keys():
                self.skip(case.name, "no parameter")
            elif case.Hkv and form.rank < 4:
                self.skip(case.name, "it takes fewer axes")
            elif form.square and " L " in case.name:
                self.skip(case.name, "it takes only L = S")
            else:
                try:
                    x = self.inputs(case)
                    seen[case.name] = (x, self.stranger(x))
                except Exception as error:
                    self.skip(case.name, last_line(error))
        return seen

    def stage(
        self, cases: Sequence[Case], groups: Sequence[str], without: Sequence[str] = ()
    ) -> bool:
        """Runs the cases and explains them by what is known of these groups; False if it can't."""
        seen = self.observe(cases)
        if self.stranger.form.rank == 2:
            without = [*without, *BY_HEADS]
        switches = [s for s in KNOWN if s.group in groups and s.name not in without]
        for name, (x, out) in seen.items():
            self.outcomes[name] = (
                "right" if agrees(out, predict(x, {}), self.tolerance) else "differs"
            )
        if all(self.right(name) for name in seen):
            return True
        odd = {n: s for n, s in seen.items() if not fits(*s, self.theory, self.tolerance)}
        theories = [self.theory, *self.others]
        each = [explain(list(seen.values()), t, switches, self.tolerance) for t in theories]
        best = min(range(len(each)), key=lambda n: len(each[n][0]) if each[n] else len(KNOWN))
        self.theory, sets = theories[best], each[best]
        if not sets and self.deviates("axes", "roles", "weights", "softmax", "causal"):
            self.outcomes |= dict.fromkeys(odd, "cannot be told while the above is wrong")
        elif not sets:
            self._unknown(odd)
        elif sets[0]:
            self._known(sets, odd)
        return bool(sets)

    def _known(self, sets: list[tuple[Known, ...]], odd: Seen) -> None:
        """Takes what all explanations share for certain, and the rest for alternatives."""
        evidence = self._evidence(odd)
        certain = [s for s in sets[0] if all(s in some for some in sets)]
        for s in certain:
            self.findings.append(Finding(s.kind, (s.name,), s.says, evidence, tuple(odd)))
        rest = [[s for s in some if s not in certain] for some in sets]
        if rest[0]:
            names = tuple(" and ".join(s.name for s in some) for some in rest)
            either = " Or: ".join(" ".join(s.says for s in some) for some in rest)
            says = f"These cases cannot tell which. Either: {either}"
            self.findings.append(Finding("mistake", names, says, evidence, tuple(odd)))
        self.theory, *more = [self.theory | values(some) for some in sets]
        self.others = [t | values(sets[0]) for t in self.others] + more

    def _unknown(self, odd: Seen) -> None:
        self.unexplained = True
        x, out = next(iter(odd.values()))
        try:
            with np.errstate(all="ignore"):
                name, more = clue(self.stranger, x, out, predict(x, self.theory), self.tolerance)
        except Exception as error:
            name, more = "output: unknown", last_line(error)
        evidence = "; ".join(filter(None, (self._evidence(odd), more)))
        known = BY_NAME[name]
        self.findings.append(Finding(known.kind, (name,), known.says, evidence, tuple(odd)))

    def _evidence(self, odd: Seen) -> str:
        """Where the first of these outputs is farthest from what it should be."""
        name, (x, out) = next(iter(odd.items()))
        right = predict(x, {})
        error = np.where(np.isfinite(out), np.abs(out - right), np.inf)
        error = np.where(np.isfinite(right), error, 0.0)
        at = tuple(int(i) for i in np.unravel_index(error.argmax(), error.shape))
        place = list(at[4 - self.stranger.form.rank :])
        return f"{name}: out{place} is {out[at]:.4g}, expected {right[at]:.4g}"
