"""In few combinations, every two values meet."""

from itertools import combinations, product

from tests.kernels.pairwise import pairwise

FACTORS = {"a": [1, 2, 3, 4], "b": "xyz", "c": [False, True], "d": [None, 0, 1, 2]}


def test_every_two_values_of_two_factors_meet() -> None:
    found = pairwise(FACTORS)
    for a, b in combinations(FACTORS, 2):
        assert {(each[a], each[b]) for each in found} == {*product(FACTORS[a], FACTORS[b])}


def test_combinations_are_few_and_always_the_same() -> None:
    assert 16 <= len(pairwise(FACTORS)) < 22  # of 96; the two longest factors alone take 16
    assert pairwise(FACTORS) == pairwise(FACTORS)
