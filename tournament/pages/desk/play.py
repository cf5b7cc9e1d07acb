"""Plays in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from rulesets import Ruleset
from scoring import GameResult, Points, hand_points
from tournament.ledger.undoing import UNDO
from tournament.models import Play, Result, Tournament
from tournament.pages.components import Comparison, ComparisonRow
from tournament.pages.public.stage import decided_text, how_text, play_label
from tournament.pages.public.standings import isolated
from tournament.results import Contest, Hand, PlayFacts, ejection_before, time_text
from tournament.templatetags.lastcard import hand_items
from tournament.words.faults import action_name, card_name
from tournament.words.formats import to_the_second
from tournament.words.kinds import GAME_KINDS

Outcome = Result.Outcome
Names = Mapping[str, str]
NOWHERE = 10_000  # sorts last


class Named(Protocol):
    """Event, player names and ruleset, such as a scene."""

    @property
    def tournament(self) -> Tournament: ...

    @property
    def names(self) -> Names: ...

    @property
    def ruleset(self) -> Ruleset: ...


ENDINGS: dict[str, str | Promise] = {
    "last": gettext_lazy("One player was left"),
    "time": gettext_lazy("The hour was up"),
    "early": gettext_lazy("Stopped early"),
}

ACTIONS: dict[str, str | Promise] = {
    "start_game": gettext_lazy("Game started"),
    "set_game_start": gettext_lazy("Start of the game corrected"),
    "choose_start": gettext_lazy("Start of the game chosen"),
    "record_out": gettext_lazy("Player out"),
    "record_give_up": gettext_lazy("Player gave up"),
    "eject_player": gettext_lazy("Player ejected"),
    "take_back": gettext_lazy("Tap undone"),
    "join_game": gettext_lazy("A player joined mid-game"),
    "end_game": gettext_lazy("Game ended"),
    "record_game": gettext_lazy("Game entered from paper"),
    "record_round": gettext_lazy("Round entered"),
    "record_heat": gettext_lazy("Heat entered"),
    "correct_game": gettext_lazy("Game corrected"),
    "correct_round": gettext_lazy("Round corrected"),
    "correct_heat": gettext_lazy("Heat corrected"),
    "void_play": gettext_lazy("Voided"),
    "leave_out_plays": gettext_lazy("Left out"),
    "ask_second_look": gettext_lazy("Confirmation setting changed"),
    "ask_second_look_at": gettext_lazy("Confirmation requested"),
    "accept_play": gettext_lazy("Confirmed by another referee"),
    "accept_plays": gettext_lazy("Confirmed by another referee"),
    "contest_play": gettext_lazy("Contested by a referee"),
    "accept_play_at_table": gettext_lazy("Confirmed by the players"),
    "accept_plays_at_table": gettext_lazy("Confirmed by the players"),
    "contest_play_at_table": gettext_lazy("Contested by the players"),
    "accept_proposal": gettext_lazy("Proposed by the players, accepted"),
    "revert_play": gettext_lazy("Back to an earlier version"),
    "move_play": gettext_lazy("Moved to another table"),
    "remove_player": gettext_lazy("Player removed"),
    "player_leaves": gettext_lazy("Player left"),
    "readmit_player": gettext_lazy("Player back in"),
    "stop_match": gettext_lazy("Match stopped"),
    "resume_match": gettext_lazy("Match resumed"),
    "name_roles": gettext_lazy("Roles set"),
    "finish_stage": gettext_lazy("Stage finished, results official"),
    "reopen_stage": gettext_lazy("Stage reopened"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line: outcome, cards (rounds: `worth` in points), points."""

    name: str
    ruleset: Ruleset
    text: str = ""
    hand: Hand | None = None
    points: Points | None = None
    place: int | None = None
    worth: int | None = None
    entry: str = ""
    decided: str = ""


def did_text(action: str, replaces: int | None, undone: Mapping[int, tuple[str, int | None]]) -> str:
    """An action in words. `undone`: (action, replaced row) by sequence."""
    undos = 0
    while action == UNDO and replaces and replaces in undone:
        (action, replaces), undos = undone[replaces], undos + 1
    what = str(ACTIONS.get(action) or capfirst(action_name(action)))
    if not undos:
        return what
    return (_("Undone: %(what)s") if undos % 2 else _("Redone: %(what)s")) % {"what": what}


def hand_text(hand: Hand, ruleset: Ruleset) -> str:
    """Cards as read out: "7, 7, Draw 2"."""
    cards = (
        card_name(kind, ruleset) for kind, count in hand_items(dict(hand)) for _nth in range(min(count, 20))
    )
    return ", ".join(cards) or _("no cards")


def lines_of(
    play: PlayFacts,
    names: Names,
    ruleset: Ruleset,
    points: Mapping[str, Points | None] | None = None,
    *,
    scored: Mapping[str, GameResult] | None = None,
) -> list[Line]:
    """A line per player, best first."""
    points = points or {}
    scored = scored or {}
    places = {player: result.place or NOWHERE for player, result in scored.items()}
    order = [Outcome.WON, Outcome.FINISHED, Outcome.OUT, Outcome.LAST, Outcome.REMAINING]
    return [
        Line(
            ruleset=ruleset,
            name=names.get(str(row.entry), ""),
            text=outcome_text(row.outcome, row.elapsed_s),
            hand=row.hand if row.outcome in {Outcome.HOLDS, Outcome.REMAINING} else None,
            points=_shown(points.get(str(row.entry)), row.outcome),
            worth=hand_points(ruleset, row.hand) if row.outcome == Outcome.HOLDS else None,
            place=row.finish or (scored[str(row.entry)].place if str(row.entry) in scored else None),
            entry=str(row.entry),
            decided=decided_text(list(scored.values()), str(row.entry), names),
        )
        for row in sorted(
            play.results,
            key=lambda row: (
                places.get(str(row.entry), NOWHERE),
                order.index(Outcome(row.outcome)) if row.outcome in order else len(order),
                row.finish or row.elapsed_s or 0,
            ),
        )
    ]


