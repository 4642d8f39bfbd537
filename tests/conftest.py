"""How the tests run: no deadlines on shared machines, and the same examples on every machine of a build."""

import os

from hypothesis import settings

os.environ.setdefault("NUMBA_CPU_NAME", "generic")  # as the command line: both share what was compiled

settings.register_profile("sfumato", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("sfumato")

collect_ignore = ["typed/user_script.py"]  # for mypy alone
