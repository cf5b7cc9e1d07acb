"""The contents of an archive: the models' field tables, and for good everything it once held."""

import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any

from tournament.extras.archive.files.reading import Archive
from tournament.extras.archive.files.schema import KINDS, Field, kinds_of

ROOT = Path(__file__).parents[4]


def test_what_an_archive_of_version_1_holds_never_changes() -> None:
    pinned = json.loads((ROOT / "fixtures" / "archive" / "schema-1.json").read_text(encoding="utf-8"))
    now = {
        kind: {name: [f.type, f.null, f.of, f.personal or "nothing"] for name, f in fields.items()}
        for kind, fields in kinds_of(1).items()
    }
    assert now == pinned


def test_of_an_account_nothing_is_in_the_archive_but_who_it_is() -> None:
    assert set(KINDS["user"]) == {"uid", "name", "own_link"}


def test_every_ref_names_a_kind_that_comes_before() -> None:
    order = list(KINDS)
    late = [
        (kind, name)
        for kind, fields in KINDS.items()
        for name, field in fields.items()
        if field.type == "ref" and order.index(field.of) >= order.index(kind)
    ]
    assert late == []


def test_the_page_about_archives_names_every_kind_and_every_field() -> None:
    text = (ROOT / "docs" / "archive.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", text, re.MULTILINE))
    for kind, fields in KINDS.items():
        assert set(re.findall(r"`(\w+)`", rows[kind])) >= fields.keys() - {"uid"}, kind


def test_an_archive_of_an_earlier_version_has_the_default_of_a_later_field(monkeypatch: Any) -> None:
    monkeypatch.setitem(KINDS["decision"], "hue", Field("int", since=2, default=lambda: 7))
    first = Archive(BytesIO((ROOT / "fixtures" / "archive" / "tite-1.zip").read_bytes()))
    assert "hue" in kinds_of(2)["decision"]
    assert [row["hue"] for _where, row in first.rows("decision")] == [7]
