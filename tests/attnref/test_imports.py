import subprocess
import sys
from pathlib import Path

import pytest

import attnref


def loaded_after(code: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after running the code."""
    answer = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        cwd=Path(attnref.__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(answer.stdout.split())


def files_after(code: str) -> set[str]:
    return {m.removeprefix("attnref.") for m in loaded_after(code) if m.startswith("attnref.")}


def test_importing_the_package_loads_neither_its_files_nor_numpy_nor_torch() -> None:
    loaded = loaded_after("import attnref; dir(attnref)")
    assert "attnref" in loaded
    assert not loaded & {"torch", "numpy", "attnref.masks", "attnref.softmax", "attnref.attention"}


def test_a_name_loads_only_the_files_it_needs() -> None:
    assert files_after("from attnref import masks") == {"checks", "masks"}
    assert files_after("from attnref import softmax, logsumexp") == {"checks", "softmax"}
    four = {"attention", "checks", "masks", "softmax"}
    assert files_after("from attnref import attention") == four


def test_numpy_users_never_load_torch() -> None:
    code = (
        "import attnref, numpy as np; x = np.ones((2, 2)); attnref.attention(x, x, x, causal=True)"
    )
    assert "torch" not in loaded_after(code)


@pytest.mark.parametrize(
    "first",
    [
        "",
        "from attnref.attention import attention",
        "import attnref.softmax",
        "import attnref.masks",
    ],
)
def test_names_are_the_functions_whatever_was_imported_first(first: str) -> None:
    loaded_after(
        f"{first}\nimport attnref, types\n"
        "for name in ('softmax', 'logsumexp', 'attention', 'attention_weights'):\n"
        "    assert isinstance(getattr(attnref, name), types.FunctionType), name\n"
        "assert isinstance(attnref.masks, types.ModuleType)"
    )


def test_every_public_name_can_be_had() -> None:
    assert dir(attnref) == sorted(attnref.__all__)
    for name in attnref.__all__:
        getattr(attnref, name)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"^module 'attnref' has no attribute 'atention'$"):
        attnref.atention  # noqa: B018
