"""Attention to the blocks of keys that a block mask chooses."""

from attnref import Array, masks
from attnref.attention import attention
from attnref.checks import check_arrays


def block_sparse_attention(
    q: Array,
    k: Array,
    v: Array,
    block_mask: Array,
    *,
    block: tuple[int, int],
    causal: bool = False,
    scale: float | None = None,
) -> Array:
    """`attention` in which blocks of bl queries and bs keys take part or do not: (…, Hq, L, Dv).

    block = (bl, bs). block_mask: Boolean (…, Hq or 1, ⌈L / bl⌉, ⌈S / bs⌉), or without heads for
    rank 2. q, k, v, causal and scale as in `attention`; causal applies within the blocks, too.

    Raises TypeError or ValueError that names the argument, what it was and what was expected.

    Source: Child et al. 2019 (arXiv:1904.10509), section 5.5.
    """
    check_arrays(q, k, v)
    mask = masks.blocks(block_mask, block, q.shape[-2], k.shape[-2])
    return attention(q, k, v, mask=mask, causal=causal, scale=scale)
