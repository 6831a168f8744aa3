"""bfloat16 in Triton's interpreter, mended by kernels.interpreter, against torch's."""

import numpy as np
import pytest
import torch

import kernels

if not kernels.INTERPRETED:
    pytest.skip("needs the interpreter", allow_module_level=True)

import triton
import triton.language as tl
from triton.runtime import interpreter
from triton.runtime.errors import InterpreterError

from kernels.interpreter import _replace, _try, narrow, widen

SPECIAL = [  # bits of float32
    *(0x0000_0000, 0x8000_0000),  # zeros
    *(0x0000_0001, 0x0000_7FFF, 0x0000_8000, 0x0000_8001, 0x0001_8000, 0x007F_FFFF),  # subnormal
    *(0x0080_0000, 0x007F_8000, 0x807F_8000),  # where the normal numbers begin
    *(0x3F80_7FFF, 0x3F80_8000, 0x3F80_8001, 0x3F81_7FFF, 0x3F81_8000, 0x3F81_8001),  # ties at 1
    *(0x7F7F_7FFF, 0x7F7F_8000, 0x7F7F_FFFF, 0xFF7F_8000),  # the last that are finite, and not
    *(0x7F80_0000, 0xFF80_0000),  # infinities
    *(0x7F80_0001, 0x7FC0_0000, 0x7FFF_FFFF, 0xFF80_0001, 0xFFFF_FFFF),  # NaNs
]
ALL = np.arange(2**16, dtype=np.uint16)  # every bfloat16 and every float16 there is


def patterns() -> torch.Tensor:
    """float32 of all sorts: the special ones, and 2¹⁷ of random bits, a quarter of them ties."""
    bits = np.random.default_rng(0).integers(0, 2**32, 2**17, dtype=np.uint32)
    bits[: 2**15] = bits[: 2**15] & 0xFFFF_0000 | 0x8000
    bits[: len(SPECIAL)] = SPECIAL
    return torch.from_numpy(bits.view(np.float32))


def assert_same(ours: torch.Tensor, theirs: torch.Tensor) -> None:
    """The same numbers, zeros of the same sign, NaN for NaN."""
    assert ours.dtype == theirs.dtype
    bits = {2: torch.int16, 4: torch.int32, 8: torch.int64}[ours.itemsize]
    same = (ours.view(bits) == theirs.view(bits)) | (ours.isnan() & theirs.isnan())
    assert same.all(), (ours[~same], theirs[~same])


@triton.jit
def _copy(x_ptr: tl.tensor, y_ptr: tl.tensor, N: tl.constexpr) -> None:
    at = tl.arange(0, N)
    tl.store(y_ptr + at, tl.load(x_ptr + at).to(y_ptr.dtype.element_ty))


def cast(x: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    y = torch.zeros(x.shape, dtype=dtype)
    _copy[(1,)](x, y, x.numel())
    return y


def test_float32_becomes_the_nearest_bfloat16_ties_to_even() -> None:
    assert_same(cast(patterns(), torch.bfloat16), patterns().bfloat16())


def test_narrow_and_widen_are_the_casts() -> None:
    bits = narrow(patterns().numpy())
    assert_same(torch.from_numpy(bits).view(torch.bfloat16), patterns().bfloat16())
    assert_same(torch.from_numpy(widen(bits)), patterns().bfloat16().float())


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16])
@pytest.mark.filterwarnings("ignore:.* encountered in cast:RuntimeWarning")  # infinity, NaN
def test_every_bfloat16_becomes_the_nearest_number_of_another_dtype(dtype: torch.dtype) -> None:
    x = torch.from_numpy(ALL).view(torch.bfloat16)
    assert_same(cast(x, dtype), x.to(dtype))


def test_every_float16_becomes_the_nearest_bfloat16() -> None:
    x = torch.from_numpy(ALL).view(torch.float16)
    assert_same(cast(x, torch.bfloat16), x.bfloat16())


def test_bfloat16_and_small_whole_numbers_become_each_other() -> None:
    x = torch.arange(-128, 128)
    assert torch.equal(cast(x.to(torch.int8), torch.bfloat16), x.bfloat16())
    assert torch.equal(cast(x.bfloat16(), torch.int32), x.int())


def test_a_copy_keeps_every_bit() -> None:
    x = torch.from_numpy(ALL).view(torch.bfloat16)
    assert torch.equal(cast(x, torch.bfloat16).view(torch.int16), x.view(torch.int16))


