"""How large the table of a large model is."""

vocabulary_size, d_model = 128_000, 8_192
parameters = vocabulary_size * d_model
size = 2 * parameters  # bytes, at 16 bits a number
print(f"{parameters:,} parameters, {size / 2**30:.2f} GiB")
