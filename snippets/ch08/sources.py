"""Self, causal and cross: one function, fed from other texts."""

import numpy as np

from attnref import attention, attention_weights, split_heads

d_model, H = 12, 3
rng = np.random.default_rng(0)
original = rng.normal(size=(6, d_model))  # a token a row
translation = rng.normal(size=(4, d_model))
W_Q, W_K, W_V = rng.normal(size=(3, d_model, d_model))

calls = {  # who asks, who is asked, whether the future is hidden
    "encoder self": (original, original, False),
    "decoder self": (translation, translation, True),
    "cross": (translation, original, False),
}
grid, out, allowed = {}, {}, {}
for name, (X_q, X_kv, causal) in calls.items():
    q = split_heads(X_q @ W_Q, H)  # (H, L, D)
    k = split_heads(X_kv @ W_K, H)  # (H, S, D)
    v = split_heads(X_kv @ W_V, H)  # (H, S, Dv)
    grid[name] = attention_weights(q, k, causal=causal)  # (H, L, S)
    out[name] = attention(q, k, v, causal=causal)  # (H, L, Dv)
    allowed[name] = int((grid[name][0] > 0).sum())
    print(name, grid[name].shape, out[name].shape, allowed[name])
