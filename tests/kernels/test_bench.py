"""The bench counts what takes part, and its judge and its calls of others are right."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import torch

import attnref
from kernels.bench import contestants, judge, race
from kernels.bench.contestants import OURS
from kernels.bench.shapes import ALL, BLOCKS, PACKED, SQUARES, WINDOW, Shape
from tests.kernels.racers import (
    CAUSAL,
    SMALL,
    Clock,
    attend,
    run,
)


@pytest.mark.parametrize("shape", SMALL, ids=lambda shape: shape.name)
def test_flops_are_those_of_the_pairs_that_take_part(shape: Shape) -> None:
    i = torch.arange(shape.L)
    rule = shape.rule("cpu")
    seen = torch.ones(shape.L, shape.L) if rule is None else rule(i[:, None], i)
    assert shape.pairs == int(seen.sum())
    forward = 4 * shape.B * shape.Hq * int(seen.sum()) * shape.D
    assert (shape.flops("forward"), shape.flops("backward")) == (forward, 2.5 * forward)


def test_pairs_are_counted_as_if_by_hand() -> None:
    assert SMALL[0].pairs == 48**2
    assert CAUSAL.pairs == 48 * 49 // 2
    assert SMALL[2].pairs == 6 * 48 - 15  # the first five queries have 5, 4, 3, 2, 1 keys less
    assert SMALL[3].pairs == sum(n * (n + 1) // 2 for n in (20, 17, 11))
    assert 6 * 64 <= SMALL[4].pairs < 36 * 64


def test_all_shapes_have_16384_tokens_and_a_name_of_their_own() -> None:
    assert {shape.B * shape.L for shape in ALL} == {16384}
    assert {shape.Hq * shape.D for shape in SQUARES} == {2048}
    assert len({shape.name for shape in ALL}) == len(ALL)
    assert all(shape.causal for shape in (WINDOW, PACKED))
    assert BLOCKS.L % BLOCKS.block == 0


@pytest.mark.parametrize("shape", SMALL, ids=lambda shape: shape.name)
def test_our_kernels_are_called_so_that_they_are_right(shape: Shape) -> None:
    rows = race.race(shape, {OURS: contestants.ours}, Clock(1.0), device="cpu", rounds=1)
    assert [(row.of, row.state) for row in rows] == [("forward", "timed"), ("backward", "timed")]


@pytest.mark.parametrize("shape", SMALL, ids=lambda shape: shape.name)
def test_the_masks_of_flex_are_those_of_the_judge(shape: Shape) -> None:
    problem = judge.draw(shape, "cpu")
    attend = pytest.importorskip("torch.nn.attention.flex_attention").flex_attention
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch, "compile", lambda function, dynamic: function)
        layout, call = contestants.flex(shape, "cpu")
        assert call.func is attend  # type: ignore[attr-defined]
    out = layout.back(call(*(layout.there(x) for x in problem[1:4])))
    assert judge.fault("out", out, judge.truth(problem).out, shape) is None


@pytest.mark.parametrize("backend", ["FLASH_ATTENTION", "MATH"])
@pytest.mark.parametrize("shape", SMALL[:2], ids=lambda shape: shape.name)
def test_sdpa_is_called_so_that_it_is_right(shape: Shape, backend: str) -> None:
    rows = run({"SDPA": partial(contestants.sdpa, backend)}, shape=shape)
    assert [row.state for row in rows] == ["timed"] * 4


def test_flash_attn_and_fla_are_told_the_window_and_the_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Stand-ins that count as those packages do: they are not installed here."""

    class Module:
        @staticmethod
        def flash_attn_func(q: Any, k: Any, v: Any, causal: bool, window_size: Any) -> Any:
            window = None if window_size == (-1, -1) else window_size
            q, k, v = (x.transpose(1, 2) for x in (q, k, v))
            out = attend(attnref.attention, q, k, v, causal=causal, window=window)
            return out.transpose(1, 2), "lse"

        @staticmethod
        def flash_attn_varlen_func(
            q: Any,
            k: Any,
            v: Any,
            *,
            cu_seqlens_q: Any,
            cu_seqlens_k: Any,
            causal: bool,
            **most: int,
        ) -> Any:
            assert set(most.values()) == {20}
            return attend(
                attnref.attention_varlen, q, k, v, cu_seqlens_q, cu_seqlens_k, causal=causal
            )

        @staticmethod
        def parallel_attn(
            q: Any, k: Any, v: Any, window_size: int | None = None, cu_seqlens: Any = None
        ) -> Any:
            if cu_seqlens is not None:
                parts = (q[0], k[0], v[0], cu_seqlens, cu_seqlens)
                return attend(attnref.attention_varlen, *parts, causal=True)[None]
            window = None if window_size is None else (window_size - 1, 0)
            q, k, v = (x.transpose(1, 2) for x in (q, k, v))
            return attend(attnref.attention, q, k, v, causal=True, window=window).transpose(1, 2)

    monkeypatch.setattr(contestants, "import_module", lambda name: Module)
    others = {"flash": partial(contestants.flash, "flash_attn"), "fla": contestants.fla}
    for shape in SMALL:
        states = {row.contestant: row.state for row in run(others, shape=shape)}
        assert states["flash"] == ("unfit" if shape.block else "timed"), shape
        assert states["fla"] == ("timed" if shape.causal else "unfit"), shape


@pytest.mark.parametrize("old", [True, False])
def test_torch_says_causal_in_two_ways(monkeypatch: pytest.MonkeyPatch, old: bool) -> None:
    def before(q: Any, k: Any, v: Any, a: Any, b: Any, c: int, d: int, is_causal: bool) -> Any:
        assert is_causal
        return attend(attnref.attention_varlen, q, k, v, a, b, causal=True)

    def since(q: Any, k: Any, v: Any, a: Any, b: Any, c: int, d: int, window_size: Any) -> Any:
        assert window_size == (-1, 0)
        return attend(attnref.attention_varlen, q, k, v, a, b, causal=True)

    module = type("Module", (), {"varlen_attn": staticmethod(before if old else since)})
    monkeypatch.setattr(contestants, "import_module", lambda name: module)
    rows = [r for r in run({"varlen": contestants.varlen}, shape=SMALL[3]) if r.contestant != OURS]
    assert [row.state for row in rows] == ["timed"] * 2


def test_a_window_that_is_one_off_is_wrong() -> None:
    shape = Shape("window", 1, 1, 1, 2048, 16, causal=True, window=1024)
    problem = judge.draw(shape, "cpu")
    true = judge.truth(problem).out
    for window, says in ((1023, "off by"), (1024, "None"), (1025, "off by")):
        out = attend(attnref.attention, *problem[1:4], causal=True, window=(window, 0))
        assert says in str(judge.fault("out", out, true, shape)), window


def test_a_number_that_is_not_finite_is_wrong_in_any_head() -> None:
    shape = Shape("full", 1, 3, 3, 16, 16)
    out = torch.zeros(1, 3, 16, 16)
    out[0, 1, 2, 3] = torch.nan
    assert judge.fault("out", out, out, shape) == "out is not finite everywhere"
    assert "has shape (1, 3, 16, 16): expected (1, 3, 32, 16)" in str(
        judge.fault("out", out, out, replace(shape, L=32))
    )


def test_the_truth_does_not_depend_on_how_many_queries_it_takes_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = judge.draw(CAUSAL, "cpu")
    whole = judge.truth(problem)
    monkeypatch.setattr(judge, "SCORES", 7 * 48 * 8)
    for a, b in zip(whole, judge.truth(problem), strict=True):
        torch.testing.assert_close(a, b, rtol=1e-12, atol=1e-12)
