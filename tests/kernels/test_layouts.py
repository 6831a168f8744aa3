"""However the inputs lie in memory, they are read where they are."""

from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kernels
from tests.kernels.judge import assert_as_good_as_torch, draw
from tests.kernels.layouts import LAYOUTS


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("causal", [False, True], ids=["full", "causal"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_layout_changes_nothing(layout: Any, causal: bool, dtype: str) -> None:
    assert_as_good_as_torch(*layout(dtype), causal=causal)


@pytest.mark.parametrize(("layout", "expected"), LAYOUTS.items())
def test_nothing_is_copied_on_the_way(
    monkeypatch: pytest.MonkeyPatch, layout: Any, expected: int
) -> None:
    launches: list[Any] = []

    class Kernel:
        def __getitem__(self, grid: tuple[int]) -> Any:
            return lambda *arguments, **constants: launches.append(arguments)

    monkeypatch.setattr(import_module("kernels.attention"), "forward", Kernel())
    inputs = layout("float32")
    results = kernels.attention(*inputs, return_lse=True)
    assert len(launches) == expected
    for launch in launches:
        for whole, part in zip((*inputs, *results), launch, strict=False):
            assert part.untyped_storage().data_ptr() == whole.untyped_storage().data_ptr()
        assert launch[5:8] == tuple(x.stride() for x in launch[:3])


@st.composite
def anyhow(draw_one: st.DrawFn) -> Any:
    """Three inputs of any small size, each with its axes in any order in memory, and in steps."""
    whole = st.integers(1, 3)
    B, Hkv, G = draw_one(whole), draw_one(whole), draw_one(whole)
    L, S = draw_one(st.integers(0, 40)), draw_one(st.integers(0, 40))
    D, Dv = draw_one(st.integers(1, 20)), draw_one(st.integers(0, 20))
    inputs = []
    for seed, shape in enumerate([(B, Hkv * G, L, D), (B, Hkv, S, D), (B, Hkv, S, Dv)]):
        order = draw_one(st.permutations(range(4)))
        steps = draw_one(st.lists(st.integers(1, 2), min_size=4, max_size=4))
        (x,) = draw(tuple(shape[axis] * steps[axis] for axis in order), seed=seed)
        x = x.permute([order.index(axis) for axis in range(4)])
        inputs.append(x[tuple(slice(None, None, step) for step in steps)])
    return inputs


@settings(max_examples=40, deadline=None, derandomize=True)
@given(inputs=anyhow(), causal=st.booleans())
def test_any_inputs_at_all_come_out_right(inputs: Any, causal: bool) -> None:
    assert_as_good_as_torch(*inputs, causal=causal)
