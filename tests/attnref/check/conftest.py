"""Diagnoses are made once for all tests of an implementation."""

import torch

torch.set_num_threads(1)  # the workers of pytest-xdist share the cores already
