"""Costs against what counting, or the arrays themselves, say."""

import re
from typing import Any

import numpy as np
import pytest

from attnref import costs, linear_attention, masks

MIB, GIB = 2**20, 2**30


@pytest.mark.parametrize("window", [None, (0, 0), (2, 1), (9, 9)])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("L", "S"), [(0, 3), (3, 0), (1, 7), (5, 5), (3, 8), (7, 4)])
def test_cells_are_the_true_ones_of_the_mask(L: int, S: int, causal: bool, window: Any) -> None:
    mask = np.ones((L, S), dtype=bool)
    if causal:
        mask &= masks.causal(L, S)
    if window:
        mask &= masks.window(L, S, *window)
    assert costs.cells(L, S, causal=causal, window=window) == mask.sum()


def test_the_cells_of_a_causal_grid_and_of_its_window() -> None:
    n, w = 8192, 256
    assert costs.cells(n, n, causal=True) == n * (n + 1) // 2 == 33_558_528
    windowed = costs.cells(n, n, causal=True, window=(w - 1, 0))
    assert windowed == n * w - w * (w - 1) // 2 == 2_064_512


def test_the_two_orders_tie_at_n_equal_to_d_and_part_by_their_ratio() -> None:
    quadratic = costs.attention_multiply_adds(16_384**2, D=64)
    assert quadratic == 256 * costs.linear_multiply_adds(16_384, D=64)
    assert costs.attention_multiply_adds(64 * 64, D=64) == costs.linear_multiply_adds(64, D=64)
    assert costs.linear_multiply_adds(5, D=3, Dv=2, Hq=4, Hkv=1) == (4 + 1) * 5 * 3 * 2


def test_heads_at_a_fixed_width_cost_no_more_multiply_adds() -> None:
    wide = costs.attention_multiply_adds(100, D=512)
    assert costs.attention_multiply_adds(100, D=64, Hq=8) == wide == 100 * (512 + 512)
    assert costs.projection_weights(512, Hq=8, D=64) == 4 * 512**2
    grouped = costs.projection_weights(512, Hq=8, D=64, Hkv=2)
    assert grouped == 2 * 512**2 + 2 * 512 * 128


def test_latent_decoding_costs_more_products_and_less_memory() -> None:
    absorbed = costs.mla_multiply_adds(1, D=128, R=64, C=512, form="absorbed")
    assert absorbed == 1088
    assert costs.attention_multiply_adds(1, D=128) == 256
    assert costs.mla_multiply_adds(3, D=128, R=64, C=512, H=2) == 3 * 2 * (192 + 128)
    token = costs.latent_cache_bytes(1, layers=1, C=512, R=64, size=1)
    assert token == 576
    assert costs.cache_bytes(1, layers=1, Hkv=128, D=128, size=1) == 32_768


def test_bytes_of_scores_and_caches() -> None:
    assert costs.score_bytes(16_384, 16_384) == 512 * MIB
    assert costs.cache_bytes(8192, layers=32, Hkv=32, D=128) == 4 * GIB
    assert costs.cache_bytes(1, layers=80, Hkv=8, D=128) == 2 * 80 * 8 * 128 * 2
    assert costs.cache_bytes(3, layers=1, Hkv=1, D=2, Dv=5, B=7, size=4) == 3 * 7 * 7 * 4


def test_a_state_is_as_large_as_linear_attention_says(draw: Any) -> None:
    q, k, v = draw((3, 6, 5, 4), (3, 2, 5, 4), (3, 2, 5, 7))
    _, state = linear_attention(q, k, v, return_state=True)
    held = sum(part.size for part in state)
    assert costs.state_bytes(layers=1, Hkv=2, D=4, Dv=7, B=3, size=1) == held


def test_traffic_is_every_operand_once_an_operation() -> None:
    L, S, D, Dv = 5, 7, 3, 2
    arrays = [(L, D), (S, D), *4 * [(L, S)], (S, Dv), (L, Dv)]
    counted = sum(rows * columns for rows, columns in arrays)
    assert costs.naive_traffic(L, S, D=D, Dv=Dv, size=2) == 2 * counted
    one_tile = costs.tiled_traffic(L, S, rows=L, D=D, Dv=Dv)
    assert one_tile == 2 * (L * D + S * D + S * Dv + L * Dv) + 4 * L
    two_tiles = costs.tiled_traffic(L, S, rows=3, D=D, Dv=Dv)
    assert two_tiles - one_tile == 2 * (S * D + S * Dv)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: costs.cells(-1, 2), ValueError, "L is -1: expected 0 or more"),
        (
            lambda: costs.cells(2, 2, window=3),
            TypeError,
            "window is 3: expected a pair (left, right)",
        ),
        (lambda: costs.cells(2, 2, window=(1, -1)), ValueError, "right is -1: expected 0 or more"),
        (lambda: costs.score_bytes(2, 2.0), TypeError, "S is 2.0: expected a whole number"),
        (lambda: costs.attention_multiply_adds(1, D=-1), ValueError, "D is -1: expected 0 or more"),
        (lambda: costs.linear_multiply_adds(1, D=1, Dv=-2), ValueError, "Dv is -2: expected 0 or"),
        (lambda: costs.projection_weights(4, Hq=1, D=1, Hkv=-1), ValueError, "Hkv is -1: expected"),
        (lambda: costs.cache_bytes(1, layers=-1, Hkv=1, D=1), ValueError, "layers is -1: expected"),
        (lambda: costs.latent_cache_bytes(1, layers=1, C=1, R=-1), ValueError, "R is -1: expected"),
        (lambda: costs.state_bytes(layers=1, Hkv=1, D=1, B=-1), ValueError, "B is -1: expected 0"),
        (lambda: costs.naive_traffic(1, 1, D=1, size=-1), ValueError, "size is -1: expected 0 or"),
        (
            lambda: costs.tiled_traffic(1, 1, rows=0, D=1),
            ValueError,
            "rows is 0: expected 1 or more",
        ),
        (
            lambda: costs.mla_multiply_adds(1, D=1, R=1, C=1, form="fast"),
            ValueError,
            "form is 'fast': expected 'naive' or 'absorbed'",
        ),
    ],
)
def test_wrong_arguments_are_named(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        call()
