"""The grammar: what a claim touches, and that a wrong digit is always noticed."""

from __future__ import annotations

import pytest

from tests.proofread.conftest import Kinds, Marks

TRUE = [
    "The weight is 0.2483<!-- = w[0] -->.",
    "The weight is **0.2483**<!-- = w[0] --> and `0.5035`<!-- = w[2] -->.",
    "They are 0.2483, 0.2483 and 0.5035<!-- = *w -->, in order.",
    "They are 0.2483, 0.2483 and 0.5035.<!-- = w -->",
    "The row [0.2483, 0.2483, 0.5035]<!-- = w --> and the matrix [[1, 0], [0.3302, 0.6698]]<!-- = A -->.",
    "The shape is (3, 2)<!-- = k.shape -->, or `(3, 2)`<!-- = k.shape -->.",
    "A cache of 4 GiB<!-- = n_bytes -->, that is 4.295 GB<!-- = n_bytes --> or 4,294,967,296<!-- = n_bytes --> bytes.",
    "A share of 24.83%<!-- = w[0] -->, a factor of 213×<!-- = gain -->, an angle of 30°<!-- = theta -->.",
    "From 25 to 50%<!-- = w[1], w[2] -->, or 25–50%<!-- = w[1], w[2] -->.",
    "Below 10⁻⁶<!-- = tol --> or 1e-6<!-- = tol -->, and −0.3302<!-- = -A[1, 0] -->.",
    "There are eight<!-- = heads --> heads, 2³<!-- = heads --> in all, 1/8<!-- = half --> each.",
    "Every row sums to 1<!-- = A.sum(1) -->; the mask holds −∞<!-- = -np.inf -->.",
    "It prints `True`<!-- = heads == 8 --> in `float64`<!-- = w.dtype -->.",
    "## 213× larger<!-- = gain -->",
    "![Bars of 0.2483 and 0.5035.](a.svg)<!-- = w[1], w[2] -->",
    "[about 4 GiB](03-x.md)<!-- = n_bytes --> of memory",
    "- [x] 0.2483<!-- = w[0] -->\n- [ ] 0.5035<!-- = w[2] -->",
    '!!! note "A factor of 213×<!-- = gain -->"\n\n    The weight 0.2483<!-- = w[0] -->.',
    "> Quoted: 0.2483<!-- = w[0] -->,\n> and 0.5035<!-- = w[2] -->.",
    "| key | weight<!-- = w --> |\n|---|---|\n| a | 0.2483 |\n| b | 0.2483 |\n| c | 0.5035 |",
    "| weight<!-- = w[0] * 0 --> | a |\n|---|---|\n| 0 | x |",
    "| | a | b |\n|---|---|---|\n| first<!-- = A[0] --> | 1 | 0 |\n| second<!-- = A[1] --> | 0.3302 | 0.6698 |",
    "| a | b |\n|---|---|\n| 1.0 | 0.0 |\n| 0.33 | 0.67 |\n\n<!-- = A -->",
    "$q \\cdot k_3 = 1 + 1 = 2$<!-- = q @ k[2] -->",
    "$0.2483 + 0.5035 = 0.7518$<!-- = -->, $\\sqrt{64} = 8$<!-- = -->, $\\frac{1}{3} \\approx 0.333$<!-- = -->",
    "$e^{0.7071} \\approx 2.0281$<!-- = math.exp(0.5**0.5) -->",
    "$\\frac{0.2483}{0.5035} \\approx 0.493$<!-- = w[0] / w[2] from w[0], w[2] -->",
    "$0.3302\\,v_1 + 0.6698\\,v_2$<!-- from A[1] -->",
    "$4 \\cdot 2^{30} = 4{,}294{,}967{,}296 \\approx 4.295 \\times 10^9$<!-- = n_bytes -->",
    "$4\\,\\text{GiB} = 4 \\cdot 2^{30}$<!-- = n_bytes -->, $\\sin(30^\\circ) = 0.5$<!-- = math.sin(theta) from theta -->",
    "$$\nA = \\begin{pmatrix} 1 & 0 \\\\ 0.3302 & 0.6698 \\end{pmatrix}\n$$\n\n<!-- = A -->",
    "$$\nm = \\begin{cases} 0 & j \\le i \\\\ -\\infty & j > i \\end{cases}\n$$\n\n<!-- = 0, -np.inf -->",
    "$$\n\\begin{aligned}\na &= 1 + 1 \\\\ &= 2 \\\\ b &= 2 \\cdot 4 = 8\n\\end{aligned}\n$$\n\n<!-- = 2, heads -->",
    "$0.2483 < 0.5035$<!-- = w[0], w[2] -->, $1 < 2 = 1 + 1$<!-- = q[0], 2 * q[0] -->",
    "<!-- let q_i = k[i-1]; q = q; H = heads -->\n\n$q \\cdot q_3 = 1 + 1 = 2$<!-- = --> and $2 H^2 = 128$<!-- = -->",
    'Before it is defined: 7<!-- = late -->.\n\n```python exec="on"\nlate = 7\n```',
    "About 200 keys.<!-- = gain - 13.2 -->",
    "Floats end at 1.80 × 10³⁰⁸<!-- = np.finfo(float).max -->, which is rounded up.",
]


