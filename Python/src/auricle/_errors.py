"""What can go wrong. SPDX-License-Identifier: Apache-2.0"""
from __future__ import annotations


class AuricleError(Exception):
    """Something could not be done; the message says what, where, and what to do."""

    #: The exit code that the command line has for it.
    code: int = 70

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code

    def __reduce__(self):
        return _again, (type(self), str(self), dict(self.__dict__))


def _again(kind, message, members):
    error = kind(message)
    error.__dict__.update(members)
    return error


class UsageError(AuricleError, ValueError):
    """What was asked for makes no sense."""

    code = 64


class PresetError(AuricleError, ValueError):
    """The chain cannot be made: its preset has faults, or a unit is not installed."""

    code = 65


class InputError(AuricleError):
    """The sound is damaged, or of no known kind, or has values that are not numbers."""

    code = 65


class OutputError(AuricleError, OSError):
    """The result could not be written."""

    code = 74

    def __init__(self, message: str, code: int | None = None) -> None:
        AuricleError.__init__(self, message, code)

    def __str__(self) -> str:
        return self.args[0] if self.args else ""


class UnitError(AuricleError):
    """A unit failed: it reported an error, or made values that are not numbers."""

    #: The unit, where it is known.
    unit: str | None = None


class UnitCrashed(UnitError):
    """A unit ended its process; the next call has a new one."""

    #: How it ended, such as ``SIGSEGV``.
    signal: str | None = None
    #: The place of the crash, such as ``in the function burst of gain.so``, where it is known.
    place: str | None = None


class UnitHung(UnitError):
    """A unit did not answer for too long, and its process was ended; the next call has a new one."""


def failure(answer: dict) -> AuricleError:
    """The exception for what a worker answered."""
    kinds = {"input": InputError, "output": OutputError, "preset": PresetError, "unit": UnitError}
    code = answer.get("code")
    code = code if isinstance(code, int) else 70
    kind = UsageError if code == 64 else kinds.get(str(answer.get("kind", "")), AuricleError)
    text = str(answer["error"])
    return kind(text.removeprefix("auricle: ").rstrip("\n"), code)
