"""The log: which request a line belongs to, and what no line holds."""

import json
import logging
from typing import Any

import pytest
from django.test import Client, RequestFactory, override_settings

from tournament.server import logs, metrics
from tournament.views.errors import page_of_error


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("from-the-proxy.1", True),
        ("short", False),
        ("a b\nc and more", False),
        ("x" * 65, False),
        ("", False),
    ],
    ids=["a proxy's", "short", "other letters", "long", "none"],
)
def test_a_request_keeps_the_id_that_a_proxy_gave_it(given: str, *, kept: bool) -> None:
    def view(_request: Any) -> Any:
        from django.http import HttpResponse

        return HttpResponse(logs.request_id())

    answer = logs.requests(view)(RequestFactory().get("/x", headers={"x-request-id": given}))
    said = answer.content.decode()
    assert answer["X-Request-ID"] == said
    assert (said == given) is kept
    assert logs.request_id() == ""


@pytest.mark.parametrize("path", ["/en/x/", "/api/v1/x"], ids=["page", "problem"])
def test_the_answer_to_a_fault_of_ours_says_the_request_s_id(path: str) -> None:
    def view(request: Any) -> Any:
        try:
            raise ZeroDivisionError
        except ZeroDivisionError:
            return page_of_error(request)

    answer = logs.requests(view)(RequestFactory().get(path))
    assert answer.status_code == 500
    assert answer["X-Request-ID"] in answer.content.decode()


def errors_counted() -> float:
    (metric,) = metrics.errors.collect()
    return metric.samples[0].value


@override_settings(ALLOWED_HOSTS=["uno.example"])
def test_false_host_is_a_warning_in_one_line_and_no_error(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.handler.addFilter(logs.Knows())
    counted = errors_counted()
    assert client.get("/en/", headers={"host": "evil.example"}).status_code == 400
    said = [record for record in caplog.records if record.name == "django.security.DisallowedHost"]
    assert [(record.levelname, record.exc_info) for record in said] == [("WARNING", None)]
    assert errors_counted() == counted


def test_form_that_cannot_be_read_is_a_warning_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    """The parts' heads are longer than Django reads."""
    caplog.handler.addFilter(logs.Knows())
    body = b"--b\r\n" + b"X: y\r\n" * 500 + b"\r\n\r\n--b--\r\n"
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = "a" * 32
    answer = client.post("/en/sign-in/", body, content_type="multipart/form-data; boundary=b")
    assert answer.status_code == 400
    said = [record for record in caplog.records if record.name == "django.request"]
    assert [(record.levelname, record.exc_info) for record in said] == [("WARNING", None)]


def test_a_line_of_json_tells_the_request_without_its_address(caplog: pytest.LogCaptureFixture) -> None:
    from django.http import HttpResponse

    with caplog.at_level(logging.INFO, "tournament.requests"):
        caplog.handler.addFilter(logs.Knows())
        logs.requests(lambda _: HttpResponse(status=404))(RequestFactory().get("/t/aino-virtanen/?q=Aino"))
    said = json.loads(logs.Lines().format(caplog.records[-1]))
    assert said["message"] == "GET - 404"
    assert (said["kind"], said["status"], said["level"]) == ("page", 404, "INFO")
    assert len(said["request_id"]) == 36
    assert said["time"].endswith("+00:00")
    assert "aino" not in json.dumps(said).lower()


def test_an_error_s_line_has_its_traceback_and_is_counted() -> None:
    before = metrics.written({})
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        record = logging.LogRecord(
            "x", logging.ERROR, __file__, 1, "broke", (), exc_info=__import__("sys").exc_info()
        )
    assert logs.Knows().filter(record)
    said = json.loads(logs.Lines().format(record))
    assert "ZeroDivisionError" in said["exception"]
    assert "request_id" not in said
    assert metrics.written({}) != before


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("POST", "/api/v1/score", "write"),
        ("GET", "/api/v1/me", "api"),
        ("HEAD", "/static/x.js", "static"),
        ("GET", "/en/", "page"),
    ],
    ids=["write", "api", "static", "page"],
)
def test_requests_are_counted_by_kind(method: str, path: str, kind: str) -> None:
    assert logs.kind_of(method, path) == kind


def test_a_scanner_of_addresses_that_do_not_exist_fills_no_log(caplog: pytest.LogCaptureFixture) -> None:
    for status in (404, 500):
        logging.getLogger("django.request").warning("%d", status, extra={"status_code": status})
    assert caplog.messages == ["500"]
