"""A player's chances in words, by scoring. Only while the stage runs unfrozen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import assert_never
from uuid import UUID

from django.utils.translation import gettext as _, ngettext, pgettext

from scoring import needs_of
from scoring.needs import (
    CAN,
    OUT,
    THROUGH,
    Danger,
    HeatsNeeds,
    IfOut,
    MatchNeeds,
    NextPlace,
    OwnHandNeeds,
    RaceNeeds,
    SessionNeeds,
)
from tournament.models import Play, Result, Stage
from tournament.pages.public.stage import play_label
from tournament.pages.public.standings import isolated
from tournament.queries.visible import Shown
from tournament.results import ContestResults
from tournament.words.text import average_text, clock_text, elapsed_text

Names = Mapping[str, str]
GLANCE = 8  # rows
NAMED = 3  # players named of those sharing a place


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Line about a player or action: consequence, and `place` if any."""

    label: str
    text: str = ""
    place: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutNow:
    """For js/watch/needs.js: average and place per whole minute of going out ("-": no place), space-separated."""

    began: datetime
    averages: str
    places: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Players with the same chances."""

    label: str
    names: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerNeeds:
    """`lines`: most important first; `rows`: a table if `heads`; `note`: their condition; `key`: unique on a page."""

    key: str
    about: str = ""
    lines: Sequence[str] = ()
    note: str = ""
    caption: str = ""
    heads: Sequence[str] = ()
    rows: Sequence[Row] = ()
    now: OutNow | None = None
    groups: Sequence[Group] = ()

    @property
    def many(self) -> bool:
        """More than GLANCE rows."""
        return len(self.rows) > GLANCE


def player_needs(seen: Shown, results: ContestResults, player: str) -> PlayerNeeds | None:
    """None unless the stage runs unfrozen and the player is in. `player`: id in the answer."""
    runs = seen.frozen is None and seen.state == Stage.State.RUNNING
    sitting = {seat.entry for seat in results.contest.seats if not seat.out_as}
    gone = {str(seat.entry) for seat in results.contest.seats} - set(map(str, sitting))
    needs = needs_of(results.sheet.data, results.answer, player, gone) if runs else None
    key = f"{seen.stage.uid}-{results.table_number or 0}"
    match needs:
        case None:
            return None
        case MatchNeeds():
            return _match(needs, results, player, key)
        case OwnHandNeeds():
            return _own_hand(needs, results, player, key)
        case SessionNeeds():
            return _session(needs, results, player, key)
        case RaceNeeds():
            return _race(needs, key)
        case HeatsNeeds():
            return _heats(needs, results.names, key, int(seen.stage.settings.get("advance") or 1))
        case _:
            assert_never(needs)


def several(players: Sequence[str], names: Names) -> str:
    """Names for a sentence: the first NAMED, then how many more."""
    named = [names[player] for player in players[:NAMED]]
    more = len(players) - NAMED
    return isolated([*named, ngettext("%(n)d more", "%(n)d more", more) % {"n": more}] if more > 0 else named)


# ---- sessions ----


def _session(needs: SessionNeeds, results: ContestResults, player: str, key: str) -> PlayerNeeds | None:
    entry, running = UUID(player), Play.State.RUNNING
    play = next(
        (each for each in results.contest.plays if each.state == running and each.result_of(entry)), None
    )
    row = play.result_of(entry) if play else None
    about = play_label(results.contest, play) if play else _("Your next game")
    note = _("As long as nobody else’s average changes.")
    if row and row.outcome == Result.Outcome.OUT and row.elapsed_s is not None:
        then = needs.if_out[row.elapsed_s // 60]
        text = (
            _("Out after %(time)s: average %(average)s.")
            if then.place is None
            else _("Out after %(time)s: average %(average)s, place %(place)s.")
        )
        time, average = elapsed_text(row.elapsed_s), average_text(then.average)
        return PlayerNeeds(
            key=key,
            about=about,
            lines=[text % {"time": time, "average": average, "place": then.place}],
            note=note,
        )
    if row and row.outcome != Result.Outcome.PLAYING:
        return None  # points for giving up follow from the others' at the end
    changes = [] if needs.games_short else _changes(needs.if_out)
    return PlayerNeeds(
        key=key,
        about=about,
        lines=[_aim(needs, results.names)],
        note=note,
        caption=_("Your place, depending on when you go out") if changes else "",
        heads=[_("Out by"), _("Average at most"), _("Place")] if changes else (),
        rows=changes,
        now=OutNow(
            began=play.started_at,
            averages=" ".join(average_text(each.average) for each in needs.if_out),
            places=" ".join("-" if each.place is None else str(each.place) for each in needs.if_out),
        )
        if play and play.started_at
        else None,
    )


def _aim(needs: SessionNeeds, names: Names) -> str:
    if needs.next_place:
        return _next_place_text(needs.next_place, names)
    if needs.lead:
        return (
            _("You keep the lead if you go out within the hour. Next is %(names)s (%(average)s).")
            if needs.lead.any_out
            else _(
                "You keep the lead if you go out by %(time)s on the game’s clock. Next is %(names)s (%(average)s)."
            )
        ) % {
            "names": several(needs.lead.players, names),
            "average": average_text(needs.lead.average),
            "time": clock_text(needs.lead.last_s),
        }
    if needs.place:
        return _("You lead, and nobody else is ranked yet.")
    if needs.games_short:
        games = needs.games_short + 1
        return ngettext(
            "You will be ranked after %(n)d more game.", "You will be ranked after %(n)d more games.", games
        ) % {"n": games}
    return _("You will be ranked after this game.")


def _next_place_text(aim: NextPlace, names: Names) -> str:
    values = {
        "place": aim.place,
        "names": several(aim.players, names),
        "average": average_text(aim.average),
        "time": clock_text(aim.last_s or 0),
    }
    if aim.last_s is None:
        return _("Place %(place)s (%(names)s, %(average)s) is out of reach in one game.") % values
    return (
        _("Go out within the hour to move into place %(place)s (%(names)s, %(average)s).")
        if aim.any_out
        else _(
            "Go out by %(time)s on the game’s clock to move into place %(place)s (%(names)s, %(average)s)."
        )
    ) % values


def _changes(if_out: Sequence[IfOut]) -> list[Row]:
    """Minutes with the same place share a row."""
    rows = []
    for place, group in groupby(if_out, key=lambda row: row.place):
        until = list(group)[-1]
        last_s = if_out[-1].minute * 60 if until == if_out[-1] else until.minute * 60 + 59
        rows.append(Row(label=clock_text(last_s), text=average_text(until.average), place=place or 0))
    return rows


# ---- matches ----


def _match(needs: MatchNeeds, results: ContestResults, player: str, key: str) -> PlayerNeeds:
    lines = [
        ngettext(
            "%(n)d more point to reach %(target)d.", "%(n)d more points to reach %(target)d.", needs.missing
        )
        % {"n": needs.missing, "target": needs.target}
    ]
    if needs.average is not None:
        text = (
            _("One more round win could be enough, at %(average)s points a round.")
            if needs.one_is_enough
            else ngettext(
                "About %(n)d round win, at %(average)s points a round.",
                "About %(n)d round wins, at %(average)s points a round.",
                needs.rounds or 0,
            )
        )
        lines.append(text % {"n": needs.rounds, "average": round(needs.average)})
        lines.append(_behind_text(needs, results.names, player))
    return PlayerNeeds(key=key, lines=lines)


def _behind_text(needs: MatchNeeds, names: Names, player: str) -> str:
    others = [each for each in needs.leaders if each != player]
    if needs.behind:
        return ngettext(
            "%(n)d point behind the lead (%(names)s).",
            "%(n)d points behind the lead (%(names)s).",
            needs.behind,
        ) % {"n": needs.behind, "names": several(others, names)}
    if others:
        return _("You share the lead with %(names)s.") % {"names": several(others, names)}
    return _("You lead.")


def _own_hand(needs: OwnHandNeeds, results: ContestResults, player: str, key: str) -> PlayerNeeds:
    lines = [
        ngettext("%(n)d point left until %(target)d.", "%(n)d points left until %(target)d.", needs.missing)
        % {"n": needs.missing, "target": needs.target},
        _("The match ends when someone reaches the target, and the lowest total wins."),
    ]
    if needs.average is None:
        return PlayerNeeds(key=key, lines=lines)
    others = [each for each in needs.leaders if each != player]
    if player not in needs.leaders:
        text = _("If the match ended now, %(names)s would win.")
    elif others:
        text = _("If the match ended now, you would share the win with %(names)s.")
    else:
        text = _("If the match ended now, you would win.")
    lines.append(text % {"names": several(others, results.names)})
    if not needs.in_danger:
        text = _("Nobody reaches %(target)d with one more typical hand (%(average)s on average).")
        lines.append(text % {"target": needs.target, "average": average_text(needs.average)})
    return PlayerNeeds(
        key=key,
        lines=lines,
        caption=_("Could end the match with one more hand") if needs.in_danger else "",
        rows=[_danger(each, needs, results.names) for each in needs.in_danger],
    )


def _danger(danger: Danger, needs: OwnHandNeeds, names: Names) -> Row:
    values = {"n": danger.missing, "average": average_text(needs.average)}
    text = (
        ngettext(
            "%(n)d point left, a hand here averages %(average)s",
            "%(n)d points left, a hand here averages %(average)s",
            danger.missing,
        )
        if danger.by_average
        else ngettext(
            "%(n)d point left, about one of their usual hands",
            "%(n)d points left, about one of their usual hands",
            danger.missing,
        )
    )
    return Row(label=names[danger.player], text=text % values)


# ---- races ----


def _race(needs: RaceNeeds, key: str) -> PlayerNeeds | None:
    lines = []
    if needs.short:
        lines.append(
            ngettext(
                "You will be ranked after %(n)d more game.",
                "You will be ranked after %(n)d more games.",
                needs.short,
            )
            % {"n": needs.short}
        )
    if needs.left is not None:
        text = ngettext("%(n)d more game to play.", "%(n)d more games to play.", needs.left)
        lines.append(text % {"n": needs.left} if needs.left else _("All games played."))
    return PlayerNeeds(key=key, lines=lines) if lines else None


# ---- heats ----


def _heats(needs: HeatsNeeds, names: Names, key: str, advance: int) -> PlayerNeeds:
    usual = ngettext(
        "%(n)d player goes through from each heat.", "%(n)d players go through from each heat.", advance
    ) % {"n": advance}
    lines = {
        THROUGH: [_("You are through.")],
        CAN: [_("You can still get through. Your heat has no result yet."), usual],
        OUT: [
            _("Your heat is over, and you are not through."),
            _("The referees may still let someone in if a place stays open."),
        ],
    }
    labels = (
        (_("Through"), needs.through),
        (_("Can still get through"), needs.can),
        (pgettext("state", "Not through"), needs.out),  # not "Out": out of cards is through
    )
    return PlayerNeeds(
        key=key,
        lines=lines[needs.state],
        groups=[
            Group(label=label, names=[names[player] for player in players])
            for label, players in labels
            if players
        ],
    )
