"""Numbers at the edge: large scores, and half precision."""

from dataclasses import replace
from typing import Any

import numpy as np

from attnref.check.cases import ONE, PLAIN, Case, Inputs
from attnref.check.examination import Examination
from attnref.check.model import predict
from attnref.check.search import agrees
from attnref.check.stranger import last_line

EPS = {"float16": 2.0**-10, "bfloat16": 2.0**-7}


def large_scores(exam: Examination) -> None:
    """Scores that overflow when they are exponentiated: alike in all rows, then not."""
    if exam.deviates("softmax") or exam.stranger.form.dtype == "float16":
        return
    x = exam.inputs(PLAIN[0])
    alike = replace(x, q=np.full_like(x.q, 2000), k=np.broadcast_to(x.k[:1, :1], x.k.shape))
    if not _finite(exam, alike):
        exam.find("large scores: overflow", "large scores")
    elif not _finite(exam, replace(x, q=x.q * 1024)):
        exam.find("large scores: one maximum for all rows", "large scores")
    else:
        exam.passes("large scores")


def large_hidden_scores(exam: Examination) -> None:
    """Hidden keys score high and all others low: a mask of −10000 holds, one of −100 does not."""
    if not exam.right("mask"):
        return
    x = exam.inputs(ONE["mask"])
    mask, k = np.ones_like(x.mask), np.full_like(x.k, -64)
    mask[..., -1], k[..., -1, :] = False, 64
    x = replace(x, q=np.full_like(x.q, 16), k=k, mask=mask)
    out = exam.stranger(x)
    if agrees(out, predict(x, exam.theory), exam.tolerance):
        exam.passes("large hidden scores")
    elif np.isfinite(out).all() and out.any():
        exam.find("mask: too weak", "large hidden scores")
    elif exam.right("large scores"):
        exam.find("mask: after softmax", "large hidden scores")
    else:
        exam.skip("large hidden scores", "cannot be told while large scores are wrong")


def float16_range(exam: Examination) -> None:
    """Dot products beyond 65504, which scaling would bring back; and a mask in float16."""
    if exam.deviates("scale", "softmax", "roles"):
        return
    case = "float16 range"
    x = exam.inputs(replace(PLAIN[0], D=64, Dv=64))
    try:
        exam.stranger(x, dtype="float16")
    except Exception as error:
        return exam.skip(case, last_line(error))
    k = x.k.copy()
    k[..., 0, :] = 44  # 64 · 32 · 44 > 65504, an eighth of it is less
    if not _finite(exam, replace(x, q=np.full_like(x.q, 32), k=k), "float16"):
        exam.find("float16: overflows", case)
    if exam.right("mask"):
        try:
            exam.stranger(exam.inputs(ONE["mask"]), dtype="float16")
        except Exception as error:
            exam.find("float16: mask refused", case, last_line(error))
    exam.passes(case)


def half_precision(exam: Examination) -> None:
    """How far outputs are from the truth, in units of the last place: half of one is rounding."""
    case = "half precision"
    if exam.unexplained or exam.deviates("softmax"):
        return
    x = exam.inputs(Case(case, B=1, H=1, L=16, S=32, D=64, Dv=64, times=8))
    expected = predict(x, exam.theory)
    told = np.isfinite(expected)
    units, errors = {}, []
    for dtype, eps in EPS.items():
        try:
            out = exam.stranger(x, dtype=dtype)
        except Exception as error:
            errors.append(last_line(error))
        else:
            worst = np.abs(out - expected)[told].max() / np.abs(expected[told]).max()
            units[dtype] = worst / eps
    lost = [dtype for dtype, n in units.items() if not n < 1]
    if lost:
        exam.find("half precision: lost", case, f"a unit in the last place, in {', '.join(lost)}")
    elif units:
        exam.passes(case)
    else:
        exam.skip(case, errors[0])


def _finite(exam: Examination, x: Inputs, dtype: str = "") -> bool:
    """Whether the output is finite wherever there is a key."""
    out: Any = exam.stranger(x, dtype=dtype)
    return bool(np.isfinite(out[np.isfinite(predict(x, exam.theory))]).all())
