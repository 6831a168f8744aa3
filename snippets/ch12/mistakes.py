"""Common mistakes on the running example, each beside its remedy."""

# --8<-- [start:setup]
import torch
from torch.nn.functional import scaled_dot_product_attention as sdpa

from attnref import attention

Q = K = torch.tensor([[1, 0], [0, 1], [1, 1]]).double()  # (L, D)
V = torch.tensor([[1, 0], [0, 2], [3, 1]]).double()  # (S, Dv)


def causal(q, k):
    L, S = len(q), len(k)
    return torch.ones(L, S, dtype=torch.bool).tril(S - L)


def logits(q, k):
    z = q @ k.mT / q.shape[-1] ** 0.5
    return z.masked_fill(~causal(q, k), -torch.inf)


wrong, right = {}, {}


def show(name, before, after, q=Q):
    wrong[name], right[name] = before, after
    bad, good = before(q, K, V), after(q, K, V)
    print("         before |         after")
    for b, g in zip(bad, good):
        print("{:7.4f} {:7.4f} | {:6.4f} {:6.4f}".format(*b, *g))
    return bad, good


# --8<-- [end:setup]


# --8<-- [start:axes]
def before(q, k, v):
    flag = len(q) > 1
    q, k, v = (x[None, :, None] for x in (q, k, v))  # (B, L, H, D)
    return sdpa(q, k, v, is_causal=flag)[0, :, 0]


def after(q, k, v):
    flag = len(q) > 1
    q, k, v = (x[None, None] for x in (q, k, v))  # (B, H, L, D)
    return sdpa(q, k, v, is_causal=flag)[0, 0]


bad, good = show("axes", before, after)
# --8<-- [end:axes]


# --8<-- [start:polarity]
def before(q, k, v):
    hidden = ~causal(q, k)  # as nn.MultiheadAttention wants it
    return sdpa(q, k, v, attn_mask=hidden)


def after(q, k, v):
    return sdpa(q, k, v, attn_mask=causal(q, k))


bad, good = show("polarity", before, after)
# --8<-- [end:polarity]


# --8<-- [start:late]
def before(q, k, v):
    z = q @ k.mT / q.shape[-1] ** 0.5
    return z.softmax(-1).masked_fill(~causal(q, k), 0) @ v


def after(q, k, v):
    return logits(q, k).softmax(-1) @ v


bad, good = show("late mask", before, after)
# --8<-- [end:late]


# --8<-- [start:columns]
def before(q, k, v):
    return logits(q, k).softmax(0) @ v


def after(q, k, v):
    return logits(q, k).softmax(-1) @ v


bad, good = show("columns", before, after)
# --8<-- [end:columns]


# --8<-- [start:scale]
def before(q, k, v):
    q = q / q.shape[-1] ** 0.5  # and sdpa divides again
    return sdpa(q, k, v, attn_mask=causal(q, k))


def after(q, k, v):
    return sdpa(q, k, v, attn_mask=causal(q, k))


bad, good = show("scaled twice", before, after)


def before(q, k, v):
    z = (q @ k.mT).masked_fill(~causal(q, k), -torch.inf)
    return z.softmax(-1) @ v  # nobody divides


never, good = show("never scaled", before, after)
# --8<-- [end:scale]


# --8<-- [start:cache]
def before(q, k, v):
    return sdpa(q, k, v, is_causal=True)


def after(q, k, v):
    return sdpa(q, k, v, attn_mask=causal(q, k))


bad, good = show(
    "with a cache", before, after, q=Q[-1:]
)  # the newest token
# --8<-- [end:cache]


# --8<-- [start:dropout]
class Head(torch.nn.Module):
    def forward(self, q, k, v):
        return sdpa(q, k, v, causal(q, k), dropout_p=0.5)


class Mended(torch.nn.Module):
    def forward(self, q, k, v):
        p = 0.5 if self.training else 0.0
        return sdpa(q, k, v, causal(q, k), dropout_p=p)


for head in (Head().eval(), Mended().eval()):
    firsts = {tuple(head(Q, K, V)[0].tolist()) for _ in range(99)}
    print(type(head).__name__, sorted(firsts))
wrong["dropout"], right["dropout"] = Head().eval(), Mended().eval()
# --8<-- [end:dropout]


# --8<-- [start:nokey]
def real(k):
    return torch.arange(len(k)) > 0  # padding at the front


def before(q, k, v):
    z = logits(q, k).masked_fill(~real(k), -torch.inf)
    return z.softmax(-1) @ v


def after(q, k, v):
    return sdpa(q, k, v, attn_mask=causal(q, k) & real(k))


bad, good = show("no key", before, after)
# --8<-- [end:nokey]

# --8<-- [start:tests]
torch.manual_seed(0)
x = torch.randn(3, 33, 4, dtype=torch.double)  # q, k, v of a text
ones = torch.ones(33, 1).double()
full = causal(*x[:2])
padded = full & (torch.arange(33) > 0)


def run(f, *inputs):
    torch.manual_seed(0)
    return f(*inputs)


def same(a, b):
    return torch.allclose(a, b, rtol=0, atol=1e-9, equal_nan=True)


def moved(f, token):
    poked = x.clone()
    poked[:, token] += 1
    rows = zip(run(f, *poked), run(f, *x))
    return [not same(new, old) for new, old in rows]


tests = {
    "shape": lambda f, _: run(f, *x).shape == x[2].shape,
    "finite": lambda f, _: run(f, *x).isfinite().all(),
    "sums": lambda f, sees: same(
        run(f, *x[:2], ones), sees.any(1, keepdim=True).double()
    ),
    "future": lambda f, _: not any(moved(f, -1)[:-1]),
    "past": lambda f, _: moved(f, 1)[-1],
    "cached": lambda f, _: same(
        run(f, x[0, -1:], *x[1:]), run(f, *x)[-1:]
    ),
    "repeat": lambda f, _: same(f(*x), f(*x)),
    "numbers": lambda f, sees: same(
        run(f, *x), attention(*x, mask=sees)
    ),
}
# --8<-- [end:tests]


# --8<-- [start:noticed]
def fails(test, f, sees):
    try:
        return not test(f, sees)
    except RuntimeError:
        return True


def noticed(name, f):
    sees = padded if name == "no key" else full
    return [t for t, test in tests.items() if fails(test, f, sees)]


found = {name: noticed(name, f) for name, f in wrong.items()}
for name, by in found.items():
    print(f"{name}: {', '.join(by)}")
clean = not any(noticed(name, f) for name, f in right.items())
print("the remedies pass all tests:", clean)
# --8<-- [end:noticed]