@triton.jit
def _choose(x_ptr: tl.tensor, y_ptr: tl.tensor, N: tl.constexpr) -> None:
    at = tl.arange(0, N)
    x = tl.load(x_ptr + at, mask=at < N // 2, other=-1.5)
    x = tl.where(at % 4 == 0, x, tl.where(at % 4 == 1, tl.abs(x), 0.3))
    tl.store(y_ptr + at, tl.reshape(x, (2, N // 2)).T.reshape(N))


def test_masks_choices_and_reshaping_move_bits() -> None:
    x = torch.randn(64, generator=torch.Generator().manual_seed(0)).bfloat16()
    y = torch.zeros_like(x)
    _choose[(1,)](x, y, 64)
    expected = torch.cat([x[:32], torch.full((32,), -1.5).bfloat16()])
    expected[1::4] = expected[1::4].abs()
    expected[2::4] = expected[3::4] = 0.3
    assert torch.equal(y, expected.view(2, 32).mT.reshape(64))


@triton.jit
def _multiply(
    a_ptr: tl.tensor, b_ptr: tl.tensor, c_ptr: tl.tensor, at: tl.constexpr, N: tl.constexpr
) -> None:
    at = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    c = tl.load(c_ptr + at)
    tl.store(c_ptr + at, tl.dot(tl.load(a_ptr + at), tl.load(b_ptr + at), c))


@pytest.mark.parametrize("size", [1.0, 2.0**-66, 2.0**60], ids=["normal", "subnormal", "large"])
def test_a_dot_product_is_exact_but_for_float32_sums(size: float) -> None:
    generator = torch.Generator().manual_seed(0)
    a, b, c = (torch.randn(32, 32, generator=generator) * size for _ in range(3))
    a, b, c = a.bfloat16(), b.bfloat16(), c * size
    true = a.double() @ b.double() + c.double()
    _multiply[(1,)](a, b, c, 0, 32)
    sums = a.double().abs() @ b.double().abs() + c.double().abs()
    assert bool(((c.double() - true).abs() <= 33 * 2.0**-24 * sums + 33 * 2.0**-149).all())


@triton.jit
def _do(x_ptr: tl.tensor, y_ptr: tl.tensor, WHAT: tl.constexpr) -> None:
    at = tl.arange(0, 4)
    x = tl.load(x_ptr + at)
    if WHAT == "add":
        y = x + x
    elif WHAT == "negate":
        y = -x
    elif WHAT == "scale":
        y = x * 2.0
    elif WHAT == "compare":
        y = tl.where(x < x, x, x)
    elif WHAT == "exponential":
        y = tl.exp(x)
    elif WHAT == "root":
        y = tl.sqrt(x)
    elif WHAT == "inverse root":
        y = tl.rsqrt(x)
    elif WHAT == "error function":
        y = tl.erf(x)
    elif WHAT == "fma":
        y = tl.fma(x, x, x)
    elif WHAT == "sum":
        y = x + tl.sum(x, 0)
    elif WHAT == "atomic":
        y = tl.atomic_add(y_ptr + at, x)
    elif WHAT == "toward zero":
        y = x.to(tl.float32).to(tl.bfloat16, fp_downcast_rounding="rtz")
    elif WHAT == "float64":
        y = x.to(tl.float64).to(tl.bfloat16)
    else:
        y = x
    tl.store(y_ptr + at, y)


ARITHMETIC = (
    *("add", "negate", "scale", "compare", "exponential", "root", "inverse root"),
    *("error function", "fma", "sum", "atomic", "toward zero", "float64"),
)


@pytest.mark.parametrize("what", ARITHMETIC)
def test_all_else_raises_instead_of_computing_with_bits(what: str) -> None:
    x = torch.ones(4, dtype=torch.bfloat16)
    with pytest.raises(InterpreterError, match=r"cast to fp32 first|must be|dtype"):
        _do[(1,)](x, torch.zeros_like(x), what)


def test_what_raises_for_bfloat16_is_fine_for_float32() -> None:
    x = torch.ones(4)
    for what in ARITHMETIC[:-2]:
        _do[(1,)](x, torch.zeros_like(x), what)
    _do[(1,)](x.bfloat16(), torch.zeros_like(x).bfloat16(), "nothing")


UNFIT = {
    "create_dot": "tl.dot is wrong",
    "cast_impl": "a cast to bfloat16 is wrong",
    "binary_op": "it adds bits",
}


@pytest.mark.parametrize(("method", "complaint"), UNFIT.items())
def test_an_interpreter_that_is_not_mended_is_found_out(
    monkeypatch: pytest.MonkeyPatch, method: str, complaint: str
) -> None:
    builder = interpreter.InterpreterBuilder
    mended = getattr(builder, method)
    original = next(
        c.cell_contents for c in mended.__closure__ if "Builder" in str(c.cell_contents)
    )
    monkeypatch.setattr(builder, method, original)
    with pytest.raises(RuntimeError, match=f"of Triton .* 3.6 to 3.9: {complaint}$"):
        _try()


def test_an_interpreter_built_otherwise_is_found_out() -> None:
    with pytest.raises(RuntimeError, match=r"InterpreterBuilder.create_nothing is gone$"):
        _replace(interpreter.InterpreterBuilder, "create_nothing", print)
