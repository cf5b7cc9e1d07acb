"""Matches: rounds of card points to a target.

| rule | section | where |
| --- | --- | --- |
| winner_takes | Mattel, standard count; TiTe, final | `gains` |
| own_hand | Mattel, alternative count | `gains` |
| target reached | Mattel, both counts; TiTe, final | `reached` |
| removed or left: no place | ruling on removing and leaving | `still_in` |
| at most one left: over | same | `score_match` |
| leaving after the end: place stands | same | `score_match` |
| most points win, own_hand fewest; ties share | rulings on level totals | `_standings` |
| stopped: totals stand | ruling on stopping | `score_match` |
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap

from rulesets import OWN_HAND, Ruleset

from .answers import MatchAnswer, MatchStanding, RoundAnswer, RoundResult
from .faults import Faults, Path, check_each_named, check_enough, check_number, check_players
from .hands import cards_available, check_cards, check_fit, hand_points, hand_size, places_of
from .sheets import Hand, Kept, MatchSheet, Memos, Round

InPlay = dict[str, None]  # ordered set, in sheet order


def still_in(in_play: InPlay, removed: Sequence[str], withdrawn: Sequence[str]) -> InPlay:
    """Players in play without `removed` and `withdrawn`."""
    if not removed and not withdrawn:
        return in_play
    gone = {*removed, *withdrawn}
    return dict.fromkeys(player for player in in_play if player not in gone)


def gains(sheet: MatchSheet, round_: Round, in_play: InPlay) -> dict[str, int]:
    """Points gained per player in play; all 0 without a winner."""
    if round_.winner is None:
        return dict.fromkeys(in_play, 0)
    held = {player: hand_points(sheet.ruleset, round_.hands.get(player, {})) for player in in_play}
    if sheet.scoring == OWN_HAND:
        return held
    return {**dict.fromkeys(in_play, 0), round_.winner: sum(held.values())}


def score_round(sheet: MatchSheet, round_: Round, in_play: InPlay, kept: Kept) -> RoundAnswer:
    """Score a valid round (cached)."""
    by = ("scored", sheet.ruleset.id, sheet.scoring, *in_play)
    scored = kept.get(by)
    if not isinstance(scored, RoundAnswer) or scored.number != round_.number:
        results = (
            scored.results
            if isinstance(scored, RoundAnswer)
            else tuple(starmap(RoundResult, gains(sheet, round_, in_play).items()))
        )
        kept[by] = scored = RoundAnswer(round_.number, results)
    return scored


def reached(sheet: MatchSheet, totals: Mapping[str, int]) -> bool:
    """Whether a player has reached the target."""
    return sheet.target is not None and any(points >= sheet.target for points in totals.values())


def score_match(sheet: MatchSheet, memos: Memos) -> MatchAnswer:
    """Score a valid match sheet."""
    in_play = dict.fromkeys(sheet.players)
    totals = dict.fromkeys(sheet.players, 0)
    rounds = []
    for round_, kept in zip(sheet.rounds, memos, strict=True):
        in_play = still_in(in_play, round_.removed, round_.withdrawn)
        scored = score_round(sheet, round_, in_play, kept)
        for result in scored.results:
            totals[result.player] += result.points
        rounds.append(scored)
    over = reached(sheet, totals) or len(in_play) <= 1
    if not over:  # after the end the place stands
        in_play = still_in(in_play, sheet.removed, sheet.withdrawn)
    standings = _standings(sheet, in_play, totals)
    complete = over or len(in_play) <= 1 or (sheet.stopped and bool(sheet.rounds))
    winners = tuple(standing.player for standing in standings if standing.place == 1)
    return MatchAnswer(sheet.ruleset.id, standings, tuple(rounds), winners if complete else (), complete)


def _standings(sheet: MatchSheet, in_play: InPlay, totals: Mapping[str, int]) -> tuple[MatchStanding, ...]:
    won = dict.fromkeys(sheet.players, 0)
    for round_ in sheet.rounds:
        if round_.winner is not None:
            won[round_.winner] += 1
    side = 1 if sheet.scoring == OWN_HAND else -1
    place = places_of({player: side * totals[player] for player in in_play})
    withdrawn = set(sheet.withdrawn).union(*(round_.withdrawn for round_ in sheet.rounds))

    def standing(player: str) -> MatchStanding:
        gone = "withdrawn" if player in withdrawn else "disqualified"
        return MatchStanding(
            player, place.get(player), "ranked" if player in place else gone, totals[player], won[player]
        )

    standings = [standing(player) for player in sheet.players]
    standings.sort(key=lambda line: (line.place is None, line.place or 0, line.status == "disqualified"))
    return tuple(standings)


# ---- Checks match sheets against the rules ----


@dataclass(frozen=True, slots=True)
class Table:
    """Context for the checks of one round."""

    ruleset: Ruleset
    known: frozenset[str]
    path: Path
    in_play: InPlay
    available: Hand
    faults: Faults

    def check_in_play(self, player: str, path: Path) -> bool:
        """Whether `player` is in play; else record the fault."""
        if player in self.in_play:
            return True
        self.faults.add("removed_plays" if player in self.known else "unknown_player", path, player=player)
        return False


def check_match(sheet: MatchSheet, memos: Memos, faults: Faults) -> None:
    """Record every fault of `sheet`."""
    check_players(sheet.players, faults)
    check_enough(len(sheet.players), ("players",), faults)
    _check_settings(sheet, faults)
    faults.stop()  # the end of the match depends on players and target
    available = cards_available(sheet.ruleset, sheet.decks, sheet.custom_cards)
    known = frozenset(sheet.players)
    in_play = dict.fromkeys(sheet.players)
    totals = dict.fromkeys(sheet.players, 0)
    over = False
    for index, (round_, kept) in enumerate(zip(sheet.rounds, memos, strict=True)):
        path: Path = ("rounds", index)
        check_number(round_.number, index, path, faults)
        if over:
            faults.add("match_over", path, number=index + 1)
            return
        _check_leaving(round_, path, known, in_play, faults)
        in_play = still_in(in_play, round_.removed, round_.withdrawn)
        table = Table(sheet.ruleset, known, path, in_play, available, faults)
        if len(in_play) <= 1:
            check_walkover(round_, table)
            over = True
        elif _round_stands(sheet, round_, table, kept):
            for result in score_round(sheet, round_, in_play, kept).results:
                totals[result.player] += result.points
            over = reached(sheet, totals)
    _check_leaving(sheet, (), known, in_play, faults)


def _round_stands(sheet: MatchSheet, round_: Round, table: Table, kept: Kept) -> bool:
    """Whether the round has no faults (cached)."""
    stood = ("stood", sheet.ruleset.id, sheet.decks, sheet.custom_cards, *table.in_play)
    if stood not in kept:
        before = len(table.faults.errors)
        check_round(round_, table)
        if len(table.faults.errors) == before:
            kept[stood] = True
    return stood in kept


def _check_settings(sheet: MatchSheet, faults: Faults) -> None:
    ruleset = sheet.ruleset
    least, most = ruleset.least_target, ruleset.most_target
    where: Path = ("settings", "target")
    if sheet.target is None:
        faults.add("missing_target", where, least=least)
    elif sheet.target < least or (most is not None and sheet.target > most):
        expected = f"at least {least}" if most is None else f"from {least} to {most}"
        bounds = {"least": least} if most is None else {"least": least, "most": most}
        faults.add("target_out_of_range", where, found=sheet.target, expected=expected, **bounds)
    if sheet.scoring not in ruleset.scorings:
        where, allowed = ("settings", "scoring"), ", ".join(ruleset.scorings)
        faults.add("scoring_not_allowed", where, scoring=sheet.scoring, allowed=allowed)


def _check_leaving(
    part: MatchSheet | Round, path: Path, known: frozenset[str], in_play: InPlay, faults: Faults
) -> None:
    seen: set[str] = set()
    for key, players in (("removed", part.removed), ("withdrawn", part.withdrawn)):
        for where, player in check_each_named(players, (*path, key), known, seen, faults):
            if player not in in_play:
                faults.add("removed_plays", where, player=player)


def check_walkover(round_: Round, table: Table) -> None:
    """Record a winner and hands with fewer than two in play."""
    if round_.winner is not None:
        table.faults.add("walkover", (*table.path, "winner"), count=len(table.in_play))
    if round_.hands:
        table.faults.add("walkover", (*table.path, "hands"), count=len(table.in_play))


def check_round(round_: Round, table: Table) -> None:
    """Record every fault of winner, hands and cards."""
    if round_.winner is None:
        table.faults.add("missing_winner", (*table.path, "winner"), count=len(table.in_play))
    else:
        table.check_in_play(round_.winner, (*table.path, "winner"))
    emptied: set[str] = set()
    for where, player in check_each_named(
        round_.emptied, (*table.path, "emptied"), table.known, emptied, table.faults
    ):
        table.check_in_play(player, where)
    sound = check_hands(round_, table, emptied, complete=round_.winner in table.in_play)
    check_deck(sound, check_last_cards(round_, table), table)


def check_hands(round_: Round, table: Table, emptied: set[str], *, complete: bool) -> list[tuple[Path, Hand]]:
    """Record faults of the hands; return valid ones for the deck count. `complete`: all but the winner must hold
    cards; otherwise any hand may be the winner's."""
    sound: list[tuple[Path, Hand]] = []
    for player, hand in round_.hands.items():
        where: Path = (*table.path, "hands", player)
        if not table.check_in_play(player, where) or not check_cards(
            hand, where, table.ruleset, table.available, table.faults
        ):
            continue
        size = hand_size(hand)
        if player != round_.winner:
            sound.append((where, hand))
            if not size and complete and player not in emptied:
                table.faults.add("empty_hand", where, player=player)
        elif size:
            table.faults.add("winner_has_cards", where, player=player, count=size)
    for player in table.in_play if complete else ():
        if player != round_.winner and player not in round_.hands and player not in emptied:
            table.faults.add("missing_hand", (*table.path, "hands", player), player=player)
    return sound


