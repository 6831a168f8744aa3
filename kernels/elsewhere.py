"""Compiles what a call would launch on a card that is not here, and runs nothing.

The launching code itself is run, with tensors of the CPU: a stand-in for Triton's driver says which
card there is, and launches end once there is a binary. So no second list of arguments can drift
from what the calls do.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import torch
from triton.runtime import driver
from triton.runtime.jit import JITFunction

from kernels.autograd import attend
from kernels.launch import How

BATCH, HEADS, GROUP, LENGTH = 2, 4, 2, 256  # none of which a binary depends on


@dataclass(frozen=True)
class Call:
    """A call of a public function, forward and backward, as far as binaries depend on it."""

    dtype: str  # torch's name
    D: int  # width of all heads
    variant: str  # of VARIANTS


@dataclass(frozen=True)
class _Driver:
    """What Triton asks of a driver before it launches."""

    target: Any
    device: int  # Triton keeps binaries by it

    def get_current_target(self) -> Any:
        return self.target

    def get_current_device(self) -> int:
        return self.device

    def get_current_stream(self, _: int) -> int:
        return 0

    def get_active_torch_device(self) -> torch.device:
        return torch.device("cpu")


def compiled(call: Call, target: Any, device: int, names: tuple[str, ...]) -> dict[str, Any]:
    """The binaries of those kernels that the call launches on the target, by name."""
    found: dict[str, Any] = {}
    with _instead_of_launching(target, device, names, found):
        q, k, v, mask, how = VARIANTS[call.variant](call)
        leaves = [x.requires_grad_() for x in (q, k, v)]
        if mask is not None and mask.is_floating_point():
            leaves.append(mask.requires_grad_())
        out, _ = attend(q, k, v, mask, how)
        torch.autograd.backward(out, torch.empty_like(out), inputs=leaves)
    return found


@contextmanager
def _instead_of_launching(
    target: Any, device: int, names: tuple[str, ...], found: dict[str, Any]
) -> Iterator[None]:
    """While it lasts, a launch of a kernel puts its binary among those found."""
    run = JITFunction.run

    def compile_only(self: Any, *arguments: Any, grid: Any, warmup: bool, **options: Any) -> None:
        name = self.fn.__name__
        if name in names:
            found[name] = run(self, *arguments, grid=grid, warmup=True, **options)

    JITFunction.run = compile_only
    driver.set_active(_Driver(target, device))
    try:
        yield
    finally:
        JITFunction.run = run


def _plain(call: Call) -> tuple[Any, ...]:
    shape, dtype = (BATCH, HEADS, LENGTH, call.D), getattr(torch, call.dtype)
    q = torch.empty(shape, dtype=dtype)
    k, v = (torch.empty((BATCH, HEADS // GROUP, *shape[2:]), dtype=dtype) for _ in range(2))
    return q, k, v, None, How(call.D**-0.5)


def _expanded(call: Call) -> tuple[Any, ...]:
    """One KV head for all by a stride of 0, which a copy engine can't take."""
    q, k, v, _, how = _plain(call)
    return q, k[:, :1].expand_as(k), v[:, :1].expand_as(v), None, replace(how, right=0)


def _how(**changes: Any) -> Callable[[Call], tuple[Any, ...]]:
    def made(call: Call) -> tuple[Any, ...]:
        *tensors, how = _plain(call)
        return *tensors, replace(how, **changes)

    return made


def _boolean(call: Call) -> tuple[Any, ...]:
    q, k, v, _, how = _plain(call)
    return q, k, v, torch.ones(BATCH, HEADS, LENGTH, LENGTH, dtype=torch.bool), how


def _bias(call: Call) -> tuple[Any, ...]:
    q, k, v, _, how = _plain(call)
    return q, k, v, torch.zeros(BATCH, HEADS, LENGTH, LENGTH, dtype=q.dtype), how


def _all(call: Call) -> tuple[Any, ...]:
    *tensors, how = _bias(call)
    return *tensors, replace(how, left=128, right=0, softcap=30.0)


def _packed(call: Call) -> tuple[Any, ...]:
    """Tokens before heads, as `attention_varlen` hands them on."""
    q, k, v, _, how = _plain(call)
    q, k, v = (x[:1].transpose(1, 2).contiguous().transpose(1, 2) for x in (q, k, v))
    ends = torch.tensor([0, LENGTH // 2, LENGTH], dtype=torch.int32)
    return q, k, v, None, replace(how, right=0, ends=(ends, ends), longest=(LENGTH, LENGTH))


def _blocks(*block: int) -> Callable[[Call], tuple[Any, ...]]:
    def made(call: Call) -> tuple[Any, ...]:
        q, k, v, _, how = _plain(call)
        counts = (-(-LENGTH // size) for size in block)
        mask = torch.ones(BATCH, HEADS, *counts, dtype=torch.bool)
        return q, k, v, mask, replace(how, right=0, block=block)

    return made


VARIANTS: dict[str, Callable[[Call], tuple[Any, ...]]] = {
    "full": _plain,
    "causal": _how(right=0),
    "window": _how(left=128, right=0),
    "expanded": _expanded,
    "softcap": _how(softcap=30.0),
    "boolean": _boolean,
    "bias": _bias,
    "all": _all,
    "packed": _packed,
    "sparse": _blocks(128, 128),
    "odd blocks": _blocks(48, 80),
}
