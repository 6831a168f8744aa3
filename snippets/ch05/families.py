"""Every family of masks on the same small grid, built and counted."""

# --8<-- [start:build]
import numpy as np

from attnref import masks

n, w = 6, 3
ids = np.array([0, 0, 0, 0, 1, 1])  # which document a token is from
lengths = np.array([4])  # a batch of one; the rest is padding

causal = masks.causal(n)  # (L, S)
padding = masks.padding(lengths, n)  # (B, 1, 1, S): all queries alike
document = masks.document(ids, ids)  # (L, S)
window = masks.window(n, n, w - 1, 0)  # w keys, the own one among them
first = np.arange(n) == 0
everywhere = window | (causal & first)  # and all see the first key
# --8<-- [end:build]

# --8<-- [start:count]
families = {
    "causal": causal,
    "padding": np.broadcast_to(padding[0, 0], (n, n)),
    "document": document,
    "window": window,
    "global + window": everywhere,
}
allowed = {name: int(mask.sum()) for name, mask in families.items()}
packed_decoder = document & causal
for name, count in allowed.items():
    print(f"{count:2} of {n * n} {name}")
print(packed_decoder.sum(), "of", n * n, "document and causal")
# --8<-- [end:count]
