"""Rotary positions against complex numbers, and what they promise."""

import cmath
import math
import re
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from attnref import (
    attention_weights,
    half_from_interleaved,
    interleaved_from_half,
    rope,
    sinusoidal,
)


def turned(row: Any, position: float, layout: str, dims: int, base: float) -> list[float]:
    """One row, each pair as a complex number times e^(iθ)."""
    out, half = [float(x) for x in row], dims // 2
    for m in range(half):
        a, b = (m, m + half) if layout == "half" else (2 * m, 2 * m + 1)
        z = complex(out[a], out[b]) * cmath.exp(1j * position * base ** (-2 * m / dims))
        out[a], out[b] = z.real, z.imag
    return out


@pytest.mark.parametrize("dims", [None, 4, 2])
@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_each_pair_turns_by_its_angle(array: Any, draw: Any, layout: str, dims: int | None) -> None:
    (x,) = draw((2, 3, 4, 6))
    positions = [0, 1, 7, 1000]
    out = rope(array(x), array(positions, "int64"), layout=layout, dims=dims, base=50.0)
    for at in np.ndindex(x.shape[:-1]):
        row = turned(x[at], positions[at[-1]], layout, dims or 6, 50.0)
        assert_allclose(out[at], row, rtol=1e-12, atol=1e-13)


def test_coordinates_beyond_dims_stay_as_they_are(array: Any, draw: Any) -> None:
    (x,) = draw((3, 6))
    assert_array_equal(rope(array(x), array([4, 5, 6]), dims=2)[:, 2:], x[:, 2:])


def test_position_zero_changes_nothing(array: Any, draw: Any) -> None:
    (x,) = draw((1, 8))
    assert_array_equal(rope(array(x), array([0], "int64")), x)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(
    m=st.integers(-1000, 1000),
    n=st.integers(-1000, 1000),
    shift=st.integers(-1000, 1000),
    layout=st.sampled_from(["half", "interleaved"]),
    seed=st.integers(0, 2**32 - 1),
)
def test_a_score_depends_only_on_how_far_apart_the_tokens_are(
    array: Any, m: int, n: int, shift: int, layout: str, seed: int
) -> None:
    q, k = np.random.default_rng(seed).normal(size=(2, 1, 8))

    def score(m: int, n: int) -> float:
        a = rope(array(q), array([m], "int64"), layout=layout)
        return float((a @ rope(array(k), array([n], "int64"), layout=layout).T)[0, 0])

    assert_allclose(score(m + shift, n + shift), score(m, n), rtol=0, atol=1e-11)


def test_turning_changes_no_length(array: Any, draw: Any) -> None:
    (x,) = draw((5, 8))
    out = np.asarray(rope(array(x), array([0, 3, 9, 27, 81])))
    assert_allclose(np.linalg.norm(out, axis=-1), np.linalg.norm(x, axis=-1), rtol=1e-13)


def test_a_position_for_each_sequence_and_none_for_each_head(array: Any, draw: Any) -> None:
    (x,) = draw((2, 3, 4, 6))
    positions = np.array([[0, 1, 2, 3], [5, 6, 7, 8]])
    out = rope(array(x), array(positions[:, None], "int64"))
    for b in range(2):
        assert_array_equal(out[b], rope(array(x[b]), array(positions[b], "int64")))


def test_the_layouts_are_permutations_of_each_other(array: Any, draw: Any) -> None:
    (x,) = draw((3, 10))
    positions = array([2, 3, 4], "int64")
    for dims in (None, 6):
        half = half_from_interleaved(array(x), dims=dims)
        out = rope(half, positions, layout="half", dims=dims)
        expected = rope(array(x), positions, layout="interleaved", dims=dims)
        assert_allclose(interleaved_from_half(out, dims=dims), expected, rtol=1e-15)
        assert_array_equal(interleaved_from_half(half, dims=dims), x)
    order = half_from_interleaved(array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0]))
    assert_array_equal(order, [0, 2, 4, 1, 3, 5])


