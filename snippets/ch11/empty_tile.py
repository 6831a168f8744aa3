"""A tile that a mask hides, before any key was seen."""

import numpy as np


def row_sum(z, guarded):
    m, total = -np.inf, 0.0
    for z_t in z.reshape(2, 2):
        m_new = max(m, z_t.max())
        shift = 0.0 if guarded and m_new == -np.inf else m_new
        with np.errstate(invalid="ignore"):  # NumPy would warn
            shrink = np.exp(m - shift)
            total = total * shrink + np.exp(z_t - shift).sum()
        m = m_new
    return total


late = np.array([-np.inf, -np.inf, 1.0, 2.0])  # one tile hidden
never = np.full(4, -np.inf)  # both hidden
found = [row_sum(late, guarded) for guarded in (False, True)]
empty = row_sum(never, True)
print(found[0], found[1].round(4), empty)
