"""The place of the program: in the wheel, or installed. SPDX-License-Identifier: Apache-2.0"""
from __future__ import annotations

import os

from ._errors import AuricleError


def program() -> str:
    """The path of ``auricle``: ``AURICLE_PROGRAM``, else that of the wheel, else the one on the search path."""
    named = os.environ.get("AURICLE_PROGRAM")
    if named:
        if _is_entry(named):
            raise AuricleError(f"AURICLE_PROGRAM is {named}, the command of the Python package, which starts AURICLE_PROGRAM: "
                               "name the program itself, or unset the variable", 64)
        return named
    carried = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_tree", "bin", "auricle")
    if os.path.exists(carried):
        return carried
    for folder in os.get_exec_path():
        path = os.path.join(folder, "auricle")
        if os.path.isfile(path) and os.access(path, os.X_OK) and not _is_entry(path):
            return path
    raise AuricleError("there is no program auricle: install a wheel that carries it, the package auricle of Debian, or the tarball, "
                       "or name it in AURICLE_PROGRAM", 69)


def _is_entry(path: str) -> bool:
    """Whether a file is the command that pip makes of this package, which would start itself for ever."""
    try:
        with open(path, "rb") as file:
            head = file.read(1024)
    except OSError:
        return False
    return head.startswith(b"#!") and b"auricle.__main__" in head
