"""What attention costs: multiply-adds, bytes kept and bytes moved, counted and not measured.

Every function takes whole numbers and returns a whole number, exactly. A multiply-add is one
product and its sum, two FLOPs. Exponentials, divisions and masks are not counted.
"""

from attnref.checks import check_choice, check_count, check_pair


def cells(L: int, S: int, *, causal: bool = False, window: tuple[int, int] | None = None) -> int:
    """How many of the L × S pairs are allowed: the scores that one head has to compute.

    causal and window as in `attention`.

    Raises TypeError or ValueError unless the lengths are whole numbers, 0 or more.

    Source: counted; Beltagy et al. 2020 (arXiv:2004.05150), section 3.1, for O(n · w).
    """
    _check(L=L, S=S)
    left, right = (L + S, L + S) if window is None else check_pair("window", window)
    _check(left=left, right=right)
    right = 0 if causal else right
    total = 0
    for i in range(L):
        position = i + S - L
        total += max(0, min(S - 1, position + right) - max(0, position - left) + 1)
    return total


def attention_multiply_adds(pairs: int, *, D: int, Dv: int | None = None, Hq: int = 1) -> int:
    """Both products, q kᵀ and weights · v: Hq · pairs · (D + Dv).

    pairs is what `cells` counts, or L · S. The head counts of keys and values do not matter.

    Source: Vaswani et al. 2017 (arXiv:1706.03762), table 1.
    """
    Dv = D if Dv is None else Dv
    _check(pairs=pairs, D=D, Dv=Dv, Hq=Hq)
    return Hq * pairs * (D + Dv)


def linear_multiply_adds(
    n: int, *, D: int, Dv: int | None = None, Hq: int = 1, Hkv: int | None = None
) -> int:
    """The states' updates and answers, without normaliser or decay: (Hq + Hkv) · n · D · Dv.

    Hkv is Hq if not given.

    Source: Katharopoulos et al. 2020 (arXiv:2006.16236), section 3.2.
    """
    Hkv, Dv = Hq if Hkv is None else Hkv, D if Dv is None else Dv
    _check(n=n, D=D, Dv=Dv, Hq=Hq, Hkv=Hkv)
    return (Hq + Hkv) * n * D * Dv


def mla_multiply_adds(
    pairs: int, *, D: int, R: int, C: int, Dv: int | None = None, H: int = 1, form: str = "naive"
) -> int:
    """Both products of latent attention over keys that are there: D + R + Dv a pair and head in
    the "naive" form, C + R + C in the "absorbed" one.

    What projects latents up, or absorbs queries and outputs, is not in it.

    Source: DeepSeek-V2, 2024 (arXiv:2405.04434), section 2.1.
    """
    check_choice("form", form, ("naive", "absorbed"))
    Dv = D if Dv is None else Dv
    _check(pairs=pairs, D=D, R=R, C=C, Dv=Dv, H=H)
    return H * pairs * (D + R + Dv if form == "naive" else C + R + C)


def projection_weights(
    d_model: int, *, Hq: int, D: int, Hkv: int | None = None, Dv: int | None = None
) -> int:
    """The numbers in W_Q, W_K, W_V and W_O, which are also the multiply-adds a token.

    Source: Vaswani et al. 2017 (arXiv:1706.03762), section 3.2.2.
    """
    Hkv, Dv = Hq if Hkv is None else Hkv, D if Dv is None else Dv
    _check(d_model=d_model, Hq=Hq, D=D, Hkv=Hkv, Dv=Dv)
    return d_model * (Hq * D + Hkv * D + Hkv * Dv + Hq * Dv)


def score_bytes(L: int, S: int, *, Hq: int = 1, B: int = 1, size: int = 2) -> int:
    """What all scores take when they are stored, at `size` bytes a number: B · Hq · L · S · size.

    Source: Dao et al. 2022, FlashAttention (arXiv:2205.14135), section 2.2.
    """
    _check(L=L, S=S, Hq=Hq, B=B, size=size)
    return B * Hq * L * S * size


def cache_bytes(
    tokens: int, *, layers: int, Hkv: int, D: int, Dv: int | None = None, B: int = 1, size: int = 2
) -> int:
    """The keys and values of B sequences: B · tokens · layers · Hkv · (D + Dv) · size.

    Hkv is the number of query heads in multi-head attention, 1 in multi-query attention.

    Source: Shazeer 2019 (arXiv:1911.02150), section 2.4.1.
    """
    Dv = D if Dv is None else Dv
    _check(tokens=tokens, layers=layers, Hkv=Hkv, D=D, Dv=Dv, B=B, size=size)
    return B * tokens * layers * Hkv * (D + Dv) * size


def latent_cache_bytes(
    tokens: int, *, layers: int, C: int, R: int, B: int = 1, size: int = 2
) -> int:
    """The latents and rotated keys of B sequences: B · tokens · layers · (C + R) · size.

    Source: DeepSeek-V2, 2024 (arXiv:2405.04434), table 1.
    """
    _check(tokens=tokens, layers=layers, C=C, R=R, B=B, size=size)
    return B * tokens * layers * (C + R) * size


def state_bytes(
    *, layers: int, Hkv: int, D: int, Dv: int | None = None, B: int = 1, size: int = 4
) -> int:
    """What linear attention keeps, however long the past: B · layers · Hkv · (D · Dv + D) · size.

    Source: Katharopoulos et al. 2020 (arXiv:2006.16236), section 3.4.
    """
    Dv = D if Dv is None else Dv
    _check(layers=layers, Hkv=Hkv, D=D, Dv=Dv, B=B, size=size)
    return B * layers * Hkv * (D * Dv + D) * size


def naive_traffic(L: int, S: int, *, D: int, Dv: int | None = None, size: int = 2) -> int:
    """Bytes between memory and chip for one head, operation by operation.

    Reads q and k and writes the scores; reads the scores and writes the weights; reads the
    weights and v and writes the output: (L · D + S · D + S · Dv + L · Dv + 4 · L · S) · size.

    Source: Dao et al. 2022, FlashAttention (arXiv:2205.14135), algorithm 0.
    """
    Dv = D if Dv is None else Dv
    _check(L=L, S=S, D=D, Dv=Dv, size=size)
    return ((L + S) * (D + Dv) + 4 * L * S) * size


def tiled_traffic(
    L: int, S: int, *, rows: int, D: int, Dv: int | None = None, size: int = 2, lse_size: int = 4
) -> int:
    """Bytes between memory and chip for one head, tile by tile, with `rows` queries a tile.

    Each tile of queries reads itself and all keys and values once, and writes its output and a
    log-sum-exp a query: (L · (D + Dv) + ⌈L / rows⌉ · S · (D + Dv)) · size + L · lse_size. Whether
    two tiles that run at once share what they read depends on the chip; here they do not.

    Source: Dao 2023, FlashAttention-2 (arXiv:2307.08691), algorithm 1.
    """
    Dv = D if Dv is None else Dv
    _check(L=L, S=S, D=D, Dv=Dv, size=size, lse_size=lse_size)
    tiles = -(-L // check_count("rows", rows, least=1))
    return (L + tiles * S) * (D + Dv) * size + L * lse_size


def _check(**counts: int) -> None:
    for name, count in counts.items():
        check_count(name, count)
