"""Modules that wait for their first use: what loads them, what does not, and that the start loads none of the large
ones."""

import builtins
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import tournament.urls  # noqa: F401 - the real views are taken before a test begins
from tournament.apps import views_are_there
from tournament.server import first_use
from tournament.server.first_use import Function, load_all

ROOT = Path(__file__).resolve().parents[2]
LATER = "from tournament.server.first_use import offered_on_first_use, on_first_use\n"

# A start and the first page, without a request and a database; what is loaded by then is printed.
START = """
import json, sys
import django
django.setup()
from django.template.loader import get_template
from django.urls import get_resolver, reverse
from tournament.management.commands import up
from tournament import asgi
from tournament.live import server
view = get_resolver().resolve("/en/").func
assert view.load().__name__ == "tournaments" and reverse("organise")
get_template("public/tournaments.html")
print(json.dumps(sorted(sys.modules)))
"""
NOT_FOR_THE_FIRST_PAGE = {
    "PIL",
    "markdown_it",
    "openpyxl",
    "xlsxwriter",
    "rest_framework.serializers",
    "scoring",
    "tournament.actions.every",
    "tournament.admin",
    "tournament.pages.public.stage",
    "tournament.views.desk.tables",
    "tournament.views.organiser.board",
    "yaml",
}


@pytest.fixture(autouse=True)
def _own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setattr(first_use, "_taken", [])
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "house"]:
        del sys.modules[name]


def written(tmp_path: Path, **files: str) -> Any:
    """The package `house` of these files."""
    (tmp_path / "house").mkdir()
    for name, text in {"__init__": "", **files}.items():
        (tmp_path / "house" / f"{name}.py").write_text(text)
    return import_module("house")


def loaded() -> set[str]:
    return {name for name in sys.modules if name.startswith("house.")}


def test_module_is_loaded_when_its_function_is_called(tmp_path: Path) -> None:
    written(
        tmp_path,
        kitchen="def cook(what): return f'cooked {what}'\ncook.csrf_exempt = True\n",
        urls=f"{LATER}import json\nwith on_first_use():\n    from house import kitchen\ncook = kitchen.cook\n",
    )
    cook: Function = import_module("house.urls").cook
    assert (cook.__module__, cook.__name__, hasattr(cook, "view_class")) == ("house.kitchen", "cook", False)
    assert loaded() == {"house.urls"}
    assert cook("soup") == "cooked soup"
    assert loaded() == {"house.urls", "house.kitchen"}


def test_attribute_of_a_view_is_the_real_ones(tmp_path: Path) -> None:
    written(
        tmp_path,
        kitchen="def cook(): ...\ncook.csrf_exempt = True\n",
        urls=f"{LATER}with on_first_use():\n    from house import kitchen as room\ncook = room.cook\n",
    )
    cook = import_module("house.urls").cook
    assert cook.csrf_exempt is True
    with pytest.raises(AttributeError):
        _ = cook.login_required


def test_package_offers_names_of_files_that_it_has_not_loaded(tmp_path: Path) -> None:
    house = written(
        tmp_path,
        __init__=f"{LATER}with offered_on_first_use():\n    from house.cellar import Wine, count as bottles\n"
        "    from house.kitchen import cook\n",
        cellar="class Wine: ...\ndef count(): return 7\n",
        kitchen="from house import Wine\ndef cook(): return Wine()\n",
    )
    assert loaded() == set()
    assert house.bottles() == 7
    assert loaded() == {"house.cellar"}
    assert isinstance(house.cook(), house.Wine)
    assert house.kitchen.__name__ == "house.kitchen"  # a file of it
    with pytest.raises(AttributeError, match="house offers no attic"):
        _ = house.attic


def test_others_import_as_always_meanwhile(tmp_path: Path) -> None:
    """A package that is loaded inside the block has imports of its own."""
    written(
        tmp_path,
        kitchen="def cook(): ...\n",
        hall="from house import kitchen\n",
        urls=f"{LATER}with on_first_use():\n    import house.hall\n    from house import kitchen\n"
        "cook = kitchen.cook\n",
    )
    usual = builtins.__import__
    assert isinstance(import_module("house.urls").cook, Function)
    assert import_module("house.hall").kitchen.__name__ == "house.kitchen"
    assert builtins.__import__ is usual


def test_a_block_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    written(tmp_path, urls=f"{LATER}with on_first_use():\n    1 / 0\n")
    usual = builtins.__import__
    with pytest.raises(ZeroDivisionError):
        import_module("house.urls")
    assert (builtins.__import__, first_use._importers) == (usual, [])


@pytest.mark.parametrize(
    ("kitchen", "fault"),
    [
        ("def bake(): ...\n", AttributeError),
        ("import house.attic\n", ModuleNotFoundError),
        (None, ModuleNotFoundError),
    ],
    ids=["no such view", "its module is broken", "no such module"],
)
def test_what_is_not_there_is_found(tmp_path: Path, kitchen: str | None, fault: type[Exception]) -> None:
    urls = f"{LATER}with on_first_use():\n    from house import kitchen\ncook = kitchen.cook\n"
    written(tmp_path, urls=urls, **({} if kitchen is None else {"kitchen": kitchen}))
    import_module("house.urls")
    with pytest.raises(ExceptionGroup) as found:
        load_all()
    assert [type(each.__cause__) for each in found.value.exceptions] == [fault]


def test_check_names_each_thing_that_is_not_there_once(tmp_path: Path) -> None:
    urls = f"{LATER}with on_first_use():\n    from house import attic, kitchen\n"
    written(tmp_path, urls=urls + "views = [kitchen.bake, attic.look, attic.sweep]\n", kitchen="")
    import_module("house.urls")
    assert [error.msg for error in views_are_there()] == [
        "house.kitchen.bake cannot be loaded: module 'house.kitchen' has no attribute 'bake'",
        "house.attic.look cannot be loaded: No module named 'house.attic'",
    ]


def test_each_is_loaded_once_with_a_rest_after_it(tmp_path: Path) -> None:
    names = ("bake", "cook", "fry")
    written(
        tmp_path,
        kitchen="".join(f"def {name}(): ...\n" for name in names),
        urls=f"{LATER}with on_first_use():\n    from house import kitchen\nviews = {[*names]}\n"
        "views = [getattr(kitchen, each) for each in views]\nagain = kitchen.cook\n",
    )
    urls, rests = import_module("house.urls"), list[set[str]]()
    assert urls.again is urls.views[1]
    load_all(lambda: rests.append(loaded()))
    load_all(lambda: rests.append(loaded()))
    assert rests == [{"house.urls", "house.kitchen"}] * 3


def test_every_view_that_an_address_names_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert views_are_there() == []
    assert len([each for each in first_use._taken if each.__module__.startswith("tournament.views.")]) > 150


def test_start_and_first_page_load_none_of_what_others_need() -> None:
    found = subprocess.run(
        [sys.executable, "-c", START], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    modules = set(json.loads(found))
    assert "tournament.views.public.tournaments" in modules
    assert modules & NOT_FOR_THE_FIRST_PAGE == set()
