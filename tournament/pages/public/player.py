"""A player's page: seat, place, chances, programme, plays. js/watch/me.js makes it "my page"."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from scoring import PlayAnswer, RaceAnswer, SessionAnswer
from tournament.models import Call, Entry, Play, Result, Seat, Stage, Tournament
from tournament.pages.components import StandingsRow
from tournament.pages.pictures.chart import Picture
from tournament.pages.pictures.contests import player_picture
from tournament.pages.public.chances import PlayerNeeds, player_needs
from tournament.pages.public.paging import cut, page_url, page_with
from tournament.pages.public.reveal import Finale, finale_of
from tournament.pages.public.stage import (
    OUT_STATES,
    decided_text,
    goes_on,
    heat_sizes,
    how_text,
    is_known,
    matters_now,
    person,
    play_label,
    why_anchor,
)
from tournament.pages.public.standings import NO_SHOW, Person, isolated, row_of
from tournament.pages.public.why import Why, player_why
from tournament.queries.consequences import AtTable, Consequences, Effect, What, consequences
from tournament.queries.incidents import waits
from tournament.queries.programme import Part, Plan
from tournament.queries.visible import Frozen, Shown, freezing, shown, still_sitting, taking_part
from tournament.results import Contest, ContestResults, PlayFacts, kind_of
from tournament.words.faults import table_text
from tournament.words.kinds import DECIDING
from tournament.words.text import amount_text, elapsed_text

State = Play.State


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPlay:
    """Play of the player. `state`: key of STATES unless it simply counts; `time`: when out; `decided`: tie-break of
    remaining players; `lines`: how points arose."""

    label: str
    points: str = ""
    place: int | None = None
    how: str = ""
    time: str = ""
    decided: str = ""
    lines: Sequence[str] = ()
    through: bool = False
    state: str = ""
    started_at: datetime | None = None

    @property
    def counts(self) -> bool:
        return self.state not in {State.RUNNING, State.VOID, State.SET_ASIDE}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSeat:
    """The seat, and the others clockwise from it; `over`: nothing more to play there."""

    table: int
    position: int
    others: Sequence[Person]
    over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStage:
    """The player in one contest. `state`: the stage's; `status`: key of STATES or ""; `anchor`: of the place's
    explanation; `back`: URL of the row; `row`: if standings have several pages; `table`: one of several; `starts_at`:
    if public. Heats: `missed`: next stage, qualified but not playing; `called`: playing by decision."""

    uid: str
    kind: str
    title: str
    url: str
    state: str
    anchor: str
    table: int | None = None
    place: int | None = None
    value: str = ""
    unit: str = ""
    status: str = ""
    seat: PlayerSeat | None = None
    plays: Sequence[PlayerPlay] = ()
    back: str = ""
    row: StandingsRow | None = None
    needs: PlayerNeeds | None = None
    why: Why | None = None
    picture: Picture | None = None
    frozen: Frozen | None = None
    finale: Finale | None = None
    starts_at: datetime | None = None
    missed: str = ""
    called: str = ""

    @property
    def counted(self) -> int:
        """Number of the player's counting plays."""
        return sum(play.counts for play in self.plays)

    @property
    def shows_place(self) -> bool:
        """Whether there is a place, points or state to show."""
        return bool(self.place or self.value or self.status or self.frozen)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPage:
    """A player's page. `seat`: of the next seat; `main`: what matters now; `others`: newest first; `coming`: published
    parts."""

    seat: PlayerStage | None = None
    main: PlayerStage | None = None
    others: Sequence[PlayerStage] = ()
    coming: Sequence[Part] = ()

    @property
    def paged(self) -> list[PlayerStage]:
        """Stages with several pages of standings."""
        return [each for each in (self.main, *self.others) if each and each.row]


