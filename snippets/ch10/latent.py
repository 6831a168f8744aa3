"""Latent attention, naive and absorbed, and what it keeps."""

# --8<-- [start:forms]
import numpy as np

from attnref import mla
from attnref.costs import attention_multiply_adds, mla_multiply_adds

rng = np.random.default_rng(0)
H, S, D = 4, 7, 8
C, R = 16, 4  # r and d_R in the text
q, q_rope = rng.normal(size=(H, 1, D)), rng.normal(size=(H, 1, R))
latent, k_rope = rng.normal(size=(S, C)), rng.normal(size=(S, R))
w_uk, w_uv = rng.normal(size=(2, H, C, D)) / np.sqrt(C)

naive, absorbed = (
    mla(q, q_rope, latent, k_rope, w_uk, w_uv, form=form)  # (H, 1, D)
    for form in ("naive", "absorbed")
)
tol = 1e-12
agree = bool(np.abs(naive - absorbed).max() < tol)
print(naive.shape, agree)
# --8<-- [end:forms]

# --8<-- [start:counts]
H, D, C, R = 128, 128, 512, 64  # DeepSeek-V2's
numbers = {
    "MHA": 2 * H * D,
    "GQA, 8 groups": 2 * 8 * D,
    "MQA": 2 * D,
    "MLA": C + R,
}
groups = numbers["MLA"] / numbers["MQA"]
plain = attention_multiply_adds(1, D=D)  # a key and head
naive_wide, wide = (
    mla_multiply_adds(1, D=D, R=R, C=C, form=form)
    for form in ("naive", "absorbed")
)
sparse, dense = (  # FLOPs for each byte that is read
    2 * H * work / (2 * kept)
    for work, kept in (
        (plain, numbers["MHA"]),
        (wide, numbers["MLA"]),
    )
)
print(numbers)
print(groups, "groups;", plain, "and", wide, "multiply-adds")
print(f"{sparse:.0f} and {dense:.1f} FLOPs a byte; naive {naive_wide}")
# --8<-- [end:counts]
