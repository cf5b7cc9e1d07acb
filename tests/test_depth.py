"""What the sample of tests/depth.py takes."""

from tests.depth import OF_SETS, sample

ALONE = [f"tests/x.py::test_{number}" for number in range(600)]
WITH_SETS = [f"tests/x.py::test_size_{number}[{size}]" for number in range(60) for size in range(10)]


def test_it_is_spread_over_all_and_the_same_at_every_run() -> None:
    taken = sample(dict.fromkeys(ALONE, 3))
    assert 150 < len(taken) < 250
    for part in range(0, 600, 100):
        assert 15 < len(taken & {*ALONE[part : part + 100]}) < 55
    assert taken == sample(dict.fromkeys(reversed(ALONE), 3))


def test_it_is_every_test_where_one_in_one_is_taken() -> None:
    assert sample(dict.fromkeys(ALONE, 1)) == {*ALONE}


def test_a_test_with_parameters_is_asked_with_some_of_them() -> None:
    taken = [test.partition("[") for test in sample(dict.fromkeys(WITH_SETS, 1))]
    assert {name for name, _, _ in taken} == {test.partition("[")[0] for test in WITH_SETS}
    assert {size for _, _, size in taken} == {f"{size}]" for size in range(10)}
    assert len(taken) < 3 * len(WITH_SETS) / OF_SETS / 2


def test_a_test_with_parameters_is_asked_once_at_least_however_few_are_taken() -> None:
    taken = sample(dict.fromkeys(WITH_SETS, 100))
    assert len(taken) == 60
