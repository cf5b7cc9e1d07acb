"""tournament/live/changes.py: what changed in a page, by lines."""

import random
from dataclasses import replace

from hypothesis import given, strategies as st

from tests.live.driver import applied, unpacked
from tournament.live.changes import LINES_MOST, MOST, changes, packed
from tournament.live.store import Entry

TEXTS = st.lists(st.sampled_from(["<tr>", "</tr>", "Aino", "Börje", "🂡 7", ""])).map("\n".join)


def page(version: int, body: str, former: Entry | None = None) -> Entry:
    entry = Entry.of("a", version, [], body.encode())
    return entry if former is None else replace(entry, former=former.plain)


@given(TEXTS, TEXTS)
def test_the_changes_of_a_text_give_the_other(before: str, after: str) -> None:
    assert applied(before, list(changes(before, after))) == after


def test_a_page_says_of_which_text_and_version_its_changes_are() -> None:
    before = page(1, "first\nAino\nlast")
    after = page(2, "first\nBörje\nlast", before)
    former, tag, version, _ = (packed(after) or b"").decode().split(" ")
    assert [f'"{former}"', f'"{tag}"'] == [each.plain.etag.decode() for each in (before, after)]
    assert version == "2"
    assert unpacked(packed(after)) == [[1, 1, "Börje"]]


def test_a_page_has_no_changes_without_a_former_one_or_where_they_are_too_many() -> None:
    noise = random.Random(7).randbytes(MOST).hex()
    long = "line\n" * (LINES_MOST + 1)
    assert packed(page(2, "x")) is None
    assert packed(page(2, noise, page(1, "x"))) is None
    assert packed(page(2, f"{long}x", page(1, long))) is None
    assert packed(page(2, "x", page(1, long))) is None
