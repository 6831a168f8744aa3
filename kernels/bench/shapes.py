"""What is measured: shapes, the pairs that take part in them, and the FLOPs that these cost."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate, product

import torch

from attnref.costs import attention_multiply_adds, cells

Rule = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]  # query i, key j → whether i sees j
PASSES = ("forward", "backward")


@dataclass(frozen=True)
class Shape:
    """L queries and L keys in each of B sequences; those with a window or packed are causal."""

    name: str
    B: int
    Hq: int
    Hkv: int
    L: int
    D: int
    causal: bool = False
    window: int | None = None  # keys before a query's own that count
    lengths: tuple[int, ...] = ()  # of the sequences that are packed into L
    block: int = 0  # queries and keys that take part together, or do not; 0 if all do

    @property
    def pairs(self) -> int:
        """The pairs of query and key that take part, in one head of one sequence."""
        if self.block:
            return int(self.blocks().sum()) * self.block**2
        window = None if self.window is None else (self.window, 0)
        parts = self.lengths or (self.L,)
        return sum(cells(n, n, causal=self.causal, window=window) for n in parts)

    def flops(self, of: str) -> int:
        """Of a pass: 4 · D a pair forward; backward has five products where forward has two."""
        forward = 2 * self.B * attention_multiply_adds(self.pairs, D=self.D, Hq=self.Hq)
        return forward if of == "forward" else forward * 5 // 2

    def blocks(self) -> torch.Tensor:
        """Which blocks take part: the diagonal and a quarter of the others, the same every time."""
        n = self.L // self.block
        drawn = torch.rand(n, n, generator=torch.Generator().manual_seed(0)) < 0.25
        return drawn | torch.eye(n, dtype=torch.bool)

    def ends(self, device: str) -> torch.Tensor:
        """Where packed sequences begin and end, from 0 to L."""
        return torch.tensor([0, *accumulate(self.lengths)], dtype=torch.int32, device=device)

    def rule(self, device: str) -> Rule | None:
        """Whether query i sees key j; None if each sees all. Of plain numbers and tensors only."""
        if self.block:
            size, blocks = self.block, self.blocks().to(device)
            return lambda i, j: blocks[i // size, j // size]
        if self.lengths:
            lengths = torch.tensor(self.lengths)
            ids = torch.arange(len(lengths)).repeat_interleave(lengths).to(device)
            return lambda i, j: (j <= i) & (ids[i] == ids[j])
        if self.window is not None:
            window = self.window
            return lambda i, j: (j <= i) & (i - j <= window)
        return (lambda i, j: j <= i) if self.causal else None


def square(D: int, causal: bool, L: int) -> Shape:
    """16,384 tokens and heads that are 2,048 wide together."""
    kind = "causal" if causal else "full"
    return Shape(f"{kind} D{D} L{L}", 16384 // L, 2048 // D, 2048 // D, L, D, causal)


SQUARES = [
    square(D, causal, L)
    for D, causal, L in product((64, 128), (False, True), (1024, 4096, 8192, 16384))
]
GROUPED = [Shape(f"GQA 32/{n} D128 L8192", 2, 32, n, 8192, 128, causal=True) for n in (8, 4)]
WINDOW = Shape("window 1024 D128 L8192", 2, 16, 16, 8192, 128, causal=True, window=1024)
LENGTHS = (5000, 4000, 2500, 1800, 1200, 900, 500, 300, 120, 64)
PACKED = Shape("packed 10 D128 L16384", 1, 16, 16, sum(LENGTHS), 128, True, lengths=LENGTHS)
BLOCKS = Shape("blocks 128 D128 L8192", 2, 16, 16, 8192, 128, block=128)

ALL = [*SQUARES, *GROUPED, WINDOW, PACKED, BLOCKS]
QUICK = [*(shape for shape in SQUARES if shape.L == 8192), WINDOW, PACKED]
SMALL = Shape("launch D64 L128", 1, 1, 1, 128, 64, causal=True)  # no work, all of it overhead
