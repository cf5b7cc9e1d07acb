"""A table's page by its code, without account: players, open questions, proposals; no standings, so it works while they
are frozen. By the code of open tables, players sit down.

The typed short code opens only the public page: players, last results unless frozen, a request to join. It can be
guessed, so wrong tries are limited per browser, address and in total (server/rate_limits.py). Browsers get our cookie
before a code is checked: abuse uses up their own tries, not those of a shared address.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tournament import actions
from tournament.actions.people.roles import own_link_user
from tournament.actions.table.at_table import (
    KEEP_FOR,
    ask_of,
    entering_elsewhere,
    say_done,
    say_entering,
)
from tournament.links import SHORT_CODE, holds, read_short, short_code, token_for, uid_in
from tournament.models import Ask, Call, LedgerRow, Proposal, Stage, Table
from tournament.pages.components import errors_context, names_in
from tournament.pages.desk.table import Scene, duties_at
from tournament.pages.public.at_table import answered_at, asked_at, by_the_clock, last_plays
from tournament.queries.draws import may_sit, played_all, seating_now
from tournament.queries.incidents import seen_text
from tournament.queries.visible import freezing
from tournament.results import Fault, Refused, Typed, kind_of, uuid_or_none
from tournament.server.rate_limits import AllWrongCodesThrottle, WrongCodesThrottle, WrongCodeThrottle
from tournament.views import (
    NOT_FOUND,
    OK,
    TOO_MANY,
    UNPROCESSABLE,
    Attempt,
    attempt_call,
    by_link,
    device_of,
    get_scene,
    page,
    plays_of,
    refused,
    remember_link,
    saved,
    see_other,
    sequence_of,
    site_page,
    with_device,
)
from tournament.views.desk.second_look import proposed
from tournament.views.desk.tables import new_play
from tournament.views.entry.rounds import Entering
from tournament.words.text import in_alphabet

LONGEST_GAME = 20_000  # letters; a full table's game has some 8,000
KEPT_OUT = {
    "csrfmiddlewaretoken",
    "command",
    "play",
    "number",
    "version",
    "step",
    "proposal",
    "instead",
    "reason",
}


@by_link
@require_safe
def table(request: HttpRequest, token: str) -> HttpResponse:
    """The table's page."""
    row = table_of(token)
    return _page(request, get_scene(row), token, Attempt()) if row else _unknown(request)


@by_link
@require_http_methods(["GET", "HEAD", "POST"])
def move(request: HttpRequest, token: str, what: str) -> HttpResponse:
    """POST: `right`, `contest` (a play), `all-right`, `call`, `withdraw` (a proposal), `let-in` (a phone)."""
    row = table_of(token)
    if row is None or what not in {"right", "all-right", "contest", "call", "withdraw", "let-in"}:
        return _unknown(request)
    if request.method != "POST":
        return redirect("at-table", token=token)
    typed = Typed({} if what == "all-right" else request.POST.dict())  # `play` repeats there
    play = {"play": typed.uid("play", "/play"), "version": typed.sequence("version")}
    moves: dict[str, tuple[Callable[..., actions.Receipt], dict[str, Any]]] = {
        "right": (actions.accept_play_at_table, play),
        "all-right": (actions.accept_plays_at_table, {"plays": plays_of(request)}),
        "contest": (actions.contest_play_at_table, play),
        "call": (actions.call_at_table, {}),
        "withdraw": (actions.withdraw_proposal, {"proposal": typed.uid("proposal", "/proposal")}),
        "let-in": (
            actions.answer_ask_at_table,
            {"ask": uuid_or_none(request.POST.get("ask", "")), "yes": request.POST.get("yes") == "1"},
        ),
    }
    action, arguments = moves[what]
    attempt = _attempt(request, row.stage, action, typed, token=token, **arguments)
    return attempt.answer(
        reverse("at-table", args=[token]), lambda: _page(request, get_scene(row), token, attempt)
    )


