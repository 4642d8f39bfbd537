"""`python -m sfumato` is `sfumato`: a module in the current directory does not stand for an installed one."""

import os
import sys

if not sys.flags.safe_path and sys.path[:1] == [os.getcwd()]:  # `python -m` puts it first
    del sys.path[0]

from sfumato.cli import main

main()
