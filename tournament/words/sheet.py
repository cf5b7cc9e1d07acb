"""Words for what a score sheet can be wrong in; tournament/words/faults.py words a fault with them."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# What a score sheet can be wrong in (docs/score-sheet.md lists the same codes).
SHEET_FAULTS: dict[str, str | Promise] = {
    "malformed": _("This is not what belongs here."),
    "unknown_ruleset": _("There is no such ruleset."),
    "ruleset_not_for_kind": _("This ruleset is not played this way."),
    "duplicate_player": _("%(player)s is named twice."),
    "unknown_player": _("%(player)s is not one of the players here."),
    "too_few_players": _("At least %(least)s players are needed."),
    "bad_number": _("The numbering has a gap: number %(expected)s comes next."),
    "unknown_card": _("There is no such card."),
    "card_not_in_deck": _("%(card)s is not in this deck."),
    "negative_count": _("Nobody can hold fewer than no cards."),
    "deck_exceeded": _("%(card)s: %(count)s counted, but only %(available)s can be there. Count again."),
    "missing_hand": _("Count the cards left with %(player)s."),
    "empty_hand": _("%(player)s did not go out, so at least one card is left. Count again."),
    "elapsed_over_limit": _("Nobody goes out after the hour. Write a time from 0:00 to 60:00."),
    "duration_too_short": _("The game cannot be shorter than the last one to go out."),
    "duration_too_long": _("The game ended when the last but one went out."),
    "missing_duration": _("Somebody gave up or was ejected: say when the game ended."),
    "two_losers": _("Only one player can be the last one left."),
    "wrong_ending": _("The outcomes do not fit how the game ended."),
    "disqualified_plays": _("%(player)s was ejected and cannot play any more."),
    "removed_plays": _("%(player)s is out and cannot play any more."),
    "winner_has_cards": _(
        "%(player)s won the round and has no cards. Take them out or choose another winner."
    ),
    "missing_winner": _("Choose who won the round."),
    "match_over": _("The match was over before this round."),
    "walkover": _("At most one player is left: the match is over without another round."),
    "last_cards_invalid": _(
        "The last cards are of one kind, and one card only unless the rules allow several."
    ),
    "last_card_forbidden": _("The last card must not be black."),
    "missing_drew": _("Say who drew for the last card."),
    "drawn_cards_missing": _("%(player)s drew, so at least %(least)s cards must be in that hand."),
    "missing_target": _("Choose the target first."),
    "target_out_of_range": _("Choose another target: it must be %(expected)s."),
    "scoring_not_allowed": _("This ruleset does not use that count."),
    "incomplete_order": _("Name everybody who goes through, in the order of going out."),
}
