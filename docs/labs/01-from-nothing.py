# %% [markdown]
# # Attention from nothing
#
# Attention is a chain of short functions, each a verb: project, compare, scale, mask, normalise, mix. Here you write them yourself,
# in NumPy, for one head. A check calls what you wrote and says in words what is wrong with it. At the end you have the head of
# chapter 7, and its numbers.
# {: .lead }
#
# This page is also a notebook, linked above: open it in Jupyter, or read on here. Here nobody has filled anything in, so every check
# complains. The notebook needs NumPy and this book's reference:
#
# ```sh
# pip install git+https://github.com/understanding-attention/understanding-attention
# ```
#
# A cell that is yours has `...` where its body is missing. Write it, run the cell, then run the check below it. Under each check a
# solution is folded. While yours is missing or not right, the solution takes its place, and says so; so every cell below runs.

# %%
import numpy as np

from attnref.check import diagnose
from attnref.check.verbs import check, unless_right

np.set_printoptions(precision=4, suppress=True)

# %% [markdown]
# ## Tokens and matrices
#
# The sequence has three<!-- = len(x) --> tokens. Each is a row of $X$, with four<!-- = x.shape[1] --> numbers. Real tokens have hundreds
# or thousands, and a model learns the matrices. Here somebody has chosen them, so that you can check every number by hand.

# %%
x = np.array([[1.0, 0, 1, 0], [0, 1, 1, 0], [1, 1, 0, 1]])
w_q = w_k = np.array([[1.0, -1], [0, 0], [0, 1], [0, 2]])
w_v = np.array([[1.0, -1], [0, 1], [0, 1], [2, 1]])
print("x", x.shape, "  w_q, w_k, w_v", w_q.shape)

# %% [markdown]
# ## Project
#
# Every token plays each role: it asks as a query, it is found as a key, it hands over a value. A matrix for each role makes the
# vectors: $Q = X W_Q$, $K = X W_K$ and $V = X W_V$. Where they come from is the subject of [chapter 3](../chapters/03-projections.md).


# %% tags=["exercise"]
def project(x, w):
    """A row for each token, as wide as w."""
    ...


# %%
check(project)


# %% tags=["solution"]
@unless_right(project)
def project(x, w):
    return x @ w


# %%
q, k, v = project(x, w_q), project(x, w_k), project(x, w_v)
print(q, "queries, and keys", sep="  ")
print(v, "values", sep="  ")

# %% [markdown]
# ## Compare
#
# A score says how well a key fits a query: their dot product. All of them together are one product of matrices, with a row for each
# query and a column for each key. That decides where the transpose goes ([chapter 2](../chapters/02-shapes.md)). In this example queries
# equal keys, so the numbers cannot tell you. The check uses others.


# %% tags=["exercise"]
def compare(q, k):
    """A row for each query, a column for each key."""
    ...


# %%
check(compare)


# %% tags=["solution"]
@unless_right(compare)
def compare(q, k):
    return q @ k.T


# %%
raw = compare(q, k)
print(raw)

# %% [markdown]
# ## Scale
#
# The wider the vectors, the more their dot products spread. Dividing by $\sqrt{d_k}$, the root of the width, takes that back: see
# [chapter 4](../chapters/04-why-divide.md).


# %% tags=["exercise"]
def scale(scores, d):
    """The scores, for queries and keys of width d."""
    ...


# %%
check(scale)


# %% tags=["solution"]
@unless_right(scale)
def scale(scores, d):
    return scores / d**0.5


# %%
scaled = scale(raw, q.shape[-1])
print(scaled)

# %% [markdown]
# A score of 2<!-- = raw[2, 2] --> became 1.4142<!-- = scaled[2, 2] -->: the width is 2<!-- = q.shape[-1] -->, too. If you wrote
# `np.sqrt(d)`, the check had a remark: that is a float64, and makes every array that it divides float64, even in a model that computes
# in float32.
#
# ## Mask
#
# In a causal head a token sees itself and what came before it, never what comes after. A forbidden score becomes $-\infty$, whose
# exponential is 0<!-- = np.exp(-np.inf) -->. It has to happen before the softmax: [chapter 5](../chapters/05-masks.md) shows what
# goes wrong after it. In this book's masks, True means that a pair takes part.


# %% tags=["exercise"]
def mask(scores, allowed):
    """The scores, where a pair is allowed."""
    ...


