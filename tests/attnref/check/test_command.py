"""python -m attnref.check: targets, exit codes, JSON, messages."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from attnref.check.__main__ import main

ROOT = Path(__file__).parents[3]
STRANGERS = """
import warnings

import torch
from torch import nn
from torch.nn import functional as F

print("a tutorial prints")
number = 3

def right(q, k, v, mask=None, causal=False):
    if causal:
        tril = torch.ones(q.size(-2), k.size(-2), dtype=torch.bool).tril(k.size(-2) - q.size(-2))
        mask = tril if mask is None else mask & tril
    return F.scaled_dot_product_attention(q, k, v, mask)

def unscaled(q, k, v):
    print("at every call")
    warnings.warn("at every call")
    return torch.softmax(q @ k.mT, -1) @ v

def hidden(q, k, v, m=None):
    return right(q, k, v, None if m is None else ~m)

def needs(q, k, v, mask, factor):
    return right(q * factor, k, v, mask)

def heads_behind(q, k, v):
    return right(*(x.transpose(1, 2) for x in (q, k, v))).transpose(1, 2)

def raises(q, k, v):
    raise RuntimeError("first line\\nneeds a GPU")

def weights(q, k, v):
    return torch.softmax(q @ k.mT, -1)

class Layer(nn.Module):
    def forward(self, q, k, v):
        return right(q, F.dropout(k, 0.5, self.training), v)

class Wide(Layer):
    def __init__(self, width):
        super().__init__()
"""


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """The command in a folder with strangers.py: exit code, output, errors."""
    (tmp_path / "strangers.py").write_text(STRANGERS)
    (tmp_path / "broken.py").write_text("import nothing_of_that_name\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def command(*arguments: str) -> tuple[int, str, str]:
        for name in ("strangers", "broken"):
            sys.modules.pop(name, None)
        try:
            code = main(list(arguments))
        except SystemExit as stop:
            code = int(stop.code or 0)
        said = capsys.readouterr()
        return code, said.out, said.err

    return command


@pytest.mark.parametrize("target", ["strangers:right", "strangers.py:right", "strangers:Layer"])
def test_who_makes_no_mistake_leaves_with_0(run: Any, target: str) -> None:
    code, out, err = run(target)
    assert code == 0, out
    assert out.startswith(f"{target}: no mistake\n")
    assert err == ""


def test_who_makes_one_leaves_with_1_and_is_told_what_to_do(run: Any) -> None:
    code, out, err = run("strangers:unscaled")
    assert code == 1
    assert out.startswith("strangers:unscaled: 1 mistake\n")
    assert "✗ scale: missing\n" in out
    assert "Divide them by √D" in out
    assert "(plain: out[" in out
    assert "every call" not in out + err


CANNOT = {
    "no colon": ("strangers", "'strangers' names no function: expected module:function"),
    "no module": ("nowhere:fn", "nowhere cannot be imported\n  ModuleNotFoundError: No module"),
    "no file": ("nowhere.py:fn", "cannot be imported\n  FileNotFoundError: there is no file"),
    "broken": ("broken:fn", "ModuleNotFoundError: No module named 'nothing_of_that_name'"),
    "misspelled": ("strangers:rihgt", "strangers has no rihgt: did you mean right?"),
    "no name like it": ("strangers:xyzzy", "strangers has no xyzzy\n"),
    "a number": ("strangers:number", "number is a int: expected a function"),
    "a class": ("strangers:Wide", "is a class that needs arguments: name an instance of it\n"),
    "an argument": ("strangers:needs", "it needs a value for factor: add --set factor=…"),
    "raises": ("strangers:raises", "fails on the plainest input\n  given torch arrays: Runtime"),
    "last line": ("strangers:raises", "RuntimeError: needs a GPU\n"),
    "shape": ("strangers:weights", "ValueError: it returned shape (2, 2, 5, 7): expected (2, 2, 5"),
}


@pytest.mark.parametrize(("target", "message"), CANNOT.values(), ids=CANNOT)
def test_what_cannot_be_run_leaves_with_2_and_says_why(run: Any, target: str, message: str) -> None:
    code, out, err = run(target)
    assert (code, out) == (2, "")
    assert err.startswith(f"{target} could not be run: ")
    assert message in err


def test_a_wrong_call_leaves_with_2(run: Any) -> None:
    assert run()[0] == 2
    code, _, err = run("strangers:right", "--set", "oops")
    assert code == 2
    assert "'oops': expected NAME=VALUE" in err


def test_strict_minds_conventions(run: Any) -> None:
    assert run("strangers:heads_behind")[0] == 0
    assert run("strangers:heads_behind", "--strict")[0] == 1
    assert run("strangers:right", "--strict")[0] == 0


def test_the_layout_can_be_asked_for(run: Any) -> None:
    code, out, _ = run("strangers:heads_behind")
    assert "≠ layout: (B, L, H, D)" in out
    code, out, _ = run("strangers:heads_behind", "--layout", "bhld")
    assert code == 1
    assert "✗ axes: attends over heads" in out
    code, out, _ = run("strangers:heads_behind", "--layout", "blhd", "--strict")
    assert code == 0, out


def test_names_and_values_can_be_given(run: Any) -> None:
    code, out, _ = run("strangers:hidden")
    assert "mask, mask + causal" in out.replace("\n    ", " ")  # not looked at: what is m?
    code, out, _ = run("strangers:hidden", "--mask", "m")
    assert "✗ polarity: inverted" in out
    code, out, _ = run("strangers:hidden", "--mask", "m", "--mask-true", "ignored")
    assert code == 0, out
    code, out, _ = run("strangers:needs", "--set", "factor=2.0")
    assert code == 1
    code, out, _ = run("strangers:needs", "--set", "factor=1")
    assert code == 0, out
    assert "factor=1" in out


def test_json_has_it_all(run: Any) -> None:
    code, out, _ = run("strangers:unscaled", "--json")
    report = json.loads(out)
    assert code == 1
    assert report["name"] == "strangers:unscaled"
    assert report["conforms"] is False
    finding = report["findings"][0]
    assert finding["kind"] == "mistake"
    assert finding["names"] == ["scale: missing"]
    assert finding["cases"] == ["plain", "other sizes"]
    assert report["outcomes"]["plain"] == "differs"
    assert report["outcomes"]["causal"] == "no parameter"


def test_it_runs_from_any_folder_without_torch(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import numpy as np\n"
        "def attention(q, k, v):\n"
        "    e = np.exp(q @ k.swapaxes(-1, -2) * q.shape[-1] ** -0.5)\n"
        "    return e / e.sum(-1, keepdims=True) @ v\n"
    )
    (tmp_path / "torch.py").write_text("raise ImportError('there is no torch here')\n")
    done = subprocess.run(
        [sys.executable, "-m", "attnref.check", "mine:attention", "--library", "numpy"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 1, done.stderr
    assert "✗ large scores: overflow" in done.stdout
