"""What all tests share."""

from __future__ import annotations

import os
import tempfile

from hypothesis import settings

# In CI the same examples each time, so that a failure is the change's; elsewhere every run looks further.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("local", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "local")

# What is kept between runs is the user's: tests neither use it nor fill it.
os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="toolcast-tests-")
