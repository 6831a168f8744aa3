"""Wrong without any mask: scale, softmax, roles, axes."""

import math
from typing import Any

import numpy as np
import torch
from torch.nn import functional as F

from tests.attnref.check.zoo.registry import wrong


@wrong("scale: missing")
def unscaled(q: Any, k: Any, v: Any) -> Any:
    return torch.softmax(q @ k.transpose(-2, -1), dim=-1) @ v


@wrong("scale: D")
def scaled_by_the_width(q: Any, k: Any, v: Any) -> Any:
    scores = torch.einsum("bhld,bhsd->bhls", q, k) / q.shape[-1]
    return torch.einsum("bhls,bhsd->bhld", scores.softmax(-1), v)


@wrong("scale: D")
def scaled_twice(query: Any, key: Any, value: Any) -> Any:
    d_k = query.size(-1)
    query = query / math.sqrt(d_k)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    return F.softmax(scores, dim=-1) @ value


@wrong("scale: √(H·D)")
def scaled_by_d_model(q: Any, k: Any, v: Any) -> Any:
    d_model = q.size(1) * q.size(3)
    return F.softmax(q @ k.mT / math.sqrt(d_model), dim=-1) @ v


@wrong("scale: multiplied")
def multiplied_by_the_root(q: Any, k: Any, v: Any) -> Any:
    return F.softmax(q @ k.mT * math.sqrt(q.size(-1)), dim=-1) @ v


@wrong("scale: √S")
def scaled_by_the_number_of_keys(q: Any, k: Any, v: Any) -> Any:
    scores = q @ k.mT
    return F.softmax(scores / scores.size(-1) ** 0.5, dim=-1) @ v


@wrong("scale: √L")
def scaled_by_the_wrong_axis(q: Any, k: Any, v: Any) -> Any:
    return F.softmax(q @ k.mT / math.sqrt(q.size(-2)), dim=-1) @ v


@wrong("scale: √64")
def scale_hard_coded(q: Any, k: Any, v: Any) -> Any:
    return F.softmax(q @ k.mT / 8, dim=-1) @ v


@wrong("softmax: over heads")
def softmax_over_heads(q: Any, k: Any, v: Any) -> Any:
    return F.softmax(q @ k.mT / math.sqrt(q.size(-1)), dim=1) @ v


@wrong("softmax: over queries")
def softmax_over_queries(q: Any, k: Any, v: Any) -> Any:
    return F.softmax(q @ k.mT / math.sqrt(q.size(-1)), dim=-2) @ v


@wrong("softmax: over the batch")
def softmax_over_the_batch(q: Any, k: Any, v: Any) -> Any:
    scores = q @ k.swapaxes(-1, -2) * q.shape[-1] ** -0.5
    weights = np.exp(scores - scores.max(axis=0))
    return weights / weights.sum(axis=0) @ v


@wrong("softmax: over all pairs")
def softmax_over_all_pairs(q: Any, k: Any, v: Any) -> Any:
    scores = q @ k.mT / math.sqrt(q.size(-1))
    return F.softmax(scores.flatten(-2), dim=-1).view_as(scores) @ v


@wrong("softmax: missing")
def no_softmax(q: Any, k: Any, v: Any) -> Any:
    return q @ k.mT / math.sqrt(q.size(-1)) @ v


@wrong("softmax: not normalised")
def not_normalised(q: Any, k: Any, v: Any) -> Any:
    return np.exp(np.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5) @ v


@wrong("softmax: twice")
def softmax_twice(q: Any, k: Any, v: Any) -> Any:
    weights = F.softmax(q @ k.mT / math.sqrt(q.size(-1)), dim=-1)
    return F.softmax(weights, dim=-1) @ v


@wrong("roles: queries and keys exchanged")
def queries_and_keys_exchanged(q: Any, k: Any, v: Any) -> Any:
    return F.softmax(k @ q.mT / math.sqrt(q.size(-1)), dim=-1) @ v


@wrong("roles: keys and values exchanged")
def keys_and_values_exchanged(a: Any, b: Any, c: Any) -> Any:
    return F.scaled_dot_product_attention(a, c, b)


@wrong("roles: keys averaged")
def keys_averaged(q: Any, k: Any, v: Any) -> Any:
    return F.softmax(q @ k.mT / math.sqrt(q.size(-1)), dim=-1) @ k


@wrong("weights: transposed")
def weights_transposed(q: Any, k: Any, v: Any) -> Any:
    weights = F.softmax(q @ k.mT / math.sqrt(q.size(-1)), dim=-1)
    return torch.einsum("bhst,bhsd->bhtd", weights, v)


@wrong("axes: viewed both ways")
def viewed_in_place_of_transposed(q: Any, k: Any, v: Any) -> Any:
    B, L, H, _ = q.shape
    q, k, v = (x.reshape(B, H, -1, x.size(-1)) for x in (q, k, v))
    return F.scaled_dot_product_attention(q, k, v).reshape(B, L, H, -1)


@wrong("axes: viewed on the way in")
def heads_split_by_view(q: Any, k: Any, v: Any, num_heads: int) -> Any:
    B, L, _ = q.shape
    q, k, v = (x.reshape(B, num_heads, x.size(1), -1) for x in (q, k, v))
    out = F.scaled_dot_product_attention(q, k, v)
    return out.transpose(1, 2).reshape(B, L, -1)


@wrong("axes: viewed on the way out")
def heads_merged_by_view(q: Any, k: Any, v: Any) -> Any:
    B, _, L, _ = q.shape
    return F.scaled_dot_product_attention(q, k, v).reshape(B, L, -1)


@wrong("axes: attends over heads", layout="bhld")
def attends_over_heads(q: Any, k: Any, v: Any) -> Any:
    q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2)


@wrong("scale: missing", "softmax: over queries")
def unscaled_over_queries(q: Any, k: Any, v: Any) -> Any:
    return F.softmax(q @ k.mT, dim=-2) @ v


@wrong("scale: √(H·D)", "roles: keys and values exchanged")
def exchanged_and_scaled_by_d_model(q: Any, v: Any, k: Any) -> Any:
    scores = np.einsum("bhid,bhjd->bhij", q, v) * (q.shape[1] * q.shape[3]) ** -0.5
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return np.einsum("bhij,bhjd->bhid", weights / weights.sum(-1, keepdims=True), k)


@wrong("scale: D", "axes: viewed on the way out")
def scaled_twice_and_merged_by_view(q: Any, k: Any, v: Any) -> Any:
    out = F.scaled_dot_product_attention(q, k, v, scale=1 / q.size(-1))
    return out.reshape(q.size(0), q.size(2), -1)


@wrong("scale: √S | scale: √L")
def only_square_and_scaled_by_the_length(q: Any, k: Any, v: Any) -> Any:
    if q.shape != k.shape:
        raise ValueError("q and k must be alike")
    return F.softmax(q @ k.mT / q.size(-2) ** 0.5, dim=-1) @ v
