"""How kernels cut their work into tiles: by the width of the heads, never by the lengths."""

from typing import NamedTuple

import torch
import triton

from kernels import INTERPRETED


class Tile(NamedTuple):
    """How many queries and keys a program takes at a time, and with what."""

    L: int
    S: int
    warps: int
    stages: int  # tiles on the way at once
    descriptors: bool = False  # the card's copy engine fetches them


# By kernel, then by the bytes of a number, then by the widest head: what
# `python -m kernels.compile` finds to fit into the registers and the shared memory of every GPU
# that it knows.
TILES = {
    "forward": {
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
    },
    "backward_q": {
        2: {
            32: Tile(64, 64, 4, 2),
            64: Tile(64, 64, 4, 2),
            128: Tile(64, 64, 8, 2),
            256: Tile(32, 32, 8, 2),
        },
        4: {
            32: Tile(32, 32, 4, 2),
            64: Tile(32, 32, 8, 2),
            128: Tile(32, 16, 8, 2),
            256: Tile(16, 16, 4, 2),
        },
    },
}
TILES["backward_kv"] = TILES["backward_q"]
INTERPRETED_TILE = Tile(256, 256, 1, 1)  # large, since the interpreter takes its time per tile


def tile(kernel: str, widest: int, dtype: torch.dtype) -> Tile:
    """The tile of a kernel for heads as wide as this, a power of two, on the GPU at hand."""
    if INTERPRETED:
        return INTERPRETED_TILE
    tiles = TILES[kernel][dtype.itemsize]
    found = tiles[min(width for width in tiles if width >= widest)]
    if torch.version.hip:  # where keys pass through registers, so that no copy goes on by itself
        found = found._replace(stages=1)
    return found


def block(width: int) -> int:
    """The width of a tile for a head of this width."""
    return int(max(16, triton.next_power_of_2(width)))
