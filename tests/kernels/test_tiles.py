"""The table of tiles: complete, found by card and not by length."""

from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from kernels import tiles
from kernels.binaries import CARDS, EXCUSED
from kernels.compile import KERNELS
from kernels.launch import How

HELD = ("plain", "laden", "crowded")


def test_the_table_has_a_tile_for_each_card_kernel_and_width() -> None:
    assert list(tiles.TILES) == list(product(CARDS, KERNELS, (2, 4), HELD, tiles.WIDTHS))


def test_what_a_program_multiplies_is_a_power_of_two_and_at_least_16() -> None:
    for tile in tiles.TILES.values():
        assert tile.L in (16, 32, 64, 128, 256)
        assert tile.S in (16, 32, 64, 128, 256)
        assert tile.warps in (4, 8)


def test_hopper_and_blackwell_have_the_64_rows_that_their_instructions_take() -> None:
    for (card, kernel, size, _, width), tile in tiles.TILES.items():
        excused = (kernel, card, f"D={width}") in EXCUSED
        if card in ("sm_90", "sm_100") and size == 2 and not excused:
            assert (tile.S if kernel == "backward_kv" else tile.L) >= 64


CALLS: dict[str, tuple[Any, How]] = {
    "plain": (None, How(1.0, left=3, right=0)),
    "laden": (None, How(1.0, softcap=2.0)),
    "crowded": (torch.ones(1), How(1.0, block=(64, 64))),
}


@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("width", [16, 32, 64, 256])
def test_the_tile_depends_on_no_length(
    held: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tiles, "INTERPRETED", False)
    target = SimpleNamespace(backend="cuda", arch=90)
    driver = SimpleNamespace(active=SimpleNamespace(get_current_target=lambda: target))
    monkeypatch.setattr(tiles, "driver", driver)
    mask, how = CALLS[held]
    found = {
        tiles.tile("forward", torch.empty(1, 1, L, 16), torch.empty(1, 1, L, width), mask, how)
        for L in (1, 17, 1000)
    }
    fits = min(entry for entry in tiles.WIDTHS if entry >= width)
    assert found == {tiles.TILES["sm_90", "forward", 4, held, fits]}


def test_masks_packed_sequences_and_ragged_heads_are_more_to_hold() -> None:
    ends = torch.tensor([0, 1]), torch.tensor([0, 1])
    assert tiles.held(torch.ones(1), How(1.0), False) == "laden"
    assert tiles.held(None, How(1.0, ends=ends), False) == "laden"
    assert tiles.held(None, How(1.0), True) == "laden"
    assert tiles.held(None, How(1.0, ends=ends), True) == "crowded"
    assert tiles.held(torch.ones(1), How(1.0, block=(1, 1)), True) == "crowded"


NEAREST = {
    "sm_80": [80],
    "sm_90": [90],
    "sm_100": [100, 103, 110],
    "sm_120": [86, 89, 120, 121, 130],  # none has less shared memory
}


@pytest.mark.parametrize(("card", "archs"), NEAREST.items(), ids=NEAREST)
def test_a_card_that_is_not_in_the_table_takes_the_tile_of_one_like_it(
    card: str, archs: list[int]
) -> None:
    for arch in archs:
        assert tiles.nearest(SimpleNamespace(backend="cuda", arch=arch)) == card
    assert tiles.nearest(SimpleNamespace(backend="hip", arch="gfx950")) == "gfx942"
