"""The kernel under a sanitizer: nothing is read or written beside the elements of its arguments."""

from typing import Any

import numpy as np
import pytest
import torch

import kernels
from tests.kernels.cases import DTYPES, EMPTY, Case
from tests.kernels.judge import assert_as_good_as_torch, draw

if not kernels.INTERPRETED:
    pytest.skip("needs the interpreter", allow_module_level=True)

import triton
import triton.language as tl
from triton.runtime.errors import InterpreterError

from tests.kernels.sanitizer import Sanitizer, addresses

CASES = {
    "one": Case(1, 1, D=1),
    "odd": Case(17, 35, 3, 1, D=5, Dv=7, B=2),
    "more queries": Case(35, 17, 6, 2, D=40),
    "a tile": Case(16, 32, D=16),
    "one query": Case(1, 33, 8, 1, D=80, Dv=24),
} | EMPTY


@pytest.fixture
def sanitizer(monkeypatch: pytest.MonkeyPatch) -> Sanitizer:
    return Sanitizer(monkeypatch)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("causal", [False, True], ids=["full", "causal"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_every_load_is_of_an_input_and_every_result_is_stored_once(
    sanitizer: Sanitizer, set_tile: Any, case: Case, causal: bool, dtype: str
) -> None:
    set_tile(16, 32)
    q, k, v = (amid_nan(x) for x in draw(*case.shapes, dtype=dtype))
    assert_as_good_as_torch(q, k, v, causal=causal)
    out, lse = kernels.attention(q, k, v, causal=causal, return_lse=True)
    assert sanitizer.stored == {*addresses(out).tolist(), *addresses(lse).tolist()}


def test_causal_attention_loads_no_tile_that_is_hidden_from_all_its_queries(
    sanitizer: Sanitizer, set_tile: Any
) -> None:
    set_tile(16, 16)
    q, k, v = draw((64, 16), (64, 16), (64, 16))
    kernels.attention(q, k, v, causal=True)
    tiles_of_keys = (1 + 2 + 3 + 4) * 2
    assert sanitizer.loads == (4 + tiles_of_keys) * 16 * 16


@pytest.mark.parametrize("axis", [0, 1, 2, 3], ids=["batch", "head", "row", "column"])
@pytest.mark.parametrize("which", [0, 1, 2], ids=["q", "k", "v"])
def test_offsets_past_2_to_the_31_are_right(sanitizer: Any, axis: int, which: int) -> None:
    inputs = draw(*[(3, 3, 3, 3)] * 3, dtype="float16")
    far = 2**30 + 1  # elements between neighbours, so that the third is past 2³¹
    memory = torch.from_numpy(np.empty(2 * far + 128, np.float16))  # given out when written to
    strides = [1, 3, 9]
    strides.insert(axis, far)
    inputs[which] = memory.as_strided((3, 3, 3, 3), strides).copy_(inputs[which])
    assert_as_good_as_torch(*inputs, causal=True)


def amid_nan(x: torch.Tensor) -> torch.Tensor:
    """x, as a view of a larger tensor that is NaN on all sides of it."""
    around = torch.full([n + 2 for n in x.shape], torch.nan, dtype=x.dtype)
    inside = around[tuple(slice(1, 1 + n) for n in x.shape)]
    return inside.copy_(x)


@triton.jit
def _copy(x_ptr: tl.tensor, y_ptr: tl.tensor, N: tl.constexpr, STEP: tl.constexpr) -> None:
    at = tl.arange(0, N) + tl.program_id(0) * STEP
    tl.store(y_ptr + at, tl.load(x_ptr + at))


@triton.jit
def _double_until_it_overflows(x_ptr: tl.tensor, start: tl.tensor) -> None:
    tl.store(x_ptr, start + start)


@pytest.mark.parametrize(
    ("shapes", "step", "complaint"),
    [
        ((9, 16), 4, "load out of bounds: 3 of 8"),
        ((16, 9), 4, "store out of bounds: 3 of 8"),
        ((16, 16), 4, r"program \(1, 0, 0\) stores what was stored before"),
    ],
)
def test_the_sanitizer_notices(
    sanitizer: Sanitizer, shapes: tuple[int, int], step: int, complaint: str
) -> None:
    x, y = (torch.zeros(n + 8)[:n] for n in shapes)
    _copy[(1,)](x, y, 8, step)
    with pytest.raises(InterpreterError, match=complaint):
        _copy[(2,)](x, y, 8, step)


def test_the_sanitizer_notices_an_overflow(sanitizer: Sanitizer) -> None:
    x = torch.zeros(1, dtype=torch.int32)
    _double_until_it_overflows[(1,)](x, 2**30 - 1)
    with pytest.raises(InterpreterError, match="overflow"):
        _double_until_it_overflows[(1,)](x, 2**30)
