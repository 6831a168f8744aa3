"""Scaled dot-product attention, forward and backward."""

from typing import Any

import torch

from attnref.checks import check_arrays, check_count, check_mask, check_number, check_pair
from kernels import INTERPRETED
from kernels.autograd import attend
from kernels.launch import How


def attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    *,
    mask: torch.Tensor | None = None,
    causal: bool = False,
    window: tuple[int, int] | None = None,
    scale: float | None = None,
    softcap: float | None = None,
    return_lse: bool = False,
) -> Any:
    """softmax(q kᵀ · scale) v, as `attnref.attention`: to come here from there, change one word.

    q (…, Hq, L, D), k (…, Hkv, S, D), v (…, Hkv, S, Dv) → (…, Hq, L, Dv), or with `return_lse`
    the pair of it and the log-sum-exp of the scores, (…, Hq, L), float32, natural logarithm. Rank
    2 is one head. Hkv divides Hq: KV head h // (Hq / Hkv) serves query head h.

    mask     Boolean (True takes part) or a bias added to the scores, finite or −∞;
             broadcastable to (…, Hq, L, S)
    causal   query i sees keys j ≤ i + S − L: the last query stands at the last key
    window   (left, right): the neighbours that count on each side of that position, itself too
    scale    what the dot products are multiplied by; 1/√D if not given
    softcap  c bends the scaled scores s to c · tanh(s / c), before anything is masked

    Mask, causal and window all have to allow a pair. A query with no key gets zeros, lse = −∞ and
    zero gradients. Inputs are finite torch tensors, all float32, float16 or bfloat16, with D and
    Dv up to 256. They may lie in memory in any way (transposed, expanded, sliced): they are read
    where they are, never copied. Sums are made in float32, and float32 inputs are multiplied as
    such, not in TF32. Tiles that causal or window hide are skipped.

    Output and lse have gradients with respect to q, k, v and a bias, the same at every run. The
    gradient of a bias takes (…, Hq, L, S) numbers in float32.

    Raises TypeError or ValueError that names the argument, what it was and what was expected.

    Source: Dao et al. 2022 (arXiv:2205.14135), algorithms 1 and 4, with the loops in the order of
    Dao 2023 (arXiv:2307.08691), algorithm 1.
    """
    check_tensors(q, k, v)
    left, right = band(causal, window, sum(x.shape[-2] for x in (q, k)))
    how = How(
        scale=factor(q, scale),
        left=left,
        right=right,
        softcap=None if softcap is None else check_number("softcap", softcap, positive=True),
    )
    if mask is not None:
        check_mask(mask, q, (*q.shape[:-1], k.shape[-2]))
    out, lse = attend(q, k, v, mask, how)
    return (out, lse) if return_lse else out


def factor(q: torch.Tensor, scale: float | None) -> float:
    """What the dot products are multiplied by: the scale, 1/√D if there is none."""
    if scale is None:
        return float(q.shape[-1] ** -0.5)
    scale = check_number("scale", scale)
    # Kernels hide pairs by scores of −∞, which stay so only times what float32 tells from 0.
    return scale if abs(scale) >= torch.finfo(torch.float32).tiny else 0.0


def band(causal: bool, window: tuple[int, int] | None, most: int) -> tuple[int | None, int | None]:
    """How many keys count before a query's position, and after it; None for all of them."""
    if window is None:
        return None, 0 if causal else None
    left, right = check_pair("window", window)
    left, right = check_count("left", left), check_count("right", right)
    return min(left, most), 0 if causal else min(right, most)


def check_torch(**arguments: Any) -> None:
    """Raises TypeError unless all are of torch."""
    for name, x in arguments.items():
        if not isinstance(x, torch.Tensor):
            raise TypeError(f"{name} is a {type(x).__name__}: expected a torch.Tensor")


def check_tensors(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> None:
    """Raises TypeError or ValueError unless kernels can take the three."""
    check_torch(q=q, k=k, v=v)
    check_arrays(q, k, v)
    check_fit(q, k, v)


def check_fit(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> None:
    """What kernels ask for beyond the reference: raises TypeError or ValueError without it."""
    if q.dtype not in (torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(
            f"q has dtype {q.dtype}: expected torch.float32, torch.float16 or torch.bfloat16"
        )
    if q.device.type != "cuda" and not (INTERPRETED and q.device.type == "cpu"):
        expected = "cpu, where Triton interprets" if INTERPRETED else "cuda"
        raise TypeError(f"q is a torch.Tensor on {q.device}: expected one on {expected}")
    for name, x in (("q", q), ("k", k), ("v", v)):
        if x.shape[-1] > 256:
            raise ValueError(
                f"{name} has shape {tuple(x.shape)}: its last axis must be 256 or less"
            )
