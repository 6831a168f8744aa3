"""The rule can fail: each of these mistakes in the kernel is found by a few of the cases."""

from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import kernels
from tests.kernels.cases import Case
from tests.kernels.judge import assert_as_good_as_torch, draw
from tests.kernels.layouts import batches_that_do_not_merge, every_other

if not kernels.INTERPRETED:
    pytest.skip("needs the interpreter", allow_module_level=True)

from triton.runtime.errors import InterpreterError

from tests.kernels.sanitizer import Sanitizer

MUTANTS = {
    "no scale": ("q.shape[-1] ** -0.5", "1.0"),
    "scale with base e": ("scale * log2(e)", "scale"),
    "lse with base 2": (" * LN_2)", ")"),
    "causal ignored": ("bool(causal)", "False"),
    "causal aligned at the first key": ("i[:, None] + (S - L)", "i[:, None]"),
    "own key hidden": ("j[None, :] <= i[:, None]", "j[None, :] < i[:, None]"),
    "next key seen": ("i[:, None] + (S - L)", "i[:, None] + (S - L) + 1"),
    "first tiles aligned at the first key": ("first + 1 + S - L", "first + 1"),
    "a tile too early taken for visible": ("first + 1 + S - L", "first + 2 + S - L"),
    "a tile too late taken for hidden": ("after + BLOCK_L - 1", "after + BLOCK_L - 2"),
    "keys beyond the last": ("S // BLOCK_S * BLOCK_S, S", "S, S"),
    "KV head of the wrong group": ("kv = h // G", "kv = h % (Hq // G)"),
    "batch and head mixed up": ("bh // Hq, bh % Hq", "bh % Hq, bh // Hq"),
    "output not faded": ("acc * fade[:, None]", "acc"),
    "total not faded": ("total * fade + ", "total + "),
    "top of this tile alone": ("tl.maximum(top, tl.max(scores, 1))", "tl.max(scores, 1)"),
    "no guard before the first key": ('tl.where(higher == float("-inf"), 0.0, higher)', "higher"),
    "no guard for no key": ("tl.where(empty, 1.0, total)", "total"),
    "queries read beyond the last": ("(i[:, None] < L) & (d[None, :] < D)", "d[None, :] < D"),
    "keys read beyond the last": ("k_mask & (j[None, :] < S)", "k_mask"),
    "values read beyond the last": ("v_mask & (j[:, None] < S)", "v_mask"),
    "keys read beyond their width": ("d[:, None] < D,", "d[:, None] < BLOCK_D,"),
    "output written beyond its width": ("(i[:, None] < L) & (dv[None, :] < DV)", "i[:, None] < L"),
    "lse written beyond the last": ("lse, mask=i < L", "lse, mask=i < L + 1"),
    "last row not written": ("lse, mask=i < L", "lse, mask=i < L - 1"),
    "rows in 32 bits": ("rows.to(tl.int64)", "rows"),
    "tiles in 32 bits": ("tl.cast(s, tl.int64)", "s"),
    "heads in 32 bits": ("(tl.program_id(0) // tiles).to(tl.int64)", "tl.program_id(0) // tiles"),
    "neighbours assumed in a row": ("v_ss, dv, v_sd)", "v_ss, dv, 1)"),
    "batches merged that don't": ("return x.stride(0) ==", "return True or x.stride(0) =="),
}


@pytest.fixture
def changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, set_tile: Callable[[int, int], None]
) -> Callable[[str, str], Any]:
    """changed(old, new) is the attention of a kernel with this change, in small tiles."""
    set_tile(16, 32)
    Sanitizer(monkeypatch)  # a stray load is an error, not the end of the process

    def change(old: str, new: str) -> Any:
        source = Path(kernels.__file__ or "").with_name("attention.py").read_text(encoding="utf-8")
        assert source.count(old) == 1
        file = tmp_path / "mutant.py"
        file.write_text(source.replace(old, new), encoding="utf-8")
        spec = spec_from_file_location("mutant", file)
        assert spec
        assert spec.loader
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.attention

    return change


def judge(attention: Any) -> None:
    """Raises an error if it shows in one of these few cases that the kernel is wrong."""

    def try_on(inputs: Any, **options: Any) -> None:
        assert_as_good_as_torch(*inputs, attention=attention, **options)

    for L, S in ((35, 36), (35, 49), (49, 35)):
        try_on(draw(*Case(L, S, D=20, Dv=12).shapes), causal=True)
    try_on(draw(*Case(3, 5, 4, 2, B=3).shapes))
    try_on(draw(*Case(5, 70).shapes), scale=100.0)
    try_on(draw(*Case(5, 0).shapes))
    try_on(every_other("float32"))
    try_on(batches_that_do_not_merge("float32"))
    for shape, strides in (
        ((3, 2, 3, 3), (2**30 + 1, 9, 3, 1)),
        ((1, 2, 3, 3), (0, 9, 2**30 + 1, 1)),
        ((1, 1, 40, 3), (0, 0, 2**26 + 1, 1)),
    ):
        far = torch.from_numpy(np.empty(2**31 + 2**30, np.float16))  # given out when written to
        x = far.as_strided(shape, strides).copy_(draw(shape, dtype="float16")[0])
        try_on((x, x, x))


def test_the_kernel_itself_passes(changed: Any) -> None:
    judge(changed("def attention(", "def attention("))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # mutants overflow
@pytest.mark.parametrize(("old", "new"), MUTANTS.values(), ids=MUTANTS)
def test_a_mistake_is_found(changed: Any, old: str, new: str) -> None:
    attention = changed(old, new)
    with pytest.raises((AssertionError, InterpreterError, RuntimeError)):
        judge(attention)
