"""An organiser's people: one row for each, and whom a typed name fits."""

from datetime import date
from typing import Any
from uuid import uuid4

import pytest

from tests.support.factories import Event, event
from tests.support.people import known
from tournament import actions
from tournament.models import Entry, Player, Tournament
from tournament.queries.people import alike, by_name, fitting, not_here, people_of

BORN = date(2001, 2, 3)
AINO = known("Aino Mäkelä", "Ansku", club="Noppa")
MATTI, OTHER = known("Matti Virtanen", club="Noppa"), known("Matti Virtanen", club="Arpa")
EETU, IIDA = known("Eetu"), known("Iida", club="Arpa", born=BORN)
PEOPLE = by_name([AINO, MATTI, OTHER, EETU, IIDA])


@pytest.mark.parametrize(
    ("typed", "found", "same"),
    [
        ({"name": "Aino Mäkelä"}, [AINO], AINO),
        ({"name": "mäkelä, aino"}, [AINO], AINO),
        ({"name": "Korhonen Sanna"}, [], None),
        ({"name": "Aino Mäkelä", "club": "NOPPA"}, [AINO], AINO),
        ({"name": "Aino Mäkelä", "club": "Arpa"}, [AINO], None),
        ({"name": "Aino Mäkelä", "nickname": "Nelonen"}, [AINO], AINO),
        ({"name": "Ansku"}, [AINO], None),
        ({"name": "Ansku", "club": "Noppa"}, [AINO], AINO),
        ({"name": "Aino Virtanen", "nickname": "Ansku", "club": "Noppa"}, [AINO], None),
        ({"name": "Matti Virtanen"}, [MATTI, OTHER], None),
        ({"name": "Matti Virtanen", "club": "Noppa"}, [MATTI, OTHER], MATTI),
        ({"name": "Eetu"}, [EETU], None),
        ({"name": "Eetu", "club": "Noppa"}, [EETU], None),
        ({"name": "Iida", "born": BORN}, [IIDA], IIDA),
        ({"name": "Iida", "club": "Arpa", "born": date(1990, 1, 1)}, [], None),
    ],
)
def test_name_and_club_that_fit_exactly_one_person(
    typed: dict[str, Any], found: list[Any], same: Any
) -> None:
    """A first name alone, another club, and two of one name are asked about."""
    assert fitting(PEOPLE, **typed) == (found, same)


def test_people_who_look_like_one_are_grouped_unless_they_met_or_are_told_apart() -> None:
    name = "Aino Mäkelä"
    first, second = known(name, club="Noppa", tournaments={1}), known(name, tournaments={2})
    met, elsewhere = known(name, tournaments={2, 3}), known(name, club="Arpa", tournaments={4})
    assert alike([first, second, EETU], set()) == [[first, second]]
    assert alike([first, second, met, elsewhere], set()) == [[first, second], [met, elsewhere]]
    assert alike([first, elsewhere], set()) == []
    one, other = known("Ansku", tournaments={1}), known("Ansku", tournaments={2})
    assert alike([one, other], set()) == []
    one, other = known("Ansku", club="Noppa", tournaments={1}), known("Ansku", club="Noppa", tournaments={2})
    assert alike([one, other], set()) == [[one, other]]
    pair = sorted([str(first.uid), str(second.uid)])
    assert alike([first, second], {tuple(pair)}) == []


def enter(made: Event, name: str, **more: Any) -> Entry:
    uid = uuid4()
    made.act(actions.enter_players, players=[{"entry": uid, "name": name, **more}])
    return Entry.objects.get(uid=uid)


@pytest.mark.django_db
def test_a_person_is_one_row_over_all_events_but_rehearsals() -> None:
    first = event(name="First", starts_on=date(2026, 5, 2))
    club, user = first.tournament.organiser, first.user
    ansku = enter(first, "Ansku", real_name="Aino Mäkelä", club="Noppa")
    player = ansku.player.uid
    first.act(actions.check_in, entries=[ansku.uid])
    Tournament.objects.filter(pk=first.tournament.pk).update(state="finished")
    enter(event(user=user, organiser=club.uid, rehearsal=True, listed=False), "Nobody")
    second = event(name="Second", user=user, organiser=club.uid, starts_on=date(2026, 5, 9))
    enter(second, "Nelonen", player=player)
    enter(event(user=user), "Stranger")
    (person,) = people_of(club.pk).values()
    assert (person.uid, person.shown_name, person.club) == (player, "Nelonen (Aino Mäkelä)", "Noppa")
    assert person.names == ("Nelonen", "Ansku", "Aino Mäkelä")
    assert (person.event, person.events, person.last) == ("First", 1, "First, Noppa")
    assert not_here(second.tournament, set()) == []
    third = event(user=user, organiser=club.uid)
    assert not_here(third.tournament, set()) == [person]
    for left_out, offered in ((True, []), (False, [person])):
        third.act(actions.leave_out_person, player=player, left_out=left_out)
        assert not_here(third.tournament, set()) == offered
    third.act(actions.rename_person, player=player, name="Aino Mäkinen")
    second.act(actions.erase_person, entry=Entry.objects.get(public_name="Nelonen").uid)
    assert people_of(club.pk) == {}
    assert Player.objects.filter(uid=player).exists()
