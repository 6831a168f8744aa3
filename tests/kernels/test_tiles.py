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


@pytest.fixture
def hopper(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "INTERPRETED", False)
    target = SimpleNamespace(backend="cuda", arch=90)
    driver = SimpleNamespace(active=SimpleNamespace(get_current_target=lambda: target))
    monkeypatch.setattr(tiles, "driver", driver)


CALLS: dict[str, tuple[Any, How]] = {
    "plain": (None, How(1.0, left=3, right=0)),
    "laden": (None, How(1.0, softcap=2.0)),
    "crowded": (torch.ones(1), How(1.0, block=(64, 64))),
}


@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("width", [16, 32, 64, 256])
def test_the_tile_depends_on_no_length(held: str, width: int, hopper: None) -> None:
    mask, how = CALLS[held]
    found = {
        tiles.tile(
            "forward", torch.empty(1, 1, L, 16), torch.empty(1, 1, L, width), mask, how, True
        )
        for L in (1, 17, 1000)
    }
    fits = min(entry for entry in tiles.WIDTHS if entry >= width)
    assert found == {tiles.TILES["sm_90", "forward", 4, held, fits]}


def test_masks_packed_sequences_and_ragged_heads_are_more_to_hold() -> None:
    assert tiles.held(None, None, ragged=False) == "plain"
    assert tiles.held(torch.ones(1), None, ragged=False) == "laden"
    assert tiles.held(None, None, ragged=True) == "laden"
    assert tiles.held(None, 2.0, ragged=True) == "crowded"
    assert tiles.held(torch.ones(1), (1, 1), ragged=True) == "crowded"


def test_a_copy_engine_takes_16_bit_numbers_that_lie_in_rows(hopper: None) -> None:
    half, single = torch.empty(1, 1, 5, 64).bfloat16(), torch.empty(1, 1, 5, 64)
    plain = tiles.TILES["sm_90", "forward", 2, "plain", 64]
    laden = tiles.TILES["sm_90", "forward", 2, "laden", 64]
    fetched = tiles.tile("forward", half, half, None, How(1.0), True)
    assert fetched == plain._replace(descriptors=True)
    assert tiles.tile("forward", half, half, None, How(1.0), False) == laden
    assert not tiles.tile("forward", single, single, None, How(1.0), True).descriptors


def test_tiles_that_lie_in_one_block_need_no_mask(hopper: None) -> None:
    q, mask = torch.empty(1, 1, 512, 64).bfloat16(), torch.ones(1)
    plain = tiles.TILES["sm_90", "forward", 2, "plain", 64]
    for block, kind in (
        ((plain.L, plain.S), "plain"),
        ((4 * plain.L, 2 * plain.S), "plain"),
        ((plain.L, plain.S // 2), "crowded"),
        ((plain.L + 1, plain.S), "crowded"),
    ):
        found = tiles.tile("forward", q, q, mask, How(1.0, block=block), True)
        expected = tiles.TILES["sm_90", "forward", 2, kind, 64]
        assert found == expected._replace(descriptors=True)


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
