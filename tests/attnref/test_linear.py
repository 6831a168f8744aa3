"""Linear attention: three forms, one result, and it is the sum that defines it."""

import math
import re
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from attnref import attention, elu_features, linear_attention, performer_features

FORMS = ("parallel", "recurrent", "chunked")


def by_definition(q: Any, k: Any, v: Any, g: Any, normalise: bool = True) -> Any:
    """oᵢ = Σⱼ wᵢⱼ vⱼ (/ Σⱼ wᵢⱼ), with wᵢⱼ = qᵢ·kⱼ · gⱼ₊₁ ⋯ gᵢ for j ≤ i."""
    out = np.zeros((*q.shape[:-1], v.shape[-1]))
    for at in np.ndindex(q.shape[:-1]):
        *batch, h, i = at
        kv = (*batch, h * k.shape[-3] // q.shape[-3])
        total = 0.0
        for j in range(i + 1):
            w = float(q[at] @ k[kv][j]) * math.prod(g[kv][j + 1 : i + 1])
            out[at] += w * v[kv][j]
            total += w
        if normalise and total:
            out[at] /= total
    return out


def drawn(seed: int, n: int, decay: bool) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)
    q, k = rng.uniform(size=(2, 4, n, 3)), rng.uniform(size=(2, 2, n, 3))
    g = rng.uniform(0.1, 1.0, size=(2, 2, n)) if decay else np.ones((2, 2, n))
    return q, k, rng.normal(size=(2, 2, n, 5)), g


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    n=st.integers(0, 7),
    chunk=st.sampled_from([1, 2, 3, 64]),
    decay=st.booleans(),
    normalise=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
