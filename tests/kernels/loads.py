"""A tile that no pair needs is never read: neither forward nor backward."""

from collections.abc import Callable
from typing import Any

import torch

from tests.kernels.sanitizer import Sanitizer


def assert_loads_what_it_needs(
    sanitizer: Sanitizer,
    call: Callable[..., Any],
    inputs: Any,
    pairs: torch.Tensor,
    tile: tuple[int, int] = (16, 32),
) -> None:
    """Keys are read by queries, and queries by keys, tile by tile as these pairs need them.

    pairs: (Hq or 1, L, S). All tiles are of this size.
    """
    Hq, L, D = inputs[0].shape
    S = inputs[1].shape[-2]
    keys, queries = 0, 0  # elements
    for h in range(Hq):
        for i in range(0, L, tile[0]):
            for j in range(0, S, tile[1]):
                part = pairs[h % len(pairs), i : i + tile[0], j : j + tile[1]]
                if part.any():
                    keys += part.shape[1] * D
                    queries += part.shape[0] * D
    assert_loads(sanitizer, call, inputs, keys, queries)


def assert_loads(
    sanitizer: Sanitizer, call: Callable[..., Any], inputs: Any, keys: int, queries: int
) -> None:
    """So many numbers of keys are loaded forward, and as many backward, and so many of queries."""
    sanitizer.launches.clear()
    call(*(x.clone().requires_grad_() for x in inputs)).sum().backward()
    assert sanitizer.loads("forward")["k"] == keys
    assert sanitizer.loads("backward_q")["k"] == keys
    assert sanitizer.loads("backward_kv")["q"] == queries
