"""What a record of the kernels' bench has to be: a page shows it only if nothing is amiss."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

PASSES = ("forward", "backward")
STATES = ("timed", "wrong", "failed", "unfit", "not installed")
NAME = r"[\w .,/≥()+-]+"  # in which nothing is markup
SHAPE = {"B": 1, "Hq": 1, "Hkv": 1, "L": 1, "D": 1, "pairs": 0}  # the least of each


def check(record: Any, file: str) -> None:
    """Raises ValueError that names the file, the place, what is there and what was expected."""
    _Check(file).record(record)


class _Check:
    def __init__(self, file: str) -> None:
        self.file = file

    def record(self, record: Any) -> None:
        self.table("the record", record)
        self.want(record.get("format") == 1, "format", record.get("format"), "1")
        day = self.text("date", record.get("date"), r"\d{4}-\d{2}-\d{2}", "a date as 2026-01-31")
        try:
            date.fromisoformat(day)
        except ValueError:
            self.want(False, "date", day, "a day that there is")
        if record.get("commit") is not None:
            self.text("commit", record["commit"], r"[0-9a-f]{40}", "40 hexadecimal digits, or null")
        self.want(
            record.get("clean") in (True, False, None), "clean", record.get("clean"), "a bool"
        )
        card = self.table("card", record.get("card"))
        self.text("card.name", card.get("name"))
        self.count("card.memory", card.get("memory"), 1)
        if card.get("driver") is not None:
            self.text("card.driver", card["driver"])
        versions = self.table("versions", record.get("versions"))
        for name in {*versions, "Python", "torch", "Triton"}:
            self.text("the name of a version", name)
            self.text(f"versions.{name}", versions.get(name))
        self.text("dtype", record.get("dtype"))
        self.count("rounds", record.get("rounds"), 1)
        if record.get("matmul") is not None:
            product = self.table("matmul", record["matmul"])
            self.count("matmul.n", product.get("n"), 1)
            self.number("matmul.tflops", product.get("tflops"))
        if record.get("fault") is not None:
            self.words("fault", record["fault"])
        self.runs(record)
        for n, goal in enumerate(self.list("goals", record.get("goals"))):
            self.goal(f"goals[{n}]", goal)

    def runs(self, record: dict[str, Any]) -> None:
        """Shapes, and the rows about them."""
        shapes: dict[str, Any] = {}
        for n, shape in enumerate(self.list("shapes", record.get("shapes"))):
            name = self.text(f"shapes[{n}].name", self.table(f"shapes[{n}]", shape).get("name"))
            self.want(name not in shapes, f"shapes[{n}].name", name, "a name that no other has")
            for key, least in SHAPE.items():
                self.count(f"shapes[{n}].{key}", shape.get(key), least)
            shapes[name] = shape
        seen = set()
        for n, row in enumerate(self.list("rows", record.get("rows"))):
            here = f"rows[{n}]"
            self.row(here, row)
            self.want(row["shape"] in shapes, f"{here}.shape", row["shape"], "one of shapes")
            who = (row["shape"], row["of"], row["contestant"])
            self.want(who not in seen, here, who, "one row for each")
            seen.add(who)
            if row["state"] == "timed":
                self.speed(here, row, shapes[row["shape"]])
        for n, row in enumerate(self.list("launch", record.get("launch"))):
            self.row(f"launch[{n}]", row)

    def row(self, here: str, row: Any) -> None:
        self.table(here, row)
        self.text(f"{here}.shape", row.get("shape"))
        self.text(f"{here}.contestant", row.get("contestant"))
        self.want(row.get("of") in PASSES, f"{here}.of", row.get("of"), "forward or backward")
        state = row.get("state")
        self.want(state in STATES, f"{here}.state", state, f"one of {', '.join(STATES)}")
        if state != "timed":
            self.words(f"{here}.why", row.get("why"))
            return
        ms = self.list(f"{here}.ms", row.get("ms"))
        for x in ms:
            self.number(f"{here}.ms", x)
        fits = len(ms) == 3 and ms == sorted(ms)
        self.want(fits, f"{here}.ms", ms, "the first quartile, the median, the third")

    def speed(self, here: str, row: Any, shape: Any) -> None:
        """It is what the time makes of it."""
        tflops = self.number(f"{here}.tflops", row.get("tflops"))
        if "ratio" in row:
            self.number(f"{here}.ratio", row["ratio"])
        flops = 4 * shape["B"] * shape["Hq"] * shape["pairs"] * shape["D"]
        flops *= 2.5 if row["of"] == "backward" else 1
        expected = flops / row["ms"][1] / 1e9
        fits = abs(tflops - expected) <= 1e-3 * expected
        self.want(fits, f"{here}.tflops", tflops, f"{expected:.5g}, by its shape and its time")

    def goal(self, here: str, goal: Any) -> None:
        self.text(f"{here}.says", self.table(here, goal).get("says"))
        least, measured = self.number(f"{here}.least", goal.get("least")), goal.get("measured")
        if measured is not None:
            self.number(f"{here}.measured", measured)
        met = measured is not None and measured >= least
        self.want(goal.get("met") is met, f"{here}.met", goal.get("met"), str(met))

    def table(self, here: str, value: Any) -> dict[str, Any]:
        self.want(isinstance(value, dict), here, value, "an object")
        return dict(value)

    def list(self, here: str, value: Any) -> list[Any]:
        self.want(isinstance(value, list), here, value, "a list")
        return [*value]

    def text(self, here: str, value: Any, pattern: str = NAME, says: str = "a plain name") -> str:
        self.want(isinstance(value, str) and re.fullmatch(pattern, value), here, value, says)
        return str(value)

    def words(self, here: str, value: Any) -> None:
        """A line of somebody's words, which includes no file (`--8<--`)."""
        fits = isinstance(value, str) and value.isprintable() and "8<" not in value
        self.want(fits, here, value, "a line of text")

    def count(self, here: str, value: Any, least: int) -> None:
        fits = type(value) is int and value >= least
        self.want(fits, here, value, f"a whole number, {least} or more")

    def number(self, here: str, value: Any) -> float:
        fits = type(value) in (int, float) and 0 < value < float("inf")
        self.want(fits, here, value, "a number above 0")
        return float(value)

    def want(self, fits: Any, here: str, value: Any, expected: str) -> None:
        if not fits:
            raise ValueError(f"{self.file}: {here} is {value!r:.200}: expected {expected}")