def check_deck(hands: list[tuple[Path, Hand]], last_cards: Hand, table: Table) -> None:
    """Record `deck_exceeded` if hands and last cards are more than there are."""
    before = len(table.faults.errors)
    check_fit(
        [*hands, ((*table.path, "last_cards"), last_cards)], table.ruleset, table.available, table.faults
    )
    held = sum(hand_size(hand) for _, hand in hands)
    most = hand_size(table.available) - max(1, hand_size(last_cards))  # a last card was discarded
    if held > most and len(table.faults.errors) == before:
        table.faults.add(
            "deck_exceeded", (*table.path, "hands"), card="of all kinds", count=held, available=most
        )


def check_last_cards(round_: Round, table: Table) -> Hand:
    """Record faults of the last cards; return valid ones for the deck count."""
    path: Path = (*table.path, "last_cards")
    if round_.last_cards is None or not check_cards(
        round_.last_cards, path, table.ruleset, table.available, table.faults
    ):
        return {}
    cards = {card: count for card, count in round_.last_cards.items() if count}
    several, count = table.ruleset.several_last_cards, hand_size(cards)
    kind_stands = len(cards) == 1 and (several or count == 1)
    if not kind_stands:
        expected = "one card or more" if several else "one card"
        table.faults.add("last_cards_invalid", path, count=count, kinds=len(cards), expected=expected)
    forbidden = [card for card in cards if card in table.ruleset.forbidden_last_cards]
    for card in forbidden:
        table.faults.add("last_card_forbidden", (*path, card), card=card)
    if kind_stands and not forbidden:
        _check_drew(round_, cards, table)
    return cards


def _check_drew(round_: Round, cards: Hand, table: Table) -> None:
    draws = table.ruleset.last_card_draws
    drawn = sum(draws.get(card, 0) * count for card, count in cards.items())
    if not drawn:
        return
    where: Path = (*table.path, "drew")
    if round_.drew is None or round_.drew == round_.winner:
        table.faults.add("missing_drew", where)
    elif table.check_in_play(round_.drew, where):
        held = hand_size(round_.hands.get(round_.drew, {}))
        # an empty hand is a fault already, unless `emptied`
        if held <= drawn and (held > 0 or round_.drew in round_.emptied):
            where = (*table.path, "hands", round_.drew)
            table.faults.add("drawn_cards_missing", where, player=round_.drew, count=held, least=drawn + 1)
