"""Attention, plainly: the reference that everything else in this book is compared to.

Every call takes NumPy arrays, torch tensors (on any device, with autograd) or arrays of any other
library that follows the Python array API, and answers in kind. A file is loaded when a name that
it holds is first used, so nothing imports more than it needs, and nothing here imports torch.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from attnref import masks
    from attnref.attention import attention, attention_weights
    from attnref.softmax import logsumexp, softmax

__all__ = ["Array", "attention", "attention_weights", "logsumexp", "masks", "softmax"]

Array: TypeAlias = Any  # the array API defines what an array does, but no type to name it by

_FILES = {
    "attention": "attention",
    "attention_weights": "attention",
    "logsumexp": "softmax",
    "masks": "masks",
    "softmax": "softmax",
}


def __getattr__(name: str) -> Any:
    if name not in _FILES:
        raise AttributeError(f"module 'attnref' has no attribute {name!r}")
    file = import_module(f"attnref.{_FILES[name]}")
    return getattr(file, name, file)


def __dir__() -> list[str]:
    return __all__


class _Package(ModuleType):
    """Lets `attnref.softmax` be the function, although a file of that name is loaded too.

    Python binds every file it has loaded to the package, under the file's name. Here it binds what
    the file holds under that name instead, where there is such a thing.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType):
            value = getattr(value, name, value)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