def player_page(tournament: Tournament, stages: Sequence[Stage], entry: Entry) -> PlayerPage:
    """The player in every stage where they sit or have played."""
    published = any(stage.first_plan for stage in stages)
    everything = [shown(stage, stages) for stage in stages]
    seats = [
        (seen.stage.pk, seat) for seen in everything for contest in seen.contests for seat in contest.seats
    ]
    tables = {(stage, seat.table) for stage, seat in seats if seat.entry == entry.uid}
    here = {seat.entry for stage, seat in seats if (stage, seat.table) in tables}
    entries = taking_part(tournament, stages, here)
    found = [
        (seen, mine)
        for seen in everything
        for mine in _in_stage(seen, stages, entry, entries, published=published)
    ]
    now = matters_now([seen for seen, _mine in found])
    main = next((mine for seen, mine in found if seen is now), None)
    return PlayerPage(
        seat=next((mine for _seen, mine in found if mine.seat and not mine.seat.over), None),
        main=main,
        others=[mine for _seen, mine in reversed(found) if mine is not main],
        coming=[
            Part(
                seen.stage,
                Plan.of(seen.stage.plan),
                Plan.of(seen.stage.first_plan) if seen.stage.first_plan else None,
            )
            for seen in everything
            if published and seen.state == Stage.State.PLANNED and seen.stage.plan
        ],
    )


def _in_stage(
    seen: Shown, stages: Sequence[Stage], entry: Entry, entries: Mapping[str, Entry], *, published: bool
) -> Iterator[PlayerStage]:
    """The contest where they play first, then those where they gave up their seat."""
    player = str(entry.uid)
    playing = [each for each in seen.contests if any(one.entry == entry.uid for one in each.players)]
    left = [each for each in seen.contests if any(one.entry == entry.uid for one in each.others)]
    for index, contest in enumerate([*playing, *(each for each in left if each not in playing)]):
        results = next((each for each in seen.results if each.table == contest.table), None)
        through = goes_on(seen, stages)
        url, back, row = _whereabouts(seen, results, entry)
        mine = PlayerStage(
            uid=str(seen.stage.uid),
            kind=contest.kind,
            title=str(seen.stage),
            url=url,
            state=seen.state,
            anchor="" if index else why_anchor(seen.stage),
            table=contest.table_numbers[contest.table] if contest.table and len(seen.contests) > 1 else None,
            seat=_seat(seen, contest, results, entry, entries),
            back=back,
            row=row,
            frozen=seen.frozen,
            starts_at=Plan.of(seen.stage.plan).starts_at if published else None,
            missed=str(through.stage) if through and player in through.gone else "",
            called=str(through.stage) if through and player in through.instead else "",
        )
        yield _with_results(mine, seen, results, entry) if results else mine


def _whereabouts(
    seen: Shown, results: ContestResults | None, entry: Entry
) -> tuple[str, str, StandingsRow | None]:
    """(page URL, URL of their row or heat or "", row if standings have several pages)."""
    player, number, anchor, row = str(entry.uid), 1, "", None
    if results and kind_of(results.contest.kind).one_play:
        heats = dict(heat_sizes(results))
        mine = next((seat.table for seat in results.contest.seats if seat.entry == entry.uid), None)
        if mine in heats:
            number = page_with([*heats.values()], [*heats].index(mine))
            anchor = f"#heat-{mine}"
    elif results and player in (players := [line.player for line in results.answer.standings]):
        if len(seen.results) > 1:  # tables stay whole
            sizes = [len(each.answer.standings) for each in seen.results]
            index = seen.results.index(results)
        else:
            sizes, index = [1] * len(players), players.index(player)
        number, anchor = page_with(sizes, index), f"#at-{player}"
        if isinstance(results.answer, SessionAnswer | RaceAnswer) and len(cut(sizes)) > 1:
            own = person(seen.stage.tournament, entry)
            row = row_of(results.answer, results.sheet.data, own, player, results.places_gained)
    url = page_url(seen.stage.tournament.slug, seen.stage.uid, number)
    return url, url + anchor if anchor else "", row


def _with_results(mine: PlayerStage, seen: Shown, results: ContestResults, entry: Entry) -> PlayerStage:
    player = str(entry.uid)
    place, value, unit, status = _standing(results, player)
    why = player_why(seen, results, player)
    lines = {step.play: step.lines for step in why.steps if step.play} if why else {}
    counted = {play.uid: answered for play, answered in results.counted}
    return replace(
        mine,
        place=place,
        value=value,
        unit=unit,
        # the page header shows no-shows
        status="" if entry.state == NO_SHOW and place is None else status,
        plays=[
            _play(results, play, counted.get(play.uid), entry, lines.get(play.uid, ()))
            for play in reversed([play for play in results.contest.in_order if play.result_of(entry.uid)])
        ],
        needs=player_needs(seen, results, player),
        why=why,
        finale=None if seen.frozen else finale_of(seen, [results]),
        picture=player_picture(results, player, entry.shown_name),
    )


