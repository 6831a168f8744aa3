"""Makes bfloat16 right in Triton's interpreter, which keeps such numbers as bits in uint16 arrays.

Out of the box (Triton 3.6 to 3.9) the interpreter adds and multiplies these bits as if they were
whole numbers, without a word, and cuts off what a GPU rounds. Once mended:

    tl.load, tl.store, tl.where, reshaping   move bits, as before
    tl.dot                                   multiplies in float32, which is exact
    casts to bfloat16                        round to nearest, ties to even
    all else                                 raises TypeError: a kernel computes in float32
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import torch
import triton
import triton.language as tl
from triton.runtime import interpreter
from triton.runtime.errors import InterpreterError

# Dtypes whose every number float32 holds, so that a cast through it rounds once.
_EXACT = {tl.float32, tl.float16, tl.int1, tl.int8, tl.uint8, tl.int16, tl.uint16}


@cache
def install() -> None:
    """Mends the interpreter of this process, then tries it on a small kernel.

    Raises RuntimeError if this Triton is built so differently that it can't be mended.
    """
    builder = interpreter.InterpreterBuilder
    _replace(builder, "create_dot", _dot)
    _replace(builder, "cast_impl", _cast)
    _replace(builder, "ternary_op", _ternary)
    _replace(builder, "create_fp_to_fp", _fp_to_fp)
    for name in ("binary_op", "unary_op", "create_fma", "create_erf", "create_rsqrt"):
        _replace(builder, name, _refuse)
    _replace(builder, "create_atomic_rmw", _refuse)
    if hasattr(builder, "create_dot_scaled"):  # since 3.8
        _replace(builder, "create_dot_scaled", _refuse)
    _replace(interpreter.ReduceScanOpInterface, "apply", _refuse)  # tl.sum, …
    _patch_once()
    if not hasattr(builder, "get_bf16"):  # before 3.9
        builder.get_bf16 = _constant
    _try()


def _patch_once() -> None:
    """The interpreter remakes Triton's language at each call of a function: once will do."""
    patch = interpreter._patch_lang

    def needed(fn: Any) -> Any:
        languages = [x for x in fn.__globals__.values() if x is tl or x is tl.core]
        if any(tl.core.is_builtin(language.load) for language in languages):
            return patch(fn)
        return interpreter._LangPatchScope()  # with nothing to take back

    interpreter._patch_lang = needed


def widen(bits: Any) -> Any:
    """The numbers that have these bfloat16 bits: uint16 array → float32 array."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def narrow(x: Any) -> Any:
    """The bits of the bfloat16 nearest to each number, ties to even: float32 → uint16 array."""
    bits = np.atleast_1d(x).view(np.uint32)
    # Carries into bit 16 if the half cut off is above 0x8000, or is 0x8000 and bit 16 is odd.
    rounded = (bits + (0x7FFF + (bits >> 16 & 1))) >> 16
    return np.where(np.isnan(x), 0x7FC0, rounded).astype(np.uint16)


def _dot(original: Any, self: Any, a: Any, b: Any, *rest: Any) -> Any:
    return original(self, _in_float32(a), _in_float32(b), *rest)


def _cast(original: Any, self: Any, x: Any, to: Any) -> Any:
    if to.scalar != tl.bfloat16:
        return original(self, _in_float32(x), to)
    if _is_bfloat16(x):
        return x
    if x.dtype.scalar not in _EXACT:
        raise TypeError(
            f"a cast from {x.dtype.scalar} to bfloat16 rounds twice: cast to fp32 first"
        )
    return interpreter.TensorHandle(narrow(x.data.astype(np.float32)), tl.bfloat16)


def _fp_to_fp(original: Any, self: Any, x: Any, to: Any, rounding: Any) -> Any:
    to_nearest = rounding == interpreter._ir.ROUNDING_MODE.RTNE
    if to_nearest and {x.dtype.scalar, to.scalar} == {tl.bfloat16, tl.float16}:  # since 3.9
        return self.cast_impl(x, to)
    return _refuse(original, self, x, to, rounding)


def _constant(self: Any, value: float) -> Any:
    return interpreter.TensorHandle(narrow(np.array([value], np.float32)), tl.bfloat16)


def _ternary(original: Any, self: Any, a: Any, b: Any, c: Any, op: Any) -> Any:
    if op is np.where:  # moves bits
        return original(self, a, b, c, op)
    return _refuse(original, self, a, b, c, op)


def _refuse(original: Any, self: Any, *args: Any) -> Any:
    """The original, unless an argument, or one in a tuple of arguments, is bfloat16."""
    flat = [x for arg in args for x in (arg if isinstance(arg, tuple) else (arg,))]
    if any(map(_is_bfloat16, flat)):
        what = next((x for x in args if isinstance(x, np.ufunc)), original)
        what = getattr(self, "combine_fn", what)  # of a reduction or scan
        raise TypeError(f"{what.__name__} of bfloat16 in Triton's interpreter: cast to fp32 first")
    return original(self, *args)


def _in_float32(x: Any) -> Any:
    return interpreter.TensorHandle(widen(x.data), tl.float32) if _is_bfloat16(x) else x


def _is_bfloat16(x: Any) -> bool:
    dtype = getattr(x, "dtype", x)  # x may be the dtype that is asked for
    return isinstance(dtype, tl.dtype) and dtype.scalar == tl.bfloat16


def _replace(owner: type, name: str, by: Callable[..., Any]) -> None:
    """owner.name(…) becomes by(original, self, …)."""
    original = getattr(owner, name, None)
    if original is None:
        raise _unfit(f"{owner.__name__}.{name} is gone")
    setattr(owner, name, lambda self, *args: by(original, self, *args))


def _try() -> None:
    """Raises RuntimeError unless a kernel multiplies, rounds and stores bfloat16, and adds none."""
    x = (torch.arange(256) - 100).reshape(16, 16).bfloat16()  # whole numbers, so x xᵀ is exact …
    product, rounded = torch.empty(16, 16), torch.empty_like(x)
    expected = x.float() @ x.float().mT  # … but takes up to 20 bits, and bfloat16 has 8
    _multiply[(1,)](x, product, rounded, 16)
    if not torch.equal(product, expected):
        raise _unfit("tl.dot is wrong")
    if not torch.equal(rounded, expected.bfloat16()):
        raise _unfit("a cast to bfloat16 is wrong")
    try:
        _add[(1,)](x, rounded)
    except InterpreterError:
        return
    raise _unfit("it adds bits")


def _unfit(reason: str) -> RuntimeError:
    return RuntimeError(
        f"kernels.interpreter can't make bfloat16 right in the interpreter of Triton "
        f"{triton.__version__}, as it does in that of 3.6 to 3.9: {reason}"
    )


@triton.jit
def _multiply(
    x_ptr: tl.tensor, product_ptr: tl.tensor, rounded_ptr: tl.tensor, N: tl.constexpr
) -> None:
    at = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]  # (N, N)
    x = tl.load(x_ptr + at)  # (N, N)
    product = tl.dot(x, x.T)  # (N, N), float32
    tl.store(product_ptr + at, product)
    tl.store(rounded_ptr + at, product)


@triton.jit
def _add(x_ptr: tl.tensor, sum_ptr: tl.tensor) -> None:
    tl.store(sum_ptr, tl.load(x_ptr) + tl.load(x_ptr))
