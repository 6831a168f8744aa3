"""Block masks: the result is that of the mask they stand for, and empty tiles cost nothing."""

import re
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import attnref
import kernels
from tests.kernels.cases import DTYPES
from tests.kernels.judge import DEVICE, assert_as_good_as_torch, draw
from tests.kernels.layouts import LAYOUTS
from tests.kernels.pairwise import quick_or_deep

BLOCKS = [(1, 1), (7, 9), (16, 16), (16, 32), (64, 32), (24, 40), (128, 128), (1, 70), (70, 1)]
SIZES = {"ragged": (70, 75), "more queries": (75, 33), "whole": (64, 64), "one query": (1, 65)}


def block_mask(L: int, S: int, block: Any, lead: Any = (), share: float = 0.5) -> torch.Tensor:
    """Random blocks, and a row of them in which none takes part."""
    shape = (*lead, -(-L // block[0]), -(-S // block[1]))
    generator = torch.Generator().manual_seed(3)
    chosen = torch.rand(shape, generator=generator) < share
    chosen[..., 1::5, :] = False
    return chosen.to(DEVICE)


def assert_right(inputs: Any, chosen: torch.Tensor, block: Any, **options: Any) -> None:
    def call(q: Any, k: Any, v: Any, mask: Any) -> Any:
        return kernels.block_sparse_attention(q, k, v, chosen, block=block, **options)

    mask = attnref.masks.blocks(chosen, block, inputs[0].shape[-2], inputs[1].shape[-2])
    assert_as_good_as_torch(*inputs, mask=mask, call=call, **options)


@pytest.mark.parametrize(
    ("sizes", "block", "causal"),
    quick_or_deep({"sizes": [*SIZES], "block": BLOCKS, "causal": [False, True]}),
)
def test_it_is_attention_with_the_mask_that_the_blocks_stand_for(
    set_tile: Any, sizes: Any, block: Any, causal: bool
) -> None:
    set_tile(16, 32)
    L, S = SIZES[sizes]
    inputs = draw((2, L, 20), (1, S, 20), (1, S, 12))
    assert_right(inputs, block_mask(L, S, block, (2,)), block, causal=causal)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lead", [(1,), (2,), (2, 1), (2, 2), (1, 2), (1, 1, 1)], ids=str)
def test_blocks_may_be_those_of_a_head_or_of_a_batch_or_of_all(lead: Any, dtype: str) -> None:
    batch = (2,) if len(lead) < 3 else (2, 2)
    inputs = draw((*batch, 2, 70, 20), (*batch, 1, 75, 20), (*batch, 1, 75, 12), dtype=dtype)
    assert_right(inputs, block_mask(70, 75, (7, 9), lead), (7, 9), causal=True, scale=-0.7)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_the_layout_changes_nothing_for_block_masks(layout: Any) -> None:
    inputs = [layout(x) for x in draw((2, 40, 16), (2, 70, 16), (2, 70, 8))]
    chosen = block_mask(40, 70, (8, 16), (2,)).mT.contiguous().mT
    assert_right(inputs, chosen, (8, 16))


@pytest.mark.parametrize("share", [0.0, 1.0], ids=["none", "all"])
@pytest.mark.parametrize("causal", [False, True], ids=["full", "causal"])
def test_no_block_gives_zeros_and_all_blocks_give_attention(
    set_tile: Any, causal: bool, share: float
) -> None:
    set_tile(16, 32)
    inputs = draw((40, 16), (70, 16), (70, 8))
    assert_right(inputs, torch.full((5, 5), share == 1, device=DEVICE), (8, 16), causal=causal)


@pytest.mark.parametrize("sizes", [(0, 5), (5, 0), (0, 0)], ids=str)
def test_block_masks_of_nothing_are_fine(sizes: Any) -> None:
    L, S = sizes
    chosen = torch.ones(-(-L // 4), -(-S // 4), dtype=torch.bool, device=DEVICE)
    assert_right(draw((L, 16), (S, 16), (S, 8)), chosen, (4, 4))


anything = given(
    sizes=st.tuples(st.integers(0, 90), st.integers(0, 90)),
    block=st.tuples(st.integers(1, 70), st.integers(1, 70)),
    heads=st.sampled_from([(1, 1), (2, 1), (3, 1), (4, 2)]),
    share=st.sampled_from([0.1, 0.5, 0.95]),
    causal=st.booleans(),
    dtype=st.sampled_from(DTYPES),
)


@settings(max_examples=10, deadline=None, derandomize=True)
@anything
def test_any_blocks_come_out_right(**drawn: Any) -> None:
    check(**drawn)


@pytest.mark.deep
@settings(max_examples=200, deadline=None, derandomize=True)
@anything
def test_any_blocks_come_out_right_many_times_over(**drawn: Any) -> None:
    check(**drawn)


def check(sizes: Any, block: Any, heads: Any, share: float, causal: bool, dtype: str) -> None:
    (L, S), (Hq, Hkv) = sizes, heads
    inputs = draw((Hq, L, 16), (Hkv, S, 16), (Hkv, S, 16), dtype=dtype)
    assert_right(inputs, block_mask(L, S, block, (Hq,), share), block, causal=causal)


CHOSEN = torch.ones(1, 2, 3, dtype=torch.bool)
WRONG: dict[str, dict[str, Any]] = {
    "one block too many": {"block_mask": torch.ones(1, 2, 4, dtype=torch.bool)},
    "a bias": {"block_mask": torch.ones(1, 2, 3)},
    "heads": {"block_mask": torch.ones(2, 2, 3, dtype=torch.bool)},
    "rank": {"block_mask": torch.ones(3, dtype=torch.bool)},
    "block of 0": {"block": (0, 3)},
    "no pair": {"block": 3},
    "q": {"q": torch.ones(4, 5, 7)},
    "scale": {"scale": "1"},
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_wrong_arguments_are_refused_in_the_words_of_attnref(wrong: Any) -> None:
    k = torch.ones(2, 7, 8)
    arguments = {
        **{"q": torch.ones(4, 5, 8), "k": k, "v": k, "block_mask": CHOSEN, "block": (3, 3)},
        **wrong,
    }
    arguments = {
        n: x.to(DEVICE) if isinstance(x, torch.Tensor) else x for n, x in arguments.items()
    }
    with pytest.raises((TypeError, ValueError)) as theirs:
        attnref.block_sparse_attention(**arguments)
    # Of a mask that can't be broadcast attnref tells the size in keys, and kernels in blocks.
    said = re.sub(r"^mask has shape .*", "block_mask has shape ", str(theirs.value))
    with pytest.raises(theirs.type, match=f"^{re.escape(said)}"):
        kernels.block_sparse_attention(**arguments)
