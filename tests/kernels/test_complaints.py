"""What people have complained about in attention kernels, each by name, forward and backward."""

from collections.abc import Callable
from math import inf, log
from typing import Any

import numpy as np
import pytest
import torch

import attnref
import kernels
from tests.kernels.cases import DTYPES, Case
from tests.kernels.judge import DEVICE, assert_as_good_as_torch, draw
from tests.kernels.layouts import amid_nan, every_other

interpreted = pytest.mark.skipif(not kernels.INTERPRETED, reason="needs the memory of the CPU")


def gradients(inputs: Any, **options: Any) -> list[torch.Tensor]:
    """Of q, k and v, and of a bias, by output and log-sum-exp together."""
    bias = [x for x in options.values() if isinstance(x, torch.Tensor) and x.is_floating_point()]
    wanted = [*inputs, *bias]
    for x in wanted:
        x.requires_grad_()
    out, lse = kernels.attention(*inputs, return_lse=True, **options)
    upstream = [x.to(out.dtype) for x in draw(out.shape, lse.shape, seed=1)]
    return [*torch.autograd.grad([out, lse], wanted, [upstream[0], upstream[1].float()])]


@pytest.mark.parametrize("dtype", DTYPES)
def test_masked_rows_have_zero_gradients_not_nan(dtype: str) -> None:
    q, k, v = draw((2, 40, 16), (2, 10, 16), (2, 10, 16), dtype=dtype)
    dq, dk, dv = gradients([q, k, v], causal=True)
    assert not dq[:, :30].any()  # see no key
    assert bool(dq[:, 31:].any(-1).all())
    assert all(bool(x.isfinite().all()) for x in (dq, dk, dv))


def test_a_mask_without_a_single_pair_gives_zeros_everywhere() -> None:
    q, k, v = draw((5, 16), (7, 16), (7, 16))
    bias = torch.full((5, 7), -inf, device=DEVICE)
    out, lse = kernels.attention(q, k, v, mask=bias, return_lse=True)
    assert not out.any()
    assert bool((lse == -inf).all())
    assert not any(x.any() for x in gradients([q, k, v], mask=bias))


@pytest.mark.parametrize(("L", "S"), [(20, 50), (50, 20), (1, 33), (33, 1)])
def test_causal_is_aligned_at_the_last_key_in_both_directions(L: int, S: int) -> None:
    q, k, v = draw((L, 16), (S, 16), (S, 16))
    mask = torch.ones(L, S, dtype=torch.bool, device=DEVICE).tril(S - L)
    for x, y in zip(
        gradients([q, k, v], causal=True), gradients([q, k, v], mask=mask)[:3], strict=True
    ):
        torch.testing.assert_close(x, y)
    assert_as_good_as_torch(q, k, v, causal=True)


@pytest.mark.parametrize("window", [(0, 0), (1, 0), (0, 1), (2, 3)])
def test_a_window_counts_neighbours_on_each_side_and_itself(window: Any) -> None:
    left, right = window
    q, k, v = torch.zeros(9, 16), torch.zeros(9, 16), torch.eye(9)
    out = kernels.attention(*(x.to(DEVICE) for x in (q, k, v)), window=window)
    sees = {(i, j) for i in range(9) for j in range(9) if i - left <= j <= i + right}
    assert {tuple(pair) for pair in (out > 0).nonzero().tolist()} == sees


