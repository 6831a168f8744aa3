"""From `module:function` or `path/to/file.py:function` to the function."""

import sys
from collections.abc import Callable
from difflib import get_close_matches
from functools import reduce
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from attnref.check.parameters import CannotRun
from attnref.check.stranger import last_line, quiet


def load(target: str) -> Callable[..., Any]:
    """The function; a class is called without arguments, a torch module put into eval mode.

    Raises CannotRun that says what is missing.
    """
    place, colon, name = target.rpartition(":")
    if not colon or not place or not name:
        raise CannotRun(f"{target!r} names no function: expected module:function")
    try:
        with quiet():
            module = _from_file(Path(place)) if place.endswith(".py") else _imported(place)
    except Exception as error:
        raise CannotRun(f"{place} cannot be imported\n  {last_line(error)}") from error
    try:
        found = reduce(getattr, name.split("."), module)
    except AttributeError as error:
        near = get_close_matches(name, dir(module), n=1)
        hint = f": did you mean {near[0]}?" if near else ""
        raise CannotRun(f"{place} has no {name}{hint}") from error
    return usable(found, name)


def usable(fn: Any, name: str) -> Callable[..., Any]:
    """An instance if it is a class, in eval mode if it has one. Raises CannotRun."""
    if isinstance(fn, type):
        try:
            fn = fn()
        except Exception as error:
            raise CannotRun(
                f"{name} is a class that needs arguments: name an instance of it\n"
                f"  {last_line(error)}"
            ) from error
    if not callable(fn):
        raise CannotRun(f"{name} is a {type(fn).__name__}: expected a function")
    if callable(getattr(fn, "eval", None)):
        fn.eval()
    return fn  # type: ignore[no-any-return]


def _imported(name: str) -> ModuleType:
    if "" not in sys.path:
        sys.path.insert(0, "")
    return import_module(name)


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    sys.path.insert(0, str(path.parent))  # for what the file imports from beside it
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module
