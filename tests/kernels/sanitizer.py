"""Turns Triton's interpreter into a sanitizer: addresses, races, gaps and int32 overflow."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from triton.runtime import interpreter


class Sanitizer:
    """Watches what kernels load and store while installed.

    An address that is no element of an argument of the kernel raises IndexError, be it only the
    padding around a view. An element that is stored twice raises RuntimeError, since programs may
    run in any order. Sums and products that leave 32 bits fail Triton's own assertion.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.elements = np.empty(0, np.uint64)  # addresses of those of all arguments, sorted
        self.stored: set[int] = set()
        self.loads = 0
        builder, shared = interpreter.InterpreterBuilder, interpreter.interpreter_builder
        monkeypatch.setattr(shared, "options", replace(shared.options, debug=True))
        load, store = builder.create_masked_load, builder.create_masked_store
        begin = interpreter.GridExecutor._init_args_hst

        def watched_begin(executor: Any, arguments: Any, options: Any) -> Any:
            tensors = [x for x in arguments if isinstance(x, torch.Tensor)]
            self.elements = np.unique(np.concatenate([addresses(x) for x in tensors]))
            self.stored.clear()
            return begin(executor, arguments, options)

        def watched_load(builder: Any, pointers: Any, mask: Any, *rest: Any) -> Any:
            self.loads += len(self._checked("load", pointers, mask))
            return load(builder, pointers, mask, *rest)

        def watched_store(builder: Any, pointers: Any, value: Any, mask: Any, *rest: Any) -> Any:
            for address in self._checked("store", pointers, mask).tolist():
                if address in self.stored:
                    raise RuntimeError(f"program {shared.grid_idx} stores what was stored before")
                self.stored.add(address)
            return store(builder, pointers, value, mask, *rest)

        monkeypatch.setattr(interpreter.GridExecutor, "_init_args_hst", watched_begin)
        monkeypatch.setattr(builder, "create_masked_load", watched_load)
        monkeypatch.setattr(builder, "create_masked_store", watched_store)

    def _checked(self, what: str, pointers: Any, mask: Any) -> Any:
        """The addresses that the mask lets through."""
        asked = np.broadcast_to(pointers.data, mask.data.shape)[mask.data]
        outside = ~np.isin(asked, self.elements)
        if outside.any():
            raise IndexError(f"{what} out of bounds: {outside.sum()} of {outside.size} elements")
        return asked


def addresses(x: torch.Tensor) -> Any:
    """Those of the elements of x, each once: uint64."""
    offsets = np.zeros(1, np.int64)
    for size, stride in zip(x.shape, x.stride(), strict=True):
        offsets = np.unique(offsets[:, None] + stride * np.arange(size)[None, :])
    return np.uint64(x.data_ptr()) + (offsets * x.element_size()).astype(np.uint64)
