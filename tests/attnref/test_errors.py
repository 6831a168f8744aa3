import re
from typing import Any

import numpy as np
import pytest
import torch

from attnref import attention, attention_weights

GOOD = {"q": (2, 4, 3, 8), "k": (2, 2, 5, 8), "v": (2, 2, 5, 6)}

SHAPES = {  # argument, its shape, what is said
    "q rank 1": ("q", (8,), "expected (L, D) or (…, Hq, L, D)"),
    "q rank 0": ("q", (), "expected (L, D) or (…, Hq, L, D)"),
    "q width 0": ("q", (2, 4, 3, 0), "its last axis must be 1 or more"),
    "k rank": ("k", (2, 5, 8), "it must have as many axes as q, 4"),
    "v rank": ("v", (2, 2, 2, 5, 6), "it must have as many axes as q, 4"),
    "k width": ("k", (2, 2, 5, 4), "its last axis must be q's 8"),
    "k batch": ("k", (3, 2, 5, 8), "its batch must be q's (2,)"),
    "k batch of 1": ("k", (1, 2, 5, 8), "its batch must be q's (2,)"),
    "v batch": ("v", (1, 2, 5, 6), "it must start as k, (2, 2, 5)"),
    "v heads": ("v", (2, 4, 5, 6), "it must start as k, (2, 2, 5)"),
    "v length": ("v", (2, 2, 4, 6), "it must start as k, (2, 2, 5)"),
    "mask length": ("mask", (3, 4), "it must broadcast to (2, 4, 3, 5)"),
    "mask of no keys": ("mask", (3, 0), "it must broadcast to (2, 4, 3, 5)"),
    "mask axes": ("mask", (1, 2, 4, 3, 5), "it must broadcast to (2, 4, 3, 5)"),
    "mask heads": ("mask", (2, 1, 5), "it must broadcast to (2, 4, 3, 5)"),
}


@pytest.mark.parametrize(("name", "shape", "expected"), SHAPES.values(), ids=SHAPES)
def test_a_wrong_shape_is_named_and_explained(
    array: Any, name: str, shape: tuple[int, ...], expected: str
) -> None:
    arguments = {n: array(np.ones(s)) for n, s in {**GOOD, name: shape}.items()}
    message = re.escape(f"{name} has shape {shape}: {expected}")
    with pytest.raises(ValueError, match=f"^{message}$"):
        attention(**arguments)
    if name != "v":
        del arguments["v"]
        with pytest.raises(ValueError, match=f"^{message}$"):
            attention_weights(**arguments)


@pytest.mark.parametrize(("Hq", "Hkv"), [(4, 3), (2, 4), (4, 0)])
def test_heads_that_do_not_divide_are_refused(array: Any, Hq: int, Hkv: int) -> None:
    q, k = array(np.ones((Hq, 3, 8))), array(np.ones((Hkv, 5, 8)))
    with pytest.raises(ValueError, match=rf"^k has shape .*: its {Hkv} heads must divide q's {Hq}"):
        attention(q, k, k)


OPTIONS = {
    "scale nan": ({"scale": float("nan")}, ValueError, "scale is nan: expected a finite number"),
    "scale inf": ({"scale": float("inf")}, ValueError, "scale is inf: expected a finite number"),
    "scale text": ({"scale": "1"}, TypeError, "scale is '1': expected a number"),
    "softcap 0": ({"softcap": 0.0}, ValueError, "softcap is 0.0: expected a finite number above 0"),
    "softcap -1": ({"softcap": -1}, ValueError, "softcap is -1: expected a finite number above 0"),
    "softcap list": ({"softcap": [1]}, TypeError, "softcap is [1]: expected a number"),
    "window int": ({"window": 3}, TypeError, "window is 3: expected a pair (left, right)"),
    "window 3": (
        {"window": (1, 2, 3)},
        TypeError,
        "window is (1, 2, 3): expected a pair (left, right)",
    ),
    "left": ({"window": (-1, 0)}, ValueError, "left is -1: expected 0 or more"),
    "right": ({"window": (0, 0.5)}, TypeError, "right is 0.5: expected a whole number"),
    "mask list": ({"mask": [[True]]}, TypeError, "mask is a list: expected an array"),
}


@pytest.mark.parametrize(("options", "error", "message"), OPTIONS.values(), ids=OPTIONS)
def test_a_wrong_option_is_named_and_explained(
    array: Any, options: Any, error: type[Exception], message: str
) -> None:
    q, k, v = (array(np.ones(shape)) for shape in GOOD.values())
    for call in (lambda: attention(q, k, v, **options), lambda: attention_weights(q, k, **options)):
        with pytest.raises(error, match=f"^{re.escape(message)}$"):
            call()


def test_a_scale_that_would_lose_its_gradient_is_refused() -> None:
    q = torch.ones(3, 2)
    with pytest.raises(TypeError, match=r"^scale is tensor.*: expected a number$"):
        attention(q, q, q, scale=torch.tensor(0.5, requires_grad=True))


@pytest.mark.parametrize("name", ["q", "k", "v"])
def test_integers_and_lists_are_refused(array: Any, name: str) -> None:
    arguments = {n: array(np.ones(s)) for n, s in GOOD.items()}
    arguments[name] = array(np.ones(GOOD[name]), "int64")
    message = rf"^{name} has dtype .*int64: expected real floating$"
    with pytest.raises(TypeError, match=message):
        attention(**arguments)
    with pytest.raises(TypeError, match=f"^{name} is a list: expected an array$"):
        attention(**{**arguments, name: [[1.0]]})


def test_complex_numbers_are_refused(array: Any) -> None:
    q = array(np.ones((3, 2)), "complex128")
    with pytest.raises(TypeError, match=r"^q has dtype .*complex128: expected real floating$"):
        attention(q, q, q)


@pytest.mark.parametrize("name", ["k", "v"])
def test_dtypes_that_differ_are_refused(array: Any, name: str) -> None:
    arguments = {n: array(np.ones(s), "float32") for n, s in GOOD.items()}
    arguments[name] = array(np.ones(GOOD[name]), "float16")
    with pytest.raises(TypeError, match=rf"^{name} has dtype .*float16: expected q's .*float32$"):
        attention(**arguments)


def test_a_mask_of_integers_is_refused(array: Any) -> None:
    q, mask = array(np.ones((3, 2))), array(np.ones((3, 3)), "int64")
    with pytest.raises(TypeError, match=r"^mask has dtype .*int64: expected bool or real floating"):
        attention(q, q, q, mask=mask)


@pytest.mark.parametrize("name", ["k", "v", "mask"])
def test_libraries_that_differ_are_refused(name: str) -> None:
    arguments = dict.fromkeys(("q", "k", "v", "mask"), np.ones((3, 3)))
    arguments[name] = torch.ones(3, 3, dtype=torch.float64)
    message = rf"^{name} is a torch\.Tensor on cpu: expected a numpy\.ndarray on cpu, as q$"
    with pytest.raises(TypeError, match=message):
        attention(**arguments)


@pytest.mark.parametrize("name", ["k", "v", "mask"])
def test_devices_that_differ_are_refused(name: str) -> None:
    arguments = dict.fromkeys(("q", "k", "v", "mask"), torch.ones(3, 3))
    arguments[name] = torch.ones(3, 3, device="meta")
    with pytest.raises(
        TypeError, match=rf"^{name} is a torch\.Tensor on meta: expected a .*on cpu, as q$"
    ):
        attention(**arguments)
