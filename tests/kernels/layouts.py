"""Inputs that lie in memory in some other way than row after row."""

from typing import Any

from tests.kernels.judge import draw


def heads_last(dtype: str) -> Any:
    """(B, L, H, D) → (B, H, L, D), as projections leave them."""
    return [
        x.transpose(1, 2) for x in draw((2, 9, 4, 16), (2, 13, 2, 16), (2, 13, 2, 8), dtype=dtype)
    ]


def columns_first(dtype: str) -> Any:
    """The numbers of a head are not neighbours."""
    return [x.mT for x in draw((2, 4, 16, 9), (2, 2, 16, 13), (2, 2, 8, 13), dtype=dtype)]


def fused(dtype: str) -> Any:
    """One projection gives queries, keys and values: (B, L, (4 + 2 + 2) · 16)."""
    (qkv,) = draw((2, 13, 8 * 16), dtype=dtype)
    return [x.unflatten(-1, (-1, 16)).transpose(1, 2) for x in qkv.split([64, 32, 32], dim=-1)]


def interleaved(dtype: str) -> Any:
    """Queries, keys and values by turns, number for number: (B, H, L, D, 3)."""
    (qkv,) = draw((2, 2, 13, 16, 3), dtype=dtype)
    return list(qkv.unbind(-1))


def expanded(dtype: str) -> Any:
    """One KV head for all, by a stride of 0."""
    q, k, v = draw((2, 4, 9, 16), (2, 1, 13, 16), (1, 1, 13, 16), dtype=dtype)
    return [q, k.expand(2, 4, 13, 16), v.expand(2, 4, 13, 16)]


def one_key_and_one_number(dtype: str) -> Any:
    """Strides of 0 along the sequence and along the head."""
    q, k, v = draw((2, 4, 9, 16), (2, 4, 1, 16), (2, 4, 13, 1), dtype=dtype)
    return [q, k.expand(2, 4, 13, 16), v.expand(2, 4, 13, 16)]


def every_other(dtype: str) -> Any:
    """Steps of 2 along every axis, from an odd start."""
    inputs = draw((4, 8, 19, 33), (4, 4, 27, 33), (4, 4, 27, 33), dtype=dtype)
    return [x[1::2, 1::2, 1::2, 1::2] for x in inputs]


def batches_that_merge(dtype: str) -> Any:
    return draw((2, 3, 4, 9, 16), (2, 3, 2, 13, 16), (2, 3, 2, 13, 16), dtype=dtype)


def batches_that_do_not_merge(dtype: str) -> Any:
    q, k, v = batches_that_merge(dtype)
    return [q, k.transpose(0, 1).contiguous().transpose(0, 1), v]


def many_batches(dtype: str) -> Any:
    """Four axes, with a size of 1 and a stride of 0 among them, of which some merge."""
    q, k, v = draw(
        (2, 1, 3, 2, 2, 5, 16), (2, 1, 1, 2, 1, 7, 16), (2, 1, 2, 3, 1, 7, 16), dtype=dtype
    )
    return [q, k.expand(2, 1, 3, 2, 1, 7, 16), v.transpose(2, 3)]


def no_batch(dtype: str) -> Any:
    return draw((4, 9, 16), (2, 13, 16), (2, 13, 16), dtype=dtype)


def one_head(dtype: str) -> Any:
    return draw((9, 16), (13, 16), (13, 8), dtype=dtype)


LAYOUTS = {  # and how many launches it takes
    heads_last: 1,
    columns_first: 1,
    fused: 1,
    interleaved: 1,
    expanded: 1,
    one_key_and_one_number: 1,
    every_other: 1,
    batches_that_merge: 1,
    batches_that_do_not_merge: 2,
    many_batches: 6,
    no_batch: 1,
    one_head: 1,
}
