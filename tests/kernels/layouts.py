"""Ways for tensors to lie in memory other than row after row."""

from collections.abc import Callable
from typing import Any

import torch


def heads_last(x: torch.Tensor) -> torch.Tensor:
    """(…, H, L, D) as a view of (…, L, H, D), as projections leave them."""
    return x.transpose(-3, -2).contiguous().transpose(-3, -2) if x.ndim > 2 else x.clone()


def columns_first(x: torch.Tensor) -> torch.Tensor:
    """The numbers of a head are not neighbours."""
    return x.mT.contiguous().mT


def axes_reversed(x: torch.Tensor) -> torch.Tensor:
    order = range(x.ndim - 1, -1, -1)
    return x.permute(*order).contiguous().permute(*order)


def amid_nan(x: torch.Tensor) -> torch.Tensor:
    """A view of a larger tensor, which is NaN around it, as memory may be that nobody wrote."""
    around = x.new_full([n + 2 for n in x.shape], torch.nan)
    return around[tuple(slice(1, 1 + n) for n in x.shape)].copy_(x)


def in_rows_amid_nan(x: torch.Tensor) -> torch.Tensor:
    """The same, 64 bytes of it at either end of a row, so that a copy engine can fetch the view."""
    side = 64 // x.element_size()
    around = x.new_full([*(n + 2 for n in x.shape[:-1]), x.shape[-1] + 2 * side], torch.nan)
    inside = (*(slice(1, 1 + n) for n in x.shape[:-1]), slice(side, side + x.shape[-1]))
    return around[inside].copy_(x)


def every_other(x: torch.Tensor) -> torch.Tensor:
    """Steps of 2 along every axis, from an odd start, with NaN between."""
    around = x.new_full([2 * n + 1 for n in x.shape], torch.nan)
    return around[tuple(slice(1, 1 + 2 * n, 2) for n in x.shape)].copy_(x)


def interleaved(x: torch.Tensor) -> torch.Tensor:
    """One of three by turns, number for number: (…, D, 3)."""
    return torch.stack([x, x * torch.nan, x * torch.nan], -1)[..., 0]


LAYOUTS: dict[str, Callable[[torch.Tensor], Any]] = {
    "rows": torch.clone,
    "heads last": heads_last,
    "columns first": columns_first,
    "axes reversed": axes_reversed,
    "amid NaN": amid_nan,
    "every other": every_other,
    "interleaved": interleaved,
}
