"""`python -m tournament.seating`: seats for all games of an evening, by a process of its own.

Reads `[record, games, record before or null, game]` as JSON (see `DrawRecord.with_games`), writes the record.
"""

import json
import sys

from tournament.seating.record import DrawRecord


def main() -> None:
    """Raises ValueError for no record, `Impossible` as `with_games`."""
    asked, games, before, game = json.load(sys.stdin)
    earlier = DrawRecord.from_json(before) if before else None
    json.dump(DrawRecord.from_json(asked).with_games(games, earlier, game).as_json(), sys.stdout)


if __name__ == "__main__":
    main()
