"""No head has a post: exchange a pair, and the layer computes the same."""

# --8<-- [start:swap]
import torch

from attnref import multi_head_attention

torch.manual_seed(0)
n, d_model, H = 5, 12, 3
D = d_model // H
X = torch.randn(n, d_model).double()
W_Q, W_K, W_V, W_O = torch.randn(4, d_model, d_model).double()

order = torch.arange(d_model).reshape(H, D)
order = order[[1, 0, 2]].ravel()  # heads 1 and 2 change places
swapped = W_Q[:, order], W_K[:, order], W_V[:, order], W_O[order]

Y = multi_head_attention(X, W_Q, W_K, W_V, W_O, heads=H)
Y_swapped = multi_head_attention(X, *swapped, heads=H)
near = 1e-12
same = (Y_swapped - Y).abs().max().item() < near
print("same function:", same)
# --8<-- [end:swap]

# --8<-- [start:twins]
twins = torch.arange(d_model).reshape(H, D)
twins = twins[[0, 0, 2]].ravel()  # head 2 is a copy of head 1
W = [W_Q[:, twins], W_K[:, twins], W_V[:, twins], W_O[twins]]
W = [each.clone().requires_grad_() for each in W]
multi_head_attention(X, *W, heads=H).square().sum().backward()
g = [W[0].grad.T, W[1].grad.T, W[2].grad.T, W[3].grad]
apart = max((x[:D] - x[D : 2 * D]).abs().max().item() for x in g)
largest = max(x.abs().max().item() for x in g)
stuck = apart < near * largest
print("twins get the same step:", stuck)
# --8<-- [end:twins]
