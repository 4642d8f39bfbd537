"""Commands of setuptools that add compiled kernels to a wheel and name the platform that they fit."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

from building.machine_code import add_machine_code

COMPILES = os.environ.get("SFUMATO_COMPILE", "1") != "0"


class CompiledModules(build_py):
    """The modules, and machine code for the generic processor of this platform."""

    def run(self) -> None:
        """Copy the modules; then run every method once and keep what was compiled."""
        super().run()
        if COMPILES and not self.editable_mode:
            add_machine_code(Path(self.build_lib).absolute())


class PlatformWheel(bdist_wheel):
    """A wheel for one version of Python and one platform, because it has machine code."""

    def get_tag(self) -> tuple[str, str, str]:
        if not COMPILES:
            return super().get_tag()
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        return f"cp{sys.version_info.major}{sys.version_info.minor}", "none", platform
