"""Who has which duty at a table now: by name where it is known, else by how the ruleset's sheet finds the player.

KPGUT: the oldest and the youngest (kpgut-2016, Roles, §4, §11, §14, §15), by the sheet of the event's language.
Mattel and TiTe: who deals and who starts, which pass to the left each round (docs/rulings.md). No birth date is shown.
"""

from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from tournament.models import Entry, Result
from tournament.pages.desk.roles import Roles, roles_at
from tournament.pages.desk.table import Scene
from tournament.queries.table_setup import by_age, start_text
from tournament.results import kind_of


@dataclass(frozen=True, slots=True)
class Duty:
    """What is to be done, and by whom: a public name, or words such as "the oldest player". Without `what`, a rule."""

    what: str
    who: str


def duties_at(scene: Scene) -> list[Duty]:
    """The duties at this table now, in the reader's language; none once nothing more is played there."""
    if not scene.open or scene.complete:
        return []
    if scene.ruleset.wording == "kpgut":
        return _by_age(scene, roles_at(scene))
    one_play = kind_of(scene.stage.kind).one_play
    return [] if one_play and scene.counting else _by_turn(scene)


def _by_age(scene: Scene, roles: Roles) -> list[Duty]:
    oldest, youngest = roles.oldest or _("the oldest player"), roles.youngest or _("the youngest player")
    names = {"oldest": oldest, "youngest": youngest}
    finnish = scene.tournament.language == "fi" and "fi" in scene.ruleset.sheets
    if scene.running is None:
        return [Duty(_("Deals and keeps the time"), oldest), Duty(_("Opens the discard pile"), youngest)]
    return [
        Duty(_("Keeps the time"), oldest),
        Duty(_("Shuffles if the draw pile is empty or a player gives up"), _shuffler(scene, oldest, finnish)),
        Duty(_("Decides a tied vote"), oldest),
        Duty(_("Gives warnings"), _("%(oldest)s, or %(youngest)s if %(oldest)s is at fault") % names),
        Duty(
            _("Is shown the hand if a draw seems needless (§14)"),
            _("%(oldest)s, or %(youngest)s if %(oldest)s is suspected") % names
            if finnish
            else _("the player who suspects it"),
        ),
    ]


def _shuffler(scene: Scene, oldest: str, finnish: bool) -> str:
    """The oldest player who is out (§4), known if one is out, the oldest is, or all their birth dates are known."""
    game = scene.running
    out = {row.entry for row in game.results if row.outcome == Result.Outcome.OUT} if game else set()
    if not out:
        words = (
            _("any spectator, or %(oldest)s if there is none")
            if finnish
            else _("the oldest spectator, or %(oldest)s if there is none")
        )
        return words % {"oldest": oldest}
    by_name = [uid for uid in out if scene.names[str(uid)] == oldest]
    known = by_name or ([*out] if len(out) == 1 else _uids_by_age(out))
    return scene.names[str(known[0])] if known else _("the oldest player who is out")


def _uids_by_age(entries: set[UUID]) -> list[UUID]:
    return [entry.uid for entry in by_age([*Entry.objects.filter(uid__in=entries).select_related("player")])]


def _by_turn(scene: Scene) -> list[Duty]:
    tite = scene.ruleset.wording == "tite"
    starts = starter_at(scene)
    if starts is None:
        if not scene.counting:
            return [Duty("", text)] if (text := start_text(scene.ruleset.id)) else []
        left = _("the player to the left of the last starter")
        dealer = _("the player to the left of the last dealer")
        return [Duty(_("Starts"), left)] if tite else [Duty(_("Deals"), dealer)]
    name = scene.names[str(starts)]
    if tite:
        return [Duty(_("Deals"), _("%(name)s or a referee") % {"name": name}), Duty(_("Starts"), name)]
    dealer = scene.names[str(scene.seated[scene.seated.index(starts) - 1])]
    return [Duty(_("Deals"), dealer), Duty(_("Starts"), name)]


def starter_at(scene: Scene) -> UUID | None:
    """The player who starts the next round: the named starter of the first one, then each time the next player to the
    left (clockwise) who plays; None if no starter is named."""
    ring = [seat.entry for seat in scene.contest.seats if seat.table == scene.table.number]
    starter = scene.table.starter
    if starter is None or starter.uid not in ring:
        return None
    rounds = [{row.entry for row in play.results} for play in reversed(scene.counting)]
    at = starter.uid
    for players in [*rounds[1:], set(scene.seated)] if rounds else []:
        turn = ring.index(at)
        at = next((uid for uid in [*ring[turn + 1 :], *ring[:turn]] if uid in players), at)
    return at if at in scene.seated else None