def test_parallel_is_recurrent_is_chunked_is_the_definition(
    array: Any, n: int, chunk: int, decay: bool, normalise: bool, seed: int
) -> None:
    q, k, v, g = drawn(seed, n, decay)
    expected = by_definition(q, k, v, g, normalise)
    options = {"decay": array(g)} if decay else {}
    states = []
    for form in FORMS:
        out, state = linear_attention(
            *map(array, (q, k, v)),
            form=form,
            chunk=chunk,
            normalise=normalise,
            return_state=True,
            **options,
        )
        assert_allclose(out, expected, rtol=1e-11, atol=1e-12)
        states.append(state)
    for S, z in states[1:]:
        assert_allclose(S, states[0][0], rtol=1e-11, atol=1e-12)
        assert_allclose(z, states[0][1], rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_a_sequence_can_be_continued_from_its_state(array: Any, form: str) -> None:
    q, k, v, g = map(array, drawn(0, 9, decay=True))
    whole, last = linear_attention(q, k, v, decay=g, form=form, chunk=2, return_state=True)
    first, state = linear_attention(
        q[..., :4, :], k[..., :4, :], v[..., :4, :], decay=g[..., :4], form=form, return_state=True
    )
    rest, end = linear_attention(
        q[..., 4:, :],
        k[..., 4:, :],
        v[..., 4:, :],
        decay=g[..., 4:],
        form=form,
        state=state,
        return_state=True,
    )
    assert_allclose(np.concatenate([first, rest], axis=-2), whole, rtol=1e-12, atol=1e-13)
    for a, b in zip(end, last, strict=True):
        assert_allclose(a, b, rtol=1e-12)


def test_the_state_is_the_sum_of_outer_products(array: Any) -> None:
    q, k, v, _ = drawn(1, 6, decay=False)
    _, (S, z) = linear_attention(*map(array, (q, k, v)), return_state=True)
    assert_allclose(S, k.swapaxes(-1, -2) @ v, rtol=1e-12, atol=1e-13)
    assert_allclose(z, k.sum(-2), rtol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_one_head_needs_no_axis(array: Any, form: str) -> None:
    q, k, v, g = (x[0, :1] for x in drawn(2, 6, decay=True))
    heads, (S, z) = linear_attention(
        *map(array, (q, k, v)), decay=array(g), form=form, chunk=4, return_state=True
    )
    out, (S1, z1) = linear_attention(
        *(array(x[0]) for x in (q, k, v)), decay=array(g[0]), form=form, chunk=4, return_state=True
    )
    assert_allclose(out, heads[0], rtol=1e-13)
    assert_allclose(S1, S[0], rtol=1e-13)
    assert_allclose(z1, z[0], rtol=1e-13)


@pytest.mark.parametrize("form", FORMS)
def test_a_query_with_nothing_to_weigh_gets_zeros_not_nan(array: Any, form: str) -> None:
    q, k = np.eye(3)[[0, 1, 2]], np.eye(3)[[1, 1, 1]]
    out = linear_attention(array(q), array(k), array(np.ones((3, 2))), form=form)
    assert_array_equal(out, [[0, 0], [1, 1], [0, 0]])


def test_later_tokens_do_not_change_earlier_rows(array: Any) -> None:
    q, k, v, _ = drawn(3, 6, decay=False)
    before = linear_attention(*map(array, (q, k, v)))
    k[..., 4:, :], v[..., 4:, :] = 9.0, -9.0
    assert_array_equal(linear_attention(*map(array, (q, k, v)))[..., :4, :], before[..., :4, :])


def test_half_precision_is_computed_in_float32_and_its_state_stays(array: Any) -> None:
    q, k, v, _ = (array(x, "float16") for x in drawn(4, 6, decay=False))
    exact = linear_attention(*(np.asarray(x, dtype=float) for x in (q, k, v)))
    for form in FORMS:
        out, (S, z) = linear_attention(q, k, v, form=form, return_state=True)
        assert out.dtype == q.dtype
        assert str(S.dtype).endswith("float32")
        assert str(z.dtype).endswith("float32")
        assert_allclose(np.asarray(out, dtype=float), exact, rtol=2**-10, atol=1e-5)


@pytest.mark.parametrize("form", FORMS)
def test_gradients_are_the_numerical_derivatives(form: str) -> None:
    inputs = [torch.tensor(x[0], requires_grad=True) for x in drawn(5, 4, decay=True)]
    call = lambda q, k, v, g: linear_attention(  # noqa: E731
        q, k, v, decay=g, form=form, chunk=3, return_state=True
    )
    assert torch.autograd.gradcheck(lambda *x: (call(*x)[0], *call(*x)[1]), inputs)


def test_elu_features_are_positive_and_continuous(array: Any) -> None:
    x = [-1000.0, -1.0, -1e-9, 0.0, 2.0, 1000.0]
    out = elu_features(array(x))
    assert_allclose(out, [0.0, math.exp(-1), 1 - 1e-9, 1.0, 3.0, 1001.0], rtol=1e-12)
    assert_allclose(elu_features(torch.tensor(x)), torch.nn.functional.elu(torch.tensor(x)) + 1)


def test_performer_features_estimate_the_exponential_of_the_product(array: Any, draw: Any) -> None:
    (x,) = 0.5 * np.array(draw((6, 4)))
    exact = np.exp(x @ x.T)
    errors = []
    for features in (64, 4096):
        phi = np.asarray(performer_features(array(x), features=features, seed=0))
        assert (phi > 0).all()
        errors.append(np.abs(phi @ phi.T / exact - 1).max())
    assert errors[1] < 0.15 < errors[0]


def test_performer_features_have_no_bias(draw: Any) -> None:
    """The mean over many draws lies within four standard errors of the truth."""
    x, y = 0.5 * np.array(draw((2, 4)))[0]
    phi = [performer_features(np.stack([x, y]), features=8, seed=s) for s in range(2000)]
    estimates = np.array([a @ b for a, b in phi])
    error = estimates.std() / math.sqrt(len(estimates))
    assert abs(estimates.mean() - math.exp(x @ y)) < 4 * error


def test_performers_approach_attention_and_elu_features_do_not(draw: Any) -> None:
    q, k, v = draw((8, 4), (8, 4), (8, 4))
    expected = attention(q, k, v, causal=True)

    def worst(features: Any) -> float:
        return float(np.abs(linear_attention(features(q), features(k), v) - expected).max())

    performer = worst(lambda x: performer_features(x * 4**-0.25, features=20_000, seed=1))
    assert performer < 0.1 < worst(elu_features)


def test_a_seed_gives_the_same_features_in_every_library(draw: Any) -> None:
    (x,) = draw((3, 4))
    ours = performer_features(x, features=10, seed=7)
    assert_allclose(performer_features(torch.tensor(x), features=10, seed=7), ours, rtol=1e-13)
    assert ours.shape == (3, 10)
    assert np.abs(ours - performer_features(x, features=10, seed=8)).max() > 0.01


Q, V = np.ones((2, 3, 4)), np.ones((2, 3, 5))
STATE = (np.ones((2, 4, 5)), np.ones((2, 4)))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"form": "fast"},
            ValueError,
            "form is 'fast': expected 'parallel' or 'recurrent' or 'chun",
        ),
        ({"chunk": 0}, ValueError, "chunk is 0: expected 1 or more"),
        (
            {"k": Q[:, :2], "v": V[:, :2]},
            ValueError,
            "k has shape (2, 2, 4): expected one for each q",
        ),
        ({"k": [1.0]}, TypeError, "k is a list: expected an array"),
        ({"decay": Q}, ValueError, "decay has shape (2, 3, 4): expected (…, Hkv, n), here (2, 3)"),
        ({"decay": [1.0]}, TypeError, "decay is a list: expected an array"),
        (
            {"decay": np.zeros((2, 3))},
            ValueError,
            "decay has numbers outside (0, 1]: expected shares",
        ),
        (
            {"decay": np.full((2, 3), 1.5)},
            ValueError,
            "decay has numbers outside (0, 1]: expected s",
        ),
        (
            {"decay": np.full((2, 3), np.nan)},
            ValueError,
            "decay has numbers outside (0, 1]: expecte",
        ),
        ({"state": STATE[0]}, TypeError, "state is array("),
        (
            {"state": STATE[::-1]},
            ValueError,
            "state[0] has shape (2, 4): expected (…, Hkv, D, Dv), h",
        ),
        (
            {"state": (STATE[0], STATE[0])},
            ValueError,
            "state[1] has shape (2, 4, 5): expected (…, Hk",
        ),
        (
            {"state": (STATE[0].astype(np.float32), STATE[1])},
            TypeError,
            "state[0] has dtype float32: expected a state's float64",
        ),
    ],
)
def test_wrong_arguments_are_named(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        linear_attention(**{"q": Q, "k": Q, "v": V, **arguments})


def test_wrong_features_are_named() -> None:
    with pytest.raises(TypeError, match=r"^x is a list: expected an array$"):
        elu_features([1.0])
    with pytest.raises(ValueError, match=r"^features is 0: expected 1 or more$"):
        performer_features(Q, features=0, seed=0)
    with pytest.raises(ValueError, match=r"^seed is -1: expected 0 or more$"):
        performer_features(Q, features=1, seed=-1)
    with pytest.raises(ValueError, match=r"^x has shape \(2, 0\): expected"):
        performer_features(np.ones((2, 0)), features=1, seed=0)
