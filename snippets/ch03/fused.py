"""One wide projection, cut into heads, against a loop over heads."""

# --8<-- [start:wide]
import numpy as np

from attnref import attention, multi_head_attention, split_heads

rng = np.random.default_rng(0)
n, d_model, H, D, Dv = 4, 5, 2, 3, 2


def small(*shape):
    return rng.integers(-2, 3, shape).astype(float)


X = small(n, d_model)
W_Q, W_K = small(d_model, H * D), small(d_model, H * D)
W_V, W_O = small(d_model, H * Dv), small(H * Dv, d_model)

W = np.hstack([W_Q, W_K, W_V])  # one matrix for all heads and roles
q, k, v = np.split(X @ W, [H * D, 2 * H * D], axis=1)
q, k, v = (split_heads(x, H) for x in (q, k, v))  # (H, n, D or Dv)
print(W.shape, "gives", q.shape, k.shape, v.shape)
# --8<-- [end:wide]

# --8<-- [start:loop]
exact, outputs = [], []
for h in range(H):
    columns = slice(h * D, (h + 1) * D)
    values = slice(h * Dv, (h + 1) * Dv)
    q_h = X @ W_Q[:, columns]  # (n, D): this head's own matrices
    k_h = X @ W_K[:, columns]
    v_h = X @ W_V[:, values]
    pairs = (q_h, q[h]), (k_h, k[h]), (v_h, v[h])
    exact += [np.array_equal(a, b) for a, b in pairs]
    outputs.append(attention(q_h, k_h, v_h))  # (n, Dv)

looped = np.hstack(outputs) @ W_O  # (n, d_model)
fused = multi_head_attention(X, W_Q, W_K, W_V, W_O, heads=H)
near = 1e-12
agree = bool(abs(looped - fused).max() < near)
print("the same queries, keys and values:", all(exact))
print("outputs within", near, "of each other:", agree)
# --8<-- [end:loop]

# --8<-- [start:dealt]
dealt = (X @ W_Q).reshape(H, n, D)  # the shape is right
first_two = (X[:2] @ W_Q).reshape(n, D)
same_shape, same = dealt.shape == q.shape, np.array_equal(dealt, q)
early = np.array_equal(dealt[0], first_two)
print("shape:", same_shape, "content:", same)
print("its head 1 holds tokens 1 and 2 alone:", early)
# --8<-- [end:dealt]
