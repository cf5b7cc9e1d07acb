"""Reasons for a player's place in words, from scoring/why.py."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never
from uuid import UUID

from django.utils.translation import gettext as _, ngettext

from rulesets import RULESETS, WINNER_TAKES, Ruleset
from scoring import why_of
from scoring.sheets import PLACING
from scoring.why import (
    Compared,
    Ejected,
    GameWhy,
    GaveUp,
    HandWhy,
    HeatWhy,
    Last,
    MatchWhy,
    Neighbour,
    Out,
    RaceGameWhy,
    RaceNeighbour,
    RaceWhy,
    Remaining,
    RoundWhy,
    SessionWhy,
    Standing,
)
from tournament.pages.desk.play import hand_text
from tournament.pages.public.chances import several
from tournament.pages.public.stage import columns_of, play_label
from tournament.pages.public.standings import isolated
from tournament.queries.visible import Shown
from tournament.results import ContestResults
from tournament.words.kinds import DECIDING, race_text
from tournament.words.text import average_text, elapsed_text, points_text

Names = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyStep:
    """A step: `points` ("14 points") and how they arose. `play`: uid, None for heat places and walkovers."""

    label: str
    play: UUID | None = None
    points: str = ""
    lines: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Place explained: `total` decides; `lines`: neighbours; `steps` lead to it; `key`: unique on the page."""

    key: str
    title: str
    total: str
    lines: Sequence[str] = ()
    steps: Sequence[WhyStep] = ()

    @property
    def beside(self) -> list[WhyStep]:
        """Steps without a play, shown next to the plays."""
        return [step for step in self.steps if step.play is None]


def player_why(seen: Shown, results: ContestResults, player: str) -> Why | None:
    """Reasons for the place; None before any play (heats: result). `player`: id in the answer."""
    why = why_of(results.sheet.data, results.answer, player) if results.answer.rounds else None
    key = f"{seen.stage.uid}-{results.table_number or 0}"
    match why:
        case None:
            return None
        case SessionWhy():
            return _session(why, results, key)
        case MatchWhy():
            return _match(why, results, player, key)
        case HeatWhy():
            return _heat(why, results.names, key)
        case RaceWhy():
            return _race(why, results, player, key)
        case _:
            assert_never(why)


def _title(place: int | None) -> str:
    return _("Why no place?") if place is None else _("Why place %(place)d?") % {"place": place}


def _compared(standing: Standing, names: Names, *, averages: bool) -> list[str]:
    text = average_text if averages else str

    def beside(other: Neighbour, by: str, alike: str) -> str:
        """Use `alike` if two decimals would hide the difference."""
        hidden = average_text(other.value) == average_text(standing.value) or (
            average_text(other.difference) == average_text(Fraction())
        )
        return (alike if hidden else by) % {
            "names": several(other.players, names),
            "value": text(other.value),
            "by": text(other.difference),
            "their": str(other.value),
            "own": str(standing.value),
        }

    lines = []
    if standing.ahead:
        alike = _("Behind %(names)s by less than 0.01: %(own)s against %(their)s.")
        lines.append(beside(standing.ahead, _("Behind %(names)s (%(value)s) by %(by)s."), alike))
    if standing.shared:
        lines.append(_("Tied with %(names)s: shared place.") % {"names": several(standing.shared, names)})
    if standing.behind:
        alike = _("Ahead of %(names)s by less than 0.01: %(own)s against %(their)s.")
        lines.append(beside(standing.behind, _("Ahead of %(names)s (%(value)s) by %(by)s."), alike))
    return lines


# ---- sessions ----


def _session(why: SessionWhy, results: ContestResults, key: str) -> Why:
    standing, names = why.standing, results.names
    total = _("No games yet.")
    if standing.value is not None:
        text = ngettext(
            "%(points)s in %(n)d game = %(average)s", "%(points)s in %(n)d games = %(average)s", why.scored
        )
        total = text % {
            "points": points_text(why.points),
            "n": why.scored,
            "average": average_text(standing.value),
        }
    return Why(
        key=key,
        title=_title(standing.place),
        total=total,
        lines=[
            *_compared(standing, names, averages=True),
            _("The lowest average takes first place.")
            if standing.place
            else _no_place(standing.status, min_games=why.min_games, played=why.scored),
        ],
        steps=[
            _play_step(
                results,
                game.index,
                "" if game.points is None else points_text(game.points),
                _how(game, names),
            )
            for game in reversed(why.games)
        ],
    )


