"""The kernels as compiled, on a GPU, by the same rule as in the interpreter."""

from importlib import import_module
from typing import Any

import pytest
import torch

import attnref
import kernels
from tests.kernels.cases import DTYPES, EMPTY, GROUPS, WIDTHS, Case, lengths, mixtures
from tests.kernels.judge import assert_as_good_as_torch, draw
from tests.kernels.layouts import LAYOUTS

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(kernels.INTERPRETED, reason="needs CUDA or ROCm"),
]

SIZES = [size for tile in (16, 32, 64, 128) for size in lengths(tile, 127, 509)]
WHOLE = [
    *(Case(L, S) for L, S in SIZES),
    *(Case(33, 70, D=D, Dv=Dv) for D, Dv in WIDTHS),
    *(Case(129, 127, 6, 2, D, batch=(2,)) for D in (16, 64, 128, 256)),
    *(Case(19, 37, Hq, Hkv, batch=(2,)) for Hq, Hkv in GROUPS),
    *EMPTY.values(),
]
BOUNDED = [
    case._replace(bounds=bounds, dtype=dtype)
    for case in WHOLE
    for bounds in ("", "causal", "window (31, 32)")
    for dtype in DTYPES
]
MIXED = mixtures([(127, 509), (509, 127), (256, 256), (129, 257), (1, 300), (1000, 1024)], [None])


@pytest.mark.parametrize("case", BOUNDED, ids=str)
def test_kernels_err_no_more_than_torch_on_a_gpu(case: Case) -> None:
    assert_as_good_as_torch(**case.arguments)


@pytest.mark.parametrize("case", MIXED, ids=str)
def test_any_two_features_work_together_on_a_gpu(case: Case) -> None:
    assert_as_good_as_torch(**case.arguments, layout=LAYOUTS[case.layout])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("options", [{}, {"causal": True}, {"window": (60, 40)}], ids=str)
def test_packed_sequences_come_out_right_on_a_gpu(options: Any, dtype: str) -> None:
    lengths = [(130, 257), (0, 40), (1, 1), (70, 0), (300, 129)]
    ends = [torch.tensor([0, *x]).cumsum(0).int().cuda() for x in zip(*lengths, strict=True)]
    q, k, v = draw((501, 4, 64), (427, 2, 64), (427, 2, 64), dtype=dtype)
    wanted = [x.requires_grad_() for x in (q, k, v)]
    doubles = [x.detach().double().requires_grad_() for x in wanted]
    out = kernels.attention_varlen(*wanted, *ends, **options)
    true = attnref.attention_varlen(*doubles, *ends, **options)
    upstream = torch.randn_like(out)
    found = [out, *torch.autograd.grad(out, wanted, upstream)]
    expected = [true, *torch.autograd.grad(true, doubles, upstream.double())]
    near = {"float32": 1e-5, "float16": 4e-3, "bfloat16": 3e-2}[dtype]
    for x, y in zip(found, expected, strict=True):
        torch.testing.assert_close(x.double(), y, rtol=near, atol=near)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("causal", [False, True], ids=["full", "causal"])
@pytest.mark.parametrize("block", [(64, 64), (128, 128), (40, 72)], ids=str)
def test_block_masks_come_out_right_on_a_gpu(block: Any, causal: bool, dtype: str) -> None:
    L, S = 500, 700
    shape = (4, -(-L // block[0]), -(-S // block[1]))
    chosen = (torch.rand(shape, generator=torch.Generator().manual_seed(1)) < 0.4).cuda()

    def call(q: Any, k: Any, v: Any, mask: Any) -> Any:
        return kernels.block_sparse_attention(q, k, v, chosen, block=block, causal=causal)

    inputs = draw((4, L, 64), (2, S, 64), (2, S, 64), dtype=dtype)
    mask = attnref.masks.blocks(chosen, block, L, S)
    assert_as_good_as_torch(*inputs, mask=mask, call=call, causal=causal)


@pytest.mark.parametrize("D", [64, 128])
def test_long_sequences_come_out_right(D: int) -> None:
    q, k, v = draw((1, 4, 4096, D), (1, 2, 4097, D), (1, 2, 4097, D), dtype="bfloat16")
    assert_as_good_as_torch(q, k, v, causal=True)


def test_float32_is_not_multiplied_in_tf32() -> None:
    q, k, v = draw((64, 128), (64, 128), (64, 128))
    _, lse = kernels.attention(q, k, v, scale=1.0, return_lse=True)
    true = (q.double() @ k.double().mT).logsumexp(-1)
    assert float((lse.double() - true).abs().max()) < 1e-4  # TF32 would be off by some 1e-2


def test_gradients_are_the_same_bits_every_time() -> None:
    inputs = draw((4, 8, 1000, 64), (4, 2, 1000, 64), (4, 2, 1000, 64), dtype="bfloat16")
    wanted = [x.requires_grad_() for x in inputs]
    out = kernels.attention(*wanted, causal=True)
    upstream = torch.randn_like(out)
    first = torch.autograd.grad(out, wanted, upstream, retain_graph=True)
    for _ in range(5):
        again = torch.autograd.grad(out, wanted, upstream, retain_graph=True)
        assert all(map(torch.equal, first, again))


def test_more_heads_than_a_grid_axis_may_have_are_fine() -> None:
    q, k, v = draw((70_000, 1, 1, 16), (70_000, 1, 2, 16), (70_000, 1, 2, 16), dtype="float16")
    assert_as_good_as_torch(q, k, v)


def test_one_binary_serves_all_lengths() -> None:
    kernel = import_module("kernels.forward").forward
    binaries = set()
    for L, S in [(16, 16), (1, 1), (17, 33), (64, 128)]:
        kernels.attention(*draw((2, L, 64), (1, S, 64), (1, S, 64)))
        binaries.add(sum(len(of_device[0]) for of_device in kernel.device_caches.values()))
    assert len(binaries) == 1
