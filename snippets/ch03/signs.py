"""A row of negative scores still gives weights that sum to one."""

import numpy as np

from attnref.softmax import softmax

row = np.array([-5, -3, -4, -2]) / np.sqrt(3)  # query 3, scaled
lifted = row + 100  # every score raised by the same amount

a3 = softmax(row)
same = bool(np.allclose(a3, softmax(lifted), rtol=0, atol=1e-12))
print(a3.round(4), "sum", a3.sum().round(4))
print("raised by 100, the same weights:", same)
