"""Which mode kernels choose, in fresh processes, and what they say where they can't run."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NO_GPU = {"CUDA_VISIBLE_DEVICES": "", "HIP_VISIBLE_DEVICES": ""}
A_GPU = (
    "import torch; torch.cuda.is_available = lambda: True; torch.cuda.get_device_name = lambda: 'A'"
)
SAY = "import kernels; print(kernels.INTERPRETED, kernels.DEVICE, sep=', ')"

needs_triton = pytest.mark.skipif(find_spec("triton") is None, reason="needs Triton")


def run(*lines: str, **environment: str) -> str:
    """What a fresh interpreter prints; or, if it fails, the last line of the traceback."""
    env = {k: v for k, v in os.environ.items() if k != "TRITON_INTERPRET"} | NO_GPU | environment
    command = [sys.executable, "-c", "\n".join(lines)]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    return (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()[-1]


@needs_triton
def test_without_a_gpu_kernels_are_interpreted() -> None:
    x = "import torch; x = torch.eye(2); out = kernels.attention(x, x, x, scale=0)"
    assert run(SAY, x, "assert (out == 0.5).all()") == "True, CPU, Triton interpreter"


@needs_triton
def test_with_a_gpu_kernels_are_compiled() -> None:
    assert run(A_GPU, SAY) == "False, A"


@needs_triton
def test_the_environment_overrules_the_choice() -> None:
    assert run(A_GPU, SAY, TRITON_INTERPRET="1") == "True, CPU, Triton interpreter"
    assert run(SAY, TRITON_INTERPRET="0") == "False, no GPU"


@needs_triton
def test_compiled_kernels_refuse_tensors_on_the_cpu() -> None:
    call = "x = torch.eye(2); kernels.attention(x, x, x)"
    message = "TypeError: q is a torch.Tensor on cpu: expected one on cuda"
    assert run("import torch, kernels", call, TRITON_INTERPRET="0") == message


@needs_triton
def test_triton_imported_before_in_the_other_mode_is_an_error_that_says_what_to_do() -> None:
    assert run("import triton", SAY) == (
        "RuntimeError: triton was imported before kernels, to compile for a GPU, and kernels needs "
        "it to interpret here: import kernels first, or set TRITON_INTERPRET=1 before Python "
        "starts."
    )
    forget = "import os; del os.environ['TRITON_INTERPRET']"
    assert run("import triton", forget, A_GPU, SAY, TRITON_INTERPRET="1") == (
        "RuntimeError: triton was imported before kernels, to interpret, and kernels needs it to "
        "compile for a GPU here: import kernels first, or set TRITON_INTERPRET=0 before Python "
        "starts."
    )


@needs_triton
def test_triton_imported_before_in_the_right_mode_is_fine() -> None:
    assert run("import triton", SAY, TRITON_INTERPRET="1") == "True, CPU, Triton interpreter"
    assert run("import triton", A_GPU, SAY) == "False, A"


BLOCK = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name == {blocked!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Blocker())
"""


def test_without_triton_the_import_says_why_and_what_the_book_does() -> None:
    said = run(BLOCK.format(blocked="triton"), "import kernels")
    assert said.startswith("ImportError: kernels needs Triton, which is not installed and has no ")
    assert "macOS or Windows" in said
    assert "recorded output" in said
    other = "import attnref; print(attnref.attention.__name__)"
    assert run(BLOCK.format(blocked="triton"), other) == "attention"


@needs_triton
def test_a_triton_that_fails_for_another_reason_says_so_itself() -> None:
    said = run(BLOCK.format(blocked="triton.runtime"), "import kernels")
    assert said == "ModuleNotFoundError: No module named 'triton.runtime'"


@needs_triton
@pytest.mark.parametrize("first", ["import kernels.attention", "import kernels.compile"])
def test_attention_is_the_function_whatever_was_imported_first(first: str) -> None:
    check = "import kernels; print(type(kernels.attention).__name__)"
    assert run(first, check) == "function"


@needs_triton
def test_a_file_is_loaded_when_it_is_needed() -> None:
    before = "import kernels, sys; before = dir(kernels), kernels.DEVICE, {*sys.modules}"
    after = "kernels.attention; print({*sys.modules} - before[-1])"
    assert "kernels.attention" in run(before, after)


@needs_triton
def test_every_public_name_can_be_had_and_no_other() -> None:
    import kernels

    assert dir(kernels) == sorted(kernels.__all__)
    for name in kernels.__all__:
        getattr(kernels, name)
    with pytest.raises(AttributeError, match=r"^module 'kernels' has no attribute 'atention'$"):
        kernels.atention  # noqa: B018
