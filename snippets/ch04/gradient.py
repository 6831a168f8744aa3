"""Both slopes again, from automatic differentiation."""

import torch

from attnref import softmax

s = torch.tensor([8.0, 0.1, -0.3, 0.5]).double().requires_grad_()
for name, z in (("raw", s), ("scaled", s / 8)):
    (by_z,) = torch.autograd.grad(softmax(z)[0], z, retain_graph=True)
    (by_s,) = torch.autograd.grad(softmax(z)[0], s)
    slopes = f"{by_z[0]:.5f} by its logit, {by_s[0]:.5f} by the score"
    print(name, slopes)
