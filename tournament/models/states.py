"""State machines of stages, plays and entries. A command without a valid move is refused; undo is not a move.
docs/inside.md draws its diagrams from these tables."""

from collections.abc import Mapping

from tournament.models.event import Entry
from tournament.models.play import Play
from tournament.models.stage import Stage

Moves = Mapping[str, Mapping[str, tuple[str, ...]]]  # targets by state and move

_E = Entry.State
_OUT: Mapping[str, tuple[str, ...]] = {
    "cancel": (_E.CANCELLED,),
    "no_show": (_E.NO_SHOW,),
    "leave": (_E.LEFT,),
    "remove": (_E.DISQUALIFIED,),
}
_BACK: Mapping[str, tuple[str, ...]] = {"readmit": (_E.CHECKED_IN,)}
_AFTER_ALL: Mapping[str, tuple[str, ...]] = {"come_back": (_E.REGISTERED, _E.APPLIED, _E.WAITING)}

ENTRY: Moves = {
    _E.APPLIED: {
        "approve": (_E.REGISTERED,),
        "decline": (_E.CANCELLED,),
        "withdraw": (_E.CANCELLED,),
    },
    _E.WAITING: {
        "move_up": (_E.REGISTERED, _E.APPLIED),
        "give_place": (_E.REGISTERED,),
        "decline": (_E.CANCELLED,),
        "withdraw": (_E.CANCELLED,),
    },
    _E.CANCELLED: {"give_place": (_E.REGISTERED,), **_AFTER_ALL},
    _E.REGISTERED: {"check_in": (_E.CHECKED_IN,), "come_late": (_E.LATE,), **_OUT},
    _E.LATE: {
        "check_in": (_E.CHECKED_IN,),
        "come_late": (_E.LATE,),
        "take_back_check_in": (_E.REGISTERED,),
        **_OUT,
    },
    _E.CHECKED_IN: {
        "take_back_check_in": (_E.REGISTERED,),
        "leave": (_E.LEFT,),
        "remove": (_E.DISQUALIFIED,),
    },
    _E.NO_SHOW: {**_BACK, **_AFTER_ALL},
    _E.LEFT: {**_BACK, **_AFTER_ALL},
    _E.DISQUALIFIED: _BACK,
}

_S = Stage.State
STAGE: Moves = {
    _S.PLANNED: {"start": (_S.RUNNING,)},
    _S.RUNNING: {"finish": (_S.FINISHED,)},
    _S.FINISHED: {"reopen": (_S.RUNNING,)},
}

_P = Play.State
_CORRECTED: Mapping[str, tuple[str, ...]] = {"correct": (_P.ENTERED,), "revert": (_P.ENTERED, _P.VOID)}
PLAY: Moves = {
    _P.RUNNING: {
        "go_on": (_P.RUNNING,),
        "end": (_P.ENTERED,),
        "correct": (_P.ENTERED,),
        "void": (_P.VOID,),
    },
    _P.ENTERED: {
        "run_again": (_P.RUNNING,),
        "set_aside": (_P.SET_ASIDE,),
        "make_official": (_P.OFFICIAL,),
        "void": (_P.VOID,),
        **_CORRECTED,
    },
    _P.SET_ASIDE: {"count_again": (_P.ENTERED,), "void": (_P.VOID,), **_CORRECTED},
    _P.VOID: _CORRECTED,
    _P.OFFICIAL: {"reopen": (_P.ENTERED,)},
}


def can(moves: Moves, state: str, move: str) -> bool:
    """Whether the move exists from this state."""
    return move in moves[state]


def leads_to(moves: Moves, state: str, move: str) -> str:
    """The move's only target; ValueError unless exactly one."""
    (there,) = moves[state].get(move, ())
    return there


def diagram(moves: Moves) -> str:
    """The moves as a Mermaid diagram."""
    arrows = (
        f"    {state} --> {target}: {move.replace('_', ' ')}"
        for state, by_move in moves.items()
        for move, targets in by_move.items()
        for target in targets
    )
    return "\n".join(["stateDiagram-v2", *arrows])
