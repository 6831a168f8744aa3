"""What comparing outputs does not show: memory, dtypes, rows without keys, gradients, lse."""

from dataclasses import replace
from math import log

import numpy as np

from attnref.check.cases import CAUSAL, ONE, PLAIN
from attnref.check.examination import Examination
from attnref.check.model import predict
from attnref.check.numbers import (
    float16_range,
    half_precision,
    large_hidden_scores,
    large_scores,
)
from attnref.check.search import agrees
from attnref.check.stranger import last_line


def probe(exam: Examination) -> None:
    """Runs all probes; each adds to the findings and outcomes."""
    edges = (large_scores, large_hidden_scores, float16_range, half_precision)
    for one in (strides, dtypes, *edges, rows_without_keys, gradients, lse, untouched):
        try:
            one(exam)
        except Exception as error:  # a stranger that fails here still gets all other answers
            exam.skip(one.__name__.replace("_", " "), last_line(error))


def strides(exam: Examination) -> None:
    x = exam.inputs(PLAIN[0])
    try:
        out = exam.stranger(x, strided=True)
    except Exception as error:
        return exam.find("strides: refused", "strides", last_line(error))
    if not agrees(out, exam.stranger(x), exam.tolerance):
        exam.find("strides: ignored", "strides")
    exam.passes("strides")


def dtypes(exam: Examination) -> None:
    x = exam.inputs(PLAIN[0])
    changed: dict[str, list[str]] = {}
    for dtype in ("float64", "float32", "float16", "bfloat16"):
        try:
            out, _ = exam.stranger.raw(x, dtype=dtype)
        except Exception:
            continue
        got = str(out.dtype).removeprefix("torch.")
        if got != dtype:
            widened = dtype in ("float16", "bfloat16") and got == "float32"
            name = "dtype: float32 out" if widened else "dtype: changes"
            changed.setdefault(name, []).append(f"{dtype} in, {got} out")
    for name, which in changed.items():
        exam.find(name, "dtypes", "; ".join(which))
    exam.passes("dtypes")


def rows_without_keys(exam: Examination) -> None:
    """What comes out where a query sees no key: by a mask, or else by causal with L > S."""
    case = "rows without keys"
    if exam.deviates("softmax", "axes", "weights", "roles", "mask fill", "causal fill", "causal"):
        return
    seen = exam.observe([ONE[case]] if exam.right("mask") else CAUSAL[2:])
    for x, out in seen.values():
        rows = np.isnan(predict(x, exam.theory)).any(-1)
        unseen = replace(x, mask=None, causal=False)
        others = {"averaged": replace(unseen, q=0 * x.q), "unmasked": unseen}
        what = [
            f"{case}: {name}"
            for name, y in others.items()
            if agrees(out[rows], predict(y, exam.theory)[rows], exam.tolerance)
        ]
        if np.isnan(out[rows]).any():
            exam.find(f"{case}: NaN", case)
        elif out[rows].any():
            exam.find(what[0] if what else f"{case}: other", case)
        elif rows.any():
            exam.passes(case)


def gradients(exam: Examination) -> None:
    if exam.stranger.form.library != "torch":
        return exam.skip("gradients", "NumPy has none")
    empty = ONE["rows without keys"] if exam.right("mask") else CAUSAL[2]
    x = exam.inputs(empty if exam.right(empty.name) else PLAIN[0])
    out, leaves = exam.stranger.raw(x, grad=True)
    nan = exam.stranger.numpy(out.isnan()).any()
    out.nan_to_num().sum().backward()
    grads = [exam.stranger.numpy(a.grad) for a in leaves if a.grad is not None]
    if any(np.isnan(g).any() for g in grads) and not nan:
        exam.find("gradients: NaN", "gradients")
    elif not nan:
        exam.passes("gradients")


def lse(exam: Examination) -> None:
    if not exam.stranger.offers("lse") or exam.theory:
        return
    x = exam.inputs(PLAIN[0])
    result, _ = exam.stranger.raw(x, whole=True, extra={"lse": True})
    scores = x.q @ x.k.swapaxes(-1, -2) * x.q.shape[-1] ** -0.5
    expected = np.log(np.exp(scores).sum(-1))
    got = exam.stranger.numpy(result[1])
    got = got.swapaxes(1, 2) if got.shape == expected.swapaxes(1, 2).shape else got
    got = got.reshape(expected.shape) if got.size == expected.size else got
    if agrees(got, expected, exam.tolerance):
        exam.passes("lse")
    elif agrees(got * log(2), expected, exam.tolerance):
        exam.find("lse: base 2", "lse")
    else:
        exam.find("lse: other", "lse")


def untouched(exam: Examination) -> None:
    if exam.stranger.changed:
        written = ", ".join(sorted(exam.stranger.changed))
        exam.find("inputs: written to", "inputs untouched", f"to {written}")
    exam.passes("inputs untouched")