@by_link
@require_http_methods(["GET", "HEAD", "POST"])
def sit(request: HttpRequest, token: str) -> HttpResponse:
    """A stage with open tables: POST seats the chosen players."""
    stages = Stage.objects.select_related("tournament").filter(tournament__put_away=False)
    stage = stages.filter(uid=uid_in(token) or UUID(int=0)).first()
    if stage is None or "open" not in stage.source or not holds(token, "stage", stage.uid):
        return _unknown(request)
    remember_link(token, stage.tournament)
    attempt, url = Attempt(), reverse("sit", args=[token])
    if request.method == "POST":
        chosen = [uuid_or_none(text) or UUID(int=0) for text in request.POST.getlist("entry")]
        attempt = _attempt(request, stage, actions.sit_down, Typed({}), token=token, entries=chosen)
        here = None
        if attempt.receipt:  # none sits where it was undone meanwhile
            here = Table.objects.filter(stage=stage, seats__entry__uid=chosen[0], seats__out_as="").first()
        if here:
            url = reverse("at-table", args=[token_for("table", here.uid, here.link_number)])
    if attempt.receipt:
        return saved(url, attempt.receipt)
    done, language = played_all(stage), stage.tournament.language
    tables = {uid: number for number, seated in seating_now(stage).items() for uid in seated}
    players = [(uid, entry, tables.get(uid)) for uid, entry in may_sit(stage).items() if uid not in done]
    return page(
        request,
        "public/sit.html",
        stage.tournament,
        status=attempt.status,
        stage=stage,
        token=token,
        players=sorted(players, key=lambda each: in_alphabet(each[1].shown_name, language)),
        chosen=(request.POST if request.method == "POST" else request.GET).getlist("entry"),
        **errors_context(attempt.faults, names_in(stage.tournament) if attempt.faults else None),
    )


@by_link
@require_http_methods(["GET", "HEAD", "POST"])
def propose(request: HttpRequest, token: str) -> HttpResponse:
    """The referee's form for the next result; POST proposes it."""
    row = table_of(token)
    if row is None:
        return _unknown(request)
    scene = get_scene(row)
    if request.method != "POST" and not may_propose(scene):
        return redirect("at-table", token=token)
    waiting = _waiting(row)
    if request.method != "POST":
        data = dict(waiting.fields) if waiting and waiting.number == scene.next_number else {}
        return _form(request, new_play(scene, data), token, Attempt())
    entering = new_play(scene, request.POST.dict())
    attempt = _proposed(request, entering, token)
    return attempt.answer(reverse("at-table", args=[token]), lambda: _form(request, entering, token, attempt))


@by_link
@require_http_methods(["GET", "HEAD", "POST"])
def clock(request: HttpRequest, token: str) -> HttpResponse:
    """The clock of a table without a referee: the phone counts, and proposes the result. POST `on=1` and its `game`
    while it runs, which another phone may take over; the answer has the games of phones that enter something."""
    row = table_of(token)
    if row is None:
        return _unknown(request)
    scene = get_scene(row)
    if not may_time(scene):
        return redirect("at-table", token=token)
    device = device_of(request)
    if request.method == "POST":
        if request.POST.get("on"):
            say_entering(
                own_link_user(), device, row, request.POST.get("game", "").replace("\0", "")[:LONGEST_GAME]
            )
        else:
            say_done(device, row)
        return JsonResponse({"games": [each.game for each in entering_elsewhere(device, row)]})
    others = [] if _waiting(row) else entering_elsewhere(device, row, KEEP_FOR)  # one may have died since
    elsewhere = next((each for each in others if each.game), None)
    players = scene.named(scene.ready)
    answer = page(
        request,
        "public/at_table_clock.html",
        scene.tournament,
        **scene.context() | {"section": ""},
        token=token,
        entry=by_the_clock(players, scene.ruleset, decks=scene.contest.settings.get("decks")),
        facts={
            "ruleset": scene.ruleset.id,
            "players": [{"id": uid, "name": name} for uid, name in players],
            "games": [{"results": []}] * (scene.next_number - 1),
            "elsewhere": elsewhere.game if elsewhere else "",
        },
        elsewhere=elsewhere,
        duties=duties_at(scene),
        proposal=uuid4(),
        command=uuid4(),
    )
    return with_device(request, answer, device or uuid4().hex)


