"""PyTorch keeps a projection transposed: (out, in)."""

import torch

torch.manual_seed(0)
linear = torch.nn.Linear(5, 3, bias=False).double()  # d_model to D
x = torch.randn(4, 5).double()

stored = tuple(linear.weight.shape)
W_Q = linear.weight.T  # (d_model, D), as this book writes it
agrees = torch.allclose(linear(x), x @ W_Q)
print(stored, agrees)
