"""From tensors to launches: what each kernel is compiled for, and how many programs it takes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from kernels import tiles
from kernels.backward import backward_kv, backward_q
from kernels.blocks import needed
from kernels.forward import forward
from kernels.pairs import Plan, matrix


@dataclass(frozen=True)
class How:
    """What is the same for all tensors of one call."""

    scale: float
    left: int | None = None  # keys that count before a query's position; all, if None
    right: int | None = None  # and after it
    softcap: float | None = None
    block: tuple[int, int] | None = None  # the queries and keys that share an element of the mask
    ends: tuple[torch.Tensor, torch.Tensor] | None = None  # of packed sequences, (B + 1,) each
    longest: tuple[int, int] = (0, 0)  # the queries and keys of the longest of them


def run_forward(q: Any, k: Any, v: Any, mask: Any, out: Any, lse: Any, how: How) -> None:
    """Fills out and lse. All have as many axes, of which all but the last two may be missing."""
    for part in parts(q, k, v, mask, out, lse):
        _launch(forward, part[:4], part[4:], how)


def run_backward(
    q: Any,
    k: Any,
    v: Any,
    mask: Any,
    out: Any,
    d_out: Any,
    lse: Any,
    d_lse: Any,
    how: How,
    *to: Any,
) -> None:
    """Fills dq, dk, dv and, unless it is None, d_mask, which is 0 before: `to`."""
    delta = torch.empty_like(lse)
    for part in parts(q, k, v, mask, out, d_out, lse, d_lse, delta, *to):
        q, k, v, mask, out, d_out, lse, d_lse, delta, dq, dk, dv, d_mask = part
        _launch(backward_q, (q, k, v, mask), (out, d_out, lse, d_lse, delta, dq, d_mask), how)
        _launch(backward_kv, (q, k, v, mask), (d_out, lse, delta, dk, dv), how)


def parts(*tensors: Any) -> Iterator[tuple[Any, ...]]:
    """Tensors with equal batches as views with one batch axis each, in as few parts as can be."""
    q = tensors[0]
    if q.ndim < 4:
        yield from parts(*(None if x is None else x[None] for x in tensors))
    elif q.ndim == 4:
        yield tensors
    elif all(x is None or _first_axes_merge(x) for x in tensors):
        yield from parts(*(None if x is None else _merged(x) for x in tensors))
    else:
        for at in range(q.shape[0]):
            yield from parts(*(None if x is None else x[at] for x in tensors))


def _first_axes_merge(x: torch.Tensor) -> bool:
    return x.stride(0) == x.shape[1] * x.stride(1) or 1 in x.shape[:2]


def _merged(x: torch.Tensor) -> torch.Tensor:
    return x.view(x.shape[0] * x.shape[1], *x.shape[2:])


def _launch(kernel: Any, inputs: tuple[Any, ...], others: tuple[Any, ...], how: How) -> None:
    q, k, v, mask = inputs
    (B, Hq, L, _), (_, Hkv, S, _) = q.shape, v.shape
    fetched = {0: q, 4: others[0], 1: k, 2: v} if kernel is backward_kv else {1: k, 2: v}
    in_rows = not how.ends and all(map(_in_rows, fetched.values()))
    tile = tiles.tile(kernel.__name__, q, v, mask, how, in_rows)
    matrices: list[Any] = [matrix(x) for x in (*inputs, *others)]
    if tile.descriptors:
        for n, x in fetched.items():
            matrices[n] = _descriptor(x, tile.L if n in (0, 4) else tile.S)
    ends_q, ends_k, lists = None, None, None
    if how.ends:
        (ends_q, ends_k), (L, S), B = how.ends, how.longest, len(how.ends[0]) - 1
        matrices = [None if m is None else m._replace(b=0) for m in matrices]
    if how.block:
        lists = needed(mask, how, L, S, tile, by_key=kernel is backward_kv)
    rows, H = (-(-S // tile.S), Hkv) if kernel is backward_kv else (-(-L // tile.L), Hq)
    if not rows * B * H:
        return
    plan = Plan(*map(tl.constexpr, _plan(q, v, mask, tile, how)))
    with torch.cuda.device(q.get_device()):  # Triton launches on the current one
        kernel[(rows * B * H,)](
            *(*matrices, ends_q, ends_k, matrix(lists)),
            *(H, Hq // max(Hkv, 1), L, S, how.left or 0, how.right or 0),
            *(abs(how.scale) or 1.0, how.softcap or 1.0, plan),
            num_warps=tile.warps,
            num_stages=tile.stages,
        )


def _descriptor(x: torch.Tensor, rows: int) -> Any:
    """x as tiles (1, 1, rows, columns) that the copy engine fetches; it puts 0 beside x."""
    return TensorDescriptor(x, x.shape, x.stride(), [1, 1, rows, tiles.block(x.shape[-1])])


def _in_rows(x: torch.Tensor) -> bool:
    """Whether a copy engine can fetch x: numbers in a row, all else at multiples of 16 bytes."""
    steps = [stride * x.element_size() for stride in x.stride()[:-1]]
    return (
        x.stride(-1) == 1
        and x.data_ptr() % 16 == 0
        and all(step > 0 and step % 16 == 0 for step in steps)
        and x.numel() > 0
    )


def _plan(q: Any, v: Any, mask: Any, tile: tiles.Tile, how: How) -> tuple[Any, ...]:
    D, Dv = q.shape[-1], v.shape[-1]
    kind = "" if mask is None else "boolean" if mask.dtype == torch.uint8 else "bias"
    kind = "blocks" if how.block else kind
    return (
        *(D, Dv, tiles.block(D), tiles.block(Dv), tile.L, tile.S),
        *(how.left is not None, how.right is not None, kind, *(how.block or (1, 1))),
        *(how.softcap is not None, tile.descriptors, (how.scale > 0) - (how.scale < 0)),
    )
