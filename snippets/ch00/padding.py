"""Bug: a negative id is a row to an index, an error to PyTorch's embedding."""

import numpy as np
import torch

pad = -1
padded = [0, 3, pad]
rows = np.arange(8.0)[:, None]  # row t holds the number t
picked = rows[padded].ravel()
print("NumPy:", picked)
try:
    torch.nn.functional.embedding(
        torch.tensor(padded), torch.tensor(rows)
    )
except IndexError as error:
    print("PyTorch:", error)
