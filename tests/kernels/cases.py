"""Shapes at which attention kernels go wrong, for the interpreter and for GPUs alike."""

from typing import NamedTuple

DTYPES = ("float32", "float16", "bfloat16")


class Case(NamedTuple):
    L: int
    S: int
    Hq: int = 1
    Hkv: int = 1
    D: int = 16
    Dv: int | None = None
    B: int = 1

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Of q, k and v."""
        B, Hq, Hkv, L, S, D, Dv = self.B, self.Hq, self.Hkv, self.L, self.S, self.D, self.Dv
        return (B, Hq, L, D), (B, Hkv, S, D), (B, Hkv, S, D if Dv is None else Dv)


def lengths(tile: int, prime: int, larger: int) -> dict[str, Case]:
    """One head: lengths around the edges of a tile, primes, more queries than keys."""
    edges = (tile - 1, tile, tile + 1)
    square = {f"{n} queries, {n} keys": Case(n, n) for n in (1, *edges)}
    mixed = [(tile - 1, tile + 1), (tile + 1, tile - 1), (tile, 2 * tile), (2 * tile + 1, tile)]
    others = [(1, tile), (1, 2 * tile + 1), (tile + 1, 1), (2, 3), (prime, larger), (larger, prime)]
    return square | {f"{L} queries, {S} keys": Case(L, S) for L, S in (*mixed, *others)}


HEADS = {f"head of {D}": Case(33, 70, D=D) for D in (1, 2, 16, 40, 64, 80, 96, 128, 200, 256)} | {
    f"heads of {D} and {Dv}": Case(33, 70, D=D, Dv=Dv)
    for D, Dv in ((64, 128), (128, 64), (24, 40), (16, 1), (1, 256))
}
GROUPS = {
    f"{Hq} heads, {Hkv} KV heads": Case(19, 37, Hq, Hkv, B=2)
    for Hq, Hkv in ((2, 2), (3, 1), (6, 2), (8, 1), (16, 2))
}
EMPTY = {
    "no keys": Case(5, 0),
    "no queries": Case(0, 5),
    "neither": Case(0, 0),
    "no values": Case(5, 7, Dv=0),
    "no batch": Case(5, 7, B=0),
    "no heads": Case(5, 7, 0, 0),
    "no query heads": Case(5, 7, 0, 2),
}
