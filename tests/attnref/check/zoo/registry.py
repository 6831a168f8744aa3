"""Wrong implementations with what has to be said of them, and right ones."""

from collections.abc import Callable
from typing import Any

WRONG: dict[str, tuple[Any, set[str], dict[str, Any]]] = {}
RIGHT: dict[str, tuple[Any, set[str], dict[str, Any]]] = {}


def wrong(*mistakes: str, **options: Any) -> Callable[[Any], Any]:
    """This one makes exactly these mistakes when it is diagnosed with these options."""

    def add(fn: Any) -> Any:
        WRONG[fn.__name__] = (fn, set(mistakes), options)
        return fn

    return add


def right(*conventions: str, **options: Any) -> Callable[[Any], Any]:
    """This one makes no mistake, and has exactly these conventions; notes depend on the machine."""

    def add(fn: Any) -> Any:
        RIGHT[fn.__name__] = (fn, set(conventions), options)
        return fn

    return add
