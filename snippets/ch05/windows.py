"""How many keys a window of the same name lets a query see."""

from attnref import masks

n, w = 12, 4
readings = {  # neighbours before the token, and after it
    "w keys, itself among them": (w - 1, 0),
    "look back at w": (w, 0),
    "w in all, half on each side": (w // 2, w // 2),
}
seen = {}
for name, (left, right) in readings.items():
    per_query = masks.window(n, n, left, right).sum(1)
    seen[name] = int(per_query.max())  # away from the ends
    print(seen[name], name)
