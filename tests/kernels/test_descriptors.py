"""Tensors that a card's copy engine fetches by descriptors: what comes is what pointers bring."""

from typing import Any

import pytest
import torch

import attnref
import kernels
from tests.kernels.cases import Case
from tests.kernels.judge import assert_as_good_as_torch, draw
from tests.kernels.layouts import amid_nan, columns_first, in_rows_amid_nan
from tests.kernels.test_packed import ends

if not kernels.INTERPRETED:
    pytest.skip("needs the interpreter", allow_module_level=True)

from tests.kernels.battery import assert_described
from tests.kernels.sanitizer import Sanitizer

ALL = ("k v", "k v", "q k v d_out")  # what comes by descriptors, kernel by kernel
NONE = ("", "", "")
CASES = {
    "plain": Case(16, 32),
    "one": Case(1, 1),
    "off the tile": Case(17, 65, dtype="bfloat16"),
    "causal": Case(35, 49, bounds="causal", dtype="float16"),
    "more queries": Case(49, 35, bounds="causal", dtype="bfloat16"),
    "window": Case(40, 70, bounds="window (9, 5)"),
    "groups and batches": Case(19, 37, 4, 2, batch=(2,), dtype="float16"),
    "batches of batches": Case(5, 35, 2, 1, batch=(1, 2)),
    "no batch": Case(20, 33, batch=None, dtype="bfloat16"),
    "24 wide": Case(17, 33, D=24, dtype="float16"),
    "80 wide": Case(17, 33, D=80, Dv=40, bounds="causal", dtype="bfloat16"),
    "20 wide": Case(33, 35, D=20, Dv=12),
    "Boolean mask": Case(17, 70, 2, mask="Boolean hl", dtype="bfloat16"),
    "bias": Case(33, 35, 2, mask="bias with rows of −∞ ls", softcap=1.5, scale=-0.7),
}


@pytest.fixture
def sanitizer(monkeypatch: pytest.MonkeyPatch) -> Sanitizer:
    return Sanitizer(monkeypatch)


@pytest.fixture(autouse=True)
def by_descriptors(set_tile: Any) -> None:
    set_tile(16, 32, descriptors=True)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_tiles_that_descriptors_bring_are_0_beside_their_tensors(
    sanitizer: Sanitizer, case: Case
) -> None:
    arguments = case.arguments
    rows = {name: in_rows_amid_nan(arguments.pop(name)) for name in "qkv"}
    assert_as_good_as_torch(**rows, **arguments, layout=in_rows_amid_nan)
    assert_described(sanitizer, *ALL)
    forward, backward_q, backward_kv = sanitizer.launches[-3:]
    assert forward.has_stored("out", "lse")
    within = "d_mask" if "d_mask" in backward_q.tensors else ""
    assert backward_q.has_stored("delta", "dq", within=within)
    assert backward_kv.has_stored("dk", "dv")


@pytest.mark.parametrize("causal", [False, True], ids=["full", "causal"])
@pytest.mark.parametrize("block", [(7, 9), (32, 64)], ids=str)
def test_descriptors_bring_the_tiles_that_a_block_mask_lists(
    sanitizer: Sanitizer, block: Any, causal: bool
) -> None:
    L, S = 50, 90
    shape = (2, -(-L // block[0]), -(-S // block[1]))
    chosen = torch.rand(shape, generator=torch.Generator().manual_seed(1)) < 0.6

    def call(q: Any, k: Any, v: Any, mask: Any) -> Any:
        return kernels.block_sparse_attention(q, k, v, chosen, block=block, causal=causal)

    inputs = map(in_rows_amid_nan, draw((2, L, 16), (1, S, 16), (1, S, 24), dtype="float16"))
    mask = attnref.masks.blocks(chosen, block, L, S)
    assert_as_good_as_torch(*inputs, mask=mask, call=call, causal=causal, layout=in_rows_amid_nan)
    assert_described(sanitizer, *ALL)


def test_descriptors_and_pointers_give_the_same_bits(set_tile: Any) -> None:
    results = []
    for descriptors in (True, False):
        set_tile(16, 32, descriptors=descriptors)
        arguments = Case(35, 70, 4, 2, D=24, bounds="causal", dtype="float16").arguments
        wanted = [x.requires_grad_() for x in arguments.values() if isinstance(x, torch.Tensor)]
        out, lse = kernels.attention(**arguments, return_lse=True)
        upstream = draw(out.shape, dtype="float16", seed=1)
        results.append([out, lse, *torch.autograd.grad(out, wanted, upstream)])
    assert all(map(torch.equal, *results))


def of_one_head() -> list[torch.Tensor]:
    q, k, v = draw((2, 5, 16), (1, 33, 16), (1, 33, 16))
    return [q, k.expand(2, 33, 16), v.expand(2, 33, 16)]


def of_one_value() -> list[torch.Tensor]:
    q, k, v = draw((2, 5, 16), (2, 33, 16), (2, 1, 16))
    return [q, k, v.expand(2, 33, 16)]


UNFIT: dict[str, Any] = {
    "keys that are the same for all heads": of_one_head,
    "values that are the same for all keys": of_one_value,
    "rows of 20 bytes": lambda: draw((2, 5, 16), (2, 33, 16), (2, 33, 5)),
    "columns first": lambda: [columns_first(x) for x in draw((2, 5, 16), (2, 33, 16), (2, 33, 16))],
    "an odd start": lambda: [amid_nan(x) for x in draw((2, 5, 14), (2, 33, 14), (2, 33, 14))],
    "no keys": lambda: draw((2, 5, 16), (2, 0, 16), (2, 0, 16)),
}


@pytest.mark.parametrize("inputs", UNFIT.values(), ids=UNFIT)
def test_what_no_descriptor_can_describe_comes_by_pointers(
    sanitizer: Sanitizer, inputs: Any
) -> None:
    assert_as_good_as_torch(*inputs())
    assert {name for launch in sanitizer.launches for name in launch.described} == set()


def test_a_kernel_may_take_descriptors_where_another_can_not(sanitizer: Sanitizer) -> None:
    q, k, v = draw((2, 5, 16), (2, 33, 16), (2, 33, 16))
    assert_as_good_as_torch(columns_first(q), k, v)
    assert_described(sanitizer, "k v", "k v", "")


def test_packed_sequences_come_by_pointers(sanitizer: Sanitizer) -> None:
    q, k, v = (x.requires_grad_() for x in draw((40, 2, 16), (44, 1, 16), (44, 1, 16)))
    lengths = ends([(5, 7), (0, 3), (35, 34)])
    out = kernels.attention_varlen(q, k, v, *lengths, causal=True)
    torch.testing.assert_close(
        out, attnref.attention_varlen(q, k, v, *lengths, causal=True), rtol=1e-5, atol=1e-5
    )
    out.sum().backward()
    assert_described(sanitizer, *NONE)
