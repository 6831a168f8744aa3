"""The bytes of a cache, for fewer and fewer heads."""

from attnref.costs import cache_bytes

KiB, GiB, GB = 2**10, 2**30, 10**9
layers, D, tokens = 32, 128, 8192
per_token, total = {}, {}
for Hkv in (32, 8, 1):
    per_token[Hkv] = cache_bytes(1, layers=layers, Hkv=Hkv, D=D)
    total[Hkv] = cache_bytes(tokens, layers=layers, Hkv=Hkv, D=D)
    sizes = f"{per_token[Hkv] / KiB:3g} KiB {total[Hkv] / GiB:5g} GiB"
    print(f"{Hkv:2}  {sizes} = {total[Hkv] / GB:.3f} GB")
