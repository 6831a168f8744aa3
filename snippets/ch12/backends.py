"""Which program answers a call of SDPA, on a CPU."""

# --8<-- [start:which]
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention as sdpa
from torch.profiler import ProfilerActivity, profile

torch.manual_seed(0)
q, k, v = torch.randn(3, 1, 2, 8, 16)  # (B, H, L, D)
seen = torch.ones(8, 8, dtype=torch.bool).tril()


def answers(**arguments):
    with profile(activities=[ProfilerActivity.CPU]) as watched:
        sdpa(q, k, v, **arguments)
    names = [event.key for event in watched.key_averages()]
    return next(n for n in names if "::_scaled_dot_product" in n)


calls = {
    "flag": {"is_causal": True},
    "mask": {"attn_mask": seen},
    "dropout": {"is_causal": True, "dropout_p": 0.1},
}
answered = {name: answers(**how) for name, how in calls.items()}
for name, program in answered.items():
    print(
        f"{name}: {program.removeprefix('aten::_scaled_dot_product_')}"
    )
# --8<-- [end:which]

# --8<-- [start:force]
outs = {}
for backend in ("FLASH_ATTENTION", "MATH", "CUDNN_ATTENTION"):
    try:
        with sdpa_kernel(getattr(SDPBackend, backend)):
            outs[backend] = sdpa(q, k, v, is_causal=True)
    except RuntimeError:
        print(backend, "refuses")
gap = (outs["FLASH_ATTENTION"] - outs["MATH"]).abs().max().item()
bound = 1e-6
print("flash and math agree within the bound:", gap < bound)
# --8<-- [end:force]
