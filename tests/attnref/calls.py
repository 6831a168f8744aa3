"""Every public call of attnref once, for tests that ask the same of all."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

import attnref

N, H, D, C, R = 6, 2, 4, 3, 2
HEADS, ROWS, LENGTHS = (2, H, N, D), (N, D), [6, 6]

# Each public call, with the shapes of its float arrays and its other arguments.
CALLS: dict[str, tuple[Callable[..., Any], list[tuple[int, ...]]]] = {
    "softmax": (attnref.softmax, [ROWS]),
    "logsumexp": (attnref.logsumexp, [ROWS]),
    "attention": (
        lambda *x: attnref.attention(*x, causal=True, window=(2, 0), softcap=1.0, return_lse=True),
        [HEADS] * 3,
    ),
    "attention, bias": (lambda *x: attnref.attention(*x[:3], mask=x[3]), [HEADS] * 3 + [(N, N)]),
    "attention_weights": (attnref.attention_weights, [HEADS] * 2),
    "attention_varlen": (
        lambda *x: attnref.attention_varlen(*x, *2 * [integers(x[0], [0, 2, N])]),
        [(N, H, D)] * 3,
    ),
    "block_sparse_attention": (
        lambda *x: attnref.block_sparse_attention(*x, integers(x[0], np.eye(2)) > 0, block=(3, 3)),
        [HEADS] * 3,
    ),
    "tiled_attention": (
        lambda *x: attnref.tiled_attention(*x, tile=(2, 4), causal=True, return_lse=True),
        [HEADS] * 3,
    ),
    "tiled_attention_backward": (
        lambda *x: attnref.tiled_attention_backward(*x, tile=(4, 2), softcap=1.0),
        [*[HEADS] * 5, HEADS[:-1]],
    ),
    "multi_head_attention": (
        lambda *x: attnref.multi_head_attention(*x, heads=H),
        [ROWS, *[(D, D)] * 4],
    ),
    "split_heads": (lambda x: attnref.split_heads(x, H), [ROWS]),
    "join_heads": (attnref.join_heads, [HEADS]),
    "rope": (lambda x: attnref.rope(x, integers(x, range(N)), dims=2), [HEADS]),
    "half_from_interleaved": (attnref.half_from_interleaved, [ROWS]),
    "interleaved_from_half": (attnref.interleaved_from_half, [ROWS]),
    "decode": (lambda *x: attnref.decode(*x, LENGTHS, splits=2, return_lse=True), [HEADS] * 3),
    "Cache": (lambda *x: attnref.Cache(window=3).attend(*x), [HEADS] * 3),
    "PagedCache": (lambda *x: paged(*x), [(H, N, D)] * 2),
    "merge": (attnref.merge, [(3, N, D), (3, N)]),
    "mla": (
        lambda *x: attnref.mla(*x, form="absorbed"),
        [HEADS, (2, H, N, R), (2, N, C), (2, N, R), (H, C, D), (H, C, D)],
    ),
    "absorb": (attnref.absorb, [HEADS, (H, C, D)]),
    "mla_decode": (
        lambda *x: attnref.mla_decode(*x, LENGTHS, rank=C, scale=0.5),
        [(2, H, 1, C + R), (2, N, C + R)],
    ),
    "linear_attention": (
        lambda *x: attnref.linear_attention(
            *x[:3], decay=x[3], state=x[4:], form="chunked", chunk=4, return_state=True
        ),
        [*[HEADS] * 3, HEADS[:-1], (2, H, D, D), (2, H, D)],
    ),
    "elu_features": (attnref.elu_features, [ROWS]),
    "performer_features": (lambda x: attnref.performer_features(x, features=5, seed=0), [ROWS]),
}


def integers(like: Any, values: Any) -> Any:
    values = np.asarray(values, dtype=np.int64)
    return torch.tensor(values).to(like.device) if isinstance(like, torch.Tensor) else values


def paged(k: Any, v: Any) -> Any:
    cache = attnref.PagedCache(3, 2, H, D, like=k)
    cache.append(cache.add(), k, v)
    return cache.k, cache.v


def arrays(found: Any) -> list[Any]:
    """All arrays in nested tuples."""
    return [a for x in found for a in arrays(x)] if isinstance(found, tuple) else [found]
