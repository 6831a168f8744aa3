"""Block-sparse attention is dense attention with the blocks' mask."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attnref import attention, block_sparse_attention


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("heads", [1, 4])
def test_it_is_dense_attention_with_the_mask(
    array: Any, draw: Any, heads: int, causal: bool
) -> None:
    q, k, v = draw((2, 4, 7, 6), (2, 2, 9, 6), (2, 2, 9, 3))
    chosen = np.random.default_rng(0).random((heads, 4, 3)) < 0.5
    dense = np.zeros((heads, 7, 9), dtype=bool)
    for h, i, j in np.ndindex(dense.shape):
        dense[h, i, j] = chosen[h, i // 2, j // 4]
    out = block_sparse_attention(
        *map(array, (q, k, v)), array(chosen, "bool"), block=(2, 4), causal=causal, scale=0.5
    )
    expected = attention(q, k, v, mask=dense, causal=causal, scale=0.5)
    assert_allclose(out, expected, rtol=1e-13, atol=1e-15)


def test_wrong_arguments_are_named() -> None:
    x = np.ones((2, 4, 3))
    with pytest.raises(
        ValueError, match=r"^block_mask has shape .*: its last two axes must be \(2"
    ):
        block_sparse_attention(x, x, x, np.ones((1, 2, 3), dtype=bool), block=(2, 2))
    with pytest.raises(ValueError, match=r"^mask has shape .*: it must broadcast to"):
        block_sparse_attention(x, x, x, np.ones((3, 2, 2), dtype=bool), block=(2, 2))
    with pytest.raises(TypeError, match=r"^q is a list: expected an array$"):
        block_sparse_attention([1.0], x, x, np.ones((1, 2, 2), dtype=bool), block=(2, 2))
