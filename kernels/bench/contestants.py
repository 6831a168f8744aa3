"""Who runs: each says in what layout it wants its tensors, and how it is called.

A contestant gets a shape and a device, and raises Unfit, with the reason, for what it can't do, or
ImportError. Of its call counts all that it does with its arguments; what others prepare once for a
shape, such as FlexAttention's block mask, they may prepare here.
"""

import inspect
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F

import kernels
from kernels.bench.shapes import Shape


class Unfit(Exception):
    """What a contestant has no call for."""


class Layout(NamedTuple):
    """From (B, H, L, D) to where a contestant wants its axes, and back."""

    there: Callable[[torch.Tensor], torch.Tensor]
    back: Callable[[torch.Tensor], torch.Tensor]


HEADS = Layout(lambda x: x.clone(), lambda x: x)
TOKENS = Layout(lambda x: x.transpose(1, 2).contiguous(), lambda x: x.transpose(1, 2))
PACKED = Layout(lambda x: x[0].transpose(0, 1).contiguous(), lambda x: x.transpose(0, 1)[None])

Contestant = Callable[[Shape, str], tuple[Layout, Callable[..., Any]]]
OURS, FLEX = "ours", "FlexAttention"


def ours(shape: Shape, device: str) -> tuple[Layout, Callable[..., Any]]:
    if shape.lengths:
        ends = shape.ends(device)
        return PACKED, lambda q, k, v: kernels.attention_varlen(
            q, k, v, ends, ends, causal=shape.causal
        )
    if shape.block:
        blocks = shape.blocks().to(device)[None]
        return HEADS, lambda q, k, v: kernels.block_sparse_attention(
            q, k, v, blocks, block=(shape.block, shape.block)
        )
    window = None if shape.window is None else (shape.window, 0)
    return HEADS, partial(kernels.attention, causal=shape.causal, window=window)


def sdpa(backend: str, shape: Shape, device: str) -> tuple[Layout, Callable[..., Any]]:
    from torch.nn.attention import SDPBackend, sdpa_kernel

    if shape.window is not None or shape.lengths or shape.block:
        raise Unfit("takes windows, packed sequences and blocks only as masks of all pairs")
    grouped = shape.Hq != shape.Hkv

    def call(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        with sdpa_kernel(getattr(SDPBackend, backend)):
            return F.scaled_dot_product_attention(
                q, k, v, is_causal=shape.causal, enable_gqa=grouped
            )

    return HEADS, call


def varlen(shape: Shape, device: str) -> tuple[Layout, Callable[..., Any]]:
    """torch's own call for packed sequences."""
    attend: Any = import_module("torch.nn.attention.varlen").varlen_attn
    if not shape.lengths:
        raise Unfit("is for packed sequences")
    old = "is_causal" in inspect.signature(attend).parameters  # older versions
    options: dict[str, Any] = {"is_causal": True} if old else {"window_size": (-1, 0)}
    ends, longest = shape.ends(device), max(shape.lengths)
    return PACKED, lambda q, k, v: attend(q, k, v, ends, ends, longest, longest, **options)


def flex(shape: Shape, device: str) -> tuple[Layout, Callable[..., Any]]:
    """Compiled for this very shape, as it likes best."""
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    config: Any = import_module("torch._functorch.config")
    config.donated_buffer = False  # so that a backward pass can be run again
    torch._dynamo.reset()  # it stops compiling after some shapes
    compiled: Any = torch.compile(flex_attention, dynamic=False)
    rule, mask = shape.rule(device), None
    if rule is not None:
        mask = create_block_mask(
            lambda b, h, i, j: rule(i, j), None, None, shape.L, shape.L, device=device
        )
    return HEADS, partial(compiled, block_mask=mask, enable_gqa=shape.Hq != shape.Hkv)


def flash(module: str, shape: Shape, device: str) -> tuple[Layout, Callable[..., Any]]:
    """flash-attn, version 2 or 3, whose calls have the same names."""
    flash_attn: Any = import_module(module)
    if shape.block:
        raise Unfit("has no call for blocks")
    if shape.lengths:
        ends, longest = shape.ends(device), max(shape.lengths)
        packed = partial(
            flash_attn.flash_attn_varlen_func,
            cu_seqlens_q=ends,
            cu_seqlens_k=ends,
            max_seqlen_q=longest,
            max_seqlen_k=longest,
            causal=True,
        )
        return PACKED, lambda q, k, v: _first(packed(q, k, v))
    window = (-1, -1) if shape.window is None else (shape.window, 0)
    plain = partial(flash_attn.flash_attn_func, causal=shape.causal, window_size=window)
    return TOKENS, lambda q, k, v: _first(plain(q, k, v))


def fla(shape: Shape, device: str) -> tuple[Layout, Callable[..., Any]]:
    attend: Any = import_module("fla.ops.attn").parallel_attn
    if shape.block or not shape.causal:
        raise Unfit("has causal attention only")
    options: dict[str, Any] = {}
    if shape.window is not None:
        options["window_size"] = shape.window + 1  # with the query's own key
    if shape.lengths:
        options["cu_seqlens"] = shape.ends(device).long()
    return TOKENS, partial(attend, **options)


CONTESTANTS: dict[str, Contestant] = {
    OURS: ours,
    "SDPA flash": partial(sdpa, "FLASH_ATTENTION"),
    "SDPA cuDNN": partial(sdpa, "CUDNN_ATTENTION"),
    "torch varlen": varlen,
    FLEX: flex,
    "flash-attn 2": partial(flash, "flash_attn"),
    "flash-attn 3": partial(flash, "flash_attn_interface"),
    "fla": fla,
}


def _first(result: Any) -> Any:
    """The output, where some versions return the log-sum-exp with it."""
    return result[0] if isinstance(result, tuple) else result
