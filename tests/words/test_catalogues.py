"""The Finnish and Swedish catalogues: whole, in step with the sources, and compiled."""

import ast
import importlib.util
import io
import re
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import BinaryIO

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

LOCALE = Path(__file__).resolve().parents[2] / "locale"
# Marks that a translation must keep as they are: %(player)s, {n}, <span class="visually-hidden">.
KEPT = re.compile(r"%\(\w+\)[ds]|%%|\{\w*\}|<[^>]+>")

Key = tuple[str | None, tuple[str, ...]]


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """Load the program that `make messages` runs."""
    spec = importlib.util.spec_from_file_location("update", LOCALE / "update.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


@pytest.fixture(scope="module")
def sources(tool: ModuleType) -> set[Key]:
    """Every text that stands in a module or a template now."""
    return set(_by_key(tool.collect()))


@pytest.fixture(scope="module", params=["fi", "sv"])
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def catalogue(language: str) -> Catalog:
    with (LOCALE / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        return read_po(file, locale=language)


def test_languages_are_those_of_the_tool(tool: ModuleType) -> None:
    assert sorted(tool.LANGUAGES) == sorted(
        folder.name for folder in LOCALE.glob("*/") if (folder / "LC_MESSAGES").is_dir()
    )


def test_catalogue_holds_the_texts_of_the_sources(catalogue: Catalog, sources: set[Key]) -> None:
    held = set(_by_key(catalogue))
    assert (sorted(sources - held, key=str), sorted(held - sources, key=str)) == ([], []), (
        "new or changed texts, and unused ones: run `make messages` and translate"
    )
    assert not catalogue.obsolete


def test_texts_inside_of_formatted_strings_are_collected_elsewhere_too(sources: set[Key]) -> None:
    """Python 3.11 reads an f-string as one token, so the tool finds no text in it."""
    held = {text for _context, texts in sources for text in texts}
    hidden = [
        (path.name, call.args[0].value)
        for path in LOCALE.parent.glob("tournament/**/*.py")
        for string in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(string, ast.JoinedStr)
        for call in ast.walk(string)
        if isinstance(call, ast.Call) and ast.unparse(call.func) in ("_", "gettext", "gettext_lazy")
        if isinstance(call.args[0], ast.Constant)
    ]
    assert hidden
    assert [each for each in hidden if each[1] not in held] == []


def test_no_text_tells_a_reader_to_type_a_command(sources: set[Key]) -> None:
    """Commands stand in docs/ for operators, where nobody else looks."""
    assert not [key for key in sources if "manage.py" in str(key)]


def test_every_text_is_translated(catalogue: Catalog) -> None:
    assert [key for key, message in _by_key(catalogue).items() if not all(_forms(message.string))] == []
    assert [key for key, message in _by_key(catalogue).items() if message.fuzzy] == []


def test_plurals_have_a_form_for_one_and_for_more(catalogue: Catalog) -> None:
    assert catalogue.num_plurals == 2
    plural = {key: message for key, message in _by_key(catalogue).items() if message.pluralizable}
    assert [key for key, message in plural.items() if len(_forms(message.string)) != 2] == []


def test_translations_keep_placeholders_and_markup(catalogue: Catalog) -> None:
    wrong = {
        form: message.id
        for (_context, originals), message in _by_key(catalogue).items()
        for form in _forms(message.string)
        if sorted(KEPT.findall(form)) not in [sorted(KEPT.findall(original)) for original in originals]
    }
    assert wrong == {}


def test_compiled_catalogue_is_up_to_date(catalogue: Catalog, language: str) -> None:
    fresh = io.BytesIO()
    write_mo(fresh, catalogue)
    fresh.seek(0)
    with (LOCALE / language / "LC_MESSAGES" / "django.mo").open("rb") as file:
        assert _strings(file) == _strings(fresh)


def _strings(compiled: BinaryIO) -> dict[Key, tuple[str, ...]]:
    """Read a compiled catalogue's text for each key."""
    return {key: _forms(message.string) for key, message in _by_key(read_mo(compiled)).items()}


def _by_key(catalogue: Iterable[Message]) -> dict[Key, Message]:
    """The texts by context and original, without the heading of the file."""
    return {(message.context, _forms(message.id)): message for message in catalogue if message.id}


def _forms(text: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    """A text as its forms: one, or one for each number."""
    return tuple(text) if isinstance(text, (tuple, list)) else (text or "",)
