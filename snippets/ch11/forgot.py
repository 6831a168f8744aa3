"""The sum is corrected and the mixture is not."""

import numpy as np

from attnref import softmax


def forgetful(z, v, tile):
    m, total, acc = -np.inf, 0, 0
    for at in range(0, len(z), tile):
        z_t, v_t = z[at : at + tile], v[at : at + tile]
        m_new = max(m, z_t.max())
        e = np.exp(z_t - m_new)
        total = total * np.exp(m - m_new) + e.sum()
        acc = acc + e @ v_t  # no correction here
        m = m_new
    return acc / total


z = np.array([1.0, 0.0, 2.0, 3.0])
v = np.array([10.0, 20.0, 30.0, 40.0])
wrong = {t: forgetful(z, v, t) for t in (1, 2, 4)}
down = np.argsort(-z)
hidden = forgetful(z[down], v[down], 2)
right = softmax(z) @ v
print({t: float(o.round(4)) for t, o in wrong.items()})
print(hidden.round(4), right.round(4))