def test_converted_weights_score_as_before_and_others_do_not(array: Any, draw: Any) -> None:
    x, w_q, w_k = draw((4, 5), (5, 6), (5, 6))
    positions = array([0, 1, 2, 3], "int64")

    def weights(w_q: Any, w_k: Any, layout: str) -> Any:
        q, k = (rope(array(x) @ array(w), positions, layout=layout) for w in (w_q, w_k))
        return attention_weights(q, k, causal=True)

    before = np.asarray(weights(w_q, w_k, "interleaved"))
    after = weights(half_from_interleaved(w_q), half_from_interleaved(w_k), "half")
    assert_allclose(after, before, rtol=1e-12)
    assert np.max(np.abs(np.asarray(weights(w_q, w_k, "half")) - before)) > 0.01


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_angles_are_formed_in_float64_even_for_narrow_rows(array: Any, dtype: str) -> None:
    x, far = array([[1.0, 0.0]], dtype), 10**6 + 1
    out = rope(x, array([far], "int64"))
    assert out.dtype == x.dtype
    eps = {"float32": 2**-23, "float16": 2**-10}[dtype]
    assert_allclose(np.asarray(out, dtype=float), [[math.cos(far), math.sin(far)]], atol=eps)


def test_gradients_are_the_numerical_derivatives(draw: Any) -> None:
    x = torch.tensor(draw((2, 3, 6))[0], requires_grad=True)
    for layout in ("half", "interleaved"):
        assert torch.autograd.gradcheck(
            lambda x, layout=layout: rope(x, torch.arange(3), layout=layout, dims=4), (x,)
        )


def test_sinusoids_are_sines_and_cosines_from_fast_to_slow(array: Any) -> None:
    positions, D = [0, 1, 5, 100], 6
    out = sinusoidal(array(positions, "int64"), D)
    expected = np.empty((4, D))
    for i, p in enumerate(positions):
        for m in range(D // 2):
            angle = p / 10000 ** (2 * m / D)
            expected[i, 2 * m], expected[i, 2 * m + 1] = math.sin(angle), math.cos(angle)
    assert_allclose(out, expected, rtol=1e-12, atol=1e-15)
    assert str(out.dtype).endswith("float64")
    assert_array_equal(sinusoidal(array([[1.0, 5.0]], "float32"), D)[0], out[1:3])


X = np.ones((2, 3, 6))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: rope([1.0], np.arange(3)), TypeError, "x is a list: expected an array"),
        (lambda: rope(X[0, 0], np.arange(1)), ValueError, "x has shape (6,): expected (…, n, D)"),
        (lambda: rope(X, [0, 1, 2]), TypeError, "positions is a list: expected an array"),
        (
            lambda: rope(X, torch.arange(3)),
            TypeError,
            "positions is a torch.Tensor on cpu: expected a numpy.ndarray on cpu, as x",
        ),
        (
            lambda: rope(X, np.arange(4)),
            ValueError,
            "positions has shape (4,): it must broadcast to (2, 3)",
        ),
        (
            lambda: rope(X, np.arange(3), layout="neox"),
            ValueError,
            "layout is 'neox': expected 'half' or 'interleaved'",
        ),
        (
            lambda: rope(X, np.arange(3), dims=8),
            ValueError,
            "dims is 8: expected at most x's last axis, 6",
        ),
        (lambda: rope(X, np.arange(3), dims=3), ValueError, "dims is 3: expected an even number"),
        (lambda: rope(X, np.arange(3), dims=0), ValueError, "dims is 0: expected 2 or more"),
        (
            lambda: rope(X, np.arange(3), dims=2.0),
            TypeError,
            "dims is 2.0: expected a whole number",
        ),
        (
            lambda: rope(X, np.arange(3), base=0),
            ValueError,
            "base is 0: expected a finite number above 0",
        ),
        (lambda: sinusoidal(np.arange(3), 5), ValueError, "D is 5: expected an even number"),
        (lambda: sinusoidal(3, 4), TypeError, "positions is a int: expected an array"),
        (
            lambda: half_from_interleaved(X, dims=5),
            ValueError,
            "dims is 5: expected an even number, at most x's 6",
        ),
        (
            lambda: interleaved_from_half(X, dims=8),
            ValueError,
            "dims is 8: expected an even number, at most x's 6",
        ),
    ],
)
def test_wrong_arguments_are_named(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        call()
