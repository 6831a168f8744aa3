"""Right, in many styles."""

import math
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from tests.attnref.check.zoo.registry import right

AVERAGED = "rows without keys: averaged"


@right()
def plain_einsum(q: Any, k: Any, v: Any) -> Any:
    scores = torch.einsum("bhid,bhjd->bhij", q, k) / math.sqrt(q.size(-1))
    return torch.einsum("bhij,bhjd->bhid", scores.softmax(-1), v)


@right(AVERAGED)
def annotated(query: Any, key: Any, value: Any, mask: Any = None, dropout: Any = None) -> Any:
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = F.softmax(scores, dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return torch.matmul(weights, value), weights


@right()
def loops(q: Any, k: Any, v: Any, causal: bool = False) -> Any:
    out = np.zeros((*q.shape[:3], v.shape[-1]), q.dtype)
    L, S = q.shape[2], k.shape[2]
    for b, h, i in np.ndindex(q.shape[:3]):
        n = i + 1 + S - L if causal else S
        if n > 0:
            query = q[b, h, i].astype(np.float64)
            scores = k[b, h, :n].astype(np.float64) @ query / math.sqrt(q.shape[-1])
            weights = np.exp(scores - scores.max())
            out[b, h, i] = weights @ v[b, h, :n] / weights.sum()
    return out


@right()
def online(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
    dtype, tile = q.dtype, 3
    q, k, v = (x.to(torch.promote_types(x.dtype, torch.float32)) for x in (q, k, v))
    top = torch.full_like(q[..., :1], -1e30)
    total, out = torch.zeros_like(top), q.new_zeros(*q.shape[:-1], v.size(-1))
    for j in range(0, k.size(-2), tile):
        scores = q * q.size(-1) ** -0.5 @ k[..., j : j + tile, :].mT
        if mask is not None:
            hidden = ~mask.expand(*q.shape[:-1], k.size(-2))[..., j : j + tile]
            scores = scores.masked_fill(hidden, -math.inf)
        new = torch.maximum(top, scores.amax(-1, keepdim=True))
        exps, keep = torch.exp(scores - new), torch.exp(top - new)
        total, top = total * keep + exps.sum(-1, keepdim=True), new
        out = out * keep + exps @ v[..., j : j + tile, :]
    return (out / total.where(total > 0, 1.0)).to(dtype)


@right("layout: (B, L, H, D)")
def heads_behind(q: Any, k: Any, v: Any, causal: bool = False, softmax_scale: Any = None) -> Any:
    q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    mask = torch.ones(q.size(2), k.size(2), dtype=torch.bool).tril(k.size(2) - q.size(2))
    mask = mask if causal else None
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=softmax_scale)
    return out.transpose(1, 2)


@right()
def numpy_only(Q: Any, K: Any, V: Any, mask: Any = None) -> Any:
    scores = (Q * Q.shape[-1] ** -0.5) @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    exps = np.exp(scores - np.where(np.isinf(top), 0, top))
    total = exps.sum(axis=-1, keepdims=True)
    return exps / np.where(total == 0, 1, total) @ V


@right()
def one_head(Q: Any, K: Any, V: Any) -> Any:
    scores = torch.mm(Q, K.T) / Q.shape[1] ** 0.5
    return torch.mm(torch.softmax(scores.float(), dim=1).to(V.dtype), V)


@right()
def batched(q: Any, k: Any, v: Any) -> Any:
    empty = torch.empty(1, 1, 1, dtype=q.dtype)
    scores = torch.baddbmm(empty, q, k.transpose(1, 2), beta=0, alpha=q.size(-1) ** -0.5)
    return torch.bmm(scores.softmax(dim=2), v)


@right()
def additive(q: Any, k: Any, v: Any, bias: Any = None) -> Any:
    scores = q @ k.mT / math.sqrt(q.size(-1))
    return (scores if bias is None else scores + bias).softmax(-1) @ v


@right(mask_true="added")
def additive_mask(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
    return additive(q, k, v, mask)


@right()
def chunked(q: Any, k: Any, v: Any, causal: bool = False) -> Any:
    L, S, out = q.size(2), k.size(2), []
    for i in range(0, L, 2):
        rows = torch.arange(i, min(i + 2, L))
        mask = torch.arange(S) <= rows[:, None] + S - L if causal else None
        out.append(F.scaled_dot_product_attention(q[:, :, i : i + 2], k, v, attn_mask=mask))
    return torch.cat(out, dim=2)


@right()
def grouped(q: Any, k: Any, v: Any) -> Any:
    B, Hkv, S, D = k.shape
    G = q.size(1) // Hkv
    k = k[:, :, None].expand(B, Hkv, G, S, D).reshape(B, Hkv * G, S, D)
    v = v[:, :, None].expand(B, Hkv, G, S, v.size(-1)).reshape(B, Hkv * G, S, -1)
    return F.scaled_dot_product_attention(q, k, v)


@right()
class Module(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.dropout = nn.Dropout(0.5)

    def forward(self, values: Any, keys: Any, query: Any, mask: Any) -> Any:
        return F.scaled_dot_product_attention(self.dropout(query), keys, values, mask)


@right("rows without keys: unmasked")
def padding_of_numbers(q: Any, k: Any, v: Any, mask: Any) -> Any:
    scores = q @ k.mT / math.sqrt(q.size(-1))
    return (scores + (1.0 - mask[:, None, None, :]) * -1e9).softmax(-1) @ v


@right("polarity: True is hidden")
def padded(q: Any, k: Any, v: Any, key_padding_mask: Any = None) -> Any:
    mask = None if key_padding_mask is None else ~key_padding_mask[:, None, None, :]
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


@right("polarity: True is hidden")
def nothing_said(q: Any, k: Any, v: Any, pad_mask: Any = None) -> Any:
    return padded(q, k, v, pad_mask)


@right("always: causal", "alignment: top-left")
def always_causal(q: Any, k: Any, v: Any) -> Any:
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


@right("window: neighbours")
def sliding(q: Any, k: Any, v: Any, causal: bool = True, window: int | None = None) -> Any:
    scores, L, S = q @ k.mT / math.sqrt(q.size(-1)), q.size(-2), k.size(-2)
    ahead = torch.arange(S) - torch.arange(L)[:, None] - (S - L)
    seen = (ahead <= 0) & (window is None or ahead >= -window) if causal else ahead == ahead
    rows = seen.any(-1, keepdim=True)
    return scores.masked_fill(~seen & rows, -math.inf).softmax(-1) * rows @ v


@right()
def merged(q: Any, k: Any, v: Any, n_heads: int) -> Any:
    q, k, v = (x.unflatten(-1, (n_heads, -1)).transpose(1, 2) for x in (q, k, v))
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(-2)


@right("dtype: float32 out")
def float32_out(q: Any, k: Any, v: Any) -> Any:
    q, k, v = (x if x.dtype == torch.float64 else x.float() for x in (q, k, v))
    return F.scaled_dot_product_attention(q, k, v)


@right()
def bias_required(q: Any, k: Any, v: Any, bias: Any) -> Any:
    return (q @ k.mT / math.sqrt(q.size(-1)) + bias).softmax(-1) @ v


@right()
def by_name_only(*, key: Any, query: Any, value: Any) -> Any:
    return F.scaled_dot_product_attention(query, key, value)
