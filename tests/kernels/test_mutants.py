"""The rule can fail: each of these mistakes in the kernels is found by a few calls."""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import kernels

if not kernels.INTERPRETED:
    pytest.skip("needs the interpreter", allow_module_level=True)

from triton.runtime.errors import InterpreterError

from tests.kernels.battery import judge
from tests.kernels.mutants import MUTANTS
from tests.kernels.sanitizer import Sanitizer

FILES = [
    *("attention", "autograd", "backward", "blocks", "forward", "launch", "packed", "pairs"),
    *("sparse", "tiles"),
]
SOON = [*MUTANTS][::19]  # the others are for `make deep`
ERRORS = (AssertionError, AttributeError, InterpreterError, RuntimeError, IndexError, TypeError)


@pytest.fixture
def sanitizer(monkeypatch: pytest.MonkeyPatch) -> Sanitizer:
    return Sanitizer(monkeypatch)  # a stray load is an error, not the end of the process


@pytest.fixture
def changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """changed(file, old, new) has the calls of kernels with this change, in small tiles."""

    def change(file: str, old: str, new: str) -> Any:
        package = tmp_path / "mutant"
        package.mkdir()
        (package / "__init__.py").write_text("INTERPRETED = True", encoding="utf-8")
        for name in FILES:
            text = source(name)
            if name == file:
                assert old in text
                text = text.replace(old, new)
            text = text.replace("from kernels", "from mutant")
            (package / f"{name}.py").write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        for name in [name for name in sys.modules if name.split(".")[0] == "mutant"]:
            monkeypatch.delitem(sys.modules, name)
        tiles = import_module("mutant.tiles")

        def set_tile(**options: bool) -> None:
            tile = tiles.Tile(16, 32, 1, 1, **options)
            monkeypatch.setattr(tiles, "INTERPRETED_TILE", tile)

        set_tile()
        return SimpleNamespace(
            set_tile=set_tile,
            attention=import_module("mutant.attention").attention,
            attention_varlen=import_module("mutant.packed").attention_varlen,
            block_sparse_attention=import_module("mutant.sparse").block_sparse_attention,
        )

    return change


def source(name: str) -> str:
    return Path(kernels.__file__ or "").with_name(f"{name}.py").read_text("utf-8")


def test_the_kernels_themselves_pass(changed: Any, sanitizer: Sanitizer) -> None:
    judge(changed("forward", "", ""), sanitizer)


def test_every_change_is_a_change_and_no_two_are_the_same() -> None:
    assert len({*MUTANTS.values()}) == len(MUTANTS) >= 60
    for file, old, new in MUTANTS.values():
        assert old != new
        assert old in source(file)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # mutants overflow
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in SOON else pytest.mark.deep) for n in MUTANTS]
)
def test_a_mistake_is_found(changed: Any, sanitizer: Sanitizer, name: str) -> None:
    package = changed(*MUTANTS[name])
    with pytest.raises(ERRORS):
        judge(package, sanitizer)
