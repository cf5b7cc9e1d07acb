"""Lastcard's rulings where a rule sheet is silent or contradicts itself, in words; docs/rulings.md has the reasons."""

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rulesets import RULESETS

Ruling = tuple[str | Promise, str | Promise]  # the question, and how it was ruled

_EVERY: Sequence[Ruling] = (
    (
        _("May a referee void a play?"),
        _(
            "Yes, with a reason; it then counts for nobody, stays readable, and an ejection in a "
            "KPGUT game stands."
        ),
    ),
    (
        _("How many decks are on a table?"),
        _(
            "KPGUT: one for each started seven players. Mattel and TiTe: one, unless the referees say "
            "otherwise. A warning comes when the deal does not fit."
        ),
    ),
)

_KPGUT: Sequence[Ruling] = (
    (
        _("Which cards?"),
        _("The deck of 108; from a box of 112 the four newer cards come out."),
    ),
    (
        _("Finnish and English sheets differ: which one holds?"),
        _("The tournament’s language chooses the sheet."),
    ),
    (
        _("Who reshuffles where nobody is out, and what stays (§4)?"),
        _(
            "Finnish: any spectator, and at least the last card stays. English: the oldest spectator, and"
            " the top card stays."
        ),
    ),
    (
        _("To whom is a suspected hand shown (§14)?"),
        _(
            "Finnish: to the oldest player, or to the youngest if the oldest is suspected. English: to "
            "the player who suspects."
        ),
    ),
    (
        _("Where does a shown hand go (§9)?"),
        _("Finnish: into the discard pile. English: into the draw pile."),
    ),
    (
        _("When does a chain of Wild+Draw 4 end?"),
        _("Finnish: when somebody cannot add one. English: also when somebody will not."),
    ),
    (
        _("Is the turn lost with the cards for a Wild+Draw 4?"),
        _("Yes, in both."),
    ),
    (
        _("What is no help (§3.1)?"),
        _(
            "Finnish: general questions about the course of play. English: general advice on the game and"
            " its rules."
        ),
    ),
    (
        _("A spectator who helped is not let in (§3.2)"),
        _(
            "Finnish: they are moved away or sent out. English: they move away, and are sent out only if "
            "that cannot be arranged."
        ),
    ),
    (
        _("Where does a latecomer sit (§13)?"),
        _(
            "Finnish: where they like. English: around the table. Lastcard lists them last in the order "
            "of seats."
        ),
    ),
    (
        _("How long does a warning hold (§15)?"),
        _("For the session, also one after §14."),
    ),
    (
        _("Does a latecomer change the number of decks?"),
        _("No."),
    ),
    (
        _("Do duties end when one goes out?"),
        _("No, only playing does."),
    ),
    (
        _("Oldest or youngest gives up, is ejected or leaves"),
        _("The next oldest or youngest takes over at once."),
    ),
    (
        _("A latecomer would be oldest or youngest"),
        _("They take the role from the next game on."),
    ),
    (
        _("Two go out in the same second"),
        _("They share the place."),
    ),
    (
        _("Points of the last player"),
        _(
            "Full minutes when the game ended, that is when the last other player went out, gave up "
            "or was ejected."
        ),
    ),
    (
        _("Stopped before the hour"),
        _("The same ladder of 65, 70, 75 and so on."),
    ),
    (
        _("Points for giving up"),
        _("The worst points of those who did not give up, plus 30, at least 60."),
    ),
    (
        _("Level hands among the remaining"),
        _("The better place’s points for all of them; the next place is skipped (65, 65, 75)."),
    ),
    (
        _("One player alone when the game is stopped"),
        _("That player is last, not remaining."),
    ),
    (
        _("A latecomer’s minutes"),
        _("From the start of the game, like everybody’s; a game joined is a game played."),
    ),
    (
        _("How is a session ranked?"),
        _("Points divided by games played, the lowest average first; the highest average loses."),
    ),
    (
        _("Level averages"),
        _("Share the place; fractions are compared exactly, never rounded."),
    ),
    (
        _("An ejected player"),
        _("Stays listed as disqualified, without a place, with the points of earlier games."),
    ),
    (
        _("In which order are a session’s games, where it has several tables?"),
        _(
            "By the time they began; where no start is known, by the time they were first entered, or "
            "earlier where whoever enters says so. An ejection acts on games that began after it, never "
            "on one that was played before. Games entered before this was kept stay in the order of their "
            "numbers."
        ),
    ),
    (
        _("Few games"),
        _(
            "The organiser may set how many are needed for a place (1 if not set); others are listed "
            "after the ranked."
        ),
    ),
    (
        _("Giving up every game"),
        _("Is scored as it stands."),
    ),
)