def test_stride_0_keys_get_the_sum_of_their_gradients() -> None:
    q, k, v = draw((2, 4, 9, 16), (1, 1, 13, 16), (1, 1, 1, 16))
    for x in (q, k, v):
        x.requires_grad_()
    shape = (2, 4, 13, 16)
    given = draw((2, 4, 9, 16), seed=1)[0]
    out = kernels.attention(q, k.expand(shape), v.expand(shape))
    found = torch.autograd.grad(out, [q, k, v], given)
    wide = [x.detach().double().requires_grad_() for x in (q, k, v)]
    true = attnref.attention(wide[0], wide[1].expand(shape), wide[2].expand(shape))
    expected = torch.autograd.grad(true, wide, given.double())
    for x, y in zip(found, expected, strict=True):
        torch.testing.assert_close(x.double(), y, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("dims", [(3, 5), (65, 65), (96, 80), (127, 129)])
def test_heads_that_are_no_power_of_two_need_no_padding(dims: Any, dtype: str) -> None:
    q, k, v = draw((20, dims[0]), (33, dims[0]), (33, dims[1]), dtype=dtype)
    assert_as_good_as_torch(*map(amid_nan, (q, k, v)), layout=amid_nan)


def test_no_keys_at_all_give_zero_gradients_to_the_queries() -> None:
    dq, dk, dv = gradients(draw((5, 16), (0, 16), (0, 16)))
    assert dq.shape == (5, 16)
    assert not dq.any()
    assert dk.shape == dv.shape == (0, 16)


@pytest.mark.parametrize("layout", [amid_nan, every_other])
def test_uninitialised_padding_is_never_read(layout: Any) -> None:
    arguments = Case(33, 70, 4, 2, D=20, Dv=12, bounds="causal", mask="bias bhls").arguments
    tensors = {n: layout(x) for n, x in arguments.items() if isinstance(x, torch.Tensor)}
    assert_as_good_as_torch(**{**arguments, **tensors}, layout=layout)


def test_the_gradient_of_the_lse_is_that_of_a_natural_logarithm() -> None:
    q = torch.ones(1, 1, device=DEVICE, requires_grad=True)
    k = torch.tensor([[log(2.0)], [0.0]], device=DEVICE, requires_grad=True)
    _, lse = kernels.attention(q, k, k, scale=1.0, return_lse=True)  # log(2 + 1)
    dq, dk = torch.autograd.grad(lse.sum(), [q, k])
    assert f"{lse.item():.5f}" == f"{log(3.0):.5f}"
    assert f"{float(dq):.5f}" == f"{log(2.0) * 2 / 3:.5f}"
    assert [f"{x:.5f}" for x in dk[:, 0].tolist()] == ["0.66667", "0.33333"]


@pytest.mark.parametrize("through", ["out", "lse"])
def test_one_of_the_results_alone_has_gradients_too(through: str) -> None:
    q, k, v = (x.requires_grad_() for x in draw((9, 16), (13, 16), (13, 8)))
    results = {"out": 0, "lse": 1}
    found = kernels.attention(q, k, v, causal=True, return_lse=True)[results[through]].sum()
    true = attnref.attention(q, k, v, causal=True, return_lse=True)[results[through]].sum()
    wanted = [q, k, v] if through == "out" else [q, k]
    for x, y in zip(
        torch.autograd.grad(found, wanted), torch.autograd.grad(true, wanted), strict=True
    ):
        torch.testing.assert_close(x, y, rtol=1e-4, atol=1e-5)


def test_gradients_arrive_when_only_one_input_wants_them() -> None:
    inputs = draw((9, 16), (13, 16), (13, 8))
    together = gradients([x.clone() for x in inputs], causal=True)
    for at in range(3):
        alone = [x.clone().requires_grad_(n == at) for n, x in enumerate(inputs)]
        out, lse = kernels.attention(*alone, causal=True, return_lse=True)
        upstream = draw(out.shape, lse.shape, seed=1)
        (found,) = torch.autograd.grad([out, lse], [alone[at]], upstream)
        assert torch.equal(found, together[at])


@pytest.mark.parametrize("dtype", DTYPES)
def test_backward_twice_gives_the_same_bits(dtype: str) -> None:
    case = Case(33, 70, 4, 2, bounds="causal", mask="bias hls", dtype=dtype)
    twice = []
    for _ in range(2):
        arguments = case.arguments
        q, k, v = (arguments.pop(name) for name in "qkv")
        twice.append(gradients([q, k, v], **arguments))
    assert all(torch.equal(x, y) for x, y in zip(*twice, strict=True))


def test_the_graph_can_be_used_twice() -> None:
    q, k, v = (x.requires_grad_() for x in draw((9, 16), (13, 16), (13, 8)))
    out = kernels.attention(q, k, v).sum()
    first = torch.autograd.grad(out, [q, k, v], retain_graph=True)
    assert all(map(torch.equal, first, torch.autograd.grad(out, [q, k, v])))


def test_a_second_derivative_is_refused_rather_than_lost() -> None:
    q, k, v = (x.requires_grad_() for x in draw((9, 16), (13, 16), (13, 8)))
    out = kernels.attention(q, k, v).sum()
    (dq,) = torch.autograd.grad(out, [q], create_graph=True)
    with pytest.raises(NotImplementedError, match=r"^kernels have no second derivatives"):
        (out + (dq**2).sum()).backward()


def test_an_expanded_gradient_is_read_where_it_is() -> None:
    q, k, v = (x.requires_grad_() for x in draw((2, 9, 16), (2, 13, 16), (2, 13, 8)))
    by_sum = torch.autograd.grad(kernels.attention(q, k, v).sum(), [q, k, v])  # strides of 0
    out = kernels.attention(q, k, v)
    by_ones = torch.autograd.grad(out, [q, k, v], torch.ones_like(out))
    assert all(map(torch.equal, by_sum, by_ones))


def far(x: torch.Tensor, axis: int, step: int = 2**30 + 1) -> torch.Tensor:
    """x, with so many elements between neighbours along an axis that the third is past 2³¹."""
    size = (x.shape[axis] - 1) * step + x.numel() + 1
    memory = torch.from_numpy(np.empty(size, np.float16))  # given out when written to
    rest, strides = 1, []
    for at in reversed(range(x.ndim)):
        strides.insert(0, step if at == axis else rest)
        rest *= 1 if at == axis else x.shape[at]
    return memory.as_strided(x.shape, strides).copy_(x)


def far_output(axis: int, step: int = 2**30 + 1) -> Callable[[torch.Tensor], torch.Tensor]:
    """A layout for the gradient of the output, which has the dtype of the inputs."""
    return lambda x: far(x, axis, step) if x.dtype == torch.float16 else x


@interpreted
@pytest.mark.parametrize("axis", [0, 1, 2, 3], ids=["batch", "head", "row", "column"])
@pytest.mark.parametrize("which", ["q", "k", "v", "mask", "d_out"])
def test_offsets_past_2_to_the_31_are_right(axis: int, which: str) -> None:
    arguments = Case(3, 3, 3, 3, 3, batch=(3,), mask="bias bhls", dtype="float16").arguments
    layout: Any = torch.clone
    if which == "d_out":
        layout = far_output(axis)
    else:
        arguments[which] = far(arguments[which], axis)
    assert_as_good_as_torch(**arguments, layout=layout)


@interpreted
@pytest.mark.parametrize("which", ["q", "k", "v", "mask", "d_out"])
def test_tiles_past_2_to_the_31_are_right(set_tile: Any, which: str) -> None:
    set_tile(16, 16)
    arguments = Case(40, 40, D=3, mask="bias ls", dtype="float16").arguments
    layout: Any = torch.clone
    if which == "d_out":
        layout = far_output(2, 2**26 + 1)
    else:
        arguments[which] = far(arguments[which], arguments[which].ndim - 2, 2**26 + 1)
    assert_as_good_as_torch(**arguments, layout=layout)
