"""The calls of `attnref` as Triton kernels: the same meaning, for torch tensors, for speed.

Kernels run natively where there is a GPU, and in Triton's interpreter on the CPU where there is
none. Triton fixes its mode when it is imported, so this package imports it, once, in the right
one. TRITON_INTERPRET=1 or 0, set before Python starts, overrules the choice. There is no Triton
for macOS or Windows: there `import kernels` raises ImportError.
"""

import os
import platform
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import attnref

if TYPE_CHECKING:
    from kernels.attention import attention
    from kernels.packed import attention_varlen
    from kernels.sparse import block_sparse_attention

__all__ = ["DEVICE", "INTERPRETED", "attention", "attention_varlen", "block_sparse_attention"]

DEVICE: str  # what runs the kernels, as a page shows it: the name of the GPU, for example

_FILES = {
    "attention": "attention",
    "attention_varlen": "packed",
    "block_sparse_attention": "sparse",
}


def __getattr__(name: str) -> Any:
    if name == "DEVICE":
        return _device()
    if name not in _FILES:
        raise AttributeError(f"module 'kernels' has no attribute {name!r}")
    return getattr(import_module(f"kernels.{_FILES[name]}"), name)


def __dir__() -> list[str]:
    return __all__


def _device() -> str:
    import torch

    if INTERPRETED:
        return "CPU, Triton interpreter"
    return torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU"


def _import_triton() -> bool:
    """Imports Triton in the mode that suits this machine; True if it is the interpreter.

    Raises ImportError where there is no Triton, and RuntimeError if it is here already in the
    other mode.
    """
    import torch

    loaded = "triton" in sys.modules
    if not loaded and not torch.cuda.is_available():
        os.environ.setdefault("TRITON_INTERPRET", "1")
    try:
        import triton
    except ModuleNotFoundError as error:
        if error.name != "triton":
            raise
        raise ImportError(
            f"kernels needs Triton, which is not installed and has no wheel for macOS or Windows "
            f"(this is {platform.system()}): the book shows recorded output of its kernels there, "
            f"and attnref computes the same anywhere.",
            name="triton",
        ) from error

    asked = "TRITON_INTERPRET" in os.environ
    wanted = triton.knobs.runtime.interpret if asked else not torch.cuda.is_available()
    # What @triton.jit made of Triton's own functions while it was being imported.
    interpreted = not isinstance(triton.language.cdiv, triton.JITFunction)
    if wanted != interpreted:
        modes = ("to compile for a GPU", "to interpret")
        raise RuntimeError(
            f"triton was imported before kernels, {modes[interpreted]}, and kernels needs it "
            f"{modes[wanted]} here: import kernels first, or set TRITON_INTERPRET={int(wanted)} "
            f"before Python starts."
        )
    return interpreted


# A package like attnref: kernels.attention is the function, although a file of that name is loaded.
sys.modules[__name__].__class__ = type(attnref)

INTERPRETED: bool = _import_triton()  # whether Triton's interpreter runs them, on the CPU
if INTERPRETED:
    import_module("kernels.interpreter").install()
