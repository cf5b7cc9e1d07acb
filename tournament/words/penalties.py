"""Penalties (rulesets/penalties.py) in words."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from rulesets import RULESETS
from tournament.words.faults import card_name

Texts = Mapping[str, str | Promise]

HAPPENED: Texts = {
    "uno_not_said": _("“Uno” not said"),
    "wild4_challenged_rightly": _("%(wild4)s challenged, justified"),
    "wild4_challenged_wrongly": _("%(wild4)s challenged, unfounded"),
    "draw_suspected_wrongly": _("Needless draw suspected, unfounded"),
    "draw_suspected_rightly": _("Needless draw suspected, justified"),
    "draw_suspected_rightly_again": _("Needless draw again, after a warning"),
    "needless_draw": _("Drew with a playable card in hand"),
    "last_card": _("Last card is a special card"),
    "helped": _("Helped a player"),
    "helped_by_spectator": _("A spectator helped a player"),
    "helped_novice": _("A spectator helps a novice, with the oldest player’s consent"),
    "away": _("Away on their turn"),
    "cheated": _("Cheating, noticed before the next player plays"),
    "cheated_noticed_late": _("Cheating, noticed later"),
    "same_card_out_of_turn": _("Side slide: the top card’s number and colour, played out of turn"),
    "marked_card": _("A marked card"),
    "unsporting": _("Unsportsmanlike conduct"),
    "unsporting_again": _("Unsportsmanlike conduct, after a warning"),
    "disturbing": _("Disturbs the event"),
    "dispute": _("A dispute"),
}

_REFEREES = _("The referees decide.")

FOLLOWS: Texts = {
    "uno_not_said": _("The player draws %(cards)d cards if it is noticed before the next turn begins."),
    "wild4_challenged_rightly": _("Whoever played it draws %(cards)d cards, and the challenger draws none."),
    "wild4_challenged_wrongly": _(
        "The challenger draws %(cards)d cards, 4 for the card and 2 for the challenge, and loses their turn."
    ),
    "draw_suspected_wrongly": _("Whoever suspected it draws %(cards)d cards."),
    "draw_suspected_rightly": _("A warning. Next time, the player is ejected."),
    "draw_suspected_rightly_again": _("The player is ejected."),
    "needless_draw": _("Allowed."),
    "last_card": _("Allowed."),
    "helped": _REFEREES,
    "helped_by_spectator": _(
        "If the oldest player agrees and nobody has gone out, the spectator joins the game "
        "opposite the player they helped, with %(cards)d cards (the 9 for joining mid-game and 2 "
        "more). If not, they move away from the player, or leave."
    ),
    "helped_novice": _("Allowed."),
    "away": _REFEREES,
    "cheated": _REFEREES,
    "cheated_noticed_late": _("Nothing."),
    "same_card_out_of_turn": _("Allowed. Play goes on as if nothing had been played."),
    "marked_card": _("The card stays in play until the game is over."),
    "unsporting": _("A warning. Next time, the player is ejected."),
    "unsporting_again": _("The player is ejected."),
    "disturbing": _("The referees decide. They may remove the player."),
    "dispute": _REFEREES,
}

# Texts of one wording (`Ruleset.wording`).
HAPPENED_IN: Mapping[str, Texts] = {
    "kpgut": {
        "wild4_challenged_rightly": _("%(wild4)s suspected, justified"),
        "wild4_challenged_wrongly": _("%(wild4)s suspected, unfounded"),
        "helped": _("Helped another player"),
        "dispute": _("A conflict"),
    },
    "tite": {
        "uno_not_said": _("“Uno” not said, or said unclearly"),
        "last_card": _("Last card is black"),
        "cheated": _("Cheating"),
    },
    "mattel-108": {
        "last_card": pgettext_lazy("mattel-108", "Last card is an action card"),
    },
}
FOLLOWS_IN: Mapping[str, Texts] = {
    "kpgut": {
        "uno_not_said": _(
            "The player draws %(cards)d cards if it is noticed before the next player plays. “Uno” "
            "must be said within three seconds."
        ),
        "wild4_challenged_rightly": _(
            "Whoever played it draws %(cards)d cards. The next player plays any card, but a %(wild4)s"
            " only when holding nothing else."
        ),
        "wild4_challenged_wrongly": _("Whoever suspected it draws %(cards)d cards and loses their turn."),
        "last_card": _("The player draws a card, says “Uno” and goes on when it is their turn again."),
        "helped": _("Whoever helped draws %(cards)d cards."),
        "away": _("The player draws %(cards)d cards unseen and loses their turn."),
        "cheated": _("The player takes the cards back and draws %(cards)d more."),
        "dispute": _(
            "The players vote on a yes/no question, and the majority wins. In a tie the oldest player decides."
        ),
    },
    "tite": {
        "uno_not_said": _(
            "The player draws %(cards)d cards if the next player has already played or drawn. The "
            "referees decide what was unclear."
        ),
        "wild4_challenged_rightly": _(
            "No challenge. If the referees adopted Mattel’s condition before the start, whoever "
            "played the card draws 4 cards and the challenger none."
        ),
        "wild4_challenged_wrongly": _(
            "No challenge. If the referees adopted Mattel’s condition before the start, the "
            "challenger draws 6 cards and loses their turn."
        ),
        "last_card": _("Not allowed. The player draws a card instead."),
    },
}

# Situations with several rows, and what distinguishes each
_WILD4, _DRAW = _("%(wild4)s challenged"), _("Needless draw suspected")
_SPECTATOR, _CHEATING, _UNSPORTING = _("A spectator helped"), _("Cheating"), _("Unsportsmanlike conduct")
SITUATIONS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    "wild4_challenged_rightly": (_WILD4, _("Justified")),
    "wild4_challenged_wrongly": (_WILD4, _("Unfounded")),
    "draw_suspected_rightly": (_DRAW, _("Justified")),
    "draw_suspected_wrongly": (_DRAW, _("Unfounded")),
    "draw_suspected_rightly_again": (_DRAW, _("Justified, after a warning")),
    "helped_by_spectator": (_SPECTATOR, pgettext_lazy("helped", "A player")),
    "helped_novice": (_SPECTATOR, _("A novice, with the oldest player’s consent")),
    "cheated": (_CHEATING, _("Noticed before the next player plays")),
    "cheated_noticed_late": (_CHEATING, _("Noticed later")),
    "unsporting": (_UNSPORTING, _("First time")),
    "unsporting_again": (_UNSPORTING, _("After a warning")),
}
SITUATIONS_IN: Texts = {"kpgut": _("%(wild4)s suspected")}  # the sheet's word for a challenge

# A penalty's special situation, by wording and code.
PARAGRAPHS: Mapping[tuple[str, str], str] = {
    ("kpgut", code): paragraph
    for paragraph, codes in {
        "§1": ("uno_not_said",),
        "§2": ("last_card",),
        "§3.1": ("helped",),
        "§3.2": ("helped_by_spectator", "helped_novice"),
        "§7": ("same_card_out_of_turn",),
        "§8": ("away",),
        "§10": ("cheated", "cheated_noticed_late"),
        "§11": ("dispute",),
        "§12": ("marked_card",),
        "§14": ("draw_suspected_wrongly", "draw_suspected_rightly", "draw_suspected_rightly_again"),
        "§15": ("unsporting", "unsporting_again"),
    }.items()
    for code in codes
}


def penalty_texts(ruleset_id: str, code: str) -> tuple[str, str]:
    """(what happened, what follows); KeyError for codes outside the ruleset."""
    ruleset = RULESETS[ruleset_id]
    penalty = {each.code: each for each in ruleset.penalties}[code]
    happened = HAPPENED_IN.get(ruleset.wording, {}).get(code) or HAPPENED[code]
    follows = FOLLOWS_IN.get(ruleset.wording, {}).get(code) or FOLLOWS[code]
    values = {"cards": penalty.cards, "wild4": card_name("wild4", ruleset)}
    return str(happened) % values, str(follows) % values


def ejection_reasons(ruleset_id: str) -> list[str]:
    """The sheet's reasons for ejection."""
    return [
        penalty_texts(ruleset_id, row.code)[0]
        for row in RULESETS[ruleset_id].penalties
        if row.kind == "ejection" or row.code == "disturbing"
    ]


def situation_texts(ruleset_id: str, code: str) -> tuple[str, str]:
    """(situation, what distinguishes it there); both "" for a row alone."""
    ruleset = RULESETS[ruleset_id]
    situation, short = SITUATIONS.get(code, ("", ""))
    if situation is _WILD4:
        situation = SITUATIONS_IN.get(ruleset.wording, situation)
    return str(situation) % {"wild4": card_name("wild4", ruleset)}, str(short)
