"""Rulings where a rule sheet is silent or contradictory; reasons in docs/rulings.md."""

from collections.abc import Collection, Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from rulesets import RULESETS

Ruling = tuple[str | Promise, ...]  # question, ruling, codes of what happened

_EVERY: Sequence[Ruling] = (
    (
        _("May a referee void a result?"),
        _(
            "Yes, with a reason. It then counts for nobody but can still be read, and an ejection in "
            "a KPGUT game still holds."
        ),
        "void",
    ),
    (
        _("How many decks are on a table?"),
        _(
            "KPGUT: one per seven players, rounded up. Mattel and TiTe: one, unless the referees say "
            "otherwise. A warning shows when there are too few cards to deal."
        ),
    ),
)

_KPGUT: Sequence[Ruling] = (
    (
        _("Which cards?"),
        _("The deck of 108. Take the four newer cards out of a box of 112."),
    ),
    (
        _("The Finnish and English sheets differ. Which one applies?"),
        _("The event’s language decides which sheet applies."),
    ),
    (
        _("Who reshuffles if nobody is out, and what stays (§4)?"),
        _(
            "Finnish: any spectator, and at least the last card stays. English: the oldest spectator, and"
            " the top card stays."
        ),
    ),
    (
        _("Who is shown a suspected player’s hand (§14)?"),
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
        _("Finnish: when someone cannot add one. English: also when someone does not want to."),
    ),
    (
        _("Does drawing for a Wild+Draw 4 cost the turn?"),
        _("Yes, in both."),
    ),
    (
        _("What does not count as help (§3.1)?"),
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
        _("Where does a player joining mid-game sit (§13)?"),
        _(
            "Finnish: where they like. English: around the table. Lastcard lists them last in the order "
            "of seats."
        ),
    ),
    (
        _("How long does a warning last (§15)?"),
        _("For the whole session, including one given under §14."),
    ),
    (
        _("Does a player joining mid-game change the number of decks?"),
        _("No."),
    ),
    (
        _("Do a player’s duties end when they go out?"),
        _("No, only playing does."),
    ),
    (
        _("Oldest or youngest gives up, is ejected or leaves"),
        _("The next oldest or youngest takes over at once."),
    ),
    (
        _("A player joining mid-game would be oldest or youngest"),
        _("They take the role from the next game on."),
    ),
    (
        _("Two go out in the same second"),
        _("They share the place."),
        "level out",
    ),
    (
        _("Points of the last player"),
        _(
            "The full minutes when the game ended: when the last other player went out, gave up or was ejected."
        ),
        "last",
    ),
    (
        _("Stopped before the hour"),
        _("The same ladder of 65, 70, 75 and so on."),
        "early",
    ),
    (
        _("Points for giving up"),
        _("The worst points among players who did not give up, plus 30, and at least 60."),
        "gave_up",
    ),
    (
        _("Tied hands among the remaining players"),
        _("The better place’s points for all of them. The next place is skipped (65, 65, 75)."),
        "level remaining",
    ),
    (
        _("One player alone when the game is stopped"),
        _("That player is last, and does not count as remaining."),
    ),
    (
        _("Minutes of a player joining mid-game"),
        _("From the start of the game, as for everyone. A game joined is a game played."),
    ),
    (
        _("How is a session ranked?"),
        _("Points divided by games played. The lowest average comes first, and the highest loses."),
    ),
    (
        _("Tied averages"),
        _("They share the place. Fractions are compared exactly, never rounded."),
        "level",
    ),
    (
        _("An ejected player"),
        _("They stay listed as disqualified, without a place, with the points of earlier games."),
        "ejected",
    ),
    (
        _("In which order do a session’s games count when it has several tables?"),
        _(
            "By when they began. If that is not known, by when they were first entered, or by an "
            "earlier time given with the entry. An ejection affects games that began after it, never "
            "one played before. Games entered before start times were kept stay in number order."
        ),
    ),
    (
        _("Few games"),
        _(
            "The organiser may set how many are needed to be ranked (1 if not set). Other players are"
            " listed after the ranked ones."
        ),
        "too_few_games",
    ),
    (
        _("Giving up every game"),
        _("Scored like any other game."),
    ),
)

_AFTER_THE_END: Ruling = (
    _("Someone leaves or is removed after the match is over"),
    _(
        "They keep their place and title. If a stopped match is resumed, they are out of it. With"
        " fewer than two players it cannot be resumed."
    ),
    "out afterwards",
)

