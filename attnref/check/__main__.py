"""The command: python -m attnref.check mymodule:attention."""

import argparse
import ast
import sys
from typing import Any

from attnref.check import CannotRun, diagnose, load
from attnref.check.parameters import SPELLINGS

ROLES = ("mask", "bias", "causal", "scale", "window", "softcap", "dropout", "heads")


def main(arguments: list[str] | None = None) -> int:
    """0 if it conforms, 1 if mistakes were found, 2 if it could not be run."""
    options = vars(_parser().parse_args(arguments))
    target, as_json, strict = (options.pop(name) for name in ("target", "json", "strict"))
    options["parameters"] = {role: options.pop(role) for role in ROLES if role in options}
    options["fixed"] = dict(options["fixed"])
    try:
        report = diagnose(load(target), name=target, **options)
    except CannotRun as error:
        print(f"{target} could not be run: {error}", file=sys.stderr)
        return 2
    print(report.json() if as_json else report)
    return 0 if report.conforms(strict) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m attnref.check",
        description="Says which of the known mistakes an implementation of attention makes.",
    )
    add = parser.add_argument
    add("target", help="module:function, or path/to/file.py:function")
    add("--json", action="store_true", help="print the report as JSON")
    add("--strict", action="store_true", help="other conventions and weaknesses fail too")
    add("--library", choices=["torch", "numpy"], help="whichever it takes if not given")
    add("--device", default="cpu", help="where torch tensors lie")
    add("--layout", choices=["auto", "bhld", "blhd", "bld"], default="auto")
    add("--rank", type=int, choices=[4, 3, 2], help="how many axes its arrays have")
    add("--mask-true", choices=["seen", "ignored", "added"], default="seen", help="what True means")
    add("--set", dest="fixed", type=_setting, action="append", default=[], metavar="NAME=VALUE")
    for role in ROLES:
        known = ", ".join(SPELLINGS[role])
        add(f"--{role}", metavar="NAME", default=argparse.SUPPRESS, help=f"known: {known}")
    return parser


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r}: expected NAME=VALUE")
    try:
        return name, ast.literal_eval(value)
    except (SyntaxError, ValueError):
        return name, value


if __name__ == "__main__":
    sys.exit(main())
