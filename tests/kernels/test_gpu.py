"""The kernel as compiled, on a GPU, by the same rule as in the interpreter."""

from importlib import import_module
from typing import Any

import pytest

import kernels
from tests.kernels.cases import DTYPES, EMPTY, GROUPS, HEADS, Case, lengths
from tests.kernels.judge import assert_as_good_as_torch, draw
from tests.kernels.layouts import LAYOUTS

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(kernels.INTERPRETED, reason="needs CUDA or ROCm"),
]

CASES = HEADS | GROUPS | EMPTY
for tile in (16, 32, 64, 128):
    CASES |= lengths(tile, 127, 509)
CASES |= {f"tile edges, heads of {D}": Case(129, 127, 6, 2, D, B=2) for D in (16, 64, 128, 256)}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("causal", [False, True], ids=["full", "causal"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_kernel_errs_no_more_than_torch_on_a_gpu(case: Case, causal: bool, dtype: str) -> None:
    assert_as_good_as_torch(*draw(*case.shapes, dtype=dtype), causal=causal)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("causal", [False, True], ids=["full", "causal"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_layout_changes_nothing_on_a_gpu(layout: Any, causal: bool, dtype: str) -> None:
    assert_as_good_as_torch(*layout(dtype), causal=causal)


@pytest.mark.parametrize("D", [64, 128])
def test_long_sequences_come_out_right(D: int) -> None:
    q, k, v = draw((1, 4, 4096, D), (1, 2, 4097, D), (1, 2, 4097, D), dtype="bfloat16")
    assert_as_good_as_torch(q, k, v, causal=True)


def test_float32_is_not_multiplied_in_tf32() -> None:
    q, k, v = draw((64, 128), (64, 128), (64, 128))
    _, lse = kernels.attention(q, k, v, scale=1.0, return_lse=True)
    true = (q.double() @ k.double().mT).logsumexp(-1)
    assert float((lse.double() - true).abs().max()) < 1e-4  # TF32 would be off by some 1e-2


def test_more_heads_than_a_grid_axis_may_have_are_fine() -> None:
    q, k, v = draw((70_000, 1, 1, 16), (70_000, 1, 2, 16), (70_000, 1, 2, 16), dtype="float16")
    assert_as_good_as_torch(q, k, v)


def test_one_binary_serves_all_lengths() -> None:
    kernel = import_module("kernels.attention").forward
    binaries = set()
    for L, S in [(16, 16), (1, 1), (17, 33), (64, 128)]:
        kernels.attention(*draw((2, L, 64), (1, S, 64), (1, S, 64)))
        binaries.add(sum(len(of_device[0]) for of_device in kernel.device_caches.values()))
    assert len(binaries) == 1