_MATTEL_112: Sequence[Ruling] = (
    (
        _("Does an action card of the colour in play rule out a Wild Draw 4?"),
        _("Yes. The colour counts, and only the colour."),
    ),
    (
        _("How many Customizable cards?"),
        _("Any number from 0 to 3, agreed before the start."),
    ),
    (
        _("Other effects of the last card (Shuffle Hands, a Customizable card’s text)"),
        _("They no longer apply. Only Draw 2 and Wild Draw 4 still make someone draw."),
    ),
    (
        _("A Customizable card’s text empties several hands"),
        _("The first of them in turn order wins the round. The others count 0."),
    ),
)

_MATTEL_108: Sequence[Ruling] = (  # no Shuffle Hands or Customizable cards
    (
        pgettext_lazy("mattel-108", "Does an action card of the colour in play rule out a Wild Draw 4?"),
        _("Yes. The colour counts, and only the colour."),
    ),
)

_MATTEL: Sequence[Ruling] = (
    (
        _("A target other than 500"),
        _("May be agreed before the start."),
    ),
    (
        _("Tied totals"),
        _("They share the place, first place too."),
        "level",
    ),
    (
        _("Places behind the winner"),
        _("By total."),
        "match",
    ),
    (
        _("A tie for the highest card when drawing for the deal"),
        _("Tied players draw again."),
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
        _("Someone is removed or leaves"),
        _(
            "Their hand goes back to the draw pile and counts for nobody. They are listed last "
            "without a place: “disqualified” if removed, “left” if they left."
        ),
        "disqualified",
        "withdrawn",
    ),
    (
        _("One player is left"),
        _("The match ends, and the player left wins it."),
        "alone",
    ),
    _AFTER_THE_END,
    (
        _("The referees stop a match before the target"),
        _("The totals count. The highest total wins, or the lowest in alternative scoring."),
        "stopped",
    ),
)

_TITE: Sequence[Ruling] = (
    (
        _("Who goes through from a heat?"),
        _(
            "The first player out. The referees may let more through, and the heat then goes on until"
            " that many are out."
        ),
        "heats",
    ),
    (
        _("How many stages of heats?"),
        _("As many as are needed: heats, semi-finals, final."),
    ),
    (
        _("The final’s target"),
        _("250 to 500, chosen before the start. It cannot change once the first round is entered."),
    ),
    (
        _("Tied totals"),
        _("They share the place, first place too."),
        "level",
    ),
    (
        _("Places behind the winner"),
        _("By total."),
        "match",
    ),
    (
        _("A tie for the highest card when drawing for the start"),
        _("Tied players draw again."),
    ),
    (
        _("Who begins the later rounds?"),
        _("The player to the left of whoever began the round before."),
    ),
    (
        _("Who is the dealer if a Reverse or Skip is turned up first?"),
        _("Counted from the player who begins, as if the dealer sat to their right."),
    ),
    (
        _("Several special cards in one turn"),
        _(
            "All of them take effect. Each Skip skips one player, each Reverse reverses the "
            "direction, and the next player draws two for each Draw 2."
        ),
    ),
    (
        _("Draw 4 played while holding a card of the colour in play"),
        _(
            "Allowed, and nobody can challenge it. The referees may adopt Mattel’s condition and "
            "challenge before the start."
        ),
    ),
    (
        _("Someone is removed or leaves"),
        _(
            "Their hand goes back to the draw pile and counts for nobody. They are listed last "
            "without a place: “disqualified” if removed, “left” if they left."
        ),
        "disqualified",
        "withdrawn",
    ),
    (
        _("One player is left"),
        _("The match ends, and the player left wins it."),
        "alone",
    ),
    _AFTER_THE_END,
    (
        _("The referees stop a match before the target"),
        _("The totals stay as they are, and the leader wins."),
        "stopped",
    ),
)

# By the ruleset's wording.
RULINGS: Mapping[str, Sequence[Ruling]] = {
    "": _EVERY,
    "kpgut": (*_EVERY, *_KPGUT),
    "mattel": (*_EVERY, *_MATTEL_112, *_MATTEL),
    "mattel-108": (*_EVERY, *_MATTEL_108, *_MATTEL),
    "tite": (*_EVERY, *_TITE),
}


def rulings_of(ruleset_id: str, happened: Collection[str] | None = None) -> list[tuple[str, str]]:
    """(question, ruling) pairs of a ruleset, only for what `happened` if given."""
    return [
        (str(question), str(ruling))
        for question, ruling, *codes in RULINGS[RULESETS[ruleset_id].wording]
        if happened is None or any(code in happened for code in codes)
    ]
