"""When a run is fine, and its report of accepted survivors."""

from importlib import import_module
from pathlib import Path

import pytest

from tests.mutants.__main__ import TESTS
from tests.mutants.accepted import FOLDER, accepted, key_of
from tests.mutants.report import Report
from tests.mutants.running import ALIVE, KILLED, Verdict
from tests.mutants.sites import mutants_of

SOURCE = "def f(a):\n" + "    g(a)\n" * 19 + "    return a\n"  # 20 mutants
MUTANTS = mutants_of(SOURCE, "f.py", {})
ENTRY = '[["f.py"]]\nfunction = "f"\nmutants = ["{}"]\nreason = "{}"\n'


def report_of(folder: Path, entry: str, alive: int) -> Report:
    """A run in which the last mutants are alive."""
    (folder / "f.toml").write_text(entry)
    report = Report(accepted([folder / "f.toml"]))
    for index, mutant in enumerate(MUTANTS):
        state = ALIVE if index >= len(MUTANTS) - alive else KILLED
        report.add(Verdict(mutant, state, "", 1))
    return report


def test_every_test_that_is_asked_exists() -> None:
    assert [path for paths in TESTS.values() for path in paths if not Path(path).exists()] == []


def test_every_accepted_survivor_is_a_change_of_the_code_as_it_is() -> None:
    listed = accepted(sorted(FOLDER.glob("*.toml")))
    there = {
        key_of(mutant)
        for file in {each.file for each in listed.values()}
        for mutant in mutants_of(
            Path(file).read_text(), file, vars(import_module(file.removesuffix(".py").replace("/", ".")))
        )
    }
    assert listed.keys() - there == set()


def test_survivor_with_a_reason_is_fine(tmp_path: Path) -> None:
    report = report_of(tmp_path, ENTRY.format("return a → return None", "Nobody asks."), alive=1)

    assert (len(MUTANTS), report.per_cent(), report.fine()) == (20, 5.0, True)
    assert "| `f` | `return a` → `return None` | Nobody asks. |" in report.survivors()
    assert "| `f.py` | 20 | 19 | 0 | 1 | 5.0 |" in report.table()


def test_survivor_without_a_reason_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = report_of(tmp_path, "", alive=1)

    assert not report.fine()
    assert (
        capsys.readouterr().out == "f.py:21 f, return (alive, 1 tests)\n    - return a\n    + return None\n"
    )


def test_more_than_five_per_cent_are_not_fine_with_any_reason(tmp_path: Path) -> None:
    entry = '[["f.py"]]\nfunction = "f"\nmutants = ["return a → return None", "g(a) → pass"]\nreason = "."\n'

    assert report_of(tmp_path, entry, alive=1).fine()
    assert not report_of(tmp_path, entry, alive=2).fine()


def test_accepted_one_that_is_noticed_or_gone_is_named(tmp_path: Path) -> None:
    killed = report_of(tmp_path, ENTRY.format("return a → return None", "."), alive=0)
    gone = report_of(tmp_path, ENTRY.format("h(a) → pass", "."), alive=0)

    assert [each.text for each in killed.unneeded()] == ["return a → return None"]
    assert [each.text for each in gone.unneeded()] == ["h(a) → pass"]


@pytest.mark.parametrize(
    "text", [ENTRY.format("a → b", ""), 2 * ENTRY.format("a → b", ".")], ids=["no reason", "twice"]
)
def test_entry_has_a_reason_and_stands_once(tmp_path: Path, text: str) -> None:
    (tmp_path / "f.toml").write_text(text)
    with pytest.raises(ValueError, match="a → b"):
        accepted([tmp_path / "f.toml"])
