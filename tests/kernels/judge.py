"""The rule by which kernels are judged: their error against that of plain torch, in one dtype.

Both are measured against attnref in float64, given the same inputs: output, log-sum-exp, and the
gradients of q, k, v and a bias, given the same gradients of output and log-sum-exp. In float16 and
bfloat16 the mean error may be 1.1 times that of plain.py, and the worst twice that; in float32, ten
times. Infinities and NaNs stand in the same places.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch

import attnref
import kernels
from tests.kernels.plain import plain
from tests.kernels.roundings import roundings

DEVICE = "cpu" if kernels.INTERPRETED else "cuda"
ALLOWED = {"mean": 1.1, "worst": 2.0}  # times the error of torch
ALLOWED_FLOAT32 = {"mean": 10.0, "worst": 10.0}


class Results(NamedTuple):
    out: Any
    lse: Any
    dq: Any = None
    dk: Any = None
    dv: Any = None
    d_bias: Any = None


def draw(*shapes: tuple[int, ...], dtype: str = "float32", seed: int = 0) -> list[torch.Tensor]:
    """Normal numbers of the given shapes, the same at every call."""
    generator = torch.Generator().manual_seed(seed)
    to = getattr(torch, dtype)
    return [torch.randn(shape, generator=generator).to(DEVICE, to) for shape in shapes]


def assert_as_good_as_torch(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    *,
    mask: torch.Tensor | None = None,
    call: Callable[..., Any] | None = None,
    layout: Callable[[torch.Tensor], torch.Tensor] = torch.clone,
    backward: bool = True,
    grant: bool = True,
    **options: Any,
) -> None:
    """The kernels obey the rule, for these inputs and options, forward and backward.

    call     what is judged, if not kernels.attention: it is called with q, k, v and a mask, and
             returns output and log-sum-exp, or the output alone
    layout   how the gradients of output and log-sum-exp lie in memory
    grant    whether roundings.py grants something where torch is exact by luck
    """

    def ours(*inputs: Any) -> Any:
        if call is not None:
            return call(*inputs)
        return kernels.attention(*inputs[:3], mask=inputs[3], return_lse=True, **options)

    def exactly(q: Any, k: Any, v: Any, mask: Any) -> Any:
        return attnref.attention(q, k, v, mask=mask, return_lse=True, **options)

    def plainly(q: Any, k: Any, v: Any, mask: Any) -> Any:
        return plain(q, k, v, mask=mask, **options)

    inputs = (q, k, v, mask)
    upstream = None
    if backward:
        upstream = draw((*q.shape[:-1], v.shape[-1]), q.shape[:-1], seed=1)
        upstream = [layout(upstream[0].to(q.dtype)), layout(upstream[1][..., None])[..., 0]]
    found = results(ours, inputs, upstream)
    if upstream and found.lse is None:
        upstream[1] = torch.zeros_like(upstream[1])
    true = results(exactly, [_double(x) for x in inputs], upstream and map(_double, upstream))
    theirs = results(plainly, inputs, upstream)
    # The kernels' log-sum-exp is never narrower than float32, nor is what it is measured against.
    wide = [x if x is None or x.dtype == torch.bool else x.float() for x in inputs]
    theirs = theirs._replace(lse=results(plainly, wide, None).lse)
    granted = Results(*roundings(*inputs, upstream, true, **options))
    if not grant:
        granted = Results(*(x if x is None else x * 0 for x in granted))

    for name, x, dtype in zip(Results._fields, found, _dtypes(q, mask), strict=True):
        if x is not None:
            assert x.dtype == dtype, f"{name} has dtype {x.dtype}"
            compare(name, *(getattr(r, name) for r in (found, true, theirs, granted)))


def results(call: Any, inputs: Any, upstream: Any) -> Results:
    """What a call gives, and the gradients of its inputs, which lie in memory as the inputs do."""
    q, k, v, mask = (x if x is None else x.detach() for x in inputs)
    bias = [] if mask is None or mask.dtype == torch.bool else [mask]
    wanted = [q, k, v, *bias]
    for x in wanted:
        x.requires_grad_(upstream is not None)
    returned = call(q, k, v, mask)
    outputs = returned if isinstance(returned, tuple) else (returned,)
    gradients: Any = ()
    if upstream is not None:
        given = [d.to(x.dtype) for x, d in zip(outputs, upstream, strict=False)]
        gradients = torch.autograd.grad(outputs, wanted, given)
    out, lse = (*outputs, None)[:2]
    return Results(out.detach(), None if lse is None else lse.detach(), *gradients)


def compare(name: str, ours: Any, true: Any, theirs: Any, granted: Any) -> None:
    """Raises AssertionError unless ours are as near to the truth as the rule wants."""
    allowed = ALLOWED_FLOAT32 if ours.dtype == torch.float32 else ALLOWED
    assert ours.shape == true.shape, f"{name} has shape {tuple(ours.shape)}"
    ours, theirs = _double(ours), _double(theirs)
    both_nan = ours.isnan() & true.isnan()
    finite = true.isfinite()
    alike = torch.where(finite, ours.isfinite(), (ours == true) | both_nan)
    assert alike.all(), f"{name} at {_first(~alike)}: {ours[~alike][0]}, expected {true[~alike][0]}"
    if not finite.any():
        return
    errors = torch.where(finite, (ours - true).abs(), 0.0)
    errors_of_torch, grants = (theirs - true)[finite].abs(), granted[finite]
    limit = max(allowed["worst"] * float(errors_of_torch.max()), float(grants.max()))
    at = _first(errors == errors.max())
    assert errors.max() <= limit, f"{name} at {at}: {ours[at]}, expected {true[at]} ± {limit:.3g}"

    limit = max(allowed["mean"] * float(errors_of_torch.mean()), float(grants.mean()))
    mean = float(errors[finite].mean())
    assert mean <= limit, f"{name}: the mean error is {mean:.3g}, expected {limit:.3g} at most"


def _dtypes(q: torch.Tensor, mask: torch.Tensor | None) -> list[Any]:
    return [q.dtype, torch.float32, *[q.dtype] * 3, None if mask is None else mask.dtype]


def _double(x: Any) -> Any:
    if x is None:
        return None
    return x.cpu() if x.dtype == torch.bool else x.detach().cpu().double()


def _first(where: torch.Tensor) -> tuple[int, ...]:
    return tuple(int(i) for i in where.nonzero()[0])
