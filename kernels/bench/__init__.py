"""Times the kernels beside others on a GPU, checked before they are timed: see `__main__`."""
