"""How kernels cut their work into tiles: by card and width of the heads, never by the lengths."""

import re
from typing import Any, NamedTuple

import torch
import triton
from triton.runtime import driver

from kernels import INTERPRETED


class Tile(NamedTuple):
    """How many queries and keys a program takes at a time, and with what."""

    L: int
    S: int
    warps: int
    stages: int  # tiles on the way at once
    descriptors: bool = False  # the card's copy engine fetches what lies in rows


# What `python -m kernels.compile` finds to fit into the registers and the shared memory of a card,
# by kernel, bytes of a number, what a program has to hold, and width of a head: queries × keys /
# warps / stages. A plain program holds positions and scores; a laden one also a mask, a softcap,
# where packed sequences end, or where a head that fills no tile does; a crowded one two of these,
# or a list of the tiles that it needs.
TABLE = """
card   kernel       bytes  held     32           64           128          256
sm_80  forward      2      plain    128×64/4/3   128×64/8/3   128×32/8/2   64×32/8/2
sm_80  forward      2      laden    128×64/8/3   128×32/8/2   64×64/8/2    64×32/8/2
sm_80  forward      2      crowded  64×64/4/3    64×64/8/2    64×32/8/2    64×32/8/2
sm_80  forward      4      plain    64×32/4/2    64×32/8/2    32×32/8/2    16×16/4/2
sm_80  forward      4      laden    64×32/4/2    64×32/8/2    32×32/8/2    16×16/4/2
sm_80  forward      4      crowded  64×32/4/2    64×32/8/2    32×32/8/2    16×16/4/2
sm_80  backward_q   2      plain    128×64/8/3   128×64/8/3   64×64/8/2    64×32/8/2
sm_80  backward_q   2      laden    128×64/8/2   64×32/4/3    64×32/8/2    64×32/8/2
sm_80  backward_q   2      crowded  64×64/4/3    64×32/4/3    64×32/8/2    32×32/8/2
sm_80  backward_q   4      plain    64×32/8/2    32×32/8/2    32×16/8/2    16×16/4/2
sm_80  backward_q   4      laden    64×32/8/2    32×32/8/2    32×16/8/2    16×16/4/2
sm_80  backward_q   4      crowded  32×16/4/2    32×32/8/2    32×16/8/2    16×16/4/2
sm_80  backward_kv  2      plain    64×128/8/3   64×32/4/2    32×64/8/2    32×32/8/2
sm_80  backward_kv  2      laden    32×64/4/3    64×32/4/2    64×32/8/2    32×32/8/2
sm_80  backward_kv  2      crowded  32×64/4/3    64×32/4/2    64×32/8/2    32×32/8/2
sm_80  backward_kv  4      plain    32×32/4/2    32×32/8/2    16×32/4/2    16×16/8/2
sm_80  backward_kv  4      laden    32×32/4/2    32×32/8/2    16×32/4/2    16×16/8/2
sm_80  backward_kv  4      crowded  32×32/4/2    32×32/8/2    16×32/4/2    16×16/8/2
sm_90  forward      2      plain    128×128/8/3  128×64/4/3   128×128/8/2  128×32/8/2
sm_90  forward      2      laden    128×128/8/2  128×64/8/3   128×64/8/3   64×64/8/2
sm_90  forward      2      crowded  64×64/4/2    64×64/4/3    64×64/8/2    64×32/8/2
sm_90  forward      4      plain    64×32/4/2    64×32/8/2    32×16/8/2    16×16/4/2
sm_90  forward      4      laden    64×32/4/2    64×32/8/2    32×16/8/2    16×16/4/2
sm_90  forward      4      crowded  64×32/4/2    64×32/8/2    32×16/8/2    16×16/4/2
sm_90  backward_q   2      plain    128×64/8/3   128×64/8/3   128×64/8/2   64×32/8/2
sm_90  backward_q   2      laden    128×64/8/3   128×64/8/3   128×64/8/2   64×32/8/2
sm_90  backward_q   2      crowded  64×64/4/3    64×64/4/3    64×32/4/2    64×16/8/2
sm_90  backward_q   4      plain    64×32/8/2    32×32/8/2    32×16/8/2    16×16/4/2
sm_90  backward_q   4      laden    64×32/8/2    32×32/8/2    32×16/8/2    16×16/4/2
sm_90  backward_q   4      crowded  32×16/4/2    32×32/8/2    32×16/8/2    16×16/4/2
sm_90  backward_kv  2      plain    64×128/8/3   64×128/8/3   32×128/8/3   32×32/8/2
sm_90  backward_kv  2      laden    64×128/8/3   32×64/4/3    32×64/8/3    32×32/8/2
sm_90  backward_kv  2      crowded  64×64/4/2    32×64/4/3    32×64/8/3    32×32/8/2
sm_90  backward_kv  4      plain    32×32/4/2    32×32/8/2    16×32/4/2    16×16/8/2
sm_90  backward_kv  4      laden    32×32/4/2    32×32/8/2    16×32/4/2    16×16/8/2
sm_90  backward_kv  4      crowded  32×32/4/2    32×32/8/2    16×32/4/2    16×16/8/2
sm_100 forward      2      plain    128×64/4/3   128×64/4/3   128×64/8/3   128×32/8/2
sm_100 forward      2      laden    128×64/8/2   128×64/8/2   128×64/8/3   128×32/8/2
sm_100 forward      2      crowded  64×64/4/2    64×64/4/2    64×64/8/2    64×64/8/2
sm_100 forward      4      plain    64×32/4/2    64×32/8/2    32×16/8/2    16×16/4/2
sm_100 forward      4      laden    64×32/4/2    64×32/8/2    32×16/8/2    16×16/4/2
sm_100 forward      4      crowded  64×32/4/2    64×32/8/2    32×16/8/2    16×16/4/2
sm_100 backward_q   2      plain    128×64/4/3   128×64/8/3   128×32/8/2   128×32/8/2
sm_100 backward_q   2      laden    128×64/4/3   128×64/8/3   128×64/8/2   128×32/8/2
sm_100 backward_q   2      crowded  64×64/4/3    64×64/4/3    64×64/4/2    64×32/8/2
sm_100 backward_q   4      plain    64×32/8/2    32×32/8/2    32×16/8/2    16×16/4/2
sm_100 backward_q   4      laden    64×32/8/2    32×32/8/2    32×16/8/2    16×16/4/2
sm_100 backward_q   4      crowded  32×16/4/2    32×32/8/2    32×16/8/2    16×16/4/2
sm_100 backward_kv  2      plain    64×128/8/3   32×128/4/2   32×64/8/2    32×32/8/2
sm_100 backward_kv  2      laden    64×128/8/2   64×64/8/2    16×64/8/2    32×32/8/2
sm_100 backward_kv  2      crowded  64×64/4/3    64×64/8/2    16×64/8/2    32×32/8/2
sm_100 backward_kv  4      plain    32×32/4/2    16×32/4/2    16×32/4/2    16×16/8/2
sm_100 backward_kv  4      laden    32×32/4/2    16×32/4/2    16×32/4/2    16×16/8/2
sm_100 backward_kv  4      crowded  32×32/4/2    16×32/4/2    16×32/4/2    16×16/8/2
sm_120 forward      2      plain    128×64/4/3   128×64/8/3   128×32/8/2   64×32/8/2
sm_120 forward      2      laden    128×64/8/3   128×32/8/2   64×32/8/2    64×32/8/2
sm_120 forward      2      crowded  64×64/4/3    64×64/8/2    64×32/8/2    64×32/8/2
sm_120 forward      4      plain    64×32/4/2    64×32/8/2    32×16/8/2    16×16/4/2
sm_120 forward      4      laden    64×32/4/2    64×32/8/2    32×16/8/2    16×16/4/2
sm_120 forward      4      crowded  64×32/4/2    64×32/8/2    32×16/8/2    16×16/4/2
sm_120 backward_q   2      plain    128×64/8/3   128×64/8/2   64×64/8/2    32×32/8/2
sm_120 backward_q   2      laden    128×64/8/2   64×32/4/2    64×32/8/2    32×32/8/2
sm_120 backward_q   2      crowded  64×64/4/3    64×32/4/2    64×32/8/2    32×32/8/2
sm_120 backward_q   4      plain    64×32/8/2    32×32/8/2    32×16/8/2    16×16/4/2
sm_120 backward_q   4      laden    64×32/8/2    32×32/8/2    32×16/8/2    16×16/4/2
sm_120 backward_q   4      crowded  32×16/4/2    32×32/8/2    32×16/8/2    16×16/4/2
sm_120 backward_kv  2      plain    32×64/4/3    64×32/4/2    32×64/8/2    32×32/8/2
sm_120 backward_kv  2      laden    32×64/4/3    64×32/4/2    64×32/8/2    32×32/8/2
sm_120 backward_kv  2      crowded  32×64/4/3    64×32/4/2    64×32/8/2    32×32/8/2
sm_120 backward_kv  4      plain    32×32/4/2    32×32/8/2    16×32/4/2    16×16/8/2
sm_120 backward_kv  4      laden    32×32/4/2    32×32/8/2    16×32/4/2    16×16/8/2
sm_120 backward_kv  4      crowded  32×32/4/2    32×32/8/2    16×32/4/2    16×16/8/2
gfx942 forward      2      plain    128×64/4/1   128×64/4/1   128×64/4/1   128×32/4/1
gfx942 forward      2      laden    128×64/4/1   128×64/8/1   128×64/4/1   128×32/4/1
gfx942 forward      2      crowded  64×64/4/1    64×64/4/1    64×64/8/1    64×32/4/1
gfx942 forward      4      plain    64×32/4/1    64×32/8/1    32×32/8/1    16×16/4/1
gfx942 forward      4      laden    64×32/4/1    64×32/8/1    32×32/8/1    16×16/4/1
gfx942 forward      4      crowded  64×32/4/1    64×32/8/1    32×32/8/1    16×16/4/1
gfx942 backward_q   2      plain    128×64/4/1   128×64/4/1   128×32/4/1   64×32/4/1
gfx942 backward_q   2      laden    64×64/4/1    128×64/8/1   128×32/4/1   64×32/4/1
gfx942 backward_q   2      crowded  64×64/4/1    64×64/4/1    64×64/4/1    64×32/4/1
gfx942 backward_q   4      plain    32×32/4/1    32×32/8/1    32×16/8/1    16×16/4/1
gfx942 backward_q   4      laden    32×32/4/1    32×32/8/1    32×16/8/1    16×16/4/1
gfx942 backward_q   4      crowded  32×32/4/1    32×32/8/1    32×16/8/1    16×16/4/1
gfx942 backward_kv  2      plain    64×128/4/1   64×128/4/1   32×128/4/1   32×32/4/1
gfx942 backward_kv  2      laden    64×128/4/1   64×128/4/1   32×128/4/1   32×32/4/1
gfx942 backward_kv  2      crowded  64×64/4/1    64×64/4/1    32×64/4/1    32×32/4/1
gfx942 backward_kv  4      plain    32×32/4/1    32×32/8/1    16×32/8/1    16×16/4/1
gfx942 backward_kv  4      laden    32×32/4/1    32×32/8/1    16×32/8/1    16×16/4/1
gfx942 backward_kv  4      crowded  32×32/4/1    32×32/8/1    16×32/8/1    16×16/4/1
"""
COPY_ENGINE = ("sm_90", "sm_100")  # cards that have one, for tiles of 16-bit numbers
INTERPRETED_TILE = Tile(256, 256, 1, 1)  # large, since the interpreter takes its time per tile


