"""Against FlexAttention, which runs on a CPU as plain torch operations."""

from typing import Any

import pytest
import torch
from numpy.testing import assert_allclose
from torch.nn.attention.flex_attention import AuxRequest, create_block_mask, flex_attention

from attnref import attention, masks

pytestmark = pytest.mark.filterwarnings("ignore:.*without torch.compile:UserWarning")


def inputs(draw: Any, L: int, S: int) -> list[torch.Tensor]:
    return [torch.tensor(x) for x in draw((2, 4, L, 8), (2, 2, S, 8), (2, 2, S, 6))]


def agree(ours: Any, theirs: Any) -> None:
    error = torch.linalg.norm(ours - theirs) / torch.linalg.norm(theirs)
    assert float(error) <= 1e-12


@pytest.mark.parametrize("scale", [None, 0.3])
def test_grouped_heads_and_their_lse_agree(draw: Any, scale: float | None) -> None:
    q, k, v = inputs(draw, 5, 9)
    wanted = AuxRequest(lse=True)
    theirs, aux = flex_attention(q, k, v, scale=scale, enable_gqa=True, return_aux=wanted)
    ours, our_lse = attention(q, k, v, scale=scale, return_lse=True)
    agree(ours, theirs)
    assert_allclose(our_lse, aux.lse, rtol=1e-12)


def test_softcap_agrees_as_a_change_of_scores(draw: Any) -> None:
    q, k, v = inputs(draw, 5, 9)
    bend = lambda s, b, h, i, j: 0.7 * torch.tanh(s / 0.7)  # noqa: E731
    theirs = flex_attention(q, k, v, score_mod=bend, enable_gqa=True)
    agree(attention(q, k, v, softcap=0.7), theirs)


@pytest.mark.parametrize("options", [{"causal": True}, {"window": (2, 1)}])
def test_masks_agree_as_block_masks(draw: Any, options: Any) -> None:
    L, S = 5, 9
    q, k, v = inputs(draw, L, S)
    left, right = options.get("window", (S, 0))
    near = lambda b, h, i, j: (i + S - L - left <= j) & (j <= i + S - L + right)  # noqa: E731
    blocks = create_block_mask(near, None, None, L, S, device="cpu")
    theirs = flex_attention(q, k, v, block_mask=blocks, enable_gqa=True)
    agree(attention(q, k, v, **options), theirs)


def test_documents_agree(draw: Any) -> None:
    q, k, v = inputs(draw, 6, 6)
    ids = torch.tensor([0, 0, 1, 1, 1, 2])
    together = lambda b, h, i, j: (ids[i] == ids[j]) & (j <= i)  # noqa: E731
    blocks = create_block_mask(together, None, None, 6, 6, device="cpu")
    theirs = flex_attention(q, k, v, block_mask=blocks, enable_gqa=True)
    agree(attention(q, k, v, mask=masks.document(ids, ids), causal=True), theirs)
