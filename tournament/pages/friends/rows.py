"""A game, a round or a heat as friends type it: from form fields to a row of the score sheet and back.

Fields: `winner`, `hand-<player>-<card>`, `last`, `last_count`, `drew`, `emptied-<player>`, `out-<player>` (match);
`ended`, `outcome-<player>`, `time-<player>`, `duration`, `hand-...` (session); `sat-<player>`, `advance` (heats).
A fault's field is where its message stands: `field_of` leads scoring's paths there.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rulesets import RULESETS, Ruleset
from scoring import cards_available, decks_for
from tournament.forms.hands import hand_field
from tournament.forms.reading import Typed, time_text
from tournament.pages.friends.sheets import Row, Sheet, hand_of, names_of, out_before
from tournament.results.faults import Fault

MOST_CARDS = 999  # of one kind; scoring knows how many the decks hold
ENDINGS = ("last", "time", "early")
OUTCOMES = ("out", "last", "remaining", "gave_up", "ejected")
OUT_AS = ("withdrawn", "removed")
# Where on the page a part of a row stands: as a whole, and of one player.
PLAIN = {"last_cards": "last", "duration_s": "duration", "finish_order": "sat", "players": "sat"}
OF_PLAYER = {"hands": "hand", "removed": "out", "withdrawn": "out", "players": "sat", "finish_order": "sat"}


@dataclass(frozen=True, slots=True)
class RowRules:
    """What the ruleset and the settings leave to be asked in a row, and who takes part."""

    ruleset: Ruleset
    players: Mapping[str, str]  # names of those in play, by id
    available: Mapping[str, int]  # cards, all decks together
    last_kinds: tuple[str, ...]
    several: bool
    emptying: bool

    @classmethod
    def of(cls, sheet: Sheet, index: int) -> "RowRules":
        """The rules of the row at the index."""
        ruleset = RULESETS[sheet["ruleset"]]
        gone = out_before(sheet, index)
        players = {player: name for player, name in names_of(sheet).items() if player not in gone}
        settings = sheet["settings"]
        decks = min(settings.get("decks") or decks_for(ruleset, len(players)), 99)
        available = cards_available(ruleset, decks, settings.get("custom_cards", 3))
        return cls(
            ruleset=ruleset,
            players=players,
            available=available,
            last_kinds=tuple(
                card for card in ruleset.last_card_draws if card not in ruleset.forbidden_last_cards
            ),
            several=ruleset.several_last_cards,
            emptying=bool(available.get("custom")),
        )


def read_row(sheet: Sheet, index: int, typed: Typed) -> Row:
    """The row that was typed; what cannot be read is a fault of `typed`, what breaks a rule is scoring's to say."""
    rules = RowRules.of(sheet, index)
    reader = {"session": _read_game, "match": _read_round, "heats": _read_heat}[sheet["kind"]]
    return {"number": index + 1} | reader(rules, typed)


def typed_row(sheet: Sheet, row: Row) -> dict[str, str]:
    """A row of the sheet as the form that enters it would send it."""
    return {"session": _typed_game, "match": _typed_round, "heats": _typed_heat}[sheet["kind"]](row)


def hands_to_count(sheet: Sheet, index: int, typed: Typed) -> list[str]:
    """Who of a session's game remained with cards, so that their hands are asked for."""
    if sheet["kind"] != "session":
        return []
    players = RowRules.of(sheet, index).players
    return [player for player in players if typed.text(f"outcome-{player}") == "remaining"]


def hands_were_asked(players: list[str], typed: Typed) -> bool:
    """Whether the form that was sent had fields for these hands already."""
    return all(any(name.startswith(f"hand-{player}-") for name in typed.data) for player in players)


def field_of(fault: Fault) -> str:
    """The id of the field on the page that a fault within a row belongs to; empty for the row as a whole."""
    _root, first, player, inner = [*fault.path.split("/"), "", "", ""][:4]
    if not player:
        return PLAIN.get(first, first)
    if first == "results":
        if inner == "hand" or fault.code in {"missing_hand", "empty_hand"}:
            return f"hand-{player}"
        return f"time-{player}" if inner == "elapsed_s" else f"outcome-{player}"
    return f"{OF_PLAYER[first]}-{player}" if first in OF_PLAYER else PLAIN.get(first, first)