def _no_place(status: str, *, min_games: int, played: int) -> str:
    if status == "disqualified":
        return _("Disqualified. The points of earlier games remain, without a place.")
    if status == "withdrawn":
        return _("Left. The points remain, without a place.")
    return ngettext(
        "You need %(n)d game to be ranked. Played so far: %(played)d.",
        "You need %(n)d games to be ranked. Played so far: %(played)d.",
        min_games,
    ) % {"n": min_games, "played": played}


def _play_step(results: ContestResults, index: int, points: str, lines: Sequence[str]) -> WhyStep:
    play = results.play_of_round(index + 1)
    assert play is not None  # walkovers end matches
    return WhyStep(label=play_label(results.contest, play), play=play.uid, points=points, lines=lines)


def _how(game: GameWhy, names: Names) -> list[str]:
    points = points_text(game.points or 0)
    match how := game.how:
        case Out():
            return [
                _("Out after %(time)s: %(points)s") % {"time": elapsed_text(how.elapsed_s), "points": points}
            ]
        case Last():
            return [_("Last one left = %(points)s, the full minutes at the game’s end") % {"points": points}]
        case Remaining():
            return _remaining(how, names)
        case GaveUp():
            text = _("gave up: the worst of the others, %(worst)d, plus %(extra)d, but at least %(least)d")
            return [text % {"worst": how.worst, "extra": how.extra, "least": how.least}]
        case Ejected():
            return [_("ejected, no points")]


def _remaining(how: Remaining, names: Names) -> list[str]:
    text = ngettext(
        "%(n)d card left, place %(rank)d among players with cards left: %(base)d + %(rank)d × %(step)d",
        "%(n)d cards left, place %(rank)d among players with cards left: %(base)d + %(rank)d × %(step)d",
        how.cards,
    )
    lines = [text % {"n": how.cards, "rank": how.rank, "base": how.base, "step": how.step}]
    if how.ahead:
        lines.append(_step(_("Behind %(names)s: %(why)s"), how.ahead, names))
    if how.shared:
        text = _("Tied with %(names)s in cards, number cards and every number")
        lines.append(text % {"names": several(how.shared, names)})
    if how.behind:
        lines.append(_step(_("Ahead of %(names)s: %(why)s"), how.behind, names))
    return lines


def _step(text: str, compared: Compared, names: Names) -> str:
    values = {"mine": compared.mine, "theirs": compared.theirs, "number": compared.step}
    match compared.step:
        case "cards":
            why = _("%(mine)d against %(theirs)d cards")
        case "numbers":
            why = _("same number of cards, %(mine)d against %(theirs)d number cards")
        case "0":
            why = _("same number of number cards, %(mine)d against %(theirs)d zeros")
        case _other:
            why = _("tied on number cards and lower numbers, %(mine)d against %(theirs)d cards of %(number)s")
    return text % {"names": several(compared.players, names), "why": why % values}


# ---- matches ----


def _match(why: MatchWhy, results: ContestResults, player: str, key: str) -> Why:
    standing, names = why.standing, results.names
    lines = _compared(standing, names, averages=False)
    if standing.place is None:
        lines.append(
            _("Left. The points remain, without a place.")
            if standing.status == "withdrawn"
            else _("Disqualified. The points remain, without a place.")
        )
    elif why.own_hand:
        lines.append(_("The lowest total takes first place."))
    else:
        lines.append(_("The highest total takes first place."))
    text = ngettext("%(points)s in %(n)d round", "%(points)s in %(n)d rounds", len(why.rounds))
    columns = columns_of(results)
    return Why(
        key=key,
        title=_title(standing.place),
        total=text % {"points": points_text(why.points), "n": len(why.rounds)},
        lines=lines,
        steps=[
            WhyStep(
                label=_("Round %(number)s") % {"number": columns[round_.index].number},
                play=play.uid if (play := results.play_of_round(round_.index + 1)) else None,
                points=points_text(round_.gained),
                lines=_round(round_, results, player, own_hand=why.own_hand),
            )
            for round_ in reversed(why.rounds)
        ],
    )


