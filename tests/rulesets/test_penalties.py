"""The penalties are those of the rule sheets, copied here as a table."""

import pytest

from rulesets import RULESETS, Penalty, penalties_of

#   what happened                  KPGUT                 Mattel              TiTe
TABLE = """
    uno_not_said                   cards:2               cards:2             cards:2
    wild4_challenged_rightly       cards:4               cards:4             referees
    wild4_challenged_wrongly       cards:6+turn          cards:6+turn        referees
    draw_suspected_wrongly         cards:4               -                   -
    draw_suspected_rightly         warning               -                   -
    draw_suspected_rightly_again   ejection              -                   -
    needless_draw                  -                     none                none
    last_card                      cards:1               none                cards:1
    helped                         cards:2               -                   referees
    helped_by_spectator            cards:11              -                   -
    helped_novice                  none                  -                   -
    away                           cards:2+turn          -                   referees
    cheated                        cards:2               -                   referees
    cheated_noticed_late           none                  -                   -
    same_card_out_of_turn          none                  -                   -
    marked_card                    none                  -                   -
    unsporting                     warning               -                   -
    unsporting_again               ejection              -                   -
    disturbing                     -                     -                   referees
    dispute                        none                  -                   referees
"""
ROWS = [row.split() for row in TABLE.strip().splitlines()]


def shown(penalty: Penalty) -> str:
    cards = f":{penalty.cards}" if penalty.cards else ""
    return f"{penalty.kind}{cards}{'+turn' if penalty.turn_lost else ''}"


@pytest.mark.parametrize(
    ("ruleset", "column"), [("kpgut-2016", 1), ("mattel-108", 2), ("mattel-112", 2), ("tite-2022", 3)]
)
def test_penalties_are_those_of_the_sheet(ruleset: str, column: int) -> None:
    assert {penalty.code: shown(penalty) for penalty in penalties_of(ruleset)} == {
        row[0]: row[column] for row in ROWS if row[column] != "-"
    }


def test_every_ruleset_has_penalties() -> None:
    assert all(map(penalties_of, RULESETS))


def test_who_was_wrong_pays() -> None:
    paid = {penalty.code: penalty.who for penalty in penalties_of("kpgut-2016")}

    assert paid["wild4_challenged_rightly"] == "player"
    assert paid["wild4_challenged_wrongly"] == "challenger"
    assert paid["draw_suspected_wrongly"] == "suspecting"
    assert paid["helped_by_spectator"] == "spectator"


def test_only_who_pays_draws_or_loses_a_turn() -> None:
    for ruleset in RULESETS:
        for penalty in penalties_of(ruleset):
            assert (penalty.cards > 0) == (penalty.kind == "cards")
            assert penalty.kind == "cards" or not penalty.turn_lost
            assert (penalty.who == "nobody") <= (penalty.kind in ("none", "referees"))