@never_cache
@require_safe
def typed_code(request: HttpRequest) -> HttpResponse:
    """Redirect a short code, or show the form with the error."""
    typed = request.GET.get("code", "")
    if SHORT_CODE.fullmatch(code := read_short(typed)):
        return redirect("short-table", code=code)
    return _code_form(request, typed, "shape" if typed else "", UNPROCESSABLE if typed else OK)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def short(request: HttpRequest, code: str) -> HttpResponse:
    """Public page by short code; POST asks to join. 429 after too many wrong codes."""
    device, typed, code = device_of(request), code, read_short(code)
    if not device:
        named = with_device(request, see_other("?again"), uuid4().hex)
        return _code_form(request, typed, "cookies", UNPROCESSABLE) if "again" in request.GET else named
    tables = Table.objects.filter(stage__state=Stage.State.RUNNING, stage__tournament__put_away=False)
    keys = tables.values_list("uid", "link_number")
    uid = next((uid for uid, number in keys if short_code(uid, number) == code), None)
    row = tables.select_related("stage__tournament").filter(uid=uid).first() if uid else None
    if wait := _seconds(device, right=row is not None):
        answer = _code_form(request, typed, "wait", TOO_MANY, wait)
        answer["Retry-After"] = str(wait)
        return answer
    if row is None:
        return _code_form(request, typed, "unknown", NOT_FOUND)
    attempt = Attempt()
    if request.method == "POST":
        attempt = _attempt(request, row.stage, actions.ask_to_join, Typed({}), table=row.uid, code=code)
    command = uuid_or_none(request.POST.get("command", "")) or uuid4()
    asked = token_for("ask", ask_of(row.stage.tournament.uid, command))
    return attempt.answer(reverse("ask", args=[asked]), lambda: _public_page(request, row, attempt))


@by_link
@require_safe
def ask(request: HttpRequest, token: str) -> HttpResponse:
    """State of the request; once accepted, the table's page."""
    asks = Ask.objects.select_related("table__stage__tournament").filter(uid=uid_in(token) or UUID(int=0))
    row = asks.filter(table__stage__tournament__put_away=False).first()
    if row is None or not holds(token, "ask", row.uid) or row.number != row.table.link_number:
        return _unknown(request)
    if row.answer:
        return redirect("at-table", token=token_for("table", row.table.uid, row.number))
    return _public_page(request, row.table, Attempt(), asked=row)


def table_of(token: str) -> Table | None:
    """The token's table; None if invalid or put away."""
    uid = uid_in(token)
    tables = Table.objects.select_related("stage__tournament", *Table.ROLES)
    row = tables.filter(uid=uid, stage__tournament__put_away=False).first() if uid else None
    if row is None or not holds(token, "table", row.uid, row.link_number):
        return None
    remember_link(token, row.stage.tournament)
    return row


def may_propose(scene: Scene) -> bool:
    """Whether a result comes next."""
    over = scene.complete or (kind_of(scene.stage.kind).one_play and scene.counting)
    return scene.open and not (over or scene.running) and len(scene.seated) > 1


def may_time(scene: Scene) -> bool:
    """Whether players may run the clock of the next game."""
    return scene.stage.players_clock and may_propose(scene)


def _proposed(request: HttpRequest, entering: Entering, token: str) -> Attempt:
    scene, typed = entering.scene, entering.typed
    entry = entering.entry
    if not typed.faults:
        try:
            entering.settled(entry, scene.contest)
        except Refused as impossible:
            return refused(*impossible.faults)
    return _attempt(
        request,
        scene.stage,
        actions.propose_result,
        typed,
        token=token,
        proposal=uuid_or_none(request.POST.get("proposal", "")) or uuid4(),
        instead=uuid_or_none(request.POST.get("instead", "")) or UUID(int=0),
        play=entering.play,
        number=entering.number,
        fields={name: value.strip() for name, value in typed.data.items() if name not in KEPT_OUT},
    )


def _attempt(
    request: HttpRequest,
    stage: Stage,
    action: Callable[..., actions.Receipt],
    typed: Typed,
    /,
    **arguments: Any,
) -> Attempt:
    uid = uuid_or_none(request.POST.get("command", ""))
    faults = [*typed.faults, *(() if uid else [Fault("malformed", "/command")])]
    if uid is None or faults or None in arguments.values():
        return refused(*(faults or [Fault("malformed")]))
    command = actions.Command(uid, own_link_user(), device_of(request))
    return attempt_call(lambda: action(command, stage.tournament.uid, **arguments))


