"""Consequences of an undo, in words."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, ngettext, ngettext_lazy

from tournament.ledger.undoing import Change, Undoing
from tournament.models import Entry, Play, Stage, Table, Tick, Tournament, User
from tournament.pages.public.player import rounds_text
from tournament.pages.public.standings import isolated
from tournament.queries.consequences import AtTable, Consequences, Effect, What
from tournament.results import kind_of
from tournament.words.faults import fault_text, table_text
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
        self.players = Entry.objects.filter(tournament=self.tournament).order_by("start_number").names()
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
        *_decisions_and_roles(undoing, people),
        *_rest(undoing, tournament),
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
        yield Consequence(
            text % {"n": len(uids), "now": Entry.State(now).label, "then": Entry.State(then).label},
            people.of(uids),
        )
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


def _decisions_and_roles(undoing: Undoing, people: _People) -> Iterator[Consequence]:
    changes = undoing.of("decision").values()
    away = [change.now["entry"] for change in changes if change.now and not change.then]
    again = [change.then["entry"] for change in changes if change.then and not change.now]
    yield from _listed(gettext("The decision on who goes through no longer applies:"), people.of(away))
    yield from _listed(gettext("The decision on who goes through applies again:"), people.of(again))
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


def _rest(undoing: Undoing, tournament: Tournament) -> Iterator[Consequence]:
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
    yield from _listed(
        gettext("These checklist items go back to how they were:"),
        [str(Tick.Item(_either(change)["item"]).label) for change in undoing.of("tick").values()],
    )
    if any(change.moves("decks") for change in undoing.of("tournament").values()):
        yield Consequence(gettext("The number of decks at hand goes back to what it was."))
    yield from map(Consequence, names_lost(undoing, tournament))
    if undoing.action == "merge_entries":
        yield Consequence(
            gettext(
                "Club, birth date and contact details that were filled in stay. Check both players afterwards."
            )
        )


def names_lost(undoing: Undoing, tournament: Tournament) -> list[str]:
    """Sentences on removed names that the ledger cannot restore."""
    said = []
    if any(change.then is None for change in undoing.of("entry").values()):
        said.append(gettext("The ledger keeps no names. A removed player must be added again to come back."))
    gone = [uid for uid, change in undoing.of("stage").items() if change.then is None]
    if Stage.objects.filter(tournament=tournament, uid__in=gone).exclude(name="").exists():
        said.append(gettext("The ledger keeps no names. A removed stage comes back without its own."))
    return said


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
        yield Consequence(
            text % {"n": len(entries), "tables": len({seats[entry]["table"] for entry in entries})},
            people.of(entries),
        )


# ---- queries/consequences.py in words ----

# Plurals go by the players' `count`.
TEXTS: dict[tuple[Effect, str], str | Promise] = {
    (Effect.KEEPS_SEAT, "planned"): _("The seat is kept for %(names)s."),
    (Effect.KEEPS_SEAT, "session"): _("The seat is kept. %(names)s can play from the next game."),
    (Effect.KEEPS_SEAT, "heats"): _("The seat is kept. The heat can begin without %(names)s."),
    (Effect.KEEPS_SEAT, "match"): _(
        "The match is being played. Each round asks for the cards of %(names)s. If the others "
        "play without them, use “No-show”."
    ),
    (Effect.LOSES_SEAT, ""): ngettext_lazy(
        "No longer a seat for %(names)s.", "No longer seats for %(names)s.", "count"
    ),
    (Effect.STOPS, "leave"): _("No more games for %(names)s. The games so far count, and the place stays."),
    (Effect.STOPS, "no-show"): ngettext_lazy(
        "%(names)s plays no games.", "%(names)s play no games.", "count"
    ),
    (Effect.STOPS, "remove"): _("No more games for %(names)s. Listed as disqualified, without a place."),
    (Effect.OUT_OF_MATCH, "leave"): _(
        "%(names)s is out from round %(following)d and listed last as left, without a place."
    ),
    (Effect.OUT_OF_MATCH, "no-show"): ngettext_lazy(
        "%(names)s is out from round %(following)d and listed last as “no-show”, without a place.",
        "%(names)s are out from round %(following)d and listed last as “no-show”, without a place.",
        "count",
    ),
    (Effect.OUT_OF_MATCH, "remove"): _(
        "%(names)s is out from round %(following)d and listed last as disqualified, without a place."
    ),
    (Effect.NOT_THROUGH, ""): ngettext_lazy(
        "%(names)s cannot go through.", "%(names)s cannot go through.", "count"
    ),
    (Effect.RESULT_STAYS, ""): _("Results so far stay as they are."),
    (Effect.IN_GAME, ""): ngettext_lazy(
        "A game with %(names)s is running. Enter how it ended for them there first.",
        "A game with %(names)s is running. Enter how it ended for them there first.",
        "count",
    ),
    (Effect.IN_AGAIN, "session"): _("%(names)s is back in from game %(following)d."),
    (Effect.IN_AGAIN, "heats"): _("%(names)s is back in the heat."),
    (Effect.IN_AGAIN, "match"): _("%(names)s is back in from round %(following)d."),
    (Effect.NO_SEAT, ""): _("No seat for %(names)s yet."),
}

# leaves fewer players at a table that goes on
FEWER = {Effect.LOSES_SEAT, Effect.STOPS, Effect.NOT_THROUGH}


@dataclass(frozen=True, slots=True)
class Line:
    """Consequences at a `place` ("": elsewhere); `url`: where to act."""

    text: str
    place: str = ""
    url: str = ""
    link: str = ""


def lines_of(found: Consequences, what: What, *, seats: bool) -> list[Line]:
    """All consequences, table by table; `seats`: link to seat changes."""
    lines = [_at_table(at, what, seats=seats) for at in found.tables]
    if not found.tables and what != What.BACK:
        lines.append(Line(gettext("No table is affected.")))
    if found.moves_up:
        text = ngettext(
            "The place goes to the first on the waiting list: %(names)s.",
            "The places go to the first on the waiting list: %(names)s.",
            len(found.moves_up),
        )
        lines.append(Line(text % {"names": isolated(found.moves_up)}))
    shown = {
        What.LATE: gettext("“Not late” undoes it. “Check in” ends it."),
        What.NO_SHOW: gettext("Shown as “no-show”, never as disqualified. “Let back in” undoes it."),
        What.LEAVE: gettext(
            "Shown as “left”, never as disqualified. Nothing played is lost. “Let back in” undoes it."
        ),
        What.REMOVE: gettext("Shown as disqualified everywhere. “Let back in” undoes it."),
        What.BACK: gettext("Counts as being here."),
    }
    return [*lines, Line(shown[what])]


def _at_table(at: AtTable, what: What, *, seats: bool) -> Line:
    sentences = [*_sentences(at, what)] or [fault_text(fault) for fault in at.faults]
    url = link = ""
    if at.effect == Effect.IN_GAME:
        url, link = reverse("table", args=[at.table]), gettext("Go to the table")
    elif at.faults and at.faults[0].code == "ejected_in_game":
        url, link = (
            reverse("play-correct", args=[at.faults[0].path.split("/")[2]]),
            gettext("Correct the game"),
        )
    elif at.effect == Effect.NO_SEAT or at.too_small:
        url = reverse("organise-seats", args=[at.stage.uid]) if seats else ""
        link = gettext("Change the seats")
    stage = isolated([str(at.stage)])
    return Line(" ".join(sentences), table_text(stage, at.number) if at.number else stage, url, link)


def _sentences(at: AtTable, what: What) -> Iterator[str]:
    if at.effect == Effect.REFUSED:
        return
    state = "planned" if at.stage.state == Stage.State.PLANNED else ""
    variants = (state, kind_of(at.stage.kind).sheet, str(what), "")
    yield str(
        next(TEXTS[at.effect, variant] for variant in variants if (at.effect, variant) in TEXTS)
        % {"names": isolated(at.who), "count": len(at.who), "following": at.following}
    )
    if at.effect == Effect.OUT_OF_MATCH and what != What.NO_SHOW and at.played:
        yield rounds_text(at.played)
    if at.winners:
        yield gettext("Then only %(winner)s is left and wins the match.") % {"winner": isolated(at.winners)}
    elif at.effect in FEWER or (at.effect, what) == (Effect.OUT_OF_MATCH, What.NO_SHOW):
        yield ngettext("%(n)d player is left.", "%(n)d players are left.", at.left) % {"n": at.left}
    if at.through:
        yield ngettext(
            "%(through)s went through from there. That place becomes free, and the organiser decides "
            "who takes it.",
            "%(through)s went through from there. Those places become free, and the organiser decides "
            "who takes them.",
            len(at.through),
        ) % {"through": isolated(at.through)}
    if at.too_small:
        yield gettext("That is too few to play. Give them seats elsewhere, or seat others here.")
