"""Which tiles a block mask needs: all others are skipped."""

from typing import Any

import torch
import torch.nn.functional as F


def needed(
    mask: torch.Tensor, how: Any, L: int, S: int, tile: Any, *, by_key: bool
) -> torch.Tensor:
    """The tiles of keys that each tile of queries needs, or the other way round, as lists.

    mask: (B, H, ⌈L / bl⌉, ⌈S / bs⌉), 0 or 1. Returns int32 (B, H, tiles, 2 + tiles of partners):
    how many tiles are seen whole and how many in part, then which: those seen whole first.
    """
    i_first, i_last = (x[:, None] for x in _tiles(L, tile.L, mask.device))
    j_first, j_last = _tiles(S, tile.S, mask.device)

    # How many blocks each tile touches that take part, from the sums over all blocks before.
    before = F.pad(mask.int().cumsum(-1).cumsum(-2), (1, 0, 1, 0))
    (bl, bs), shift = how.block, S - L
    tops, bottoms, lefts, rights = i_first // bl, i_last // bl + 1, j_first // bs, j_last // bs + 1
    up, down = before[:, :, tops[:, 0]], before[:, :, bottoms[:, 0]]
    count = down[..., rights] - down[..., lefts] - up[..., rights] + up[..., lefts]
    some, whole = count > 0, count == (bottoms - tops) * (rights - lefts)
    if how.right is not None:
        some &= j_first <= i_last + shift + how.right
        whole &= j_last <= i_first + shift + how.right

    if by_key:
        whole &= i_last == i_first + tile.L - 1  # partners that are cut off
        some, whole = some.mT, whole.mT
    else:
        whole &= j_last == j_first + tile.S - 1
    kind = 2 - some.int() - (some & whole).int()  # 0 whole, 1 in part, 2 not at all
    order = kind.argsort(dim=-1, stable=True)
    counts = torch.stack([(kind == n).sum(-1) for n in (0, 1)], -1)
    return torch.cat([counts, order], -1).to(torch.int32)


def _tiles(N: int, size: int, device: torch.device) -> tuple[Any, Any]:
    """The first and the last of each tile of N."""
    first = torch.arange(0, N, size, device=device)
    return first, (first + size).clamp(max=N) - 1
