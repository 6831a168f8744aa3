"""Kernels under a sanitizer: they touch the elements of their arguments, each in its time."""

from typing import Any

import pytest
import torch

import kernels
from tests.kernels.cases import EMPTY, Case
from tests.kernels.judge import assert_as_good_as_torch, draw
from tests.kernels.layouts import amid_nan

if not kernels.INTERPRETED:
    pytest.skip("needs the interpreter", allow_module_level=True)

import triton
import triton.language as tl
from triton.runtime.errors import InterpreterError

from tests.kernels.battery import BANDS, on_band, on_blocks
from tests.kernels.sanitizer import Sanitizer
from tests.kernels.test_packed import ends

CASES = {
    "one": Case(1, 1, D=1),
    "odd": Case(17, 35, 3, 1, D=5, Dv=7, batch=(2,)),
    "more queries": Case(35, 17, 2, 1, D=40, bounds="causal"),
    "a tile": Case(16, 32, bounds="causal", mask="bias with −∞ ls"),
    "one query": Case(1, 33, 4, 1, D=80, Dv=24, mask="Boolean bhls"),
    "capped window": Case(40, 70, bounds="window (9, 5)", softcap=1.5, scale=-1.0, mask="bias hls"),
    "bfloat16": Case(35, 70, bounds="window (33, 0)", mask="bias s", dtype="bfloat16"),
    "float16": Case(33, 33, D=20, bounds="causal window (16, 7)", dtype="float16"),
} | EMPTY


@pytest.fixture
def sanitizer(monkeypatch: pytest.MonkeyPatch) -> Sanitizer:
    return Sanitizer(monkeypatch)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_kernels_touch_nothing_but_their_arguments_and_store_each_result_once(
    sanitizer: Sanitizer, set_tile: Any, case: Case
) -> None:
    set_tile(16, 32)
    arguments = {
        name: amid_nan(x) if isinstance(x, torch.Tensor) else x
        for name, x in case.arguments.items()
    }
    assert_as_good_as_torch(**arguments, layout=amid_nan)
    for launch in sanitizer.launches:
        if launch.kernel == "forward":
            assert launch.has_stored("out", "lse")
        elif launch.kernel == "backward_kv":
            assert launch.has_stored("dk", "dv")
        elif "d_mask" in launch.tensors:
            assert launch.has_stored("delta", "dq", within="d_mask")
        else:
            assert launch.has_stored("delta", "dq")


def test_each_result_of_packed_sequences_is_stored_once(
    sanitizer: Sanitizer, set_tile: Any
) -> None:
    set_tile(16, 32)
    q, k, v = (x.requires_grad_() for x in draw((44, 2, 16), (40, 1, 16), (40, 1, 8)))
    lengths = [(5, 7), (0, 3), (35, 30), (4, 0)]
    kernels.attention_varlen(q, k, v, *ends(lengths), causal=True).sum().backward()
    forward, backward_q, backward_kv = sanitizer.launches
    assert forward.has_stored("out", "lse")
    assert backward_q.has_stored("delta", "dq")
    assert backward_kv.has_stored("dk", "dv")


@pytest.mark.parametrize("options", BANDS, ids=str)
def test_tiles_hidden_by_causal_or_window_are_not_loaded(
    sanitizer: Sanitizer, set_tile: Any, options: Any
) -> None:
    set_tile(16, 32)
    on_band(kernels, sanitizer, options)


@pytest.mark.parametrize(
    ("block", "causal"),
    [
        *(((7, 9), False), ((16, 32), False), ((32, 32), True), ((64, 24), False)),
        *(  # these are in the battery, or nearly
            pytest.param(block, causal, marks=pytest.mark.deep)
            for block, causal in (
                ((7, 9), True),
                ((16, 32), True),
                ((32, 32), False),
                ((64, 24), True),
            )
        ),
    ],
    ids=str,
)
def test_tiles_without_a_block_are_not_loaded(
    sanitizer: Sanitizer, set_tile: Any, block: Any, causal: bool
) -> None:
    set_tile(16, 32)
    on_blocks(kernels, sanitizer, block, causal)


@pytest.mark.parametrize("options", [{}, {"bounds": "window (9, 5)"}], ids=str)
def test_programs_in_any_order_give_the_same_bits(
    monkeypatch: pytest.MonkeyPatch, set_tile: Any, options: Any
) -> None:
    set_tile(16, 32)
    results = []
    for order in (None, 1, 2):
        with monkeypatch.context() as patch:
            Sanitizer(patch, shuffle=order)
            arguments = Case(35, 70, 2, 1, mask="bias hls", **options).arguments
            wanted = [x.requires_grad_() for x in arguments.values() if isinstance(x, torch.Tensor)]
            out, lse = kernels.attention(**arguments, return_lse=True)
            gradients = torch.autograd.grad(out.sum() + lse.sum(), wanted)
            results.append([out, lse, *gradients])
    for others in results[1:]:
        assert all(map(torch.equal, results[0], others))


@triton.jit
def _copy(x_ptr: tl.tensor, y_ptr: tl.tensor, N: tl.constexpr, STEP: tl.constexpr) -> None:
    at = tl.arange(0, N) + tl.program_id(0) * STEP
    tl.store(y_ptr + at, tl.load(x_ptr + at))


@triton.jit
def _double_until_it_overflows(x_ptr: tl.tensor, start: tl.tensor) -> None:
    tl.store(x_ptr, start + start)


@triton.jit
def _number_in_turn(x_ptr: tl.tensor, turn_ptr: tl.tensor) -> None:
    turn = tl.load(turn_ptr)
    tl.store(x_ptr + tl.program_id(0), turn)
    tl.store(turn_ptr, turn + 1)


@triton.jit
def _assert_positive(x_ptr: tl.tensor) -> None:
    x = tl.load(x_ptr)
    tl.device_assert(x > 0, "not positive")
    tl.store(x_ptr, x)


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


def test_the_sanitizer_notices_what_a_kernel_asserts(sanitizer: Sanitizer) -> None:
    _assert_positive[(1,)](torch.ones(1))
    with pytest.raises(InterpreterError, match="not positive"):
        _assert_positive[(1,)](torch.zeros(1))


def test_the_sanitizer_knows_which_argument_was_loaded_and_what_was_stored(
    sanitizer: Sanitizer,
) -> None:
    x, y = torch.zeros(16), torch.zeros(16)
    _copy[(1,)](x, y, 8, 8)
    (launch,) = sanitizer.launches
    assert launch.loads == {"x_ptr": 8}
    assert not launch.has_stored("y_ptr")
    assert launch.has_stored(within="y_ptr")
    _copy[(2,)](x, y, 8, 8)
    assert sanitizer.launches[-1].has_stored("y_ptr")
    assert sanitizer.loads("_copy") == {"x_ptr": 24}


def test_shuffled_programs_run_in_another_order(monkeypatch: pytest.MonkeyPatch) -> None:
    x, turn = torch.zeros(8, dtype=torch.int32), torch.zeros(1, dtype=torch.int32)
    _number_in_turn[(8,)](x, turn)
    assert x.tolist() == [*range(8)]
    Sanitizer(monkeypatch, shuffle=1, races=False)
    _number_in_turn[(8,)](x, turn * 0)
    assert x.tolist() != [*range(8)]
    assert sorted(x.tolist()) == [*range(8)]
