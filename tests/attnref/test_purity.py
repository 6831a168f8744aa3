"""No call changes what it was given, and none forgets the dtype or the library of its inputs."""

from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal

import attnref
from tests.attnref.calls import CALLS, arrays


def test_every_public_call_is_here() -> None:
    tested = {name.partition(",")[0] for name in CALLS}
    assert set(attnref.__all__) - tested == {"Array", "costs", "masks", "sinusoidal"}


@pytest.mark.parametrize(("call", "shapes"), CALLS.values(), ids=CALLS)
def test_a_call_changes_nothing_and_both_libraries_agree(draw: Any, call: Any, shapes: Any) -> None:
    values = [1 / (1 + np.exp(-x)) for x in draw(*shapes)]  # in (0, 1): a decay has to be
    for x in values:
        x.setflags(write=False)
    tensors = [torch.tensor(x) for x in values]
    ours, theirs = arrays(call(*values)), arrays(call(*tensors))
    for before, after in zip(values, tensors, strict=True):
        assert_array_equal(after, before)
    for a, b in zip(ours, theirs, strict=True):
        assert isinstance(a, np.ndarray | np.floating)
        assert isinstance(b, torch.Tensor)
        assert str(b.dtype) == f"torch.{a.dtype}"
        assert_allclose(b, a, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize(("call", "shapes"), CALLS.values(), ids=CALLS)
def test_a_call_answers_in_the_dtype_it_was_asked_in(
    array: Any, draw: Any, call: Any, shapes: Any, dtype: str
) -> None:
    values = [1 / (1 + np.exp(-x)) for x in draw(*shapes)]
    inputs = [array(x, dtype) for x in values]
    if call is CALLS["linear_attention"][0]:
        inputs[4:] = [array(x, "float32") for x in values[4:]]  # a state is never narrower
    first = arrays(call(*inputs))[0]
    expected = "float32" if call is attnref.logsumexp else dtype
    assert str(first.dtype).removeprefix("torch.") == expected


READS_VALUES = {"attention_varlen", "linear_attention", "PagedCache"}  # lengths, decays, pages


@pytest.mark.parametrize("name", sorted(CALLS.keys() - READS_VALUES))
def test_a_call_stays_on_the_device_of_its_inputs(name: str) -> None:
    """The meta device knows shapes only, and refuses to be mixed with another."""
    call, shapes = CALLS[name]
    for out in arrays(call(*(torch.ones(shape, device="meta") for shape in shapes))):
        assert out.device.type == "meta"
