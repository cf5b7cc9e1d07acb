"""The encoding of a list by what its names look like: never silently wrong, and no question where there is no doubt."""

from random import Random

import pytest

from tests.depth import SOAK, dear
from tests.extras.imports.files.opened import TODAY, codes
from tests.support.names_abroad import NAMES, UNICODE, encodings_of, list_of
from tournament.extras.imports.files.grid import ALIKE, SEEN, decode, points
from tournament.extras.imports.files.lists import read_list

LISTS = 20 if SOAK else 1
CERTAIN = {*UNICODE, "cp1252"}


@pytest.mark.parametrize("size", [5, 20, *dear(200)])
@pytest.mark.parametrize("language", NAMES)
def test_no_list_is_silently_wrong_and_a_usual_one_is_not_asked_about(language: str, size: int) -> None:
    for encoding in encodings_of(language):
        for seed in range(LISTS):
            data = list_of(language, size, seed).encode(encoding, "ignore")
            right = data.decode(encoding).removeprefix("\ufeff")
            text, offered = decode(data)
            readings = [text, *(decode(data, each)[0] for each in offered)]
            assert right in {each.removeprefix("\ufeff") for each in readings}, encoding
            assert offered or text.removeprefix("\ufeff") == right, (encoding, text)
            if encoding in CERTAIN and size >= 20:
                assert not offered, (encoding, offered, text)


@pytest.mark.parametrize(
    ("encoding", "label"),
    [
        ("mac-roman", "Mac Roman"),
        ("cp850", "DOS 437"),  # which has these letters in the same places
        ("cp437", "DOS 437"),
        ("cp1252", ""),
        ("iso-8859-1", ""),
        ("utf-8", ""),
        ("utf-16-be", ""),
    ],
)
def test_letters_with_dots_stay_whole(encoding: str, label: str) -> None:
    found = read_list(
        "Nimi;Kerho\nÅke Ödman;Åbo\nSäde Mäkelä;Noppa\n".encode(encoding), "list.csv", today=TODAY
    )
    assert [row.name for row in found.rows] == ["Åke Ödman", "Säde Mäkelä"]
    assert codes(found) == (["encoding_guessed"] if label else [])
    if label:
        assert found.problems[0].parameters == {"encoding": label}


def test_an_encoding_that_a_person_took_is_read_and_stays_named() -> None:
    data = "Nimi\nJiří Dvořák\n".encode("cp1250")
    _text, offered = decode(data)
    text, again = decode(data, offered[-1])
    assert again[0] == offered[-1]
    assert text == data.decode(offered[-1])
    assert decode(data, "rot13") == decode(data)


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("Kåre Sæther", False),
        ("Mäkelä", False),
        ("Øystein", True),  # žystein in DOS 775
        ("Xqåq", True),  # stands so in no name
    ],
)
def test_a_short_list_is_asked_about_where_another_reading_comes_near(name: str, asked: bool) -> None:
    text, offered = decode(f"Nimi\n{name}\n".encode("cp1252"))
    assert (text, bool(offered)) == (f"Nimi\n{name}\n", asked)


def test_a_letter_or_sign_alone_decides_no_long_list() -> None:
    """The euro sign of Windows is Ä on a Mac, and that of a Mac a Turkish letter."""
    assert decode("Nimi;Maksu\nÅke Ödman;10 €\nSäde;10 €\n".encode("mac-roman"))[1][0] == "mac-roman"
    assert decode("Nimi\nAino Ä.\n".encode("mac-roman"))[1]
    fees = "Nimi;Maksu\n" + "Aino;10 €\n" * 20
    assert decode(fees.encode("cp1252")) == (fees, ())


def test_bytes_of_no_language_keep_their_lines() -> None:
    """Some encodings that chardet knows have other bytes for the end of a line."""
    chance = Random(1)
    data = b"\n".join(bytes(chance.choices(b"abc\xe4\xf6\xe5\xc4\xb9\xf8\xe9", k=12)) for _line in range(100))
    text, offered = decode(data)
    assert offered
    assert text.count("\n") == 99


@pytest.mark.parametrize(
    ("word", "worth"),
    [
        ("Söderström", SEEN),
        ("SÖDERSTRÖM", SEEN),
        ("Mõkelõ", 0),
        ("SŠde", 0),
        ("M„kel„", 0),
        ("Dvoøák", 0),
        ("Dvořák", SEEN),
        ("O’Brien", SEEN),
        ("Garc’a", 0),
        ("Иванов", ALIKE),
        ("иВАНОВ", 0),
        ("Mдkelд", 0),
    ],
)
def test_a_word_is_worth_what_it_looks_like(word: str, worth: int) -> None:
    assert points(word) == worth
