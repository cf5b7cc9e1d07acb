"""Parts of pages are rendered once for each thing that they show."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from django import template
from django.template import Context, Template
from django.utils import timezone, translation

from tournament.templatetags.lastcard import KeptNode

KEPT = Template(
    "{% load i18n lastcard tz %}"
    "{% kept row=row at=at %}{{ row.name }}{{ other }}{% status 'running' %}{{ at|date:'H:i' }}{% endkept %}"
)


@dataclass(frozen=True)
class Row:
    name: str


def kept(template: Template = KEPT, **values: Any) -> str:
    return str(
        template.render(Context({"row": Row("Ada"), "at": datetime(2026, 11, 22, 12, tzinfo=UTC), **values}))
    )


def test_kept_is_rendered_once_for_the_same_values(monkeypatch: pytest.MonkeyPatch) -> None:
    kept()
    monkeypatch.setattr(template.base.VariableNode, "render", lambda *_: "anew")
    assert "Ada" in kept()
    assert "anew" in kept(row=Row("Bo"))


def test_kept_sees_nothing_but_what_is_named() -> None:
    assert "from the page" not in kept(row=Row("Cleo"), other="from the page")
    assert "&lt;b&gt;" in kept(row=Row("<b>"))


def test_kept_is_another_in_each_language_and_time_zone() -> None:
    texts = set()
    for language in ("en", "fi"):
        for zone in ("UTC", "Europe/Helsinki"):
            with translation.override(language), timezone.override(zone):
                texts.add(kept())
                assert ("12:00" if zone == "UTC" else "14:00") in kept()
    assert len(texts) == 4


def test_kept_forgets_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.templatetags.lastcard.CACHED_PIECES", 2)
    small = Template("{% load lastcard %}{% kept row=row %}{{ row.name }}{% endkept %}")
    for name in ("Ada", "Bo", "Cleo"):
        assert kept(small, row=Row(name)) == name
    (node,) = small.nodelist.get_nodes_by_type(KeptNode)
    assert isinstance(node, KeptNode)
    keys: list[Any] = [*node._kept]
    assert [key[-1] for key in keys] == [Row("Bo"), Row("Cleo")]


@pytest.mark.parametrize("arguments", ["", "row", "row=row more"], ids=["none", "nameless", "one nameless"])
def test_kept_wants_names(arguments: str) -> None:
    with pytest.raises(template.TemplateSyntaxError):
        Template(f"{{% load lastcard %}}{{% kept {arguments} %}}{{% endkept %}}")


def test_kept_refuses_what_cannot_be_compared() -> None:
    with pytest.raises(TypeError):
        kept(row=["a list"])
