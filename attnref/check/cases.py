"""Named cases: what a stranger is asked to compute, the same numbers every time."""

from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

import numpy as np


@dataclass(frozen=True)
class Inputs:
    """Arrays in float64, always (B, H, L, D), and the options of one call."""

    q: Any
    k: Any
    v: Any
    mask: Any = None  # Boolean, True takes part
    bias: Any = None
    causal: bool = False
    window: Any = None
    scale: float | None = None
    softcap: float | None = None


@dataclass(frozen=True)
class Case:
    """One call. Sizes differ from each other wherever the stranger allows it."""

    name: str
    B: int = 2
    H: int = 2
    Hkv: int = 0  # as many as H
    L: int = 5
    S: int = 7
    D: int = 8
    Dv: int = 4
    mask: str = ""  # "some" hides some keys from each query, "all" also every key from query 0
    bias: bool = False
    causal: bool = False
    window: Any = None
    scale: float | None = None
    softcap: float | None = None
    times: float = 1.0  # how much larger queries are

    def needs(self) -> set[str]:
        """The roles of the parameters that this call sets."""
        roles = ("mask", "bias", "causal", "scale", "window", "softcap")
        return {role for role in roles if getattr(self, role)}

    def fitted(self, rank: int, square: bool, same_width: bool) -> "Case":
        """The case for a stranger that takes fewer axes, only L = S, or only Dv = D."""
        return replace(
            self,
            B=self.B if rank == 4 else 1,
            H=self.H if rank >= 3 else 1,
            S=self.L if square else self.S,
            Dv=self.D if same_width else self.Dv,
        )

    def inputs(self) -> Inputs:
        """The same numbers at every call. Sixteenths below 8: exact in bfloat16 and float16."""
        rng = np.random.default_rng(crc32(self.name.encode()))
        Hkv = self.Hkv or self.H

        def draw(*shape: int) -> Any:
            return np.clip(np.round(rng.standard_normal(shape) * 16) / 16, -7.9375, 7.9375)

        x = Inputs(
            q=draw(self.B, self.H, self.L, self.D) * self.times,
            k=draw(self.B, Hkv, self.S, self.D),
            v=draw(self.B, Hkv, self.S, self.Dv),
            causal=self.causal,
            window=self.window,
            scale=self.scale,
            softcap=self.softcap,
        )
        seen = _some(rng, (self.B, self.H, self.L, self.S))
        if self.mask == "all":
            seen[0, :, 0] = False
        bias = draw(*seen.shape) if self.bias else None
        return replace(x, mask=seen if self.mask else None, bias=bias)


def _some(rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
    """A mask under which each query sees a key and misses one, and each key is seen."""
    L, S = shape[-2:]
    seen = rng.random(shape) < 0.6
    seen[..., np.arange(S) % L, np.arange(S)] = True
    seen[..., np.arange(L), np.arange(L) % S] = True
    seen[..., np.arange(L), (np.arange(L) + 1) % S] = False
    return seen


PLAIN = (Case("plain"), Case("other sizes", B=2, H=3, L=6, S=9, D=16, Dv=3))
CAUSAL = (
    Case("causal", L=5, S=5, causal=True),
    Case("causal L < S", L=4, S=7, causal=True),
    Case("causal L > S", L=7, S=5, causal=True),
)
GROUPED = (Case("grouped heads", B=1, H=4, Hkv=2), Case("one KV head", B=1, H=2, Hkv=1))
ONE = {
    case.name: case
    for case in (
        Case("one query", B=1, H=1, L=1, S=4),
        Case("many keys", B=1, H=1, L=3, S=150),
        Case("scale", scale=0.3),
        Case("mask", mask="some"),
        Case("bias", bias=True),
        Case("mask + causal", L=5, S=5, mask="some", causal=True),
        Case("softcap", softcap=1.5),
        Case("window", L=7, S=9, window=(2, 1)),
        Case("rows without keys", mask="all"),
    )
}
CALLS = [*(case.name for case in (*PLAIN, *CAUSAL, *GROUPED)), *ONE]
PROBES = (
    *("same twice", "inputs untouched", "strides", "dtypes", "large scores"),
    *("large hidden scores", "float16 range", "half precision", "gradients", "lse"),
)
NAMES = (*CALLS, *PROBES)
