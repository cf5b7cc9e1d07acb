"""The times of a referee and a player while strangers attack, beside those of the same hall in quiet, and the server's
memory.

    python -m benchmarks.attacks [connections] [seconds] [quiet] [after] [attack]

A referee saves once a second, a player asks for the event's page as often; the strangers have one address
(tests/attacks). Each attack has a server of its own, which may open 4,096 files.
"""

from benchmarks._data import folder
from benchmarks._figures import report, run
from tests.attacks.hall import MB, Hall
from tests.attacks.strangers import ATTACKS

FILES = 4096
AIM, MEMORY_AIM = "ratio at most 2", "ratio at most 1.1"


def main(
    connections: int = 20, seconds: float = 60, quiet: float = 30, after: float = 15, attack: str = ""
) -> None:
    broken = tracebacks = 0
    for name in [attack] if attack else ATTACKS:
        hall = Hall(folder(), FILES)
        try:
            ran = hall.attacked(name, connections=connections, seconds=seconds, quiet=quiet, after=after)
        finally:
            tracebacks += hall.end()
        print(ran, flush=True)
        broken += len(ran.broken)
        words = name.replace("_", " ")
        for what, times in (("save", ran.saves), ("page", ran.pages)):
            report(
                f"{words}: {what}, 95%", times[1].at(95), "ms", reference=times[0].at(95), beside="in quiet", aim=AIM
            )  # fmt: skip
        before, _, now = ran.memory
        report(
            f"{words}: memory afterwards",
            now / MB,
            "MB",
            reference=before / MB,
            beside="before",
            aim=MEMORY_AIM,
        )
    report("saves and pages that failed under attack", broken, "answers", aim="none")
    report("errors in the server's log", tracebacks, "errors", aim="none")


if __name__ == "__main__":
    run(main, 2, 1, 1, 0.5, "flood")