def _read_round(rules: RowRules, typed: Typed) -> Row:
    row: Row = {}
    out: dict[str, list[str]] = {"removed": [], "withdrawn": []}
    for player in rules.players:
        choice = typed.text(f"out-{player}")
        if choice in out:
            out[choice].append(player)
    row |= {key: players for key, players in out.items() if players}
    gone = {player for players in out.values() for player in players}
    emptied = [player for player in rules.players if rules.emptying and typed.text(f"emptied-{player}")]
    if emptied:
        row["emptied"] = emptied
    winner = typed.text("winner")
    if winner in rules.players:
        row["winner"] = winner
    hands = {player: _read_hand(rules, typed, player) for player in rules.players}
    hands = {player: hand for player, hand in hands.items() if hand and player not in gone}
    if hands or winner:
        row["hands"] = hands
    last = typed.text("last")
    if last in rules.last_kinds:
        count = typed.whole("last_count", "/last_cards", least=1, most=99) if rules.several else None
        row["last_cards"] = {last: count or 1}
        if typed.text("drew") in rules.players:
            row["drew"] = typed.text("drew")
    return row


def _read_hand(rules: RowRules, typed: Typed, player: str) -> dict[str, int]:
    hand: dict[str, int] = {}
    for card in rules.available:
        count = typed.whole(hand_field(player, card), f"/hands/{player}/{card}", most=MOST_CARDS)
        if count:
            hand[card] = count
    return hand


def _read_game(rules: RowRules, typed: Typed) -> Row:
    row: Row = {"ended": typed.text("ended"), "results": []}
    if row["ended"] not in ENDINGS:
        typed.faults.append(Fault("choose_ending", "/ended"))
    for player in rules.players:
        outcome = typed.text(f"outcome-{player}")
        if outcome not in OUTCOMES:
            continue
        result: Row = {"player": player, "outcome": outcome}
        if outcome == "out":
            elapsed = typed.seconds(f"time-{player}", f"/results/{player}/elapsed_s")
            if elapsed is not None:
                result["elapsed_s"] = elapsed
            elif not typed.text(f"time-{player}"):
                typed.faults.append(Fault("missing_time", f"/results/{player}/elapsed_s"))
        if outcome == "remaining":
            result["hand"] = _read_hand(rules, typed, player)
        row["results"].append(result)
    duration = typed.seconds("duration", "/duration_s")
    if duration is not None and row["ended"] != "time":
        row["duration_s"] = duration
    return row


def _read_heat(rules: RowRules, typed: Typed) -> Row:
    sat = {player: typed.text(f"sat-{player}") for player in rules.players}
    order: dict[int, str] = {}
    for player, choice in sat.items():
        if not choice.isdecimal() or len(choice) > 3:
            continue
        if int(choice) in order:
            typed.faults.append(Fault("same_order", f"/finish_order/{player}"))
        order.setdefault(int(choice), player)
    row: Row = {
        "players": [player for player, choice in sat.items() if choice],
        "finish_order": [order[number] for number in sorted(order)],
    }
    removed = [player for player, choice in sat.items() if choice == "removed"]
    if removed:
        row["removed"] = removed
    advance = typed.whole("advance", "/advance", least=1, most=99)
    if advance is not None:
        row["advance"] = advance
    return row


def _typed_round(row: Row) -> dict[str, str]:
    data = {"winner": row.get("winner", ""), "drew": row.get("drew", "")} | _typed_hands(row.get("hands", {}))
    for card, count in hand_of(row.get("last_cards", {})).items():
        data |= {"last": card, "last_count": str(count)}
    data |= {f"emptied-{player}": "1" for player in row.get("emptied", ())}
    return data | {f"out-{player}": key for key in OUT_AS for player in row.get(key, ())}


def _typed_hands(hands: Mapping[str, Mapping[str, int]]) -> dict[str, str]:
    return {
        hand_field(player, card): str(count)
        for player, hand in hands.items()
        for card, count in hand_of(hand).items()
    }


def _typed_game(row: Row) -> dict[str, str]:
    data = {"ended": row["ended"], "duration": time_text(row.get("duration_s"))}
    for result in row["results"]:
        player = result["player"]
        data[f"outcome-{player}"] = result["outcome"]
        if result.get("elapsed_s") is not None:
            data[f"time-{player}"] = time_text(result["elapsed_s"])
        data |= _typed_hands({player: result.get("hand", {})})
    return data


def _typed_heat(row: Row) -> dict[str, str]:
    data = {f"sat-{player}": "sat" for player in row["players"]}
    data |= {f"sat-{player}": str(number) for number, player in enumerate(row["finish_order"], 1)}
    data |= {f"sat-{player}": "removed" for player in row.get("removed", ())}
    return data | {"advance": str(row["advance"])}
