"""Second tries: a run notes which tests needed one, and each of them is asked again."""

import sys
from pathlib import Path

import pytest

from tests.support import second_tries

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parents[2]
TESTS = """
    from pathlib import Path

    import pytest

    pytestmark = pytest.mark.flaky(reruns=1)

    def test_second() -> None:
        seen = Path(__file__).with_name("seen")
        if not seen.exists():
            seen.touch()
            raise AssertionError("the first try")

    def test_never() -> None:
        raise AssertionError

    def test_first() -> None:
        pass
"""


@pytest.mark.sweep
def test_note_holds_what_passed_at_its_second_try(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makeconftest("from tests.support.second_tries import note as pytest_configure")
    file = pytester.makepyfile(TESTS)
    noted = pytester.path / "noted"
    monkeypatch.setenv(second_tries.NOTED, str(noted))
    monkeypatch.setenv("DATABASE_URL", "postgres:///test")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    run = pytester.runpytest_subprocess("-p", "no:django", "-n", "1")
    run.assert_outcomes(passed=2, failed=1)
    assert noted.read_text() == f"postgresql {file.name}::test_second\n"


@pytest.mark.sweep
def test_command_gives_no_second_try(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    file = pytester.makepyfile(TESTS)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    asked = second_tries.command("sqlite", [f"{file.name}::test_second", f"{file.name}::test_first"])
    run = pytester.run(*asked, "-p", "no:django")
    run.assert_outcomes(passed=1, failed=1)


def test_command_starts_postgresql_where_the_test_needed_it() -> None:
    assert second_tries.command("postgresql", ["x"])[:4] == [
        sys.executable,
        "-m",
        "tests.support.postgres",
        "--",
    ]


@pytest.mark.parametrize(
    ("tests", "failing", "code", "runs"),
    [
        ([], [], 0, 0),
        (["sqlite a::b[c d]"], [], 0, 10),
        (["sqlite a::b", "sqlite a::c"], [], 0, 10),
        (["postgresql a::b", "sqlite a::b", "sqlite a::b"], [], 0, 20),
        (["sqlite a::b"], [9], 1, 10),
        (["sqlite a::b", "sqlite a::c", "sqlite a::d", "sqlite a::e"], [], 1, 0),
    ],
    ids=["none", "one", "two", "two-databases", "one-fails-at-last", "too-many"],
)
def test_each_is_asked_ten_times(
    tests: list[str],
    failing: list[int],
    *,
    code: int,
    runs: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked: list[list[str]] = []

    def failure(command: list[str]) -> str | None:
        asked.append(command)
        return "what it said" if len(asked) - 1 in failing else None

    monkeypatch.setattr(second_tries, "failure", failure)
    file = tmp_path / "noted"
    file.write_text("".join(f"{test}\n" for test in tests))
    assert second_tries.main(file) == code
    assert len(asked) == runs
    said = capsys.readouterr().out
    assert all(test in said for test in tests)
    assert said.count("what it said") == len(failing)
    if runs == 10:
        assert asked[0][-len(tests) :] == [test.removeprefix("sqlite ") for test in tests]


def test_failure_keeps_the_output() -> None:
    assert second_tries.failure([sys.executable, "-c", "print('said'); raise SystemExit(1)"]) == "said\n"
    assert second_tries.failure([sys.executable, "-c", "print('said')"]) is None
