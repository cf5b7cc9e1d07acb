"""The tables that `make bench` and `make soak` write, and the ratios that `--compare` names."""

import re
import sys
from pathlib import Path

import pytest

from benchmarks import __main__ as bench
from benchmarks._figures import Figure
from tests.support import records, soak

PAGE = """# Speed

<!-- FIGURES -->
| benchmark | what | Lastcard | reference | ratio | aim | commit |
| --- | --- | --- | --- | --- | --- | --- |
| save | round saved, median | 9.00 ms | 3.00 ms, bare insert | 3.00 | ratio 3 | fff1234 |
| save | round saved, p99 | 30.0 ms | 10.0 ms, bare insert | 3.00 | | fff1234 |
| taps | tap to saved, median | 1.00 ms | 0.50 ms, bare setItem | 2.00 | | fff1234 |
<!-- END OF FIGURES -->

The end.
"""


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "speed.md"
    path.write_text(PAGE)
    monkeypatch.setattr(bench, "PAGE", path)
    return path


def ran(**ratios: float) -> bench.Ran:
    figures = [
        Figure(f"round saved, {name}", 10 * ratio, "ms", 10, "bare insert") for name, ratio in ratios.items()
    ]
    return bench.Ran("save", 0, 1.0, "0.5", "abc1234", figures)


def test_new_rows_replace_those_of_their_script_only(page: Path) -> None:
    records.write_between(page, "FIGURES", ["benchmark", "what"], bench.rows_of(ran(median=2.5)))
    assert records.between(page, "FIGURES") == [
        "| save | round saved, median | 25.0 ms | 10.0 ms, bare insert | 2.50 |  | abc1234 |",
        "| taps | tap to saved, median | 1.00 ms | 0.50 ms, bare setItem | 2.00 | | fff1234 |",
    ]
    assert page.read_text().startswith("# Speed\n")
    assert page.read_text().endswith("<!-- END OF FIGURES -->\n\nThe end.\n")


def test_a_page_without_the_marks_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "soak.md"
    path.write_text("# The long run\n")
    with pytest.raises(AssertionError, match="lacks <!-- REPORT -->"):
        records.between(path, "REPORT")


@pytest.mark.usefixtures("page")
def test_compare_names_ratios_that_changed_by_more_than_a_fifth() -> None:
    assert bench.compared([ran(median=3.7, p99=3.5)]) == [
        "changed by +23%: save, round saved, median: ratio 3.70, was 3.00"
    ]
    assert bench.compared([ran(median=3.5, p99=2.5)]) == ["No ratio changed by more than 20%."]


@pytest.mark.usefixtures("page")
def test_compare_names_ratios_that_only_one_side_has() -> None:
    assert bench.compared([ran(median=3, worst=9)]) == [
        "new: save, round saved, worst: ratio 9.00",
        "gone: save, round saved, p99: ratio was 3.00",
    ]


def test_a_benchmark_that_fails_is_named_with_its_file_and_last_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = bench.closing([ran(median=3), bench.ran("absent", smallest=True)])
    assert lines[0] == "benchmarks/absent.py failed: mend it; its last lines:"
    assert "No module named benchmarks.absent" in lines[1]
    assert lines[2:] == ["1 of 2 benchmarks ran; failed: absent"]
    assert "FAILED" in capsys.readouterr().out


def test_a_benchmark_without_a_figure_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "true")
    done = bench.ran("save", smallest=True)
    assert (done.code, done.output) == (1, "It reported no figure.\n")


def test_the_soak_records_how_many_benchmarks_ran() -> None:
    line = bench.closing([ran(median=3)])[-1]
    assert line == "1 of 1 benchmarks ran"
    assert re.fullmatch(soak.PARTS["benchmarks"].said, line)


def test_every_benchmark_has_its_rows() -> None:
    scripts = {path.stem for path in (records.ROOT / "benchmarks").glob("[!_]*.py")}
    for mark in ("FIGURES", "RUNS"):
        assert {records.cells(row)[0] for row in records.between(bench.PAGE, mark)} == scripts, mark


@pytest.mark.parametrize(
    ("part", "end"),
    [
        ("sheets", ["-m", "pytest", "-n", "auto", "tests/rulesets", "tests/scoring", "-k", "a b"]),
        ("faults", ["-m", "pytest", "tests/faults", "-k", "a b"]),
        ("mutants", ["-m", "tests.mutants", "-k", "a b"]),
        ("coverage", ["coverage", "--no-print-directory", "ARGS= -k 'a b'"]),
        (
            "properties",
            ["test-sqlite", "--no-print-directory", f"ARGS=-m hypothesis {soak.ELSEWHERE} -k 'a b'"],
        ),
    ],
)
def test_arguments_of_the_soak_reach_its_parts(part: str, end: list[str]) -> None:
    assert soak.PARTS[part].words(["-k", "a b"])[1:] == end


def test_every_path_of_the_soak_exists() -> None:
    paths = [
        word for part in soak.PARTS.values() for word in part.command.split() if word.startswith("tests/")
    ]
    assert paths
    assert [path for path in paths if not (records.ROOT / path).exists()] == []


def test_what_asks_more_in_a_soak_is_a_part_of_it() -> None:
    parts = [records.ROOT / word for part in soak.PARTS.values() for word in part.command.split()]
    deeper = [
        path
        for path in (records.ROOT / "tests").rglob("test_*.py")
        if re.search(r"^from tests\.depth import .*\b(SOAK|events)\b", path.read_text(), re.MULTILINE)
    ]
    assert len(deeper) > 20
    assert [path for path in deeper if not any(path.is_relative_to(part) for part in parts)] == []