_AFTER_THE_END: Ruling = (
    _("Somebody leaves or is removed after the match is over"),
    _(
        "They keep place and title. If a stopped match goes on, they are out of it; with fewer than "
        "two players it does not go on."
    ),
)

_MATTEL: Sequence[Ruling] = (
    (
        _("Does an action card of the colour in play rule out a Wild Draw 4?"),
        _("Yes: the colour counts, and only the colour."),
    ),
    (
        _("How many Customizable cards?"),
        _("Any number from 0 to 3, agreed before the start."),
    ),
    (
        _("Another target than 500"),
        _("May be agreed before the start."),
    ),
    (
        _("Level totals"),
        _("Share the place, the winner’s too."),
    ),
    (
        _("Places behind the winner"),
        _("By total."),
    ),
    (
        _("Other effects of the last card (Shuffle Hands, a Customizable card’s text)"),
        _("Do not happen any more; only Draw 2 and Wild Draw 4 still make somebody draw."),
    ),
    (
        _("A Customizable card’s text empties several hands"),
        _("The first of them in turn wins the round, the others count 0."),
    ),
    (
        _("Level highest draw for the deal"),
        _("Those level draw again."),
    ),
    (
        _("When is the first card of the discard pile turned up?"),
        _("After the deal, from the top of the draw pile."),
    ),
    (
        _("Who deals the later rounds?"),
        _("The deal passes to the left."),
    ),
    (
        _("Somebody is removed or leaves"),
        _(
            "Their hand goes back to the draw pile and counts for nobody; they are listed last "
            "without a place, as disqualified if removed, as withdrawn if they left."
        ),
    ),
    (
        _("One player is left"),
        _("The match is over and theirs."),
    ),
    _AFTER_THE_END,
    (
        _("The referees stop a match before the target"),
        _("The totals stand: most points win; in the alternative count fewest."),
    ),
)

_TITE: Sequence[Ruling] = (
    (
        _("Who goes through from a heat?"),
        _(
            "The first out; the referees may let more through, and the heat is played on until so "
            "many are out."
        ),
    ),
    (
        _("How many levels of heats?"),
        _("As many as are needed: heats, semi-finals, final."),
    ),
    (
        _("The final’s target"),
        _("250 to 500, chosen before the start; it cannot change once the first round is in."),
    ),
    (
        _("Level totals"),
        _("Share the place, the winner’s too."),
    ),
    (
        _("Places behind the winner"),
        _("By total."),
    ),
    (
        _("Level highest draw for the start"),
        _("Those level draw again."),
    ),
    (
        _("Who begins the later rounds?"),
        _("The player at the left of the one who began the round before."),
    ),
    (
        _("A Reverse or Skip is turned up first: who is the dealer?"),
        _("It is counted from the player who begins, as if the dealer sat at their right."),
    ),
    (
        _("Several special cards in one turn"),
        _(
            "Each works: Skips skip as many, Reverses turn the direction as often, the next player draws "
            "two for each Draw 2."
        ),
    ),
    (
        _("Draw 4 with a card of the colour in hand"),
        _(
            "Allowed, and there is nothing to challenge. The referees may rule Mattel’s condition and "
            "challenge in before the start."
        ),
    ),
    (
        _("Somebody is removed or leaves"),
        _(
            "Their hand goes back to the draw pile and counts for nobody; they are listed last "
            "without a place, as disqualified if removed, as withdrawn if they left."
        ),
    ),
    (
        _("One player is left"),
        _("The match is over and theirs."),
    ),
    _AFTER_THE_END,
    (
        _("The referees stop a match before the target"),
        _("The totals stand as they are, and whoever leads has won."),
    ),
)

# By the ruleset's wording.
RULINGS: Mapping[str, Sequence[Ruling]] = {
    "": _EVERY,
    "kpgut": (*_EVERY, *_KPGUT),
    "mattel": (*_EVERY, *_MATTEL),
    "mattel-108": (*_EVERY, *_MATTEL),
    "tite": (*_EVERY, *_TITE),
}


def rulings_of(ruleset_id: str) -> list[tuple[str, str]]:
    """List each question with its ruling for a ruleset, in the active language."""
    return [(str(question), str(ruling)) for question, ruling in RULINGS[RULESETS[ruleset_id].wording]]
