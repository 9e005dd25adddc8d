"""WAV files of 32-bit floating point in memory. SPDX-License-Identifier: Apache-2.0"""
from __future__ import annotations

import struct

import numpy as np

HEADER = 80
_LIMIT = 0xFFFF_FF00


def header(channels: int, frames: int, rate: int) -> bytes:
    """The 80 bytes before the samples: RF64 where the sound is too long for RIFF."""
    size = channels * frames * 4
    big = size > _LIMIT
    form = struct.pack("<4sI4s", b"RF64" if big else b"RIFF", 0xFFFF_FFFF if big else size + HEADER - 8, b"WAVE")
    sizes = struct.pack("<4sIQQQI", b"ds64" if big else b"JUNK", 28, size + HEADER - 8, size, frames, 0)
    kind = struct.pack("<4sIHHIIHH", b"fmt ", 16, 3, channels, rate, min(rate * channels * 4, 0xFFFF_FFFF),
                       channels * 4, 32)
    return form + sizes + kind + struct.pack("<4sI", b"data", 0xFFFF_FFFF if big else size)


def samples(data) -> tuple[np.ndarray, int]:
    """The samples of a WAV file in memory, (frames, channels), and its sample rate. The samples are those of the memory."""
    view = memoryview(data)
    place, channels, rate, size64 = 12, 1, 48_000, None
    while place + 8 <= len(view):
        name, size = bytes(view[place:place + 4]), struct.unpack_from("<I", view, place + 4)[0]
        if name == b"ds64":
            size64 = struct.unpack_from("<Q", view, place + 16)[0]
        elif name == b"fmt ":
            channels, rate = struct.unpack_from("<HI", view, place + 10)
        elif name == b"data":
            if size == 0xFFFF_FFFF:
                size = size64 if size64 is not None else len(view) - place - 8
            size = min(size, len(view) - place - 8) // (4 * channels) * (4 * channels)
            found = np.frombuffer(view, dtype="<f4", count=size // 4, offset=place + 8)
            return found.reshape(-1, channels), rate
        place += 8 + size + size % 2
    return np.zeros((0, channels), dtype=np.float32), rate
