"""People of one name are told apart by their club, else by their start number; everybody else keeps the bare name."""

from uuid import uuid4

from tournament.models import Entry
from tournament.words.namesakes import told_apart


def names(*people: tuple[str, str]) -> list[str]:
    entries = [
        Entry(uid=uuid4(), public_name=name, club=club, start_number=number)
        for number, (name, club) in enumerate(people, 1)
    ]
    return list(told_apart(entries).values())


def test_nobody_else_of_the_name() -> None:
    assert names(("Aino", "Noppa"), ("Matti", "")) == ["Aino", "Matti"]


def test_clubs_tell_them_apart() -> None:
    assert names(("Matti", "Noppa"), ("Matti", "Kruunu")) == ["Matti (Noppa)", "Matti (Kruunu)"]


def test_start_numbers_tell_them_apart_where_the_club_is_the_same_or_missing() -> None:
    assert names(("Matti", "Noppa"), ("Matti", "Noppa"), ("Matti", "")) == [
        "Matti (1)",
        "Matti (2)",
        "Matti (3)",
    ]
