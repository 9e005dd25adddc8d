"""The command ``auricle`` of the wheel, also ``python -m auricle``. SPDX-License-Identifier: Apache-2.0"""
from __future__ import annotations

import os
import sys

from ._errors import AuricleError
from ._place import program


def main() -> int:
    """Becomes the program, with the same arguments; returns an exit code where it cannot be started."""
    try:
        path = program()
    except AuricleError as error:
        sys.stderr.write(f"auricle: {error}\n")
        return error.code
    try:
        # Python ignores SIGPIPE, and its children would inherit that.
        import signal
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.execv(path, [path, *sys.argv[1:]])
    except OSError as error:
        sys.stderr.write(f"auricle: {path} cannot be started: {error.strerror}\n")
    return 69


if __name__ == "__main__":
    sys.exit(main())
