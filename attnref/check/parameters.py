"""Which parameters a stranger has, and what they are for."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

SPELLINGS = {
    "mask": ("mask", "attn_mask", "attention_mask"),  # or any …mask…
    "bias": ("bias", "attn_bias", "attention_bias", "additive_mask"),
    "causal": ("causal", "is_causal", "use_causal_mask"),
    "scale": ("scale", "softmax_scale", "sm_scale", "scaling", "scale_factor"),
    "window": ("window", "window_size", "sliding_window"),
    "softcap": ("softcap", "logits_soft_cap", "soft_cap", "logit_softcap"),
    "gqa": ("enable_gqa",),
    "dropout": ("dropout_p", "dropout", "p_dropout", "dropout_rate", "attn_dropout", "p_drop"),
    "heads": ("num_heads", "n_heads", "nheads", "n_head", "heads"),
    "lse": ("return_lse",),
}
QKV = (("q", "query", "queries"), ("k", "key", "keys"), ("v", "value", "values"))
OFF = {"causal": False, "gqa": False, "lse": False, "dropout": 0.0}


class CannotRun(Exception):
    """There is nothing to look at; says why."""


@dataclass
class Parameters:
    """Names of a stranger's parameters by their role, and in which order it takes q, k, v."""

    roles: dict[str, str] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)  # roles without a default
    order: tuple[int, ...] = (0, 1, 2)
    first: tuple[str, ...] = ("q", "k", "v")
    keyword: bool = False  # the three are passed by name

    @property
    def flex(self) -> bool:
        """Masks go in as in torch's FlexAttention."""
        return self.roles.get("mask") == "block_mask"


def find_parameters(
    fn: Callable[..., Any],
    named: Mapping[str, str],
    fixed: Mapping[str, Any],
    added: bool,
) -> Parameters:
    """Reads the signature, or tries keywords if there is none; `named` overrides by role.

    What is in `fixed` is left alone. `added` says that the mask is a bias.

    Raises CannotRun if something is required that nobody knows.
    """
    try:
        found = inspect.signature(getattr(fn, "forward", fn)).parameters
    except (TypeError, ValueError):
        roles = _tried(fn) | dict(named)
        return Parameters({role: name for role, name in roles.items() if name not in fixed})

    plain = [p for p in found.values() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    first, rest = plain[:3], plain[3:]
    names = {p.name for p in rest}
    roles = {role: name for role, all_ in SPELLINGS.items() for name in all_ if name in names}
    if {"score_mod", "block_mask"} <= names:
        roles |= {"mask": "block_mask", "bias": "score_mod"}
    others = [p.name for p in rest if "mask" in p.name and p.name not in roles.values()]
    if others and "mask" not in roles:
        roles["mask"] = others[0]
    roles = {role: name for role, name in (roles | dict(named)).items() if name not in fixed}
    if added and "mask" in roles:
        roles["bias"] = roles.pop("mask")
    mask = "bias" if added else "mask"
    required = []
    for p in rest:
        if p.default is not p.empty or p.name in fixed:
            continue
        if p.name not in roles.values() and roles.setdefault(mask, p.name) != p.name:
            raise CannotRun(f"it needs a value for {p.name}: add --set {p.name}=…")
        required += [role for role, name in roles.items() if name == p.name]
    keyword = any(p.kind is p.KEYWORD_ONLY for p in first)
    return Parameters(roles, required, _order(first), tuple(p.name for p in first), keyword)


def _order(first: list[inspect.Parameter]) -> tuple[int, ...]:
    """(2, 1, 0) if the parameters are called values, keys, query; q, k, v if names don't tell."""
    names = [p.name.lower() for p in first]
    order = [which for name in names for which in range(3) if name in QKV[which]]
    return tuple(order) if sorted(order) == [0, 1, 2] else (0, 1, 2)


def _tried(fn: Callable[..., Any]) -> dict[str, str]:
    """Keywords that a function written in C takes."""
    if not find_spec("torch"):
        return {}
    import torch

    x = torch.ones(1, 1, 2, 2)
    roles = {}
    for role, names in SPELLINGS.items():
        for name in names:
            try:
                fn(x, x, x, **{name: OFF.get(role)})
            except Exception:
                continue
            roles[role] = name
    return roles
