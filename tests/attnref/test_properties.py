"""What must stay the same, or change in step, whatever the inputs are."""

from typing import Any, NamedTuple

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from attnref import attention, attention_weights, masks


class Case(NamedTuple):
    q: Any
    k: Any
    v: Any
    mask: Any
    rng: np.random.Generator


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Heads of any grouping, lengths from 0, a Boolean mask of any density."""
    B, Hkv, G = draw(st.integers(1, 2)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    L, S, D = draw(st.integers(0, 6)), draw(st.integers(0, 7)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = draw(st.sampled_from([0.1, 1.0, 10.0]))
    q, k, v = (
        size * rng.standard_normal(shape)
        for shape in [(B, Hkv * G, L, D), (B, Hkv, S, D), (B, Hkv, S, D + 1)]
    )
    mask = rng.random((B, 1, L, S)) < draw(st.sampled_from([0.2, 0.7, 1.0]))
    return Case(q, k, v, mask, rng)


def few(test: Any) -> Any:
    return settings(max_examples=30, deadline=None, derandomize=True)(given(case=cases())(test))


def same(a: Any, b: Any) -> None:
    assert_allclose(a, b, rtol=1e-9, atol=1e-11)


@few
def test_rows_of_weights_sum_to_one_or_are_all_zero(array: Any, case: Case) -> None:
    q, k, _, mask, _ = case
    A = np.asarray(attention_weights(array(q), array(k), mask=array(mask, "bool"), causal=True))
    allowed = (mask & masks.causal(*mask.shape[-2:])).any(-1)
    assert np.all(A >= 0)
    assert_allclose(A.sum(-1), np.broadcast_to(allowed, A.shape[:-1]).astype(float), rtol=1e-13)


@few
def test_a_pair_that_is_not_allowed_weighs_exactly_nothing(array: Any, case: Case) -> None:
    q, k, _, mask, _ = case
    A = np.asarray(attention_weights(array(q), array(k), mask=array(mask, "bool"), window=(2, 1)))
    allowed = np.broadcast_to(mask & masks.window(*mask.shape[-2:], 2, 1), A.shape)
    assert_array_equal(A[~allowed], 0.0)


@few
def test_the_output_is_the_weights_times_the_values(array: Any, case: Case) -> None:
    q, k, v, mask, _ = case
    mask = array(mask, "bool")
    A = np.asarray(attention_weights(array(q), array(k), mask=mask))
    v_of_each_head = np.repeat(v, q.shape[1] // v.shape[1], axis=1)
    same(attention(array(q), array(k), array(v), mask=mask), A @ v_of_each_head)


@few
def test_adding_a_constant_to_the_scores_of_a_row_changes_only_lse(array: Any, case: Case) -> None:
    q, k, v, mask, rng = case
    bias = masks.to_bias(mask, np.dtype(float))
    shift = rng.normal(size=(*q.shape[:-1], 1), scale=5)
    before, lse = attention(array(q), array(k), array(v), mask=array(bias), return_lse=True)
    out, moved = attention(array(q), array(k), array(v), mask=array(bias + shift), return_lse=True)
    same(out, before)
    same(moved, np.asarray(lse) + shift[..., 0])


@few
def test_keys_and_values_have_no_order(array: Any, case: Case) -> None:
    q, k, v, mask, rng = case
    order = rng.permutation(k.shape[-2])
    before = attention(array(q), array(k), array(v), mask=array(mask, "bool"))
    k, v, mask = array(k[..., order, :]), array(v[..., order, :]), array(mask[..., order], "bool")
    same(attention(array(q), k, v, mask=mask), before)


@few
def test_scaling_the_values_scales_the_output(array: Any, case: Case) -> None:
    q, k, v, mask, _ = case
    before = attention(array(q), array(k), array(v), mask=array(mask, "bool"))
    same(attention(array(q), array(k), array(-3 * v), mask=array(mask, "bool")), -3 * before)


@few
def test_scale_is_a_factor_of_the_queries(array: Any, case: Case) -> None:
    q, k, v, _, _ = case
    same(
        attention(array(q), array(k), array(v), scale=0.7),
        attention(array(0.7 * q), array(k), array(v), scale=1.0),
    )


@few
def test_every_query_and_head_is_on_its_own(array: Any, case: Case) -> None:
    q, k, v, mask, _ = case
    out = attention(array(q), array(k), array(v), mask=array(mask, "bool"))
    G = q.shape[1] // k.shape[1]
    for b, h, i in np.ndindex(q.shape[:-1]):
        one = (array(q[b, h, [i]]), array(k[b, h // G]), array(v[b, h // G]))
        same(attention(*one, mask=array(mask[b, 0, [i]], "bool")), out[b, h, [i]])


@few
def test_a_key_that_nobody_may_see_could_as_well_be_absent(array: Any, case: Case) -> None:
    q, k, v, mask, rng = case
    seen = rng.random(k.shape[-2]) < 0.5
    before = attention(
        array(q),
        array(k[..., seen, :]),
        array(v[..., seen, :]),
        mask=array(mask[..., seen], "bool"),
    )
    same(attention(array(q), array(k), array(v), mask=array(mask & seen, "bool")), before)


@few
def test_both_forms_of_a_mask_mean_the_same(array: Any, case: Case) -> None:
    q, k, v, mask, _ = case
    bias = masks.to_bias(array(mask, "bool"), array(0.0).dtype)
    before = attention(array(q), array(k), array(v), mask=array(mask, "bool"))
    assert_array_equal(attention(array(q), array(k), array(v), mask=bias), before)


@few
def test_queries_move_and_their_outputs_move_along(array: Any, case: Case) -> None:
    q, k, v, mask, rng = case
    order = rng.permutation(q.shape[-2])
    before = attention(array(q), array(k), array(v), mask=array(mask, "bool"))
    moved = array(mask[..., order, :], "bool")
    same(attention(array(q[..., order, :]), array(k), array(v), mask=moved), before[..., order, :])


@few
def test_no_output_leaves_the_hull_of_the_values_it_sees(array: Any, case: Case) -> None:
    """In every direction, an output goes no further than the furthest value that it sees."""
    q, k, v, mask, rng = case
    out = np.asarray(attention(array(q), array(k), array(v), mask=array(mask, "bool")))
    directions = rng.normal(size=(v.shape[-1], 20))
    reach = np.repeat(v, q.shape[1] // v.shape[1], axis=1) @ directions  # (B, Hq, S, 20)
    seen = np.broadcast_to(mask, (*q.shape[:-1], k.shape[-2]))[..., None]  # (B, Hq, L, S, 1)
    visible = np.where(seen, reach[:, :, None], -np.inf)  # (B, Hq, L, S, 20)
    furthest = visible.max(axis=-2, initial=-np.inf)  # (B, Hq, L, 20)
    has_keys = seen.any(axis=-2)
    slack = 1e-12 * (1 + np.abs(v).max(initial=0.0)) * 10
    assert np.all((out @ directions <= furthest + slack) | ~has_keys)


@few
def test_the_future_leaves_earlier_rows_bit_identical(array: Any, case: Case) -> None:
    q, k, v, _, rng = case
    L, S = q.shape[-2], k.shape[-2]
    before = np.asarray(attention(array(q), array(k), array(v), causal=True))
    for last in range(L):
        changed_k, changed_v = k.copy(), v.copy()
        future = slice(max(0, last + 1 + S - L), None)
        changed_k[..., future, :] = rng.normal(size=k[..., future, :].shape, scale=50)
        changed_v[..., future, :] = rng.normal(size=v[..., future, :].shape, scale=50)
        after = np.asarray(attention(array(q), array(changed_k), array(changed_v), causal=True))
        assert_array_equal(after[..., : last + 1, :], before[..., : last + 1, :])


@few
def test_a_window_as_long_as_the_keys_is_no_window(array: Any, case: Case) -> None:
    q, k, v, _, _ = case
    reach = q.shape[-2] + k.shape[-2]
    before = attention(array(q), array(k), array(v))
    assert_array_equal(attention(array(q), array(k), array(v), window=(reach, reach)), before)


@few
def test_scores_of_ten_thousand_pick_the_largest(array: Any, case: Case) -> None:
    q, k, v, _, _ = case
    q, k = np.sign(q), 1e4 * np.sign(k)
    out = np.asarray(attention(array(q), array(k), array(v), scale=1.0))
    scores = q @ np.repeat(k, q.shape[1] // k.shape[1], axis=1).swapaxes(-1, -2)
    top = (scores == scores.max(axis=-1, keepdims=True, initial=-np.inf)).astype(float)
    shares = top / np.maximum(top.sum(-1, keepdims=True), 1)
    same(out, shares @ np.repeat(v, q.shape[1] // v.shape[1], axis=1))