def _page(request: HttpRequest, scene: Scene, token: str, attempt: Attempt) -> HttpResponse:
    row = _waiting(scene.table) if scene.open else None
    asked = asked_at(scene)
    open_ones = [seen_text(each.looked.play) for each in asked if each.may]
    return page(
        request,
        "public/at_table.html",
        scene.tournament,
        status=attempt.status,
        **scene.context() | {"section": ""},
        **errors_context(attempt.faults, scene.names),
        token=token,
        players=scene.named(scene.seated) if _may_be_named(scene.stage) else [],
        asked=asked,
        to_check=sum(not each.looked.contested for each in asked),
        acceptable=open_ones if len(open_ones) > 1 else [],
        proposed=proposed(scene, row) if row else None,
        answered=None if row else answered_at(scene),
        plays=last_plays(scene),
        duties=duties_at(scene),
        called=Call.objects.filter(table=scene.table, kind=Call.Kind.HELP, answered_at=None).exists(),
        may_propose=may_propose(scene),
        may_time=may_time(scene),
        sits=token_for("stage", scene.stage.uid) if "open" in scene.stage.source else "",
        asks=Ask.objects.waiting().filter(table=scene.table),
        at=_stored_at(request, scene),
        scope=str(scene.tournament.uid),
        version=scene.tournament.version,
    )


def _seconds(device: str, *, right: bool) -> int:
    """Count a wrong code; return the seconds to wait, or 0."""
    limits = WrongCodeThrottle(device), WrongCodesThrottle(), AllWrongCodesThrottle()
    wait = max((each.seconds() for each in limits if each.full()), default=0)
    for each in () if right or wait else limits:
        each.allows()
    return wait


def _code_form(request: HttpRequest, typed: str, wrong: str, status: int, wait: int = 0) -> HttpResponse:
    return site_page(request, "public/code.html", status=status, typed=typed, wrong=wrong, wait=wait)


def _public_page(
    request: HttpRequest, table: Table, attempt: Attempt, asked: Ask | None = None
) -> HttpResponse:
    scene = get_scene(table)
    return page(
        request,
        "public/short_table.html",
        scene.tournament,
        status=attempt.status,
        **scene.context() | {"section": ""},
        **errors_context(attempt.faults),
        code=short_code(table.uid, table.link_number),
        asked=asked,
        waits=asked and Ask.objects.waiting().filter(pk=asked.pk).exists(),
        players=scene.named(scene.seated) if _may_be_named(scene.stage) else [],
        plays=[] if freezing(scene.stage) else last_plays(scene),
        scope=str(scene.tournament.uid),
        version=scene.tournament.version,
        command=uuid4(),
    )


def _may_be_named(stage: Stage) -> bool:
    """Seats behind a frozen stage would reveal who advanced."""
    return freezing(stage) in {None, stage} or stage.state != Stage.State.PLANNED


def _form(request: HttpRequest, entering: Entering, token: str, attempt: Attempt) -> HttpResponse:
    scene = entering.scene
    overtaken = any(fault.code == "proposed_meanwhile" for fault in attempt.faults)
    waiting = _waiting(scene.table) if overtaken or request.method != "POST" else None
    return page(
        request,
        "public/propose.html",
        scene.tournament,
        status=attempt.status,
        **entering.form(attempt.faults) | {"section": ""},
        token=token,
        fields_template=entering.fields_template,
        proposal=uuid4(),
        instead=waiting.uid if waiting else request.POST.get("instead", ""),
        theirs=proposed(scene, waiting) if overtaken and waiting else None,
    )


def _waiting(table: Table) -> Proposal | None:
    return Proposal.objects.filter(table=table, state=Proposal.State.WAITING).first()


def _stored_at(request: HttpRequest, scene: Scene) -> datetime | None:
    sequence = sequence_of(request)
    if sequence is None:
        return None
    row = LedgerRow.objects.filter(
        tournament=scene.tournament, sequence=sequence, actor=own_link_user()
    ).first()
    return row.at if row else None


def _unknown(request: HttpRequest) -> HttpResponse:
    return render(request, "public/table_unknown.html", status=NOT_FOUND)
