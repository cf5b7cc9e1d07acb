"""How many examples the properties run on: 500, always the same, or 10,000 new ones with LASTCARD_SOAK=1."""

import os

from hypothesis import HealthCheck, settings

COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "database": None}
settings.register_profile("scoring", max_examples=500, derandomize=True, **COMMON)
settings.register_profile("scoring-soak", max_examples=10_000, **COMMON)
settings.load_profile("scoring-soak" if os.environ.get("LASTCARD_SOAK") == "1" else "scoring")
