"""What a kernel leaves unwritten is NaN, and small tiles for those tests that want many."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import torch

if find_spec("triton") is None:  # macOS, Windows
    tests = {file.name for file in Path(__file__).parent.glob("test_*.py")}
    collect_ignore = sorted(tests - {"test_modes.py"})

torch.set_num_threads(1)  # the workers of pytest-xdist share the cores already


@pytest.fixture(autouse=True)
def unwritten_is_nan(monkeypatch: pytest.MonkeyPatch) -> None:
    """torch.empty and its like, where kernels write their results, give NaN: a gap shows."""
    for owner, name in ((torch, "empty"), (torch, "empty_like"), (torch.Tensor, "new_empty")):
        monkeypatch.setattr(owner, name, _filled(getattr(owner, name)))


def _filled(empty: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    def filled(*arguments: Any, **options: Any) -> torch.Tensor:
        x = empty(*arguments, **options)
        return x.fill_(torch.nan) if x.is_floating_point() else x

    return filled


@pytest.fixture
def set_tile(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """set_tile(16, 32): interpreted programs serve 16 queries and take 32 keys at a time.

    With descriptors=True what lies in rows comes by tensor descriptors, as on cards that have them.
    """

    def small(queries: int, keys: int, **options: bool) -> None:
        tiles = import_module("kernels.tiles")
        tile = tiles.Tile(queries, keys, 1, 1, **options)
        monkeypatch.setattr(tiles, "INTERPRETED_TILE", tile)

    return small
