"""Keys and values of the past, kept: all of them, the last ones, or in pages."""

from array_api_compat import array_namespace, device

from attnref import Array
from attnref.attention import attention
from attnref.checks import check_array, check_arrays, check_count, check_kin, check_shape, expect


class Cache:
    """The keys and values of the tokens so far: each step adds its own and attends to all.

    What the earlier tokens' keys and values are does not depend on the later ones, so keeping them
    changes no output (up to rounding): it only saves computing them again.

    window   how many keys a query sees, its own included; older ones are dropped. All if None

    Source: Shazeer 2019 (arXiv:1911.02150), section 2.4; the rolling buffer: Jiang et al. 2023
    (arXiv:2310.06825), section 2.
    """

    def __init__(self, window: int | None = None) -> None:
        self.window = None if window is None else check_count("window", window, least=1)
        self.k: Array | None = None  # (…, Hkv, S, D)
        self.v: Array | None = None  # (…, Hkv, S, Dv)

    def __len__(self) -> int:
        """How many tokens it holds."""
        return 0 if self.k is None else int(self.k.shape[-2])

    def attend(
        self,
        q: Array,
        k: Array,
        v: Array,
        *,
        scale: float | None = None,
        softcap: float | None = None,
    ) -> Array:
        """Add n tokens, and let each attend to itself and to what came before it.

        q (…, Hq, n, D), k (…, Hkv, n, D), v (…, Hkv, n, Dv) → (…, Hq, n, Dv). n is 1 when a model
        writes, and more when it reads a prompt, whole or in pieces.

        Raises TypeError or ValueError that names the argument, what it was and what was expected;
        the cache is then as it was before.
        """
        check_arrays(q, k, v)
        expect(q.shape[-2] == k.shape[-2], "k", k, f"expected one for each query, {q.shape[-2]}")
        if self.k is not None and self.v is not None:
            for name, new, old in (("k", k, self.k), ("v", v, self.v)):
                check_kin(name, new, "the cache", old)
                check_shape(name, new, (*old.shape[:-2], None, old.shape[-1]), "the cache's shape")
            xp = array_namespace(q)
            k, v = xp.concat([self.k, k], axis=-2), xp.concat([self.v, v], axis=-2)
        near = None if self.window is None else (self.window - 1, 0)
        out = attention(q, k, v, causal=True, window=near, scale=scale, softcap=softcap)
        kept = slice(None if self.window is None else -self.window, None)
        self.k, self.v = k[..., kept, :], v[..., kept, :]
        return out


class PagedCache:
    """Keys and values in pages of one size, handed out to sequences as they grow.

    A sequence wastes at most the rest of its last page, whatever its length becomes. Its block
    table lists its pages in order; `k` and `v` (pages, page, Hkv, D or Dv) hold all of them, in the
    library, dtype and device of `like`.

    Source: Kwon et al. 2023, PagedAttention (arXiv:2309.06180), section 4.1 to 4.3.
    """

    def __init__(
        self, pages: int, page: int, Hkv: int, D: int, Dv: int | None = None, *, like: Array
    ) -> None:
        check_array("like", like, "real floating")
        xp, place = array_namespace(like), device(like)
        shape = [check_count(n, x) for n, x in (("pages", pages), ("page", page), ("Hkv", Hkv))]
        check_count("page", page, least=1)
        self.k = xp.zeros((*shape, check_count("D", D)), dtype=like.dtype, device=place)
        self.v = xp.zeros((*shape, D if Dv is None else Dv), dtype=like.dtype, device=place)
        self.free = list(range(pages))
        self.tables: list[list[int]] = []  # the pages of each sequence
        self.seq_lens: list[int] = []

    def add(self) -> int:
        """Begin a new sequence; returns its number."""
        self.tables.append([])
        self.seq_lens.append(0)
        return len(self.tables) - 1

    def append(self, sequence: int, k: Array, v: Array) -> None:
        """Write n tokens behind a sequence: k (Hkv, n, D), v (Hkv, n, Dv).

        Raises TypeError or ValueError that names the argument, what it was and what was expected,
        and MemoryError if there are not enough free pages; then nothing has been written.
        """
        self._check(sequence)
        page, Hkv, D = self.k.shape[1:]
        for name, new, pages in (("k", k, self.k), ("v", v, self.v)):
            check_kin(name, new, "the cache", pages)
        check_shape("k", k, (Hkv, None, D), "(Hkv, n, D)")
        n, start = k.shape[1], self.seq_lens[sequence]
        check_shape("v", v, (Hkv, n, self.v.shape[-1]), "(Hkv, n, Dv)")
        table = self.tables[sequence]
        more = -(-(start + n) // page) - len(table)
        if more > len(self.free):
            raise MemoryError(
                f"sequence {sequence} needs {more} more pages of {page} tokens, "
                f"and {len(self.free)} are free: make the cache larger or drop a sequence"
            )
        table += [self.free.pop(0) for _ in range(more)]
        for token in range(n):
            at = (table[(start + token) // page], (start + token) % page)
            self.k[at], self.v[at] = k[:, token, :], v[:, token, :]
        self.seq_lens[sequence] += n

    def drop(self, sequence: int) -> None:
        """Give a sequence's pages back."""
        self._check(sequence)
        self.free += self.tables[sequence]
        self.tables[sequence], self.seq_lens[sequence] = [], 0

    @property
    def block_table(self) -> Array:
        """(B, max_pages): the pages of each sequence in order, −1 where it has no more."""
        longest = max((len(table) for table in self.tables), default=0)
        rows = [table + [-1] * (longest - len(table)) for table in self.tables]
        xp = array_namespace(self.k)
        table = xp.asarray(rows, dtype=xp.int64, device=device(self.k))
        return xp.reshape(table, (len(rows), longest))

    def _check(self, sequence: int) -> None:
        if check_count("sequence", sequence) >= len(self.tables):
            raise ValueError(f"sequence is {sequence}: expected one of {len(self.tables)}")