@pytest.mark.parametrize("text", TRUE)
def test_true_numbers_pass(marks: Marks, text: str) -> None:
    assert marks(text) == []


FALSE = [
    ("0.2484<!-- = w[0] -->", "page says 0.2484, code says 0.2483 (w[0] = 0.2482551)"),
    ("0.2483, 0.5035<!-- = *w -->", "the sentence has 2 numbers (0.2483, 0.5035), = *w gives 3"),
    ("4 GB<!-- = n_bytes -->", "page says 4GB, code says 4.294967296GB"),
    ("0.12<!-- = half -->", "0.12 (half = 0.125) sits on a rounding boundary"),
    ("0.13<!-- = half -->", "0.13 (half = 0.125) sits on a rounding boundary"),
    ("0.2501<!-- = single -->", "sits on a rounding boundary"),
    ("7<!-- = gain / 30 -->", "page says 7, code says 7.102666667 (gain / 30 = 7.102666667)"),
    ("[0.2483, 0.5035, 0.2483]<!-- = w -->", "page says 0.5035, code says 0.2483"),
    ("[1, 0, 0.3302, 0.6698]<!-- = A -->", "1 levels of brackets, = A has shape (2, 2)"),
    ("0.2483<!-- = v[0] -->", "no name 'v' on this page"),
    ("0.2483<!-- = w[ -->", "is not a Python expression"),
    ("<!-- = w[0] --> 0.2483", "starts a line"),
    ("0.2483<!-- = 0.2483 -->", "0.2483 proves nothing"),
    ("so it is<!-- = w[0] -->", "no number without a claim stands before it"),
    ("0.2483", "0.2483 is neither computed, cited nor structural"),
    ("`False`<!-- = heads == 8 -->", "page says 'False', code says 'True'"),
    ("$1 + 1 = 3$<!-- = -->", "page says 3, code says 2 (by its own numbers = 2)"),
    ("$\\frac{1}{3} = 0.333$<!-- = -->", "write \\approx"),
    ("$x = 3$<!-- = -->", "nothing to check it against"),
    ("$\\frac{2980.958}{2984.4527} \\approx 0.9988$<!-- = -->", "2980.958 could change unnoticed"),
    ("$1 \\cdot 1 + 1 \\cdot 0 = 1$<!-- = -->", "1 could change unnoticed"),
    ("$0.5 < 0.2$<!-- = -->", "< does not hold"),
    ("$2 - 1 = -3$<!-- = -->", "page says 3, code says 1"),
    (
        "$$\n\\begin{aligned}\n\\sin(16 + 0.5) &\\approx 0.9894\n\\end{aligned}\n$$\n\n<!-- = -->",
        "page says 0.9894, code says -0.7118 (by its own numbers",
    ),
    ("$x_12 = 3$<!-- = 3 -->", "write braces around the digits in '_12'"),
    ("$e^{0.7072} \\approx 2.0283$<!-- = math.exp(0.5**0.5) -->", "code says 2.0281"),
    ("See chapter 77.", "chapter 77 does not exist"),
    ("[chapter 4](07-worked.md)", "says chapter 4, links to 07-worked.md"),
    ("| a |\n|---|\n| 9<!-- = heads | 1 --> |", "holds |, where other renderers cut the cell"),
    ("Of f(x) −8<!-- = heads -->.", "page says −8, code says 8"),
    ("( ) −8<!-- = heads -->", "page says −8, code says 8"),
    ("It has nine<!-- = heads --> heads.", "page says nine, code says eight (heads = 8)"),
    ("It has nine heads.", "nine is neither computed, cited nor structural"),
    ("See section 5.", "section 5 does not exist"),
    ("<!-- let q_i = k[i-1] -->\n\n$q_0 = [1, 1]$<!-- = -->", "formulas count from 1"),
]


@pytest.mark.parametrize(("text", "message"), FALSE)
def test_false_numbers_are_named(marks: Marks, text: str, message: str) -> None:
    found = marks(text)
    assert any(message in mark for mark in found), found


def test_a_claim_takes_only_what_it_touches(kinds: Kinds) -> None:
    assert kinds("From 8 to 0.2483<!-- = w[0] -->.") == [
        ("8", "unlabelled"),
        ("0.2483", "computed"),
    ]


def test_citations_take_the_sentence_so_far(kinds: Kinds) -> None:
    text = "It has 64 query heads and 8 others<!-- @ touvron2023, table 1 -->, not 9."
    assert kinds(text) == [("64", "cited"), ("8", "cited"), ("9", "unlabelled")]


def test_code_is_not_prose(kinds: Kinds) -> None:
    assert kinds("`softmax(x, dim=-1)`, `q[:64]`") == [("-1", "structural"), ("64", "structural")]
    assert kinds("`H = 8`") == [("8", "unlabelled")]
