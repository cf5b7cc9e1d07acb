"""Consequences of an undo in words, before anything is written."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from django.utils.translation import gettext, ngettext

from tournament.ledger.undoing import Change, Undoing
from tournament.models import Entry, Play, Stage, Table, Tick, Tournament, User
from tournament.words.text import in_alphabet

State = Play.State


@dataclass(frozen=True, slots=True)
class Consequence:
    """A consequence and the people concerned."""

    text: str
    names: tuple[str, ...] = ()


@dataclass(slots=True)
class _People:
    tournament: Tournament
    undoing: Undoing
    players: dict[str, str] = field(init=False)
    users: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        rows = Entry.objects.filter(tournament=self.tournament).order_by("start_number")
        self.players = rows.names()
        named = {UUID(_either(change)["user"]) for change in self.undoing.of("membership").values()}
        self.users = {str(user.uid): user.display_name() for user in User.objects.filter(uid__in=named)}

    def of(self, entries: Iterable[str]) -> tuple[str, ...]:
        wanted = set(entries)
        return tuple(name for uid, name in self.players.items() if uid in wanted)

    def in_order(self, name: str) -> str:
        return in_alphabet(name, self.tournament.language)


def consequences(undoing: Undoing, tournament: Tournament) -> list[Consequence]:
    """All consequences, the players' first."""
    people = _People(tournament, undoing)
    return [
        *_entries(undoing, people),
        *_seats(undoing, people),
        *_tables(undoing),
        *_stages(undoing, tournament),
        *_plays(undoing),
        *_decisions(undoing, people),
        *_roles(undoing, people),
        *_rest(undoing),
        *_notes(undoing),
    ]


def _entries(undoing: Undoing, people: _People) -> Iterator[Consequence]:
    gone: list[str] = []
    other: list[str] = []
    moved: dict[tuple[str, str], list[str]] = defaultdict(list)
    for uid, change in undoing.of("entry").items():
        if change.now is None or change.then is None:
            gone.append(uid)
        elif change.moves("state"):
            moved[change.now["state"], change.then["state"]].append(uid)
        else:
            other.append(uid)
    yield from _counted(
        ngettext("%(n)d player is removed again.", "%(n)d players are removed again.", len(gone)),
        len(gone),
        people.of(gone),
    )
    for (now, then), uids in moved.items():
        text = ngettext(
            "%(n)d player goes back from “%(now)s” to “%(then)s”.",
            "%(n)d players go back from “%(now)s” to “%(then)s”.",
            len(uids),
        )
        states = {"n": len(uids), "now": Entry.State(now).label, "then": Entry.State(then).label}
        yield Consequence(text % states, people.of(uids))
    yield from _counted(
        ngettext(
            "The merge or numbering of %(n)d player is undone.",
            "The merge or numbering of %(n)d players is undone.",
            len(other),
        ),
        len(other),
        people.of(other),
    )


def _seats(undoing: Undoing, people: _People) -> Iterator[Consequence]:
    now = {change.now["entry"]: change.now for change in undoing.of("seat").values() if change.now}
    then = {change.then["entry"]: change.then for change in undoing.of("seat").values() if change.then}
    lose = [entry for entry in now if entry not in then]
    get = [entry for entry in then if entry not in now]
    both = [entry for entry in now if entry in then]
    move = [
        e for e in both if (now[e]["table"], now[e]["position"]) != (then[e]["table"], then[e]["position"])
    ]
    back_in = [e for e in both if now[e]["out_as"] and not then[e]["out_as"]]
    out_again = [e for e in both if then[e]["out_as"] and not now[e]["out_as"]]
    yield from _seated(
        ngettext(
            "%(n)d player loses the seat (tables: %(tables)d).",
            "%(n)d players lose their seats (tables: %(tables)d).",
            len(lose),
        ),
        lose,
        now,
        people,
    )
    yield from _seated(
        ngettext(
            "%(n)d player gets the seat back (tables: %(tables)d).",
            "%(n)d players get their seats back (tables: %(tables)d).",
            len(get),
        ),
        get,
        then,
        people,
    )
    yield from _seated(
        ngettext(
            "%(n)d player goes back to their earlier seat (tables: %(tables)d).",
            "%(n)d players go back to their earlier seats (tables: %(tables)d).",
            len(move),
        ),
        move,
        then,
        people,
    )
    yield from _counted(
        ngettext("%(n)d player is back in.", "%(n)d players are back in.", len(back_in)),
        len(back_in),
        people.of(back_in),
    )
    yield from _counted(
        ngettext("%(n)d player is out again.", "%(n)d players are out again.", len(out_again)),
        len(out_again),
        people.of(out_again),
    )


def _tables(undoing: Undoing) -> Iterator[Consequence]:
    changes = undoing.of("table").values()
    away = [str(change.now["number"]) for change in changes if change.now and not change.then]
    again = [str(change.then["number"]) for change in changes if change.then and not change.now]
    yield from _counted(
        ngettext("%(n)d table is removed.", "%(n)d tables are removed.", len(away)), len(away)
    )
    yield from _counted(
        ngettext("%(n)d table is restored.", "%(n)d tables are restored.", len(again)), len(again)
    )
    roles = [change for change in changes if any(change.moves(role) for role in Table.ROLES)]
    yield from _counted(
        ngettext(
            "The roles at %(n)d table go back to how they were.",
            "The roles at %(n)d tables go back to how they were.",
            len(roles),
        ),
        len(roles),
    )


