"""What rounding alone can do to a result: torch may be exact by luck where a case is small.

One key has the weight 1, and nothing can go wrong with it in plain torch. So a kernel may always
err by as much as one rounding of each number that its results are sums of: half a unit in the last
place of each, added up as independent errors are, by their squares.
"""

from typing import Any

import torch

import attnref
from tests.kernels.plain import allowed


def roundings(
    q: Any, k: Any, v: Any, mask: Any, upstream: Any, true: Any, **options: Any
) -> list[torch.Tensor | None]:
    """Errors that are granted to out, lse, dq, dk, dv and the gradient of the bias."""
    half, half_32 = (torch.finfo(x).eps / 2 for x in (q.dtype, torch.float32))
    grouped, S = k.shape[:-2], k.shape[-2]
    q, k, v = (x.detach().cpu().double() for x in (q, k, v))
    bias = None if mask is None else mask.detach().cpu()
    if k.ndim > 2 and k.shape[-3]:
        k, v = (x.repeat_interleave(q.shape[-3] // x.shape[-3], dim=-3) for x in (k, v))
    scale = options.get("scale")
    scale = abs(q.shape[-1] ** -0.5 if scale is None else scale)

    # Scores are float32 in kernels, whatever q is, and so are the exponents made of them.
    scores = scale * ((q**2) @ (k**2).mT).sqrt() + (scale * q @ k.mT).abs()
    if bias is not None and bias.dtype != torch.bool:
        scores = scores + torch.where(bias.isfinite(), bias.double(), 0.0).abs()
    pairs = allowed(scores, bias, options.get("causal", False), options.get("window"))
    top = torch.where(pairs, scores, 0.0).amax(-1) if S else scores.sum(-1)
    lse = torch.where(true.lse.isfinite(), true.lse, 0.0).abs()
    bias = bias if bias is None or bias.dtype == torch.bool else bias.double()
    weights = attnref.attention_weights(q, k, mask=bias, **options)
    off = weights * (half + half_32 * 4 * (scores + lse[..., None]))  # how far weights can be

    granted = [_hypot(_independent(off, v), half * true.out), half_32 * 4 * (top + lse)]
    if upstream is None:
        return [*granted, None, None, None, None]
    d_out, d_lse = (x.detach().cpu().double() for x in upstream)
    products, delta = d_out @ v.mT, (d_out * true.out).sum(-1) - d_lse
    sizes = _hypot(((d_out * true.out) ** 2).sum(-1).sqrt(), d_lse)[..., None]  # of delta
    summed = half + half_32 * v.shape[-1] ** 0.5  # what it costs to sum over the width of values
    rows = summed * sizes * (weights @ k).abs()  # an error of delta is that of a whole row
    sizes = _hypot(_independent(d_out, v.mT), sizes)
    d_scores = _hypot(off * (products - delta[..., None]).abs(), weights * summed * sizes)
    dq = _hypot(scale * _hypot(_independent(d_scores, k), rows), half * true.dq)
    dk = _hypot(_for_heads(scale * _independent(d_scores.mT, q), grouped), half * true.dk)
    dv = _hypot(_for_heads(_independent(off.mT, d_out), grouped), half * true.dv)
    d_bias = None
    if true.d_bias is not None:
        if bias.shape[-1:] in ((), (1,)):
            d_scores = d_scores.sum(-1, keepdim=True)
        d_bias = _hypot((d_scores**2).sum_to_size(bias.shape).sqrt(), half * true.d_bias)
    return [*granted, dq, dk, dv, d_bias]


def _independent(a: Any, b: Any) -> Any:
    """How far off a @ b is, if a is off by as much as a number of either sign."""
    return ((a**2) @ (b**2)).sqrt()


def _hypot(a: Any, b: Any) -> Any:
    return torch.hypot(a, b.expand_as(a))


def _for_heads(x: Any, grouped: Any) -> Any:
    """The errors of a group of query heads, for the KV head that serves it."""
    if x.ndim == 2 or not grouped[-1]:
        return x
    return (x.unflatten(-3, (grouped[-1], -1)) ** 2).sum(-3).sqrt()
