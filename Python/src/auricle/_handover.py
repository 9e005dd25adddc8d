"""Requests to a worker through shared memory: a spin, then a futex. The layout is that of HandOver.h.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import ctypes
import mmap
import os
import platform
import time

#: Bytes of the words in front of the samples.
HEADER = 64
#: Kinds of requests: a block of samples, and a line on the worker's standard input.
BLOCK, LINE = 0, 1

_REQUEST, _ANSWER, _KIND, _COUNT, _OUTCOME, _DETAIL, _, _CLIENT_WAITS = range(8)
_FUTEX = {"x86_64": 202, "aarch64": 98}.get(platform.machine())
_WAIT, _WAKE = 0, 1
_SPIN = 40_000
_libc = ctypes.CDLL(None, use_errno=True)


class _Time(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]


#: Whether this machine's system calls are known; without them requests go through pipes.
IS_KNOWN = _FUTEX is not None and ctypes.sizeof(ctypes.c_void_p) == 8


class HandOver:
    """The client's side. Not for several threads at once."""

    def __init__(self, memory: mmap.mmap) -> None:
        self._view = memoryview(memory)[:HEADER].cast("I")
        self._place = ctypes.c_char.from_buffer(memory)
        base = ctypes.addressof(self._place)
        self._request, self._answer = ctypes.c_void_p(base), ctypes.c_void_p(base + 4 * _ANSWER)
        self._number = self._view[_REQUEST]
        self._spins = (os.cpu_count() or 1) > 1

    def post(self, kind: int, count: int) -> int:
        """Posts a request, and returns its number."""
        view = self._view
        view[_KIND], view[_COUNT] = kind, count
        # A system call orders the words before it; the wake does so for those after it.
        if platform.machine() != "x86_64":
            _libc.syscall(_FUTEX, self._request, _WAKE, 0, None, None, 0)
        self._number = number = (self._number + 1) & 0xFFFF_FFFF
        view[_REQUEST] = number
        # Whether the worker waits is only certain in the kernel.
        _libc.syscall(_FUTEX, self._request, _WAKE, 1, None, None, 0)
        return number

    def wait(self, number: int, seconds: float) -> bool:
        """Waits for the answer to a request; False where there is none after so many seconds."""
        view, begun = self._view, time.monotonic_ns()
        if self._spins:
            end = begun + min(_SPIN, int(seconds * 1e9))
            while time.monotonic_ns() < end:
                if view[_ANSWER] == number:
                    return True
        end = begun + int(seconds * 1e9)
        while (seen := view[_ANSWER]) != number:
            left = end - time.monotonic_ns()
            if left <= 0:
                return False
            view[_CLIENT_WAITS] = 1
            limit = _Time(left // 1_000_000_000, left % 1_000_000_000)
            _libc.syscall(_FUTEX, self._answer, _WAIT, ctypes.c_uint(seen), ctypes.byref(limit), None, 0)
            view[_CLIENT_WAITS] = 0
        return True

    @property
    def outcome(self) -> tuple[int, int]:
        """Whether the last request was done, as 0, and the number that came with the answer."""
        return self._view[_OUTCOME], self._view[_DETAIL]

    def close(self) -> None:
        """Lets the memory go."""
        self._view.release()
        del self._place