def _round(round_: RoundWhy, results: ContestResults, player: str, *, own_hand: bool) -> list[str]:
    names, ruleset = results.names, RULESETS[results.contest.ruleset]
    own = _cards(round_.own, ruleset) if round_.own else _("no cards")
    if own_hand:
        return [_("won the round") if round_.winner == player else _("own hand: %(cards)s") % {"cards": own}]
    if round_.winner == player:
        return _hands(round_.hands, names, ruleset)
    return [
        _("%(winner)s won %(points)s. Left in hand: %(own)s.")
        % {
            "winner": isolated([names[round_.winner]]),
            "points": points_text(sum(hand.points for hand in round_.hands)),
            "own": f"{hand_text(round_.own.cards, ruleset)} ({round_.own.points})"
            if round_.own
            else _("no cards"),
        }
    ]


def _hands(hands: Sequence[HandWhy], names: Names, ruleset: Ruleset) -> list[str]:
    return [
        _("%(name)s: %(hand)s") % {"name": isolated([names[hand.player]]), "hand": _cards(hand, ruleset)}
        for hand in hands
    ]


def _cards(hand: HandWhy, ruleset: Ruleset) -> str:
    """A hand as "27 (Skip, 7)"."""
    return _("%(points)d (%(cards)s)") % {"points": hand.points, "cards": hand_text(hand.cards, ruleset)}


# ---- races ----


def _race(why: RaceWhy, results: ContestResults, player: str, key: str) -> Why:
    line, names = why.line, results.names
    lines = []
    if why.ahead:
        lines.append(_parted(_("Behind %(names)s: %(own)s against %(their)s."), why.ahead, names))
    if why.shared and line.place:
        lines.append(_("Tied with %(names)s: shared place.") % {"names": several(why.shared, names)})
    if why.behind:
        lines.append(_parted(_("Ahead of %(names)s: %(own)s against %(their)s."), why.behind, names))
    lines.append(
        race_text(results.sheet.data["settings"])
        if line.place
        else _no_place(line.status, min_games=why.min_games, played=line.games)
    )
    counting = sum(game.counts for game in why.games)
    return Why(
        key=key,
        title=_title(line.place),
        total=ngettext("%(points)s in %(n)d game", "%(points)s in %(n)d games", counting)
        % {"points": points_text(line.points), "n": counting},
        lines=lines,
        steps=[
            _play_step(
                results, game.index, points_text(game.points), _race_lines(game, results, player, why.scoring)
            )
            for game in reversed(why.games)
        ],
    )


def _parted(text: str, other: RaceNeighbour, names: Names) -> str:
    """`text` with what parts two places: "3 cards left against 2"."""
    words = DECIDING[other.by]
    own, their = words.text(other.mine), words.text(other.theirs)
    if own == their:  # two decimals would hide the difference
        own, their = str(other.mine), str(other.theirs)
    own = f"{own} {words.worth(other.mine)}"
    return text % {"names": several(other.players, names), "own": own, "their": their}


def _race_lines(game: RaceGameWhy, results: ContestResults, player: str, scoring: str) -> list[str]:
    ruleset, names = RULESETS[results.contest.ruleset], results.names
    if game.winner == player and scoring == WINNER_TAKES:
        lines = _hands(game.hands, names, ruleset)
    else:
        own = ", ".join(_cards(hand, ruleset) for hand in game.hands) or _("no cards")
        won = _("won the game") if game.winner == player else _("own hand: %(cards)s") % {"cards": own}
        lines = [won if game.winner else _("ended by time, own hand: %(cards)s") % {"cards": own}]
        if scoring == PLACING:
            lines.append(
                _("%(worse)d of %(others)d others held more points, %(level)d as many")
                % {"worse": game.worse, "level": game.level, "others": game.others}
            )
    return lines if game.counts else [*lines, _("Does not count: other games were better.")]


# ---- heats ----


def _heat(why: HeatWhy, names: Names, key: str) -> Why:
    return Why(
        key=key,
        title=_("Why through?") if why.through else _("Why not through?"),
        total=_heat_total(why),
        lines=[
            ngettext(
                "The first player out in this heat goes through.",
                "The first %(n)d players out in this heat go through.",
                why.advance,
            )
            % {"n": why.advance}
        ],
        steps=[
            WhyStep(
                label=f"{place}. {isolated([names[each]])}",
                points=_("through") if place <= why.advance else "",
            )
            for place, each in enumerate(why.order, 1)
        ],
    )


def _heat_total(why: HeatWhy) -> str:
    if why.removed:
        return _("Out of the event before the heat ended")
    if why.place is None:
        return _("Still had cards when the heat ended")
    return _("Number %(place)d to go out") % {"place": why.place}
