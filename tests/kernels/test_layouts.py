"""However the inputs lie in memory, they are read where they are."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import kernels
from tests.kernels.cases import BOUNDS, DTYPES, MASKS, Case
from tests.kernels.judge import assert_as_good_as_torch, draw
from tests.kernels.layouts import LAYOUTS


def fused() -> list[torch.Tensor]:
    """One projection gives queries, keys and values: (B, L, (4 + 2 + 2) · 16)."""
    (qkv,) = draw((2, 13, 8 * 16))
    return [x.unflatten(-1, (-1, 16)).transpose(1, 2) for x in qkv.split([64, 32, 32], dim=-1)]


def expanded() -> list[torch.Tensor]:
    """One KV head for all, by a stride of 0, and strides of 0 along sequence and head."""
    q, k, v = draw((2, 4, 9, 16), (2, 1, 13, 16), (1, 1, 13, 1))
    return [q, k.expand(2, 4, 13, 16), v.expand(2, 4, 13, 16)]


def one_key() -> list[torch.Tensor]:
    q, k, v = draw((2, 4, 9, 16), (2, 4, 1, 16), (2, 4, 13, 1))
    return [q, k.expand(2, 4, 13, 16), v.expand(2, 4, 13, 16)]


def batches_that_merge() -> list[torch.Tensor]:
    return draw((2, 3, 4, 9, 16), (2, 3, 2, 13, 16), (2, 3, 2, 13, 16))


def batches_that_do_not_merge() -> list[torch.Tensor]:
    q, k, v = batches_that_merge()
    return [q, k.transpose(0, 1).contiguous().transpose(0, 1), v]


def many_batches() -> list[torch.Tensor]:
    """Four axes, with a size of 1 and a stride of 0 among them, of which some merge."""
    q, k, v = draw((2, 1, 3, 2, 2, 5, 16), (2, 1, 1, 2, 1, 7, 16), (2, 1, 2, 3, 1, 7, 16))
    return [q, k.expand(2, 1, 3, 2, 1, 7, 16), v.transpose(2, 3)]


LAUNCHES: dict[Callable[[], list[torch.Tensor]], int] = {  # how many a forward pass takes
    fused: 1,
    expanded: 1,
    one_key: 1,
    batches_that_merge: 1,
    batches_that_do_not_merge: 2,
    many_batches: 6,
}


@pytest.mark.parametrize("bounds", ["", "causal"])
@pytest.mark.parametrize("inputs", LAUNCHES)
def test_views_of_a_whole_are_right(inputs: Any, bounds: str) -> None:
    assert_as_good_as_torch(*inputs(), **BOUNDS[bounds])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_layout_changes_nothing(layout: str, dtype: str) -> None:
    case = Case(19, 37, 4, 2, 20, 12, batch=(2,), bounds="causal", layout=layout, dtype=dtype)
    assert_as_good_as_torch(**case.arguments, layout=LAYOUTS[layout])


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("kind", ["bias bhls", "Boolean bhls"])
def test_the_layout_of_a_mask_changes_nothing(kind: str, layout: Any) -> None:
    arguments = Case(19, 37, 4, 2, batch=(2,), mask=kind).arguments
    mask = arguments["mask"].float()
    mask = layout(mask) if kind[0] == "b" else layout(mask) > 0.5
    assert_as_good_as_torch(**{**arguments, "mask": mask})


@pytest.mark.parametrize(("inputs", "expected"), LAUNCHES.items())
def test_nothing_is_copied_on_the_way(
    monkeypatch: pytest.MonkeyPatch, inputs: Any, expected: int
) -> None:
    launches: list[Any] = []

    class Kernel:
        __name__ = "forward"

        def __getitem__(self, grid: tuple[int]) -> Any:
            return lambda *arguments, **constants: launches.append(arguments)

    monkeypatch.setattr(import_module("kernels.launch"), "forward", Kernel())
    given = inputs()
    mask = torch.ones(given[0].shape[-2], given[1].shape[-2])
    kernels.attention(*given, mask=mask)
    assert len(launches) == expected
    for launch in launches:
        for whole, part in zip((*given, mask), launch, strict=False):
            assert part.ptr.untyped_storage().data_ptr() == whole.untyped_storage().data_ptr()


@st.composite
def anything(draw_one: st.DrawFn) -> Any:
    """Any small inputs, with their axes in any order in memory and in steps, and any options."""
    case = Case(
        *(draw_one(st.integers(0, 40)) for _ in "LS"),
        *draw_one(st.sampled_from([(1, 1), (2, 1), (2, 2), (3, 1), (4, 2)])),
        *(draw_one(st.integers(least, 20)) for least in (1, 0)),
        batch=(draw_one(st.integers(1, 2)),),
        bounds=draw_one(st.sampled_from([*BOUNDS])),
        mask=draw_one(st.sampled_from(MASKS)),
        softcap=draw_one(st.sampled_from([None, 0.5, 20.0])),
        scale=draw_one(st.sampled_from([None, -0.5, 0.0, 1.0])),
        dtype=draw_one(st.sampled_from(DTYPES)),
        tile=draw_one(st.sampled_from([(256, 256), (16, 32), (32, 16)])),
    )
    arguments = case.arguments
    if draw_one(st.booleans()):
        left, right = draw_one(st.integers(0, 45)), draw_one(st.integers(0, 45))
        arguments["window"] = (left, right)
    for name in "qkv":
        order = draw_one(st.permutations(range(4)))
        steps = draw_one(st.lists(st.integers(1, 2), min_size=4, max_size=4))
        arguments[name] = _laid(arguments[name], order, steps)
    return case, arguments


def _laid(x: torch.Tensor, order: list[int], steps: list[int]) -> torch.Tensor:
    sizes = [x.shape[axis] * steps[axis] for axis in order]
    room = x.new_full(sizes, torch.nan).permute([order.index(axis) for axis in range(4)])
    return room[tuple(slice(None, None, step) for step in steps)].copy_(x)


def check(given_case: Any) -> None:
    case, arguments = given_case
    tiles: Any = import_module("kernels.tiles")
    before = tiles.INTERPRETED_TILE
    tiles.INTERPRETED_TILE = tiles.Tile(*case.tile, 1, 1)
    try:
        assert_as_good_as_torch(**arguments, layout=LAYOUTS["heads last"])
    finally:
        tiles.INTERPRETED_TILE = before


@settings(max_examples=15, deadline=None, derandomize=True)
@given(anything())
def test_any_call_at_all_comes_out_right(given_case: Any) -> None:
    check(given_case)


@pytest.mark.deep
@settings(max_examples=1500, deadline=None, derandomize=True)
@given(anything())
def test_any_call_at_all_comes_out_right_many_times_over(given_case: Any) -> None:
    check(given_case)
