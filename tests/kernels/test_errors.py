"""What kernels.attention refuses: what attnref refuses, and what only a kernel can't take."""

import re
from typing import Any

import numpy as np
import pytest
import torch

import attnref
import kernels
from tests.kernels.judge import DEVICE

GOOD = {"q": (2, 4, 3, 8), "k": (2, 2, 5, 8), "v": (2, 2, 5, 6)}


def arguments(**others: Any) -> dict[str, Any]:
    return {name: torch.ones(shape, device=DEVICE) for name, shape in GOOD.items()} | others


def refuse(message: str, error: type[Exception] = ValueError) -> Any:
    return pytest.raises(error, match=f"^{re.escape(message)}$")


SHAPES = {
    "q rank 1": {"q": (8,)},
    "q width 0": {"q": (2, 4, 3, 0)},
    "k rank": {"k": (2, 5, 8)},
    "v rank": {"v": (2, 2, 2, 5, 6)},
    "k width": {"k": (2, 2, 5, 4)},
    "k batch": {"k": (1, 2, 5, 8)},
    "v heads": {"v": (2, 4, 5, 6)},
    "v length": {"v": (2, 2, 4, 6)},
    "heads that do not divide": {"k": (2, 3, 5, 8), "v": (2, 3, 5, 8)},
    "no KV heads": {"k": (2, 0, 5, 8), "v": (2, 0, 5, 8)},
}


@pytest.mark.parametrize("shapes", SHAPES.values(), ids=SHAPES)
def test_wrong_shapes_are_refused_in_the_words_of_attnref(shapes: Any) -> None:
    wrong = arguments(**{name: torch.ones(shape, device=DEVICE) for name, shape in shapes.items()})
    with pytest.raises(ValueError, match=r" has shape ") as theirs:
        attnref.attention(**wrong)
    with refuse(str(theirs.value)):
        kernels.attention(**wrong)


@pytest.mark.parametrize("scale", [float("nan"), float("inf"), "1", torch.ones(())])
def test_a_wrong_scale_is_refused_in_the_words_of_attnref(scale: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^scale is ") as theirs:
        attnref.attention(**arguments(), scale=scale)
    with refuse(str(theirs.value), theirs.type):
        kernels.attention(**arguments(), scale=scale)


@pytest.mark.parametrize("name", ["q", "k", "v"])
def test_only_torch_tensors_are_taken(name: str) -> None:
    for other in (np.ones(GOOD[name], np.float32), [[1.0]]):
        with refuse(f"{name} is a {type(other).__name__}: expected a torch.Tensor", TypeError):
            kernels.attention(**arguments(**{name: other}))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float8_e5m2])
def test_dtypes_without_a_kernel_are_refused(dtype: torch.dtype) -> None:
    given = {name: x.to(dtype) for name, x in arguments().items()}
    message = f"q has dtype {dtype}: expected torch.float32, torch.float16 or torch.bfloat16"
    with refuse(message, TypeError):
        kernels.attention(**given)


def test_integers_are_refused() -> None:
    with refuse("q has dtype torch.int64: expected real floating", TypeError):
        kernels.attention(**{name: x.long() for name, x in arguments().items()})


@pytest.mark.parametrize("name", ["k", "v"])
def test_dtypes_that_differ_are_refused(name: str) -> None:
    other = torch.ones(GOOD[name], device=DEVICE, dtype=torch.float16)
    message = f"{name} has dtype torch.float16: expected q's torch.float32"
    with refuse(message, TypeError):
        kernels.attention(**arguments(**{name: other}))


def test_devices_without_a_kernel_are_refused() -> None:
    place = "cpu, where Triton interprets" if kernels.INTERPRETED else "cuda"
    with refuse(f"q is a torch.Tensor on meta: expected one on {place}", TypeError):
        kernels.attention(**{name: x.to("meta") for name, x in arguments().items()})


def test_heads_wider_than_256_are_refused() -> None:
    wide, narrow = torch.ones(3, 257, device=DEVICE), torch.ones(3, 256, device=DEVICE)
    with refuse("q has shape (3, 257): its last axis must be 256 or less"):
        kernels.attention(wide, wide, narrow)
    with refuse("v has shape (3, 257): its last axis must be 256 or less"):
        kernels.attention(narrow, narrow, wide)


OPTIONS: dict[str, dict[str, Any]] = {
    "a mask of integers": {"mask": torch.ones(3, 5, dtype=torch.int64)},
    "a mask that does not broadcast": {"mask": torch.ones(4, 5)},
    "a mask of too high a rank": {"mask": torch.ones(1, 2, 4, 3, 5)},
    "a mask of NumPy": {"mask": np.ones((3, 5))},
    "a mask on another device": {"mask": torch.ones(3, 5, device="meta")},
    "a window of one": {"window": (1,)},
    "a window that is a number": {"window": 3},
    "a negative window": {"window": (2, -1)},
    "a window of fractions": {"window": (2.5, 1)},
    "a softcap of 0": {"softcap": 0.0},
    "a negative softcap": {"softcap": -1.0},
    "a softcap that is no number": {"softcap": "1"},
    "an infinite softcap": {"softcap": float("inf")},
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_wrong_options_are_refused_in_the_words_of_attnref(options: Any) -> None:
    with pytest.raises((TypeError, ValueError)) as theirs:
        attnref.attention(**arguments(), **options)
    with refuse(str(theirs.value), theirs.type):
        kernels.attention(**arguments(), **options)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_a_bias_may_have_another_floating_dtype(dtype: torch.dtype) -> None:
    bias = torch.linspace(-1, 1, 5, device=DEVICE).to(dtype).requires_grad_()
    out = kernels.attention(**arguments(), mask=bias)
    torch.testing.assert_close(out, attnref.attention(**arguments(), mask=bias.float()))
    (gradient,) = torch.autograd.grad(out.sum(), [bias])
    assert gradient.dtype == dtype