def _shown(points: Points | None, outcome: str) -> Points | None:
    return None if not points and outcome in {Outcome.HOLDS, Outcome.EMPTIED} else points


def outcome_text(outcome: str, elapsed_s: int | None) -> str:
    """A player's outcome in a word or two."""
    words: dict[str, str] = {
        Outcome.WON: _("won"),
        Outcome.EMPTIED: _("hand emptied"),
        Outcome.FINISHED: _("out"),
        Outcome.PLAYING: _("not out"),
        Outcome.HOLDS: "",
    }
    if outcome in words:
        return words[outcome]
    return how_text(outcome, elapsed_s if outcome != Outcome.LAST else None)


def ending_text(play: PlayFacts) -> str:
    """How a game ended. In a race the bell ends it, not the hour."""
    bell = play.ended == Play.Ended.TIME and play.with_outcome(Outcome.HOLDS)
    return str(GAME_KINDS["time"] if bell else ENDINGS.get(play.ended, ""))


def notes_of(play: PlayFacts, scene: Named) -> list[tuple[str, str]]:
    """Facts that concern no single player, as (name, text)."""
    began = None if play.state == Play.State.RUNNING else play.started_at
    notes = [
        (
            began,
            _("Began"),
            to_the_second(began.astimezone(scene.tournament.zone), "SHORT_DATETIME_FORMAT") if began else "",
        ),
        (play.ended, _("How it ended"), ending_text(play)),
        (play.duration_s is not None, _("Ended at"), time_text(play.duration_s or 0)),
        (play.last_cards, _("Last card"), hand_text(play.last_cards, scene.ruleset)),
        (play.drew, _("Drew the cards"), scene.names.get(str(play.drew), "")),
        (play.advance, _("Go through"), str(play.advance)),
        (play.decks, _("Decks"), str(play.decks)),
    ]
    return [(what, text) for known, what, text in notes if known]


def held_starts(contest: Contest, play: PlayFacts, zone: ZoneInfo) -> list[tuple[str, str]]:
    """Starts of a game on hold and of the one whose ejection holds it: (text, correction URL)."""
    found = ejection_before(contest, play) if play.state == Play.State.SET_ASIDE else None
    if found is None:
        return []
    other, entry = found
    games = [(each, None if each.other_start else each.started_at) for each in (play, other)]
    times = [at.astimezone(zone) for each, began in games if (at := began or each.entered_at)]
    if len(times) < 2:
        return []  # entered before times were stored
    texts = (
        _("%(what)s began at %(time)s."),
        _("%(what)s, in which %(name)s was ejected, began at %(time)s."),
        _("%(what)s was entered at %(time)s; its start is unknown."),
        _("%(what)s, in which %(name)s was ejected, was entered at %(time)s; its start is unknown."),
    )
    form = "TIME_FORMAT" if times[0].date() == times[1].date() else "SHORT_DATETIME_FORMAT"
    name = isolated([contest.names.get(str(entry), "")])
    return [
        (
            texts[index + (0 if began else 2)]
            % {"what": play_label(contest, each), "name": name, "time": to_the_second(times[index], form)},
            reverse("play-correct", args=[each.uid]) + "#id_started_at",
        )
        for index, (each, began) in enumerate(games)
    ]


def comparison(
    yours: PlayFacts, theirs: PlayFacts, scene: Named, *, yours_by: str, theirs_by: str
) -> Comparison:
    """Compare two versions of a play, a row per fact of either."""
    left, right = _said(yours, scene), _said(theirs, scene)
    cards, others = _cards(yours, scene), _cards(theirs, scene)
    return Comparison(
        ruleset=scene.ruleset,
        yours=yours_by,
        theirs=theirs_by,
        rows=[
            ComparisonRow(
                what=what,
                yours=left.get(what, "–"),
                theirs=right.get(what, "–"),
                your_cards=cards.get(what),
                their_cards=others.get(what),
            )
            for what in [*left, *(what for what in right if what not in left)]
        ],
    )


def _cards(play: PlayFacts, scene: Named) -> dict[str, tuple[Hand, int | None]]:
    return {
        line.name: (line.hand, line.worth) for line in lines_of(play, scene.names, scene.ruleset) if line.hand
    }


def _said(play: PlayFacts, scene: Named) -> dict[str, str]:
    said = {}
    if play.state in {Play.State.VOID, Play.State.SET_ASIDE}:
        said[_("State")] = str(Play.State(play.state).label)
    for line in lines_of(play, scene.names, scene.ruleset):
        text = f"{line.place}." if line.place else line.text
        if line.hand is not None:
            text = hand_text(line.hand, scene.ruleset)
            if line.worth is not None:
                text = ngettext("%(hand)s (%(n)d point)", "%(hand)s (%(n)d points)", line.worth) % {
                    "hand": text,
                    "n": line.worth,
                }
        said[line.name] = text
    return said | dict(notes_of(play, scene))
