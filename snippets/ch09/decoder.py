"""A small decoder: trained in one pass, written with one token at a time."""

# --8<-- [start:model]
import numpy as np

from attnref import attention, logsumexp, rope

rng = np.random.default_rng(2)
vocabulary, d_model, layers = 9, 8, 2
E = rng.normal(size=(vocabulary, d_model))
weights = rng.normal(size=(layers, 3, d_model, d_model)) / 3
W_out = rng.normal(size=(d_model, vocabulary)) / 3  # makes logits


def read(ids, causal=True):
    """Logits of the next token after each token, and all K, V."""
    X, kept, at = E[ids], [], np.arange(len(ids))
    for W_Q, W_K, W_V in weights:
        q, k, v = rope(X @ W_Q, at), rope(X @ W_K, at), X @ W_V
        kept.append((k, v))  # (n, d_model) each
        X = X + attention(q, k, v, causal=causal)
    return X @ W_out, kept  # (n, vocabulary)


# --8<-- [end:model]


# --8<-- [start:loss]
text = np.array([3, 1, 4, 1, 5, 2, 6])
inputs, targets = text[:-1], text[1:]  # each token's target is the next


def losses(logits, targets):
    """Minus the logarithm of what the right token got."""
    right = logits[np.arange(len(targets)), targets]  # (n,)
    return logsumexp(logits, axis=-1) - right


def one_by_one(causal):
    """Read each beginning of the text apart, and keep its last row."""
    ends = range(1, len(inputs) + 1)
    last = [read(inputs[:n], causal)[0][-1] for n in ends]
    return losses(np.stack(last), targets)


near, agree = 1e-12, {}
for causal in (True, False):
    at_once = losses(read(inputs, causal)[0], targets)
    gap = np.abs(at_once - one_by_one(causal)).max()
    agree[causal] = bool(gap < near)
    print("causal:", causal, "the same:", agree[causal])
# --8<-- [end:loss]

# --8<-- [start:write]
prompt, rounds = [3, 1, 4, 1], 4
ids = list(prompt)
for _ in range(rounds):
    logits, _ = read(np.array(ids))  # the whole text, every time
    ids.append(int(logits[-1].argmax()))  # the next waits for this
print(ids)
# --8<-- [end:write]

# --8<-- [start:kept]
unchanged = {}
for causal in (True, False):
    _, before = read(np.array(ids[:-1]), causal)
    _, after = read(np.array(ids), causal)
    unchanged[causal] = []
    for (k, v), (k_after, v_after) in zip(before, after):  # by layer
        same_k = np.abs(k_after[:-1] - k).max() < near
        same_v = np.abs(v_after[:-1] - v).max() < near
        unchanged[causal].append(bool(same_k and same_v))
    print("causal:" if causal else "no mask:", unchanged[causal])
# --8<-- [end:kept]
