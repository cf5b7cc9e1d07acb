"""What players proposed at a table, read as the referee's form."""

from tournament.forms.plays import PLAY_FORMS, PlayForm
from tournament.models import Proposal
from tournament.pages.desk.table import Scene
from tournament.pages.desk.waiting import Proposed, is_taken, proposed_at
from tournament.results.faults import Refused


def form_of(scene: Scene, proposal: Proposal) -> PlayForm:
    """The referee's form as the players filled it."""
    data = {**proposal.fields, "play": str(proposal.play), "number": str(proposal.number)}
    return PLAY_FORMS[scene.stage.kind](scene, None, data)


def proposed(scene: Scene, proposal: Proposal) -> Proposed:
    """The proposed result, read back. It needs no query."""
    if is_taken(scene, proposal):
        return proposed_at(scene, proposal, None)
    form = form_of(scene, proposal)
    entry = form.entry
    if form.typed.faults:
        return proposed_at(scene, proposal, None, form.typed.faults)
    try:
        return proposed_at(scene, proposal, form.settled(entry, scene.contest))
    except Refused as refused:
        return proposed_at(scene, proposal, None, refused.faults)
