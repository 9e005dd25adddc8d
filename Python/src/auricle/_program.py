"""The program that does the work: in the wheel, or installed. SPDX-License-Identifier: Apache-2.0"""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
from typing import Any, Sequence

from ._errors import AuricleError, InputError, OutputError, PresetError, UsageError

_KINDS = {64: UsageError, 65: PresetError, 66: InputError, 69: PresetError, 74: OutputError}


def program() -> str:
    """The path of ``auricle``: ``AURICLE_PROGRAM``, else that of the wheel, else the one on the search path."""
    named = os.environ.get("AURICLE_PROGRAM")
    if named:
        return named
    carried = pathlib.Path(__file__).parent / "_tree" / "bin" / "auricle"
    if carried.exists():
        return str(carried)
    found = shutil.which("auricle")
    if found is None:
        raise AuricleError("there is no program auricle: install it, or name it in AURICLE_PROGRAM", 69)
    return found


def fault(code: int, text: str) -> AuricleError:
    """The exception for an exit code of the program, with the last line that it printed."""
    lines = [line for line in text.splitlines() if line.strip()]
    message = lines[-1].removeprefix("auricle: ") if lines else f"auricle ended with {code}"
    for line in lines:
        if line.startswith("auricle: ") or ": error: " in line:
            message = line.removeprefix("auricle: ")
            break
    return _KINDS.get(code, AuricleError)(message, code)


def call(words: Sequence[str], accepts: Sequence[int] = (0,), data: bytes | None = None) -> bytes:
    """Runs the program; what it wrote to standard output."""
    done = subprocess.run([program(), *words], input=data, stdin=None if data is not None else subprocess.DEVNULL,
                          capture_output=True, check=False)
    if done.returncode not in accepts:
        raise fault(done.returncode, done.stderr.decode(errors="replace"))
    return done.stdout


def ask(words: Sequence[str]) -> Any:
    """Runs the program with ``--format json``; what it answered."""
    return json.loads(call([*words, "--format", "json"]))
