"""Values of any kind of number as those that the program reads. SPDX-License-Identifier: Apache-2.0"""
from __future__ import annotations

import numbers
import os
import sys
from collections.abc import Mapping
from typing import Any

from ._errors import UsageError


# Bytes of names that are no UTF-8: Python's text has surrogates for them, the program's the last characters of all.
_TO_PROGRAM = {0xDC00 + byte: chr(0x10FF00 + byte) for byte in range(0x80, 0x100)}
_TO_PYTHON = {0x10FF00 + byte: chr(0xDC00 + byte) for byte in range(0x80, 0x100)}


def plain(value: Any) -> Any:
    """A value as JSON has it: numbers of NumPy and others, arrays, paths and mappings become those of Python."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value).translate(_TO_PROGRAM)
    if isinstance(value, (bytes, os.PathLike)):
        return os.fsdecode(value).translate(_TO_PROGRAM)
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    # A value can be NumPy's only where that is imported: a program that runs files alone does without.
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.floating):
        # The digits in the value's own precision: 0.1 stays 0.1.
        return float(str(value))
    if numpy is not None and isinstance(value, numpy.ndarray):
        return plain(value[()]) if value.ndim == 0 else [plain(entry) for entry in value]
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(entry) for entry in value]
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real) or type(value).__name__ == "Decimal":
        return float(value)
    # Scalars of NumPy that are no numbers, and those of other libraries.
    item = getattr(value, "item", None)
    if callable(item):
        inner = item()
        if inner is None or isinstance(inner, (bool, int, float, str)):
            return inner
    raise UsageError(f"{value!r} is no text, number, truth value, or list of them")


def named(value: Any) -> Any:
    """The program's answer, with names of files as of ``os.fsdecode``."""
    if isinstance(value, str):
        return value if value.isascii() else value.translate(_TO_PYTHON)
    if isinstance(value, list):
        return [named(entry) for entry in value]
    if isinstance(value, dict):
        return {key: named(entry) for key, entry in value.items()}
    return value


def text(value: Any) -> str:
    """A value as the command line reads it."""
    found = named(plain(value))
    return ("true" if found else "false") if isinstance(found, bool) else str(found)


def option_words(options: Mapping[str, Any]) -> list[str]:
    """The words of options, whose names have ``_`` for ``-``; ``True`` is a flag, ``None`` and ``False`` are left out."""
    found: list[str] = []
    for key, value in options.items():
        argument = plain(value)
        if argument is None or argument is False:
            continue
        name = "--" + key.replace("_", "-")
        found += [name] if argument is True else [name, text(argument)]
    return found
