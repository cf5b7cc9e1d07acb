"""Metrics of a process's work, as a monitor reads them."""

import threading

import pytest

from tournament.server import metrics


def sample(name: str) -> float:
    (line,) = [each for each in metrics.written({}).decode().splitlines() if each.startswith(f"{name} ")]
    return float(line.rpartition(" ")[2])


def test_gauges_are_written_beside_what_was_counted() -> None:
    text = metrics.written({"streams": (3, "Event streams that are open.")}).decode()
    assert "# HELP lastcard_streams Event streams that are open.\n# TYPE lastcard_streams gauge" in text
    assert "\nlastcard_streams 3.0\n" in text
    assert "_created" not in text
    assert "lastcard_streams" not in metrics.written({}).decode(), "a gauge is of its moment"


def test_counters_only_rise() -> None:
    before = sample("lastcard_published_total")
    metrics.published.inc()
    assert sample("lastcard_published_total") == before + 1


def test_whole_bounds_have_no_point() -> None:
    text = metrics.written({}).decode()
    assert 'lastcard_answer_seconds_bucket{le="1"}' in text
    assert 'lastcard_answer_seconds_bucket{le="0.025"}' in text
    assert 'le="1.0"' not in text


def test_requests_wait_that_no_thread_works_on() -> None:
    serving, inside, on = metrics.Serving(), threading.Barrier(3), threading.Event()
    serving.open = 5

    def work() -> None:
        with serving.at_work():
            inside.wait(10)
            on.wait(10)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    inside.wait(10)
    assert serving.waiting == 3
    on.set()
    for thread in threads:
        thread.join()
    assert serving.waiting == 5
    serving.open = 0
    with serving.at_work():
        assert serving.waiting == 0, "never less than none"


def test_work_that_fails_is_not_counted_as_going_on() -> None:
    serving = metrics.Serving()
    serving.open = 1
    with pytest.raises(ZeroDivisionError), serving.at_work():
        raise ZeroDivisionError
    assert serving.waiting == 1
