"""Sequences of different length in one batch, padded and packed, against each alone."""

# --8<-- [start:alone]
import numpy as np

from attnref import attention, attention_varlen, masks

rng = np.random.default_rng(0)
tokens = np.array([5, 3])
B, H, D = len(tokens), 2, 4
sequences = [rng.normal(size=(3, H, n, D)) for n in tokens]
alone = [attention(*qkv, causal=True) for qkv in sequences]
# --8<-- [end:alone]

# --8<-- [start:padded]
S = tokens.max()
padded = np.zeros((3, B, H, S, D))
for b, qkv in enumerate(sequences):
    padded[:, b, :, : tokens[b]] = qkv

real = masks.padding(tokens, S)  # (B, 1, 1, S)
out_padded = attention(*padded, mask=real, causal=True)
right_padded = all(
    np.allclose(out_padded[b, :, :n], alone[b])
    for b, n in enumerate(tokens)
)
print("padded, as alone:", right_padded)
# --8<-- [end:padded]

# --8<-- [start:packed]
packed = np.concatenate(sequences, axis=2)  # (3, H, 8, D)
ids = np.repeat(np.arange(B), tokens)  # 0 0 0 0 0 1 1 1
own = masks.document(ids, ids)  # (8, 8)
out_packed = attention(*packed, mask=own, causal=True)
right_packed = np.allclose(out_packed, np.concatenate(alone, axis=1))
print("packed, as alone:", right_packed)

leaky = attention(*packed, causal=True)
moved = np.abs(leaky - out_packed).max((0, 2)) > 1e-6  # by token
print("without the document mask:", moved.astype(int))
# --8<-- [end:packed]

# --8<-- [start:varlen]
ends = np.append(0, tokens.cumsum())  # 0 5 8
rows = packed.swapaxes(1, 2)  # (3, 8, H, D): heads in the middle
out_varlen = attention_varlen(*rows, ends, ends, causal=True)
right_varlen = np.allclose(out_varlen.swapaxes(0, 1), out_packed)
whole, blocks = own.size, own.sum()
hidden_in_blocks = (own & ~masks.causal(len(own))).sum()
print(blocks, "of", whole, "cells, the same:", right_varlen)
# --8<-- [end:varlen]

# --8<-- [start:needed]
bare = attention(*padded, causal=True)
unmasked = attention(*padded)
masked = attention(*padded, mask=real)
n = tokens[1]  # the sequence that has padding
causal_needs = not np.allclose(bare[1, :, :n], out_padded[1, :, :n])
other_needs = not np.allclose(unmasked[1, :, :n], masked[1, :, :n])
print("padding mask needed: causal", causal_needs, "else", other_needs)
# --8<-- [end:needed]
