"""Work that another process does meanwhile."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable


def begin(module: str, given: bytes) -> Callable[[], bytes]:
    """Let ``python -m module`` make something of its input; what is returned waits for it.

    The wait raises ``ChildProcessError`` with the last line that the process said, when it failed.
    """
    # Files and no pipes: nothing has to be read or written while it works, however much it is.
    source, made, said = (tempfile.TemporaryFile() for _ in range(3))  # noqa: SIM115 - closed after the wait
    source.write(given)
    source.seek(0)
    command = [sys.executable, "-P", "-m", module]
    child = subprocess.Popen(command, stdin=source, stdout=made, stderr=said)  # noqa: S603 - our own module

    def finish() -> bytes:
        with source, made, said:
            if child.wait() != 0:
                said.seek(0)
                lines = said.read().decode("utf-8", "replace").split("\n")
                raise ChildProcessError(next((line for line in reversed(lines) if line.strip()), module))
            made.seek(0)
            return made.read()

    return finish
