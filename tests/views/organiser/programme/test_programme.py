"""The programme on the organiser's page: times, moving along, running late, publishing."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.urls import reverse

from tests.support.asking_actions import agrees, refusal
from tests.support.factories import Event, add_stage, event
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.models import LedgerRow, Stage, Tournament, User
from tournament.queries.programme import Plan, programme

pytestmark = pytest.mark.django_db

EVENING = datetime(2026, 11, 21, 16, tzinfo=UTC)  # 18:00 in Helsinki


@pytest.fixture(autouse=True)
def _in_the_afternoon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing runs late yet, whenever the tests are run."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: EVENING - timedelta(hours=2))


@pytest.fixture
def evening(organiser: User) -> Event:
    """Heats at 18:00 for 40 minutes and a final at 18:50."""
    made = add_stage(
        event("tite-2022", players=6, user=organiser, starts_on=EVENING.date()),
        "heats",
        tables=2,
        start=False,
    )
    heats = made.stage
    final = add_stage(made, "final", tables=0, start=False, target=300).stage
    plans = [
        {"stage": heats.uid, "plan": Plan(EVENING, 40, 6, 2, 6).as_json()},
        {"stage": final.uid, "plan": Plan(EVENING + timedelta(minutes=50), 30, 2, 1).as_json()},
    ]
    made.act(actions.set_programme, stages=plans)
    made.stage = heats
    return made.refresh()


def address(made: Event) -> str:
    return reverse("organise-programme", args=[made.tournament.slug])


def starts(made: Event) -> list[str]:
    rows = Stage.objects.filter(tournament=made.tournament).order_by("number")
    planned = [Plan.of(row.plan).starts_at for row in rows]
    return [at.strftime("%H:%M") if at else "" for at in planned]


def field(made: Event, name: str, number: int = 1) -> str:
    return f"{name}-{Stage.objects.get(tournament=made.tournament, number=number).uid}"


def test_numbers_of_a_part_are_folded_and_also_its_start_once_it_began(
    browser: Browser, evening: Event
) -> None:
    def folded() -> tuple[list[bool], bool]:
        """Whether the start of each part is folded; whether Save is the main button."""
        page = browser.get(address(evening)).content.decode()
        parts = page.split('class="panel stack"')[1:]
        assert all(each.index("<details>") < each.index('name="minutes-') for each in parts)
        starts = [each.index("<details>") < each.index('name="starts_at-') for each in parts]
        return starts, "button--primary" in page[page.index('name="along"') :]

    evening.act(actions.publish_programme)
    assert folded() == ([False, False], True)
    Stage.objects.filter(pk=evening.stage.pk).update(state="finished")
    assert folded() == ([True, False], True)
    Stage.objects.filter(tournament=evening.tournament).update(state="finished")
    assert folded() == ([True, True], False)


def test_moving_a_part_moves_the_later_ones_along(browser: Browser, evening: Event) -> None:
    page = browser.get(address(evening))
    assert [row.values["starts_at"] for row in page.context["form"].rows] == [
        "2026-11-21T18:00",
        "2026-11-21T18:50",
    ]
    typed = {field(evening, "starts_at"): "2026-11-21T18:20"}
    assert browser.send(address(evening), "/programme/", **typed).status_code == 303
    assert starts(evening) == ["16:20", "17:10"]
    typed = {field(evening, "starts_at"): "2026-11-21T18:30", "along": ""}
    assert browser.send(address(evening), "/programme/", **typed).status_code == 303
    assert starts(evening) == ["16:30", "17:10"]
    typed = {
        field(evening, "starts_at"): "2026-11-21T18:00",
        field(evening, "starts_at", 2): "2026-11-21T20:00",
        "along": "on",
    }
    assert browser.send(address(evening), "/programme/", **typed).status_code == 303
    assert starts(evening) == ["16:00", "18:00"]
    assert agrees(evening)


def test_saving_without_a_change_writes_nothing(browser: Browser, evening: Event) -> None:
    before = LedgerRow.objects.count()
    assert browser.send(address(evening), "/programme/").status_code == 303
    assert LedgerRow.objects.count() == before


@pytest.mark.parametrize("typed", ["x", "0", "-1", "1000", "1.5", "٣"])
def test_what_is_no_number_is_said_and_kept(browser: Browser, evening: Event, typed: str) -> None:
    answer = browser.send(address(evening), "/programme/", **{field(evening, "minutes"): typed})
    assert answer.status_code == 422
    assert "Write a whole number from 1 to 999." in answer.content.decode()
    assert answer.context["form"].rows[0].values["minutes"] == typed
    assert starts(evening) == ["16:00", "16:50"]


@pytest.mark.parametrize("typed", ["soon", "2026-13-01T18:00", "18:00", "\x00"])
def test_what_is_no_time_is_said(browser: Browser, evening: Event, typed: str) -> None:
    answer = browser.send(address(evening), "/programme/", **{field(evening, "starts_at"): typed})
    assert answer.status_code == 422
    assert "Choose the day and the time." in answer.content.decode()


def test_a_time_that_occurs_twice_is_asked_about_and_its_answer_kept(
    browser: Browser, evening: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: datetime(2026, 10, 31, 12, tzinfo=UTC))
    at = field(evening, "starts_at")
    Tournament.objects.update(time_zone="America/Havana", starts_on=date(2026, 10, 31))
    night = {at: "2026-11-01T00:30"}
    answer = browser.send(address(evening), "/programme/", **night)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "show this time twice" in page
    for clock, words in (
        ("04:30", "0:30, summer time (UTC-04:00)"),
        ("05:30", "0:30, winter time (UTC-05:00)"),
    ):
        choice = f"2026-11-01T{clock}:00+00:00"
        assert f'name="clock-{at}" value="{choice}">{words}' in page
        chosen = {**night, f"clock-{at}": choice}
        assert browser.send(address(evening), "/programme/", **chosen).status_code == 303
        assert Stage.objects.get(number=1).plan["starts_at"] == choice
        assert f'value="{choice}" checked' in browser.get(address(evening)).content.decode()
        assert browser.send(address(evening), "/programme/").status_code == 303  # nothing changes


def test_a_part_without_a_time_or_number_has_none(browser: Browser, evening: Event) -> None:
    typed = {field(evening, name): "" for name in ("starts_at", "minutes", "players", "tables", "most")}
    assert browser.send(address(evening), "/programme/", **typed).status_code == 303
    assert Stage.objects.get(number=1).plan == {}


def test_plans_that_no_page_sends_are_refused(evening: Event) -> None:
    uid = evening.stage.uid
    plans: list[object] = [
        {"minutes": 0},
        {"minutes": True},
        {"players": "6"},
        {"starts_at": "2026-11-21T18:00"},  # without a zone
        {"starts_at": 5},
        {"what": 1},
        [],
    ]
    for plan in plans:
        assert [
            code
            for code, _path in refusal(evening, actions.set_programme, stages=[{"stage": uid, "plan": plan}])
        ] == ["malformed"], plan


def test_publishing_keeps_what_was_published_first(browser: Browser, evening: Event) -> None:
    page = browser.get(address(evening))
    assert "So far only organisers can see the programme" in page.content.decode()
    assert browser.send(address(evening), "/publish/").status_code == 303
    heats = Stage.objects.get(number=1)
    assert heats.first_plan == heats.plan
    assert refusal(evening, actions.publish_programme) == [("nothing_to_publish", "/stages")]
    browser.send(address(evening), "/programme/", **{field(evening, "starts_at"): "2026-11-21T18:15"})
    heats.refresh_from_db()
    assert Plan.of(heats.first_plan).starts_at == EVENING
    assert "18:00</time></s>" in browser.get(address(evening)).content.decode()
    assert agrees(evening)


def test_a_stage_in_the_programme_is_removed_with_its_tables(evening: Event) -> None:
    final = Stage.objects.get(kind="final")
    evening.act(actions.publish_programme)
    row = {"stage": evening.stage.uid, "kind": "heats", "settings": evening.stage.settings}
    evening.act(actions.set_levels, levels=[row])
    assert not Stage.objects.filter(pk=final.pk).exists()
    (gone,) = programme(evening.tournament).gone
    assert (gone.kind, gone.plan.starts_at) == ("final", EVENING + timedelta(minutes=50))
    assert agrees(evening)


def at(minutes: int) -> datetime:
    return EVENING + timedelta(minutes=minutes)


def test_one_tap_moves_what_runs_late(
    browser: Browser, evening: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: at(15))
    page = browser.get(address(evening))
    assert "Heats: 15 min late" in page.content.decode()
    assert "Delay others by 15 min" in page.content.decode()
    board = reverse("organise-board", args=[evening.tournament.slug])
    assert "Heats: 15 min late" in browser.get(board).content.decode()
    assert browser.send(board, "/programme/").status_code == 303
    assert starts(evening) == ["16:15", "17:05"]
    assert "min late" not in browser.get(board).content.decode()
    assert browser.get(address(evening)).context["late"] is None
