"""An induction head and the layer before it, every weight written by hand."""

# --8<-- [start:stream]
import numpy as np

from attnref import attention_weights, multi_head_attention

VOCAB, PLACES, SHARP = 16, 32, 20.0  # words, positions, size of a match
token = slice(0, VOCAB)  # which word this is
place = slice(VOCAB, VOCAB + PLACES)  # where it stands
WIDTH = 2 * VOCAB + PLACES
before = slice(VOCAB + PLACES, WIDTH)  # empty until layer 1


def embed(ids):
    x = np.zeros((len(ids), WIDTH))  # (n, d_model)
    x[:, token] = np.eye(VOCAB)[ids]
    x[:, place] = np.eye(PLACES)[: len(ids)]
    return x


def reads(part, matrix):
    """A projection that looks at one part of the vector."""
    W = np.zeros((WIDTH, matrix.shape[1]))
    W[part] = matrix
    return W


# --8<-- [end:stream]


# --8<-- [start:layers]
words, places = np.eye(VOCAB), np.eye(PLACES)

one_back = SHARP * np.eye(PLACES, k=-1)  # place to place - 1
back_Q = reads(place, one_back)  # asks for the place before
back_K, back_V = reads(place, places), reads(token, words)
back_O = reads(before, words).T  # writes the word it found there

match_Q = reads(token, SHARP * words)  # asks: who came after my word?
match_K = reads(before, words)  # says: the word before me
match_V = reads(token, words)  # hands over: my own word
one_head = {"heads": 1, "causal": True, "scale": 1.0}


def layer_1(x):
    back = back_Q, back_K, back_V, back_O
    return x + multi_head_attention(x, *back, **one_head)


def layer_2(x):
    match = match_Q, match_K, match_V, words
    return multi_head_attention(x, *match, **one_head)


# --8<-- [end:layers]

# --8<-- [start:run]
text = ["<s>", "low", "tide", "then", "low"]
names = sorted(set(text))
x = embed([names.index(word) for word in text])
alike = x[:, token] @ x[-1, token]  # each word · the last one

x = layer_1(x)
query, keys = x[-1:] @ match_Q, x @ match_K
score = (query @ keys.T)[0]
weight = attention_weights(query, keys, scale=1.0)[0]
guess = names[layer_2(x)[-1].argmax()]

print("word  alike  score  weight")
for w, a, s, p in zip(text, alike, score, weight):
    print(f"{w:4} {a:6.0f} {s:6.1f} {p:7.4f}")
print("next:", guess)
# --8<-- [end:run]

# --8<-- [start:works]
rng = np.random.default_rng(0)
texts, right, asked = 200, 0, 0
for _ in range(texts):
    once = rng.permutation(np.arange(1, VOCAB))  # 15 words, any order
    ids = np.array([0, *once, *once])  # 0 starts the text
    guesses = layer_2(layer_1(embed(ids))).argmax(-1)
    again = np.arange(VOCAB, len(ids) - 1)  # tokens of the second round
    right += int((guesses[again] == ids[again + 1]).sum())
    asked += len(again)
print(right, "of", asked, "next words right")
# --8<-- [end:works]