def _stages(undoing: Undoing, tournament: Tournament) -> Iterator[Consequence]:
    names = {str(stage.uid): str(stage) for stage in Stage.objects.filter(tournament=tournament)}
    settings: list[str] = []
    programme: list[str] = []
    for uid, change in undoing.of("stage").items():
        name = names.get(uid) or str(Stage.Kind(_either(change)["kind"]).label)
        if change.then is None:
            yield Consequence(gettext("The stage %(stage)s is removed.") % {"stage": name})
        elif change.now is None:
            yield Consequence(
                gettext("The stage %(stage)s is added again, without a name of its own.") % {"stage": name}
            )
        elif change.moves("state"):
            states = {name: Stage.State(facts["state"]).label for name, facts in _both(change)}
            yield Consequence(
                gettext("Stage %(stage)s goes back from “%(now)s” to “%(then)s”.") % {"stage": name, **states}
            )
        if change.moves("settings") or change.moves("number"):
            settings.append(name)
        if change.moves("plan") or change.moves("first_plan"):
            programme.append(name)
    yield from _listed(gettext("The settings go back to how they were:"), settings)
    yield from _listed(gettext("The programme goes back to how it was:"), programme)
    for change in undoing.of("tournament").values():
        if change.moves("state"):
            states = {name: Tournament.State(facts["state"]).label for name, facts in _both(change)}
            yield Consequence(gettext("The event goes back from “%(now)s” to “%(then)s”.") % states)


def _plays(undoing: Undoing) -> Iterator[Consequence]:
    states: dict[str, int] = defaultdict(int)
    for change in undoing.of("play").values():
        if change.then:
            states[change.then["state"] if change.moves("state") else ""] += 1
    for state, count in states.items():
        texts: dict[str, str] = {
            State.OFFICIAL: ngettext(
                "%(n)d result is official again.", "%(n)d results are official again.", count
            ),
            State.ENTERED: ngettext(
                "%(n)d result is provisional again.", "%(n)d results are provisional again.", count
            ),
            State.VOID: ngettext("%(n)d result is void again.", "%(n)d results are void again.", count),
        }
        before = ngettext(
            "%(n)d result goes back to how it was.", "%(n)d results go back to how they were.", count
        )
        yield from _counted(texts.get(state, before), count)


def _decisions(undoing: Undoing, people: _People) -> Iterator[Consequence]:
    changes = undoing.of("decision").values()
    away = [change.now["entry"] for change in changes if change.now and not change.then]
    again = [change.then["entry"] for change in changes if change.then and not change.now]
    if away:
        yield Consequence(gettext("The decision on who goes through no longer applies:"), people.of(away))
    if again:
        yield Consequence(gettext("The decision on who goes through applies again:"), people.of(again))


def _roles(undoing: Undoing, people: _People) -> Iterator[Consequence]:
    for text, kept in (
        (gettext("These people get their role back:"), "then"),
        (gettext("These people lose their role:"), "now"),
    ):
        users = {
            facts["user"]
            for change in undoing.of("membership").values()
            for facts in [getattr(change, kept)]
            if facts and not (change.now and change.then)
        }
        yield from _listed(text, sorted((people.users.get(uid, "…") for uid in users), key=people.in_order))


def _rest(undoing: Undoing) -> Iterator[Consequence]:
    invites = [change for change in undoing.of("invite").values() if change.then]
    yield from _counted(
        ngettext(
            "%(n)d invite goes back to how it was.", "%(n)d invites go back to how they were.", len(invites)
        ),
        len(invites),
    )
    if undoing.of("draw"):
        yield Consequence(gettext("The earlier draw counts again."))
    pairs = undoing.of("apart").values()
    apart = sum(change.then is not None for change in pairs)
    free = sum(change.then is None for change in pairs)
    yield from _counted(
        ngettext("%(n)d pair is kept apart again.", "%(n)d pairs are kept apart again.", apart), apart
    )
    yield from _counted(
        ngettext("%(n)d pair is no longer kept apart.", "%(n)d pairs are no longer kept apart.", free),
        free,
    )
    ticks = [str(Tick.Item(_either(change)["item"]).label) for change in undoing.of("tick").values()]
    yield from _listed(gettext("These checklist items go back to how they were:"), ticks)
    if any(change.moves("decks") for change in undoing.of("tournament").values()):
        yield Consequence(gettext("The number of decks at hand goes back to what it was."))


def loses_names(undoing: Undoing) -> bool:
    """Whether the undo removes people, whose names the ledger cannot restore."""
    return any(change.then is None for change in undoing.of("entry").values())


def _notes(undoing: Undoing) -> Iterator[Consequence]:
    if loses_names(undoing):
        yield Consequence(
            gettext("The ledger keeps no names. A removed player must be added again to come back.")
        )
    if undoing.action == "merge_entries":
        yield Consequence(
            gettext(
                "Club, birth date and contact details that were filled in stay. Check both players afterwards."
            )
        )


def _either(change: Change) -> Mapping[str, str]:
    return change.now or change.then or {}


def _both(change: Change) -> Iterator[tuple[str, Mapping[str, str]]]:
    yield "now", change.now or {}
    yield "then", change.then or {}


def _counted(text: str, count: int, names: tuple[str, ...] = ()) -> Iterator[Consequence]:
    if count:
        yield Consequence(text % {"n": count}, names)


def _listed(text: str, names: Collection[str]) -> Iterator[Consequence]:
    if names:
        yield Consequence(text, tuple(names))


def _seated(
    text: str, entries: list[str], seats: Mapping[str, Mapping[str, object]], people: _People
) -> Iterator[Consequence]:
    if entries:
        tables = {seats[entry]["table"] for entry in entries}
        yield Consequence(text % {"n": len(entries), "tables": len(tables)}, people.of(entries))
