"""The sandboxed process of one chain, and the memory that it shares with this one.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import json
import mmap
import os
import select
import signal
import struct
import subprocess
import time
from typing import Any

from . import _handover
from ._errors import AuricleError, UnitCrashed, UnitError, UnitHung, UsageError, failure
from ._program import program, start

# The first members of the worker's signs of life: progress, job, phase, unit.
_SIGNS = struct.Struct("<QQii")
_SIGNS_SIZE = 1 << 20
_NO_UNIT = -1
# Bytes from which a memory is released after each sound.
_LARGE = 1 << 20


class _Answer(dict[str, Any]):
    """What a worker answers. A unit that writes into it is named, whatever is missing then."""

    unit: str | None = None

    def __missing__(self, key: str) -> Any:
        raise _foreign(self.unit)


def _foreign(unit: str | None) -> UnitError:
    error = UnitError(f"{unit or 'a unit'} has written into the answers of its process: it cannot be used from Python")
    error.unit = unit
    return error


def _own_handle() -> int:
    """A handle of this process, by which the worker finds its end; -1 where there are none."""
    try:
        return os.pidfd_open(os.getpid())
    except (AttributeError, OSError):
        return -1


class Worker:
    """A worker; it ends with its standard input. Not for several threads at once."""

    def __init__(self, setup: dict[str, Any], stall_limit: float) -> None:
        self.owner = os.getpid()
        self.stall_limit = stall_limit
        self._buffer = b""
        self._maps: dict[int, mmap.mmap] = {}
        #: How blocks of a stream are asked for; None while none is open.
        self.hand_over: _handover.HandOver | None = None
        self.files = [os.memfd_create(f"auricle-{name}") for name in ("in", "out", "blocks", "signs", "spool")]
        os.ftruncate(self.files[3], _SIGNS_SIZE)
        self._signs = mmap.mmap(self.files[3], _SIGNS_SIZE)
        # A separate session: Ctrl-C is for the caller, which ends it.
        parent = _own_handle()
        passed = self.files + [parent] * (parent >= 0)
        try:
            self.process = start(
                subprocess.Popen, [program(), "serve-arrays", ",".join(map(str, [*self.files, parent]))],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, pass_fds=passed,
                start_new_session=True)
        finally:
            if parent >= 0:
                os.close(parent)
        try:
            self.about = self.ask(setup)
        except BaseException:
            self.close()
            raise

    @property
    def is_usable(self) -> bool:
        """Whether this process may use it, and it lives."""
        return self.owner == os.getpid() and self.process.poll() is None

    def write(self, number: int, size: int) -> mmap.mmap:
        """One of the memories, of this size, to write into."""
        held = self._maps.get(number)
        if held is None or len(held) != size:
            os.ftruncate(self.files[number], size)
            held = self._maps[number] = mmap.mmap(self.files[number], size)
        return held

    def read(self, number: int, size: int) -> mmap.mmap:
        """One of the memories, to read from and to return."""
        return mmap.mmap(self.files[number], size)

    def forget(self, number: int) -> None:
        """Returns one of the memories to the system where it is large; its arrays must not be used any more."""
        if os.fstat(self.files[number]).st_size > _LARGE:
            self._maps.pop(number, None)
            os.ftruncate(self.files[number], 0)

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Asks, and waits for the answer as long as the worker shows signs of life."""
        try:
            text = json.dumps(request).encode() + b"\n"
        except (TypeError, ValueError) as error:
            raise UsageError(f"the arguments cannot be passed on: {error}") from None
        try:
            assert self.process.stdin is not None
            self.process.stdin.write(text)
            self.process.stdin.flush()
            if self.hand_over is not None:
                self.hand_over.post(_handover.LINE, 0)
            line = self._line()
        except BrokenPipeError:
            raise self._crashed() from None
        except BaseException:
            # Later data would be mistaken for another answer.
            self.close()
            raise
        return self._read(line)

    def block(self, count: int) -> int:
        """Renders a block that lies in the third memory; returns the latency then."""
        assert self.hand_over is not None
        try:
            number = self.hand_over.post(_handover.BLOCK, count)
            last, since = self._progress(), time.monotonic()
            while not self.hand_over.wait(number, 0.02):
                if self.process.poll() is not None:
                    raise self._crashed()
                now = self._progress()
                if now != last:
                    last, since = now, time.monotonic()
                elif time.monotonic() - since > self.stall_limit:
                    raise self._hung()
            failed, latency = self.hand_over.outcome
            line = self._line() if failed else b""
        except BaseException:
            # Later data would be mistaken for another answer.
            self.close()
            raise
        if failed:
            self._read(line)
            raise _foreign(self._unit())
        return latency

    def _read(self, line: bytes) -> dict[str, Any]:
        """The answer in a line; an error that it is about is raised."""
        try:
            answer = _Answer(json.loads(line))
        except (ValueError, TypeError, RecursionError):
            # Later data is no answer either.
            unit = self._unit()
            self.close()
            raise _foreign(unit) from None
        answer.unit = self._unit()
        if "error" in answer:
            error = failure(answer)
            error.__dict__.setdefault("unit", self._unit())
            raise error
        return answer

    def _line(self) -> bytes:
        assert self.process.stdout is not None
        output = self.process.stdout.fileno()
        last, since = self._progress(), time.monotonic()
        while b"\n" not in self._buffer:
            ready, _, _ = select.select([output], [], [], 0.5)
            if ready:
                data = os.read(output, 1 << 16)
                if not data:
                    raise self._crashed()
                self._buffer += data
                continue
            now = self._progress()
            if now != last:
                last, since = now, time.monotonic()
            elif time.monotonic() - since > self.stall_limit:
                raise self._hung()
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _progress(self) -> int:
        return _SIGNS.unpack_from(self._signs, 0)[0]

    def _unit(self) -> str | None:
        """The unit that is at work, by the worker's signs of life; no more than a hint."""
        number = _SIGNS.unpack_from(self._signs, 0)[3]
        names = self.about.get("units", []) if hasattr(self, "about") else []
        if len(names) == 1:
            return names[0]["name"]
        return None if number == _NO_UNIT else f"unit {number}"

    def _hung(self) -> AuricleError:
        unit = self._unit()
        self.close()
        error = UnitHung(f"{unit or 'a unit'} did not answer for {self.stall_limit:g} s")
        error.unit = unit
        return error

    def _crashed(self) -> AuricleError:
        try:
            code = self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        how = signal.Signals(-code).name if code < 0 else f"exit {code}"
        unit, place = self._unit(), self._place(-code) if code < 0 else None
        self.close()
        error = UnitCrashed(f"{unit or 'a unit'} ended its process ({' '.join(filter(None, (how, place)))})")
        error.unit, error.signal, error.place = unit, how, place
        return error

    def _place(self, number: int) -> str | None:
        """The place of the crash that the worker has noted, in the words of the program; no more than a hint."""
        try:
            found = start(
                subprocess.run, [program(), "read-crash", str(self.files[3]), str(number)], stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, pass_fds=[self.files[3]], timeout=10)
        except (AuricleError, OSError, subprocess.SubprocessError):
            return None
        return found.stdout.decode(errors="replace") or None

    def close(self) -> None:
        """Ends the process and returns the memory."""
        if self.owner == os.getpid():
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    pass
        self.hand_over = None
        files, self.files = self.files, []
        for file in files:
            os.close(file)
        self._maps.clear()

    def __del__(self) -> None:
        try:
            self.close()
        except Exception:
            pass
