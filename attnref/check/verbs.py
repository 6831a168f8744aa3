"""The six verbs of attention, one at a time: what is wrong with a reader's own, in words.

    check(compare)          says whether it is right, and if not, which mistake it makes
    @unless_right(compare)  takes the function below it in its place, unless it is right

A verb is examined among five that are right: together they are an attention, which `diagnose`
calls. All take and give NumPy arrays for one head.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from textwrap import fill
from typing import Any, TypeAlias

import numpy as np

from attnref import softmax
from attnref.check.diagnosis import diagnose
from attnref.check.parameters import CannotRun
from attnref.check.stranger import last_line

Function: TypeAlias = Callable[..., Any]
Finding: TypeAlias = tuple[str, str]  # its kind, and what it says
WIDTH = 62  # of a page
ELSEWHERE = {
    "dim=-1": "axis=-1",
    " of scores (B, H, L, S)": "",
    ", or say --mask-true if that is what is meant": "",
    "where or masked_fill": "np.where",
}
N, L, S, D = 5, 3, 4, 2  # tokens, queries, keys, width


def project(x: Any, w: Any) -> Any:
    return x @ w


def compare(q: Any, k: Any) -> Any:
    return q @ k.T


def scale(scores: Any, d: int) -> Any:
    return scores / sqrt(d)


def mask(scores: Any, allowed: Any) -> Any:
    return np.where(allowed, scores, -np.inf)


def normalise(scores: Any) -> Any:
    return softmax(scores)


def mix(weights: Any, v: Any) -> Any:
    return weights @ v


@dataclass(frozen=True)
class Verb:
    right: Function
    gives: str
    shapes: tuple[tuple[int, ...], ...]  # of its arguments, in a first trial


VERBS = {
    verb.right.__name__: verb
    for verb in (
        Verb(project, "a row for each token, as wide as w", ((N, S), (S, D))),
        Verb(compare, "the scores: a row for each query, a column for each key", ((L, D), (S, D))),
        Verb(scale, "the scores, each divided by √d", ((L, S), ())),
        Verb(mask, "the scores, −∞ where allowed is False", ((L, S), (L, S))),
        Verb(normalise, "the weights: no number negative, each row with the sum 1", ((L, S),)),
        Verb(mix, "a row for each query: the values, mixed by its weights", ((L, S), (S, D))),
    )
}


def check(function: Function) -> None:
    """Print what a verb does right, or which mistake it makes. Its name says which verb it is."""
    print("\n".join(_told(function)))


def unless_right(function: Function) -> Callable[[Function], Function]:
    """Decorates a solution: gives the reader's function in its place, if that is right."""

    def choose(solution: Function) -> Function:
        if wrong := _wrong(_found(solution)):
            raise AssertionError(f"the solution is wrong: {wrong}")
        yours = not _wrong(_found(function))
        which = "yours is right, and goes on" if yours else "this one goes on"
        print(f"{solution.__name__}: {which} from here.")
        return function if yours else solution

    return choose


def _told(function: Function) -> Iterator[str]:
    name, found = function.__name__, _found(function)
    wrong = _wrong(found)
    yield f"✗ {name} is not right yet." if wrong else f"✓ {name} is right."
    remarks = [f"Beside that: {says}" for kind, says in found if kind == "convention"]
    yield from (fill(f"  {says}", WIDTH, subsequent_indent="  ") for says in wrong or remarks)


def _wrong(found: Sequence[Finding]) -> list[str]:
    return [says for kind, says in found if kind == "mistake"]


def _found(function: Function) -> list[Finding]:
    """What there is to say of a verb: of its first answer, or of the attention that it makes."""
    with np.errstate(all="ignore"):
        fault = _fault(function)
        return [("mistake", fault)] if fault else _diagnosed(function)


def _fault(function: Function) -> str:
    name = function.__name__
    if name not in VERBS:
        raise ValueError(f"{name} is none of the six verbs: {', '.join(VERBS)}")
    verb = VERBS[name]
    inputs = _inputs(verb)
    expected = verb.right(*inputs)
    try:
        given = function(*(np.copy(x) if isinstance(x, np.ndarray) else x for x in inputs))
    except Exception as error:
        return f"Given {_shapes(inputs)}, it fails: {_cause(error)} It should return {verb.gives}."
    if given is None or given is Ellipsis:
        return f"It returns nothing. It should return {verb.gives}."
    if not isinstance(given, np.ndarray):
        return f"It returns a {type(given).__name__}. It should return an array: np.array(…)."
    if given.shape != expected.shape:
        return (
            f"Given {_shapes(inputs)}, it makes an array with shape {given.shape}, "
            f"not {expected.shape}. It should return {verb.gives}."
        )
    if name == "project" and not np.allclose(given, expected):
        return f"Its numbers are wrong. It should return {verb.gives}."
    return ""


def _diagnosed(function: Function) -> list[Finding]:
    """The findings about an attention made of this verb and of five that are right."""
    verbs = {name: verb.right for name, verb in VERBS.items()} | {function.__name__: function}

    def attention(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
        scores = verbs["scale"](verbs["compare"](q, k), q.shape[-1])
        if mask is not None:
            scores = verbs["mask"](scores, mask)
        return verbs["mix"](verbs["normalise"](scores), v)

    try:
        report = diagnose(attention, name=function.__name__, library="numpy", rank=2)
    except CannotRun as error:
        return [("mistake", f"It fails within an attention: {error}")]
    return [
        (
            "convention" if finding.names == ("dtype: changes",) else finding.kind,
            _here(finding.says),
        )
        for finding in report.findings
    ]


def _here(says: str) -> str:
    """As a reader of the lab would say it: NumPy, one head, no command line."""
    for old, new in ELSEWHERE.items():
        says = says.replace(old, new)
    return says


def _shapes(inputs: Sequence[Any]) -> str:
    shapes = [str(np.shape(x)) for x in inputs if np.ndim(x)]
    return f"{'an array' if len(shapes) == 1 else 'arrays'} with shape {' and '.join(shapes)}"


def _cause(error: Exception) -> str:
    if "matmul" in str(error):
        return "these do not fit in a product, whose inner sides have to be equal."
    return f"{last_line(error)}."


def _inputs(verb: Verb) -> list[Any]:
    random = np.random.default_rng(0)
    made = [random.standard_normal(shape) if shape else D for shape in verb.shapes]
    return [made[0], made[1] > 0] if verb.right is mask else made