def _standing(results: ContestResults, player: str) -> tuple[int | None, str, str, str]:
    """(place, value, unit, status)."""
    answer = results.answer
    out = next(
        (OUT_STATES[Seat.OutAs(seat.out_as)] for seat in results.contest.out if str(seat.entry) == player),
        "",
    )
    if kind_of(answer.kind).one_play:
        missed = out or ("not_through" if any(row.player == player for row in answer.lines) else "")
        return None, "", "", "through" if player in answer.finalists else missed
    row = next((row for row in answer.standings if row.player == player), None)
    if row is None or not answer.rounds:
        return None, "", "", out
    status = out if row.status == "ranked" else row.status
    words = DECIDING[row.decided_by]
    return row.place, words.text(row.value), str(words.unit), status


def _seat(
    seen: Shown,
    contest: Contest,
    results: ContestResults | None,
    entry: Entry,
    entries: Mapping[str, Entry],
) -> PlayerSeat | None:
    if seen.state == Stage.State.FINISHED:
        return None
    seats = [seat for seat in still_sitting(seen, entries) if seat.table in contest.table_numbers.values()]
    mine = next((seat for seat in seats if seat.entry == entry.uid), None)
    if mine is None:
        return None
    table = sorted((seat for seat in seats if seat.table == mine.table), key=lambda seat: seat.position)
    at = table.index(mine)
    return PlayerSeat(
        table=mine.table,
        position=mine.position,
        others=[
            person(seen.stage.tournament, entries[player])
            if player in entries
            else Person(name=contest.names[player])  # no longer in the event, so without a link
            for player in (str(seat.entry) for seat in [*table[at + 1 :], *table[:at]])
        ],
        over=results is not None
        and (
            any(play and contest.table_numbers[play.table] == mine.table for play in results.sheet.plays)
            if kind_of(contest.kind).one_play
            else results.complete
        ),
    )


def _play(
    results: ContestResults,
    play: PlayFacts,
    answered: PlayAnswer | None,
    entry: Entry,
    lines: Sequence[str],
) -> PlayerPlay:
    """`how` and `decided` are dropped where the lines say the same."""
    fact = play.result_of(entry.uid)
    assert fact is not None
    label = play_label(results.contest, play)
    if play.state == State.RUNNING:
        how = "" if fact.outcome == Result.Outcome.PLAYING else how_text(fact.outcome, fact.elapsed_s)
        return PlayerPlay(label=label, state="running", how=how, started_at=play.started_at)
    state = (
        play.state if play.state in {State.VOID, State.SET_ASIDE} else play.second_look if waits(play) else ""
    )
    row = next((row for row in (answered.results if answered else ()) if row.player == str(entry.uid)), None)
    won = fact.outcome == Result.Outcome.WON
    how = how_text(fact.outcome, fact.elapsed_s)
    if won and kind_of(results.contest.kind).rows == "games":
        how = gettext("won the game")
    time = "" if fact.elapsed_s is None else elapsed_text(fact.elapsed_s)
    return PlayerPlay(
        label=label,
        points="" if row is None or row.points is None else amount_text(row.points),
        place=row.place if row else None,
        how="" if not won and any(time in line for line in lines) else how,
        time=time,
        decided=decided_text(answered.results, str(entry.uid), results.contest.names)
        if answered and not lines
        else "",
        lines=[line for line in lines if line != how],
        through=row is not None and row.advances,
        state=state,
    )


# ---- Consequences of leaving (tournament/queries/consequences.py), worded for the player ----

TEXTS: dict[Effect, str | Promise] = {
    Effect.LOSES_SEAT: _("Your seat is free for someone else."),
    Effect.STOPS: _("No more games. The games you have played count, and you keep your place."),
    Effect.OUT_OF_MATCH: _(
        "You are out from round %(following)d on and listed last as “left”, without a place."
    ),
    Effect.NOT_THROUGH: _("You cannot go through from this heat."),
    Effect.RESULT_STAYS: _("Results so far stay as they are."),
    Effect.IN_GAME: _(
        "You are in a game now. First tell the referee there, who will record that you are giving up."
    ),
}


