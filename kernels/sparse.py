"""Attention to the blocks of keys that a block mask chooses: only their tiles are looked at."""

import torch

from attnref.checks import check_broadcast, check_place
from attnref.masks import check_blocks
from kernels.attention import band, check_tensors, check_torch, factor
from kernels.autograd import attend
from kernels.launch import How


def block_sparse_attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    block_mask: torch.Tensor,
    *,
    block: tuple[int, int],
    causal: bool = False,
    scale: float | None = None,
) -> torch.Tensor:
    """`attention` in which blocks take part or do not, as `attnref.block_sparse_attention`.

    q (…, Hq, L, D), k (…, Hkv, S, D), v (…, Hkv, S, Dv) → (…, Hq, L, Dv). block = (bl, bs): any
    numbers of queries and keys. block_mask: Boolean (…, Hq or 1, ⌈L / bl⌉, ⌈S / bs⌉), or without
    heads for rank 2. Tiles in which no block takes part are skipped, and so are those that
    `causal` hides; tiles in which all do are not masked. The rest as in `attention`.

    Raises TypeError or ValueError that names the argument, what it was and what was expected.

    Source: Child et al. 2019 (arXiv:1904.10509), section 5.5; the lists of tiles: Dong et al. 2024
    (arXiv:2412.05496), section 4.
    """
    check_tensors(q, k, v)
    check_torch(block_mask=block_mask)
    block = check_blocks(block_mask, block, q.shape[-2], k.shape[-2])
    check_place("block_mask", block_mask, "q", q)
    shape = (*q.shape[:-2], *block_mask.shape[-2:])
    check_broadcast("block_mask", block_mask, shape)
    left, right = band(causal, None, 0)
    how = How(scale=factor(q, scale), left=left, right=right, block=block)
    out, _ = attend(q, k, v, block_mask, how)
    return out
