"""A few calls that tell right kernels from wrong ones, the telling ones first."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

import attnref
from tests.kernels.cases import Case
from tests.kernels.judge import assert_as_good_as_torch, draw
from tests.kernels.layouts import LAYOUTS, in_rows_amid_nan
from tests.kernels.loads import assert_loads, assert_loads_what_it_needs
from tests.kernels.sanitizer import Sanitizer
from tests.kernels.test_complaints import far, far_output
from tests.kernels.test_packed import ends, same_sequence

CASES = (
    Case(35, 49, 4, 2, 20, 12, bounds="causal", batch=(2,), layout="every other", scale=0.9),
    Case(49, 35, 2, 1, 20, 12, bounds="window (9, 5)", mask="bias hls", softcap=1.5),
    Case(35, 70, 2, 2, 20, 12, batch=(2,), mask="Boolean bhls", scale=-0.7),
    Case(40, 75, bounds="window (33, 0)", mask="bias with rows of −∞ ls", scale=0),
    Case(33, 70, mask="transposed bias hls", bounds="causal window (16, 7)", dtype="bfloat16"),
    Case(70, 75, bounds="window (31, 32)", D=40),
    Case(5, 70, D=8, Dv=33, scale=100.0),
    Case(5, 0),
    Case(9, 13, 4, 2, batch=(2, 2), layout="axes reversed", mask="bias bhls"),
)
DESCRIBED = (
    Case(35, 70, 2, 1, 24, 40, batch=(3,), bounds="causal", dtype="float16"),
    Case(33, 35, 2, 2, 20, 12, bounds="window (9, 5)", mask="bias ls"),
)
UNFIT = (
    Case(17, 33, D=5),
    Case(5, 33, layout="columns first"),
    Case(5, 33, layout="interleaved"),
    Case(5, 0),
)
BANDS: tuple[dict[str, Any], ...] = (
    {"causal": True},
    {"window": (9, 5)},
    {"window": (16, 15)},
    {"window": (31, 0)},
)
PACKED = [(5, 7), (40, 33), (0, 3), (4, 0), (17, 70)]


def judge(package: Any, sanitizer: Sanitizer) -> None:
    """Raises an error if it shows in one of these calls that the kernels of a package are wrong."""
    for check in checks(package, sanitizer):
        check()


def checks(package: Any, sanitizer: Sanitizer) -> Iterator[Callable[[], None]]:
    """package: attention, attention_varlen and block_sparse_attention, in tiles of 16 by 32."""
    for case in CASES:
        yield lambda case=case: on_case(package, case)
    yield lambda: on_descriptors(package, sanitizer)
    yield lambda: on_results_alone(package)
    yield lambda: on_summed_bias(package)
    for options in ({}, {"causal": True}, {"window": (6, 3)}):
        yield lambda options=options: on_packed(package, sanitizer, options)
    for block, causal in (
        ((7, 9), True),
        ((16, 32), True),
        ((32, 32), False),
        ((32, 64), False),
        ((64, 24), True),
        ((24, 32), True),
    ):
        yield lambda block=block, causal=causal: on_blocks(package, sanitizer, block, causal)
    for options in BANDS:
        yield lambda options=options: on_band(package, sanitizer, options)
    for which in ("q", "k", "v", "mask", "d_out"):
        yield lambda which=which: on_far(package, which)


def on_case(package: Any, case: Case, **changed: Any) -> None:
    arguments = {**case.arguments, **changed}
    options = {name: x for name, x in arguments.items() if name not in ("q", "k", "v", "mask")}

    def call(q: Any, k: Any, v: Any, mask: Any) -> Any:
        return package.attention(q, k, v, mask=mask, return_lse=True, **options)

    layout = options.pop("layout", LAYOUTS[case.layout])
    arguments.pop("layout", None)
    assert_as_good_as_torch(**arguments, call=call, layout=layout)


def on_descriptors(package: Any, sanitizer: Sanitizer) -> None:
    """What lies in rows comes by tensor descriptors, all else by pointers, and all is right."""
    package.set_tile(descriptors=True)
    for case in DESCRIBED:
        arguments = case.arguments
        rows = {name: in_rows_amid_nan(arguments[name]) for name in "qkv"}
        on_case(package, case, **rows, layout=in_rows_amid_nan)
        assert_described(sanitizer, "k v", "k v", "q k v d_out")
    for case in UNFIT:
        on_case(package, case)
        assert_described(sanitizer, "", "", "")
    q, k, v = draw((2, 5, 16), (1, 33, 16), (1, 33, 16))
    stand_still = (q, k.expand(2, 33, 16), v.expand(2, 33, 16))
    assert_as_good_as_torch(*stand_still, call=lambda q, k, v, mask: package.attention(q, k, v))
    assert_described(sanitizer, "", "", "")
    shifted = [x[..., 1:17] for x in draw((1, 5, 20), (1, 33, 20), (1, 33, 20))]
    assert_as_good_as_torch(*shifted, call=lambda q, k, v, mask: package.attention(q, k, v))
    assert_described(sanitizer, "", "", "")
    on_packed(package, sanitizer, {"causal": True})
    package.set_tile()


def assert_described(sanitizer: Sanitizer, *expected: str) -> None:
    """What came by descriptors to the last launches of forward, backward_q and backward_kv."""
    assert [x.described for x in sanitizer.launches[-3:]] == [{*x.split()} for x in expected]


def on_summed_bias(package: Any) -> None:
    """The gradient of a bias is summed before it is rounded."""
    q, k, v, bias = draw((2, 35, 16), (1, 40, 16), (1, 40, 16), (40,))
    rounded = bias.bfloat16()
    found = [
        torch.autograd.grad(package.attention(q, k, v, mask=x).square().sum(), x)[0]
        for x in (rounded.requires_grad_(), rounded.detach().float().requires_grad_())
    ]
    assert torch.equal(found[0], found[1].bfloat16())


def on_results_alone(package: Any) -> None:
    """The gradient of one result, where the other has none."""
    q, k, v = (x.requires_grad_() for x in draw((5, 16), (7, 16), (7, 16)))
    for at, wanted in ((0, [q, k, v]), (1, [q, k])):
        found, true = (
            torch.autograd.grad(f(q, k, v, return_lse=True)[at].sum(), wanted)
            for f in (package.attention, attnref.attention)
        )
        for x, y in zip(found, true, strict=True):
            torch.testing.assert_close(x, y, rtol=1e-4, atol=1e-5)


def on_packed(package: Any, sanitizer: Sanitizer, options: Any) -> None:
    ends_q, ends_k = ends(PACKED)

    def call(q: Any, k: Any, v: Any, mask: Any) -> Any:
        packed = (x.transpose(0, 1) for x in (q, k, v))
        return package.attention_varlen(*packed, ends_q, ends_k, **options).transpose(0, 1)

    tokens, keys = int(ends_q[-1]), int(ends_k[-1])
    inputs = draw((2, tokens, 16), (1, keys, 16), (1, keys, 16))
    assert_as_good_as_torch(*inputs, mask=same_sequence(ends_q, ends_k, options), call=call)
    if options:
        return
    assert_loads(
        sanitizer,
        lambda q, k, v: call(q, k, v, None),
        inputs,
        keys=2 * 16 * sum(-(-L // 16) * S for L, S in PACKED),
        queries=2 * 16 * sum(-(-S // 32) * L for L, S in PACKED),
    )


def on_blocks(package: Any, sanitizer: Sanitizer, block: Any, causal: bool) -> None:
    L, S = 75, 92  # the last query of the first tile sees the first key of the second
    shape = (2, -(-L // block[0]), -(-S // block[1]))
    chosen = torch.rand(shape, generator=torch.Generator().manual_seed(1)) < 0.6

    def call(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
        return package.block_sparse_attention(q, k, v, chosen, block=block, causal=causal)

    mask = attnref.masks.blocks(chosen, block, L, S)
    inputs = draw((2, L, 16), (1, S, 16), (1, S, 16))
    assert_as_good_as_torch(*inputs, mask=mask, call=call, causal=causal)
    pairs = _of_tiles(chosen, block, L, S, causal)
    assert_loads_what_it_needs(sanitizer, call, inputs, pairs)


def _of_tiles(chosen: Any, block: Any, L: int, S: int, causal: bool) -> torch.Tensor:
    """The pairs of tiles with a block that takes part and a pair that is not hidden by causal."""
    pairs = attnref.masks.blocks(chosen, block, L, S)
    if not causal:
        return pairs
    needed = torch.zeros_like(pairs)
    allowed = torch.ones(L, S, dtype=torch.bool).tril(S - L)
    for i in range(0, L, 16):
        for j in range(0, S, 32):
            tile = (..., slice(i, i + 16), slice(j, j + 32))
            needed[tile] = pairs[tile].any((-2, -1), keepdim=True) & allowed[tile].any()
    return needed


def on_band(package: Any, sanitizer: Sanitizer, options: Any) -> None:
    for L, S in ((96, 128), (128, 80)):
        pairs = torch.ones(1, L, S, dtype=torch.bool)
        if options.get("causal"):
            pairs &= attnref.masks.causal(L, S, like=pairs)
        if "window" in options:
            pairs &= attnref.masks.window(L, S, *options["window"], like=pairs)
        inputs = draw((1, L, 16), (1, S, 16), (1, S, 16))
        assert_loads_what_it_needs(
            sanitizer, lambda q, k, v: package.attention(q, k, v, **options), inputs, pairs
        )


def on_far(package: Any, which: str) -> None:
    """Offsets past 2³¹, along each axis, and from tile to tile."""
    for axis, case in (
        *((axis, Case(3, 3, 3, 3, 3, batch=(3,))) for axis in (0, 1, 2, 3)),
        (2, Case(40, 40, D=3)),
    ):
        case = case._replace(mask="bias bhls", dtype="float16")
        step = 2**30 + 1 if case.L == 3 else 2**26 + 1
        if which == "d_out":
            on_case(package, case, layout=far_output(axis, step))
            continue
        x = case.arguments[which]
        on_case(package, case, **{which: far(x, axis + x.ndim - 4, step)})
