"""Names in the order of the alphabet, and the letter that a list has them under; elapsed time in words."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation

from tournament.words.text import (
    OTHER,
    alike,
    as_read,
    elapsed_text,
    in_alphabet,
    initial,
    looks_private,
    public_text,
)

TOURNAMENT = Path(__file__).parents[2] / "tournament"
NAMES = ["Öberg", "Zoë", "Ära", "Ångström", "emil", "Émile", "Eva", "Ægir", "A\u030ake", "Ødegård", "Łucja"]
BEHIND_Z = "emil Émile Eva Łucja Zoë A\u030ake Ångström Ægir Ära Öberg Ødegård"
AS_ACCENTS = "Ægir A\u030ake Ångström Ära emil Émile Eva Łucja Öberg Ødegård Zoë"


@pytest.mark.parametrize(
    ("language", "order"),
    [("fi", BEHIND_Z), ("sv", BEHIND_Z), ("en", AS_ACCENTS), (None, AS_ACCENTS)],
    ids=["fi", "sv", "en", "none"],
)
def test_letters_of_their_own_come_behind_z_where_the_language_has_them(
    language: str | None, order: str
) -> None:
    assert " ".join(sorted(NAMES, key=lambda name: in_alphabet(name, language))) == order


@pytest.mark.parametrize(
    ("name", "letter", "in_english"),
    [
        ("aino", "A", "A"),
        ("Émile", "E", "E"),
        ("Åke", "Å", "A"),
        ("A\u030ake", "Å", "A"),
        ("öberg", "Ö", "O"),
        ("Ægir", "Ä", "A"),
        ("محمد", "م", "م"),
        ("7up", OTHER, OTHER),
        ("{x", OTHER, OTHER),
        ("", OTHER, OTHER),
    ],
)
def test_initial_is_the_letter_that_a_name_is_looked_up_by(name: str, letter: str, in_english: str) -> None:
    assert (initial(name, "fi"), initial(name, "en")) == (letter, in_english)


def test_printed_and_typed_apostrophes_sort_and_read_alike() -> None:
    for printed in "’‘ʼʻ´`":
        names = ["Oskar", f"O{printed}Brien", "O'Brian", "Oa"]
        assert [name[-2:] for name in sorted(names, key=lambda name: in_alphabet(name, "en"))] == [
            "an",
            "en",
            "Oa",
            "ar",
        ]
        assert as_read(names[1]) == "o'brien"


@pytest.mark.parametrize(
    ("name", "other", "same"),
    [
        ("Anna", "ÁNNA", True),
        ("Anna", "An\u00adna\u2060", True),
        ("Anna", "An\u034fna\ufe0f", True),
        ("Łukasz", "lukasz", True),
        ("Matti  Virtanen", " matti virtanen", True),
        ("Ａｎｎａ", "Anna", True),
        ("Anna", "Anne", False),
        ("Matti Virtanen", "Virtanen Matti", False),
    ],
)
def test_names_that_read_alike(name: str, other: str, same: bool) -> None:
    assert (alike(name) == alike(other)) is same


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("\u202eevil", "evil"),
        ("An\u200bna\u00ad \u2066K\u2069", "Anna K"),
        ("A\u200dn\u200cna", "Anna"),  # no joiners between these letters
        ("نیک\u200cنام", "نیک\u200cنام"),
        ("क्\u200dष", "क्\u200dष"),
        ("👨\u200d👩\u200d👧 ❤️", "👨\u200d👩\u200d👧 ❤️"),
        ("\u200d👨", "👨"),
        (" Aino\u2028Mäkelä\t\u3000K. ", "Aino Mäkelä K."),
        ("\u3164\u2800\u200b", ""),
    ],
)
def test_a_public_name_has_no_letter_that_nobody_sees(typed: str, seen: str) -> None:
    assert public_text(typed) == public_text(seen) == seen


@pytest.mark.parametrize(
    ("name", "private"),
    [
        *((name, True) for name in ("0401234567", "Aino +358 (40) 12", "040-12 34", "٠٤٠١٢٣", "Aino 12.5.2012")),
        *((name, True) for name in ("aino@mail.fi", "https://a", "www.aino", "t.me/aino", "aino.fi", "Aino.COM")),
        *((name, False) for name in ("Aino", "Player 12345", "Aino 2012", "007", "R2D2", "J.R. Virtanen", "St. Olof")),
        *((name, False) for name in ("Anna.Maija", "1/2 Anna", "@aino", "Ann-Mari f. 1990", "A.Fisher")),
    ],
)  # fmt: skip
def test_what_may_not_be_meant_for_everyone(name: str, private: bool) -> None:
    assert looks_private(name) is private


def sorts_of_names(tree: ast.AST) -> Iterator[str]:
    """List where names are sorted as a computer sorts letters: by a key that is a name, or in the database."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        keys = [ast.unparse(each.value) for each in node.keywords if each.arg == "key"]
        if called in {"sorted", "sort"} and any(
            name in key and "in_alphabet" not in key
            for key in keys
            for name in (".name", "public_name", "display_name", "names[")
        ):
            yield ast.unparse(node)
        if called == "order_by" and any(
            isinstance(each, ast.Constant) and str(each.value).lstrip("-").endswith(("public_name", "__name"))
            for each in node.args
        ):
            yield ast.unparse(node)


def test_a_sort_of_names_is_seen() -> None:
    said = "sorted(rows, key=lambda row: row.public_name)\nrows.order_by('entry__public_name', 'id')"
    assert len(list(sorts_of_names(ast.parse(said)))) == 2


@pytest.mark.sweep
def test_names_are_sorted_by_the_alphabet_of_a_language() -> None:
    found = {
        f"{path.relative_to(TOURNAMENT)}: {sort}"
        for path in TOURNAMENT.rglob("*.py")
        if "migrations" not in path.parts and "name" in (source := path.read_text())
        for sort in sorts_of_names(ast.parse(source))
    }
    assert found == set()


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "0 s"), (11, "11 s"), (60, "1 min"), (671, "11 min 11 s"), (3599, "59 min 59 s"), (3600, "60 min")],
)
@pytest.mark.parametrize("language", ["en", "fi", "sv"])
def test_elapsed_time_in_a_sentence_cannot_be_read_as_a_time_of_day(
    language: str, seconds: int, said: str
) -> None:
    with translation.override(language):
        assert elapsed_text(seconds) == said