def found_for(entry: Entry) -> Consequences:
    """Public consequences of leaving; while frozen, without qualifiers and seats given since."""
    found = consequences(entry.tournament, [entry], What.LEAVE)
    stages = list(Stage.objects.filter(tournament=entry.tournament).select_related("tournament"))
    tables = []
    for at in found.tables:
        if freezing(at.stage, stages) is None:
            tables.append(at)
        elif is_known(at.stage, entry.uid, at.number, stages):
            tables.append(replace(at, through=()))
    return replace(found, tables=tuple(tables))


def what_follows(entry: Entry, found: Consequences, *, cancels: bool) -> list[tuple[str, str]]:
    """Consequences as (table or "", sentences). `cancels`: the player never took part."""
    if not entry.is_in:
        first = gettext("Your request and your place on the waiting list are cancelled.")
    elif cancels:
        first = gettext("You are no longer on the list of players.")
    else:
        first = gettext("You are shown as “left”, never as disqualified.")
    lines = [("", first), *map(_at_table, found.tables)]
    if found.moves_up:
        lines.append(("", gettext("Your place goes to the first player on the waiting list.")))
    if entry.tournament.state == Tournament.State.PLANNED:
        lines.append(
            ("", gettext("Until play begins you can sign up again on this page, if there is still a place."))
        )
    elif entry.is_in:
        lines.append(("", gettext("After that only a referee can let you in again.")))
    return lines


def rounds_text(played: int) -> str:
    """How many rounds count after leaving a match."""
    return ngettext("%(n)d round so far counts.", "%(n)d rounds so far count.", played) % {"n": played}


def _at_table(at: AtTable) -> tuple[str, str]:
    said = [str(TEXTS[at.effect]) % {"following": at.following}]
    if at.effect == Effect.OUT_OF_MATCH and at.played:
        said.append(rounds_text(at.played))
    if at.through:
        said.append(
            gettext(
                "You went through from there. The organiser decides who takes your place in the next stage."
            )
        )
    return table_text(isolated([str(at.stage)]), at.number), " ".join(said)


# ---- Notifications ----


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """Notification; new if the `value` of its `slot` changed."""

    slot: str
    value: str
    title: str
    text: str


def tellings(tournament: Tournament, page: PlayerPage) -> Iterator[Telling]:
    """All notifications of the page's player."""
    for stage in (page.main, *page.others):
        if stage is None or stage.frozen or not stage.anchor:
            continue
        text = f"{stage.title}, {tournament.name}"
        if stage.seat and not stage.seat.over:
            yield from _of_seat(stage, stage.seat, text)
        if stage.state == Stage.State.FINISHED:
            title = {
                "through": gettext("You are through"),
                "not_through": gettext("You are not through"),
            }.get(stage.status, "")
            if stage.place:
                title = gettext("Final place: %(place)s") % {"place": stage.place}
            if title:
                yield Telling(
                    slot=f"over-{stage.uid}", value=f"{stage.place or stage.status}", title=title, text=text
                )


def _of_seat(stage: PlayerStage, seat: PlayerSeat, text: str) -> Iterator[Telling]:
    running = stage.state == Stage.State.RUNNING
    title = (
        gettext("Play begins. Table %(table)s, seat %(seat)s")
        if running
        else gettext("Your seat is ready. Table %(table)s, seat %(seat)s")
    ) % {"table": seat.table, "seat": seat.position}
    yield Telling(
        slot=f"seat-{stage.uid}",
        value=f"{seat.table}-{seat.position}-{stage.state}",
        title=title,
        text=text,
    )
    if running:
        calls = Call.objects.filter(table__stage__uid=stage.uid, table__number=seat.table, answered_at=None)
        for uid in calls.order_by("at", "uid").values_list("uid", flat=True)[:2]:
            title = gettext("Table %(table)s has called a referee") % {"table": seat.table}
            yield Telling(slot=f"call-{uid}", value="open", title=title, text=text)
