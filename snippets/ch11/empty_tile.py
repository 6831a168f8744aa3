"""A tile that a mask hides, before any key was seen."""

import numpy as np

z = np.array([-np.inf, -np.inf, 1.0, 2.0])
found = []
for guarded in (False, True):
    m, total = -np.inf, 0.0
    for z_t in z.reshape(2, 2):
        m_new = max(m, z_t.max())
        shift = 0.0 if guarded and m_new == -np.inf else m_new
        with np.errstate(invalid="ignore"):  # NumPy would warn
            shrink = np.exp(m - shift)
            total = total * shrink + np.exp(z_t - shift).sum()
        m = m_new
    found.append(total)
print(found[0], found[1].round(4))
