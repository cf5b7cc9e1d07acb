"""The tool that collects the words to translate: `make messages`."""

import gettext
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]

TEMPLATE = """{% load i18n %}
<h1>{% translate "Standings" %}</h1>
    <p>{% translate "It's over" %}
  {% blocktranslate count n=players|length trimmed %}
      {{ n }} player
  {% plural %}
      {{ n }} players
  {% endblocktranslate %}</p>
{# Translators: the card #}
{% translate "Draw" context "card" %}
"""
SOURCE = """
from django.utils.translation import gettext_lazy as _, ngettext, pgettext_lazy
title = _("Standings")
words = ngettext("%(n)s point", "%(n)s points", 2)
draw = pgettext_lazy("card", "Draw")
"""


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The tool over a project of one template and one module."""
    spec = importlib.util.spec_from_file_location("update", ROOT / "locale" / "update.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    (tmp_path / "templates" / "public").mkdir(parents=True)
    (tmp_path / "templates" / "public" / "page.html").write_text(TEMPLATE)
    (tmp_path / "tournament").mkdir()
    (tmp_path / "tournament" / "words.py").write_text(SOURCE)
    return tool


def test_words_of_templates_and_modules_are_collected_once(tool: ModuleType) -> None:
    found = {
        (message.context, message.id): [where for where, _ in message.locations] for message in tool.collect()
    }
    found.pop((None, ""))  # the catalogue's heading
    page, words = "templates/public/page.html", "tournament/words.py"
    assert found == {
        (None, "Standings"): [words, page],
        (None, "It's over"): [page],
        (None, ("%(n)s player", "%(n)s players")): [page],
        (None, ("%(n)s point", "%(n)s points")): [words],
        ("card", "Draw"): [words, page],
    }


def test_translations_stay_and_texts_that_are_gone_go(tool: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "locale"
    assert tool.update(folder, "fi", tool.collect()) == "fi: 5 texts, 5 untranslated"
    po = folder / "fi" / "LC_MESSAGES" / "django.po"
    po.write_text(
        po.read_text().replace('msgid "Standings"\nmsgstr ""', 'msgid "Standings"\nmsgstr "Tilanne"')
    )
    (tmp_path / "tournament" / "words.py").unlink()
    assert tool.update(folder, "fi", tool.collect()) == "fi: 4 texts, 3 untranslated"
    text = po.read_text()
    assert "%(n)s point" not in text
    assert tool.update(folder, "fi", tool.collect()) == "fi: 4 texts, 3 untranslated"
    assert po.read_text() == text
    with po.with_suffix(".mo").open("rb") as file:
        assert gettext.GNUTranslations(file).gettext("Standings") == "Tilanne"
