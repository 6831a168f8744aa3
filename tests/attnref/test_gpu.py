"""The same code on a GPU, against float64 on the CPU."""

from math import inf
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal

from attnref import attention
from tests.attnref.calls import CALLS, arrays

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA"),
]

OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "causal": {"causal": True},
    "window and softcap": {"window": (9, 2), "softcap": 1.5},
}
ROUNDOFF = {
    "float32": 0.0,
    "float16": 2.0**-11,
    "bfloat16": 2.0**-8,
}  # of the output, beyond float32


@pytest.mark.parametrize("dtype", ROUNDOFF)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_a_gpu_loses_only_the_roundings_of_its_dtype(
    draw: Any, float32_error: Any, dtype: str, options: Any
) -> None:
    drawn = draw((2, 8, 65, 64), (2, 2, 129, 64), (2, 2, 129, 32))
    inputs = [torch.tensor(x).to(getattr(torch, dtype)) for x in drawn]
    exact = [x.double() for x in inputs]
    expected, expected_lse = attention(*exact, **options, return_lse=True)
    out, lse = attention(*(x.cuda() for x in inputs), **options, return_lse=True)
    assert out.is_cuda
    assert lse.is_cuda
    assert out.dtype == inputs[0].dtype
    q, k, v = (x.numpy() for x in exact)
    u = ROUNDOFF[dtype]
    bound = u * expected.abs() + (1 + u) * float32_error(q, k, v) + 2**-25
    assert bool(torch.all((out.double().cpu() - expected).abs() <= bound))
    assert_allclose(lse.cpu(), expected_lse, rtol=0, atol=float32_error(q, k))


def test_masked_rows_give_zeros_and_zero_gradients_on_a_gpu(draw: Any) -> None:
    q, k, v = (
        torch.tensor(x, device="cuda", requires_grad=True)
        for x in draw((2, 5, 4), (2, 3, 4), (2, 3, 4))
    )
    out, lse = attention(q, k, v, causal=True, return_lse=True)
    out.sum().backward()
    assert_array_equal(out[:, :2].detach().cpu(), np.zeros((2, 2, 4)))
    assert_array_equal(lse[:, :2].detach().cpu(), np.full((2, 2), -inf))
    assert q.grad is not None
    assert_array_equal(q.grad[:, :2].cpu(), np.zeros((2, 2, 4)))
    assert all(bool(torch.isfinite(x.grad).all()) for x in (q, k, v))


@pytest.mark.parametrize(("call", "shapes"), CALLS.values(), ids=CALLS)
def test_every_call_gives_the_same_on_a_gpu(draw: Any, call: Any, shapes: Any) -> None:
    values = [1 / (1 + np.exp(-x)) for x in draw(*shapes)]
    expected = arrays(call(*values))
    found = arrays(call(*(torch.tensor(x, device="cuda") for x in values)))
    for a, b in zip(found, expected, strict=True):
        assert a.is_cuda
        assert_allclose(a.cpu(), b, rtol=1e-10, atol=1e-12)
