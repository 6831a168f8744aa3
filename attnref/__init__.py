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
    from attnref import costs, masks
    from attnref.attention import attention, attention_weights
    from attnref.cache import Cache, PagedCache
    from attnref.decode import decode
    from attnref.features import elu_features, performer_features
    from attnref.heads import join_heads, multi_head_attention, split_heads
    from attnref.latent import absorb, mla, mla_decode
    from attnref.linear import linear_attention
    from attnref.merge import merge
    from attnref.packed import attention_varlen
    from attnref.positions import half_from_interleaved, interleaved_from_half, rope, sinusoidal
    from attnref.softmax import logsumexp, softmax
    from attnref.sparse import block_sparse_attention
    from attnref.tiled import tiled_attention, tiled_attention_backward

__all__ = [
    "Array",
    "Cache",
    "PagedCache",
    "absorb",
    "attention",
    "attention_varlen",
    "attention_weights",
    "block_sparse_attention",
    "costs",
    "decode",
    "elu_features",
    "half_from_interleaved",
    "interleaved_from_half",
    "join_heads",
    "linear_attention",
    "logsumexp",
    "masks",
    "merge",
    "mla",
    "mla_decode",
    "multi_head_attention",
    "performer_features",
    "rope",
    "sinusoidal",
    "softmax",
    "split_heads",
    "tiled_attention",
    "tiled_attention_backward",
]

Array: TypeAlias = Any  # the array API defines what an array does, but no type to name it by

_FILES = {  # file: the names it holds
    "attention": ["attention", "attention_weights"],
    "cache": ["Cache", "PagedCache"],
    "decode": ["decode"],
    "features": ["elu_features", "performer_features"],
    "heads": ["join_heads", "multi_head_attention", "split_heads"],
    "latent": ["absorb", "mla", "mla_decode"],
    "linear": ["linear_attention"],
    "merge": ["merge"],
    "packed": ["attention_varlen"],
    "positions": ["half_from_interleaved", "interleaved_from_half", "rope", "sinusoidal"],
    "softmax": ["logsumexp", "softmax"],
    "sparse": ["block_sparse_attention"],
    "tiled": ["tiled_attention", "tiled_attention_backward"],
    "costs": ["costs"],
    "masks": ["masks"],
}
_FILE = {name: file for file, names in _FILES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _FILE:
        raise AttributeError(f"module 'attnref' has no attribute {name!r}")
    file = import_module(f"attnref.{_FILE[name]}")
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
