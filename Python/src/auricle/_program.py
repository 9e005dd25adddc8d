"""Calls of the program that does the work. SPDX-License-Identifier: Apache-2.0"""
from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from typing import Any

from ._errors import AuricleError, InputError, OutputError, PresetError, UsageError
from ._place import program
from ._values import named

_KINDS = {64: UsageError, 65: PresetError, 66: InputError, 69: PresetError, 74: OutputError}


def fault(code: int, text: str, command: str = "") -> AuricleError:
    """The exception for an exit code of a command, with the last line that it printed."""
    # Commands without a chain find faults in the data of files alone.
    if code == 65 and command in ("measure", "convert", "file", "midi"):
        kind: type[AuricleError] = InputError
    else:
        kind = _KINDS.get(code, AuricleError)
    lines = [line for line in text.splitlines() if line.strip()]
    message = lines[-1].removeprefix("auricle: ") if lines else f"auricle ended with {code}"
    for line in lines:
        if line.startswith("auricle: ") or ": error: " in line:
            message = line.removeprefix("auricle: ")
            break
    return kind(message, code)


def start(kind: Callable[..., Any], words: Sequence[str], **options: Any) -> Any:
    """Starts the program by a function of ``subprocess``; raises a class of the package where that fails."""
    try:
        return kind(words, **options)
    except OSError as error:
        raise AuricleError(f"cannot start {words[0]}: {error.strerror or error}", 69) from None
    except ValueError as error:
        raise UsageError(f"an argument cannot be passed to a program: {error}") from None


def parsed(text: bytes | str) -> Any:
    """Reads an answer of the program; raises a class of the package where a unit wrote into it."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise AuricleError("the answer of the program is no JSON: a unit has written into it, or ended it") from None


def call(words: Sequence[str], accepts: Sequence[int] = (0,), data: bytes | None = None) -> bytes:
    """Runs the program; what it wrote to standard output."""
    done = start(subprocess.run, [program(), *words], input=data,
                 stdin=None if data is not None else subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode not in accepts:
        raise fault(done.returncode, done.stderr.decode(errors="replace"), words[0])
    output: bytes = done.stdout
    return output


def ask(words: Sequence[str]) -> Any:
    """Runs the program with ``--format json``; what it answered."""
    end = words.index("--") if "--" in words else len(words)
    return named(parsed(call([*words[:end], "--format", "json", *words[end:]])))
