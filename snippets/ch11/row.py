"""A long row, tile by tile, in float32 and in float64."""

# --8<-- [start:loop]
import numpy as np

from attnref import softmax


def online(z, v, tile):
    """softmax(z) v without a row of weights."""
    m, total, acc, held = -np.inf, 0, 0, 0
    for at in range(0, len(z), tile):
        z_t = z[at : at + tile]  # (tile,)
        v_t = v[at : at + tile]  # (tile, Dv)
        held = max(held, len(z_t))
        m_new = max(m, z_t.max())
        e = np.exp(z_t - m_new)  # (tile,)
        shrink = np.exp(m - m_new)
        total = total * shrink + e.sum()
        acc = acc * shrink + e @ v_t  # (Dv,)
        m = m_new
    return acc / total, held


rng = np.random.default_rng(0)
S, Dv, tile = 512, 32, 64
z, v = 4 * rng.normal(size=S), rng.normal(size=(S, Dv))
# --8<-- [end:loop]

# --8<-- [start:whole]
whole = softmax(z) @ v  # float64: all scores at once
o, held = online(z, v, tile)
tol = 1e-14
print(held, "scores held, not", S)
print("within", tol, bool(np.abs(o - whole).max() < tol))
# --8<-- [end:whole]

# --8<-- [start:sizes]
sizes = 1, 7, 64, 512
far = {t: np.abs(online(z, v, t)[0] - whole).max() for t in sizes}
print({t: bool(x < tol) for t, x in far.items()})
# --8<-- [end:sizes]

# --8<-- [start:single]
z32, v32 = z.astype(np.float32), v.astype(np.float32)
judge = softmax(z32.astype(float)) @ v32.astype(float)  # float64
unit = 2.0**-24  # half the gap between 1 and the next float32
single = {
    "tiled": online(z32, v32, tile)[0],
    "whole": softmax(z32) @ v32,
}
most = 32 * unit
print(f"{unit:.2e}", f"{most:.2e}")
for name, o32 in single.items():
    print(name, o32.dtype, bool(np.abs(o32 - judge).max() < most))
# --8<-- [end:single]