def tile(kernel: str, q: torch.Tensor, v: torch.Tensor, mask: Any, how: Any, in_rows: bool) -> Tile:
    """The tile of a kernel for a call, on the GPU that the call's tensors are on."""
    if INTERPRETED:
        return INTERPRETED_TILE._replace(descriptors=INTERPRETED_TILE.descriptors and in_rows)
    with torch.cuda.device(q.get_device()):
        card = nearest(driver.active.get_current_target())
    fetches = card in COPY_ENGINE and q.element_size() == 2
    loose = True if fetches and not (in_rows or how.ends) else None  # places to hold, too
    D, Dv = q.shape[-1], v.shape[-1]
    width = min(width for width in WIDTHS if width >= max(D, Dv))
    ragged = any(block(x) != x for x in (D, Dv))

    def of(*more: Any) -> Tile:
        return TILES[card, kernel, q.element_size(), held(*more, loose, ragged=ragged), width]

    found = of(mask, how.softcap, how.ends, how.block)
    if how.block and not any(n % size for n, size in zip(how.block, of(), strict=False)):
        found = of()  # it lies in one block, and needs no mask
    return found._replace(descriptors=fetches and in_rows)


def held(*more: Any, ragged: bool) -> str:
    """What programs have to hold: a word of the table."""
    return ("plain", "laden", "crowded")[min(2, ragged + sum(x is not None for x in more))]


def nearest(target: Any) -> str:
    """The card of the table that a GPU is like, or that has no more shared memory than it."""
    if target.backend == "hip":
        return "gfx942"
    family = {8: "sm_80", 9: "sm_90", 10: "sm_100", 11: "sm_100"}.get(target.arch // 10, "sm_120")
    return "sm_120" if target.arch in (86, 89) else family


def block(width: int) -> int:
    """The width of a tile for a head of this width."""
    return int(max(16, triton.next_power_of_2(width)))


def _read(table: str) -> tuple[tuple[int, ...], dict[tuple[Any, ...], Tile]]:
    """The widths of the table's first line, and its tiles."""
    first, *rows = (line.split() for line in table.strip().splitlines())
    widths = tuple(map(int, first[4:]))
    return widths, {
        (card, kernel, int(size), kind, width): _tile(cell)
        for card, kernel, size, kind, *cells in rows
        for width, cell in zip(widths, cells, strict=True)
    }


def _tile(cell: str) -> Tile:
    L, S, warps, stages = map(int, re.split("[×/]", cell))
    return Tile(L, S, warps, stages)


WIDTHS, TILES = _read(TABLE)
