"""How kernels cut their work into tiles: by the width of the heads, never by the lengths."""

from typing import Any, NamedTuple

import torch
import triton

from kernels import INTERPRETED


class Tile(NamedTuple):
    """How many queries a program serves, how many keys it takes at a time, and with what."""

    L: int
    S: int
    warps: int
    stages: int  # tiles of keys on the way at once


# By the bytes of a number, then by the widest head: what `python -m kernels.compile` finds to fit
# into the registers and the shared memory of every GPU that it knows.
TILES = {
    2: {
        32: Tile(128, 64, 4, 2),
        64: Tile(64, 64, 4, 2),
        128: Tile(128, 64, 8, 2),
        256: Tile(64, 32, 8, 2),
    },
    4: {
        32: Tile(64, 32, 4, 2),
        64: Tile(64, 32, 8, 2),
        128: Tile(32, 32, 8, 2),
        256: Tile(16, 16, 4, 2),
    },
}
INTERPRETED_TILE = Tile(256, 256, 1, 1)  # large, since the interpreter takes its time per tile


def constants(D: int, Dv: int, dtype: torch.dtype, backend: str) -> dict[str, Any]:
    """What the kernel is compiled for, as its arguments. No length is among them."""
    block_d, block_dv = (max(16, triton.next_power_of_2(n)) for n in (D, Dv))
    tiles = TILES[dtype.itemsize]
    tile = tiles[min(width for width in tiles if width >= max(block_d, block_dv))]
    if backend == "hip":  # where keys pass through registers, so that no copy goes on by itself
        tile = tile._replace(stages=1)
    if INTERPRETED:
        tile = INTERPRETED_TILE
    return {
        "D": D,
        "DV": Dv,
        "BLOCK_D": block_d,
        "BLOCK_DV": block_dv,
        "BLOCK_L": tile.L,
        "BLOCK_S": tile.S,
        "num_warps": tile.warps,
        "num_stages": tile.stages,
    }
