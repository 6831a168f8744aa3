"""A few scores through the softmax, as they come and divided."""

# --8<-- [start:weigh]
from math import exp, sqrt

d_k = 64
raw = [8.0, 0.1, -0.3, 0.5]  # four scores of one query
scaled = [s / sqrt(d_k) for s in raw]


def softmax(z):
    e = [exp(x) for x in z]
    return e, [x / sum(e) for x in e]


E_raw, A_raw = softmax(raw)
E_scaled, A_scaled = softmax(scaled)
print([round(a, 4) for a in A_raw])
print([round(a, 4) for a in A_scaled])
# --8<-- [end:weigh]

# --8<-- [start:slope]
slope_raw = A_raw[0] * (1 - A_raw[0])
slope_scaled = A_scaled[0] * (1 - A_scaled[0])
through = slope_scaled / sqrt(d_k)  # seen from the raw score
print(f"{slope_raw:.5f} {slope_scaled:.4f} {through:.4f}")

gain = slope_scaled / slope_raw
gain_seen = through / slope_raw
print(f"{gain:.0f} {gain_seen:.1f}")
# --8<-- [end:slope]