# %%
check(mask)


# %% tags=["solution"]
@unless_right(mask)
def mask(scores, allowed):
    return np.where(allowed, scores, -np.inf)


# %%
causal = np.tri(len(q), len(k), dtype=bool)
masked = mask(scaled, causal)
print(masked)

# %% [markdown]
# ## Normalise
#
# Now each row becomes weights: none negative, with the sum 1<!-- = weights[0].sum() -->. That is the softmax of
# [chapter 6](../chapters/06-softmax.md), and there is more than one way to get it wrong:
#
# - The sum runs along the keys. Along the queries it answers another question.
# - Exponentials of large scores overflow, unless you subtract the row's largest score first.
# - A query that may see no key has the largest score $-\infty$, and $-\infty$ minus itself is NaN. Subtract zero there. Then all
#   its exponentials are zero, and so is their sum: divide by one. Such a query gets zeros.


# %% tags=["exercise"]
def normalise(scores):
    """Weights for each query. A row of −∞ alone becomes zeros."""
    ...


# %%
check(normalise)


# %% tags=["solution"]
@unless_right(normalise)
def normalise(scores):
    largest = scores.max(axis=-1, keepdims=True)
    exponentials = np.exp(scores - np.where(np.isneginf(largest), 0, largest))
    total = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(total == 0, 1, total)


# %%
weights = normalise(masked)
print(weights)

# %% [markdown]
# The first token sees itself alone, so its weight is 1<!-- = weights[0, 0] -->. The second divides its attention into
# 0.3302<!-- = weights[1, 0] --> and 0.6698<!-- = weights[1, 1] -->.
#
# ## Mix
#
# What is left is to fetch. Each query takes the values in the proportions of its weights. No step since the projections has touched a
# value.


# %% tags=["exercise"]
def mix(weights, v):
    """A row for each query, out of the rows of v."""
    ...


# %%
check(mix)


# %% tags=["solution"]
@unless_right(mix)
def mix(weights, v):
    return weights @ v


# %%
output = mix(weights, v)
print(output)

# %% [markdown]
# ## All of them in a row
#
# You have come out where [chapter 7](../chapters/07-worked-example.md) comes out: the third token carries
# 1.7587<!-- = output[2, 0] --> and 1.0000<!-- = output[2, 1] -->. One function calls your verbs in order, but for the projections,
# which belong to the layer around it:


# %%
def attention(q, k, v, allowed=None):
    scores = scale(compare(q, k), q.shape[-1])
    if allowed is not None:
        scores = mask(scores, allowed)
    return mix(normalise(scores), v)


print(np.array_equal(attention(q, k, v, causal), output))

# %% [markdown]
# The checks above put one verb of yours among right ones. The same examiner looks at the whole, your own verbs where they were right
# and the solutions elsewhere. It calls the function with inputs that tell mistakes apart, and reads no source. `rank` tells it that
# yours takes matrices, and `parameters` what you call the mask.

# %%
head = {"library": "numpy", "rank": 2, "parameters": {"mask": "allowed"}}
print(diagnose(attention, **head))

# %% [markdown]
# A note, marked ~, is no mistake. These say what would become of your function in float16, which nobody has asked of it so far. (A ≠
# would mark another convention than this book's.)
#
# ## Break it
#
# A check that never complains is worth nothing. Here scores are divided by $\sqrt{d_k}$ once before the product and once after, each
# for a good reason, by people who did not talk:


# %%
def broken(q, k, v, allowed=None):
    return attention(q / q.shape[-1] ** 0.5, k, v, allowed)


print(diagnose(broken, **head))

# %% [markdown]
# The numbers it gives look like attention, and no shape is wrong. Now break yours:
#
# - Let `mask` fill in a large negative number in place of $-\infty$. How far below zero must it be for the check to accept it, and what
#   does it say even then?
# - Sum over `axis=0` in `normalise`. No shape will tell you.
# - Leave out the largest score in `normalise`. The head above does not change. Why does the examiner mind?
# - Compare `k` with `q`. With the running head nothing changes at all, as its queries are its keys.
#
# Run the check of a verb after each, and put it back.
#
# ## Where this goes
#
# A layer runs many such heads side by side, and joins what they bring: [chapter 8](../chapters/08-heads.md). The examiner works on any
# attention of yours, with heads and batches, in NumPy or PyTorch: [Check](../reference/check.md) says how.
