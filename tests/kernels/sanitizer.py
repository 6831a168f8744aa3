"""Turns Triton's interpreter into a sanitizer: addresses, races, gaps, order and int32 overflow."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
import torch
from triton.runtime import interpreter
from triton.tools.tensor_descriptor import TensorDescriptor


@dataclass
class Launch:
    """What one launch of a kernel may touch, and touched."""

    kernel: str
    tensors: dict[str, torch.Tensor]  # by the name of the kernel's argument
    described: set[str]  # which of them came as tensor descriptors
    stored: set[int] = field(default_factory=set)  # addresses
    loads: Counter[str] = field(default_factory=Counter)  # elements, by argument

    def has_stored(self, *names: str, within: str = "") -> bool:
        """Whether every element of these arguments was stored, and else only within another."""
        all_of = {address for name in names for address in addresses(self.tensors[name]).tolist()}
        some_of = {*addresses(self.tensors[within]).tolist()} if within else set()
        return all_of <= self.stored <= all_of | some_of


class Sanitizer:
    """Watches what kernels load and store while installed.

    An address that is no element of an argument of the kernel raises IndexError, be it only the
    padding around a view. An element that is stored twice raises RuntimeError, since programs may
    run in any order: with `shuffle`, a seed, they do. Sums and products that leave 32 bits fail
    Triton's own assertion, and so does a device_assert. Without `races`, stores may repeat.
    """

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, shuffle: int | None = None, races: bool = True
    ) -> None:
        self.launches: list[Launch] = []
        self.elements = np.empty(0, np.uint64)  # addresses of those of all arguments, sorted
        self.owners = np.empty(0, np.int64)  # and which argument each is of
        builder, shared = interpreter.InterpreterBuilder, interpreter.interpreter_builder
        monkeypatch.setattr(shared, "options", replace(shared.options, debug=True))
        load, store = builder.create_masked_load, builder.create_masked_store
        begin, place = interpreter.GridExecutor._init_args_hst, builder.set_grid_idx

        def watched_begin(executor: Any, arguments: Any, options: Any) -> Any:
            self._begin(executor, arguments)
            return begin(executor, arguments, options)

        def watched_load(builder: Any, pointers: Any, mask: Any, *rest: Any, **how: Any) -> Any:
            launch, names = self.launches[-1], [*self.launches[-1].tensors]
            _, owners = self._checked("load", pointers, mask)
            for owner, count in zip(*np.unique(owners, return_counts=True), strict=True):
                launch.loads[names[owner]] += int(count)
            return load(builder, pointers, mask, *rest, **how)

        def watched_store(builder: Any, pointers: Any, value: Any, mask: Any, *rest: Any) -> Any:
            stored = self.launches[-1].stored
            asked, _ = self._checked("store", pointers, mask)
            twice = len(np.unique(asked)) < asked.size or not stored.isdisjoint(asked.tolist())
            if races and twice:
                raise RuntimeError(f"program {shared.grid_idx} stores what was stored before")
            stored.update(asked.tolist())
            return store(builder, pointers, value, mask, *rest)

        def shuffled_place(builder: Any, x: int, y: int, z: int) -> None:
            order = np.random.default_rng(shuffle).permutation(builder.grid_dim[0])
            place(builder, int(order[x]), y, z)

        monkeypatch.setattr(interpreter.GridExecutor, "_init_args_hst", watched_begin)
        monkeypatch.setattr(builder, "create_masked_load", watched_load)
        monkeypatch.setattr(builder, "create_masked_store", watched_store)
        if shuffle is not None:
            monkeypatch.setattr(builder, "set_grid_idx", shuffled_place)

    def loads(self, kernel: str) -> Counter[str]:
        """How many elements all launches of a kernel loaded, by argument."""
        return sum((x.loads for x in self.launches if x.kernel == kernel), Counter())

    def _begin(self, executor: Any, arguments: Any) -> None:
        tensors = dict(_tensors(executor.arg_names, arguments))
        described = {
            name
            for name, x in zip(executor.arg_names, arguments, strict=False)
            if isinstance(x, TensorDescriptor)
        }
        self.launches.append(Launch(executor.fn.__name__, tensors, described))
        each = [addresses(x) for x in tensors.values()]
        owners = np.repeat(np.arange(len(each)), [len(x) for x in each])
        self.elements, first = np.unique(np.concatenate(each), return_index=True)
        self.owners = owners[first]

    def _checked(self, what: str, pointers: Any, mask: Any) -> tuple[Any, Any]:
        """The addresses that the mask lets through, and which arguments they are of."""
        let = np.asarray(mask.data)  # the interpreter's own, or a descriptor's
        asked = np.broadcast_to(pointers.data, let.shape)[let]
        if not asked.size:
            return asked, np.empty(0, np.int64)
        at = np.searchsorted(self.elements, asked).clip(max=max(len(self.elements) - 1, 0))
        inside = self.elements[at] == asked if len(self.elements) else np.zeros(asked.shape, bool)
        if not inside.all():
            raise IndexError(f"{what} out of bounds: {(~inside).sum()} of {inside.size} elements")
        return asked, self.owners[at]


def addresses(x: torch.Tensor) -> Any:
    """Those of the elements of x, each once: uint64."""
    offsets = np.zeros(1, np.int64)
    for size, stride in zip(x.shape, x.stride(), strict=True):
        offsets = np.unique(offsets[:, None] + stride * np.arange(size)[None, :])
    return np.uint64(x.data_ptr()) + (offsets * x.element_size()).astype(np.uint64)


def _tensors(names: Any, arguments: Any) -> Iterator[tuple[str, torch.Tensor]]:
    """The tensors among the arguments of a kernel, be they inside of tuples or descriptors."""
    for name, x in zip(names, arguments, strict=False):
        inside = x if isinstance(x, tuple) else (getattr(x, "base", x),)
        yield from ((name, y) for y in inside if isinstance(y, torch.Tensor))
