"""Each extra can be deleted, and all at once: CI tries all, and one a day; the soak each, with its rows in a ledger."""

from datetime import date
from pathlib import Path

import pytest

from tests.depth import dear
from tests.support.deletion import IMPORTS, prove, run, without, write_history
from tournament.settings import EXTRAS

TODAY = EXTRAS[date.today().toordinal() % len(EXTRAS)]  # noqa: DTZ011 - any day will do


@pytest.mark.server
@pytest.mark.sqlite
@pytest.mark.parametrize("name", [TODAY, *dear(*(name for name in EXTRAS if name != TODAY))])
def test_the_rest_loads_without_an_extra(name: str) -> None:
    prove(name)


@pytest.mark.server
@pytest.mark.sqlite
def test_the_core_loads_without_any_extra() -> None:
    prove(*EXTRAS)


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("history")
    write_history(folder)
    return folder


@pytest.mark.soak
@pytest.mark.sqlite
@pytest.mark.parametrize("names", [*([name] for name in EXTRAS), EXTRAS], ids=",".join)
def test_the_rest_is_whole_without_an_extra(names: list[str], history: Path) -> None:
    prove(*names, history=history, types=True)


@pytest.mark.soak
def test_the_proof_fails_where_another_module_imports_the_extra(tmp_path: Path) -> None:
    without([TODAY], tmp_path)
    (tmp_path / "tournament" / "late.py").write_text(f"from tournament.extras import {TODAY}\n")
    with pytest.raises(SystemExit, match=f"cannot import name '{TODAY}' from 'tournament.extras'"):
        run(tmp_path, "-c", IMPORTS, "tournament")
