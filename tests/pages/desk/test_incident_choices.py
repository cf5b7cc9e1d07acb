"""The incidents to choose from: what is usual first, grave things apart, near-twins side by side."""

import pytest

from rulesets import RULESETS
from tournament.pages.desk.incident_choices import choices_of


def shown(ruleset: str) -> dict[str, list[list[str]]]:
    return {
        str(group.title): [[choice.what for choice in several] for _title, several in group.situations]
        for group in choices_of(ruleset)
    }


def test_kpgut_has_four_groups_and_near_twins_together() -> None:
    assert shown("kpgut-2016") == {
        "Cards and turns": [
            ["uno_not_said"],
            ["wild4_challenged_rightly", "wild4_challenged_wrongly"],
            ["draw_suspected_rightly", "draw_suspected_rightly_again", "draw_suspected_wrongly"],
            ["last_card"],
            ["away"],
            ["same_card_out_of_turn"],
        ],
        "Help and cheating": [
            ["helped"],
            ["helped_by_spectator", "helped_novice"],
            ["cheated", "cheated_noticed_late"],
            ["marked_card"],
        ],
        "Conduct and disputes": [["unsporting", "unsporting_again"], ["dispute"], ["warning"]],
        "Something else": [["other"], ["ruling"]],
    }


def test_group_without_a_choice_is_not_shown() -> None:
    assert list(shown("mattel-112")) == ["Cards and turns", "Conduct and disputes", "Something else"]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_several_choices_share_a_title_and_differ_in_their_own_words(ruleset: str) -> None:
    for group in choices_of(ruleset):
        for title, several in group.situations:
            assert bool(title) == (len(several) > 1)
            assert "%" not in title
            if title:
                words = [choice.short for choice in several]
                assert all(words)
                assert len(set(words)) == len(words)
