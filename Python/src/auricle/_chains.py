"""Chains of units for arrays: whole sounds, and streams of blocks.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import json
import mmap
import os
import pathlib
import struct
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _wave
from ._errors import UnitError, UnitHung, UsageError
from ._handover import HEADER, IS_KNOWN, HandOver
from ._units import Unit
from ._values import plain, text
from ._worker import Worker

if TYPE_CHECKING:
    import numpy.typing as npt
    Samples = npt.NDArray[np.float32]

# Bytes of a result that are copied at once.
_PART = 1 << 20


class Chain:
    """A chain of units, whose results are longer than their input by what rings out; ``tail="keep-length"`` keeps the length.

    It is the name or the path of a preset, a preset as a dict, or units one after the other.
    Calling it renders a whole sound as ``auricle process`` does: the delay of units is cut off in front, and the result goes on
    as long as there is sound (``tail``). The units run in a sandboxed process that is started when it is needed, for each
    process that uses the chain: fork is safe, and a chain is pickled as what it is made of. Several threads may use it; one renders at
    a time, without the interpreter's lock.
    """

    def __init__(self, chain: str | os.PathLike[str] | Mapping[str, Any] | Sequence[Unit | str] | Unit, *,
                 tail: str | float | None = None, latency: str | None = None, loudness: float | None = None,
                 true_peak: float | None = None, output_rate: float | None = None, seed: int = 0,
                 sandbox: str = "strict", readable: Sequence[str | os.PathLike[str]] = (),
                 memory_limit: int | None = None, stall_limit: float = 10.0) -> None:
        setup: dict[str, Any] = {}
        if isinstance(chain, Unit):
            chain = [chain]
        if isinstance(chain, Mapping):
            setup["text"] = json.dumps(plain(chain))
        elif isinstance(chain, (str, os.PathLike)):
            name = os.fsdecode(chain)
            path = pathlib.Path(name)
            setup["preset"] = plain(str(path.absolute()) if path.exists() else name)
        else:
            units = [unit if isinstance(unit, Unit) else Unit(unit) for unit in chain]
            setup["text"] = json.dumps(plain({"auricle": 1, "name": "chain", "units": [unit.entry() for unit in units]}))
        if sandbox not in ("strict", "compat", "off"):
            raise UsageError(f"sandbox is strict, compat or off, not {sandbox!r}")
        options = {"tail": tail, "latency": latency, "loudness": loudness, "truePeak": true_peak,
                   "sampleRate": output_rate, "memoryLimit": memory_limit}
        setup.update({key: plain(value) for key, value in options.items() if value is not None})
        setup.update(seed=plain(seed), sandbox=sandbox, readable=[plain(os.path.abspath(path)) for path in readable])
        self._setup = setup
        self._stall_limit = float(stall_limit)
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self._owner = os.getpid()
        # Numbers of channels of which sounds are rendered as files.
        self._as_files: set[int] = set()

    def __getstate__(self) -> dict[str, Any]:
        return {"_setup": self._setup, "_stall_limit": self._stall_limit}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._begin()

    def __repr__(self) -> str:
        return f"Chain({self._setup.get('preset') or self._setup.get('text')!r})"

    def _ready(self) -> Worker:
        if self._worker is None or not self._worker.is_usable:
            if self._worker is not None:
                self._worker.close()
            self._worker = Worker(self._setup, self._stall_limit)
        return self._worker

    def _guard(self) -> threading.Lock:
        # The lock of a process that was forked may be held by a thread that is not in this one.
        if self._owner != os.getpid():
            worker = self._worker
            self._begin()
            if worker is not None:
                worker.close()
        return self._lock

    @property
    def units(self) -> list[dict[str, Any]]:
        """The units, with their versions and paths."""
        with self._guard():
            return list(self._ready().about["units"])

    @property
    def preset(self) -> dict[str, Any]:
        """The chain as a preset, with all that it leaves to defaults."""
        with self._guard():
            found: dict[str, Any] = json.loads(self._ready().about["preset"])
            return found

    def __call__(self, samples: npt.ArrayLike, sample_rate: float, *, variant: int = 1, key: str = "") -> Samples:
        """Renders a sound of the shape (channels, frames) or (frames,); the result has the same number of dimensions.

        ``variant`` and ``key`` choose the random values of a preset that has some, as the number and the name of a file do for
        ``auricle process --variants``.
        """
        array, is_flat = _planar(samples)
        rate = _whole_rate(sample_rate)
        channels, frames = array.shape
        if frames == 0:
            return np.zeros_like(array[0] if is_flat else array)
        with self._guard():
            if array.shape[0] not in self._as_files:
                made = self._in_place(array, rate)
                if made is not None:
                    return made[0] if is_flat and made.shape[0] == 1 else made
            # Asked for once more, then once more in another process, where it may be asked for again.
            for _ in range(4):
                worker = self._ready()
                size = _wave.HEADER + channels * frames * 4
                memory = worker.write(0, size)
                memory[:_wave.HEADER] = _wave.header(channels, frames, rate)
                target = np.frombuffer(memory, dtype="<f4", offset=_wave.HEADER).reshape(frames, channels)
                target[:] = array.T
                del target, memory
                # The worker releases this memory as it reads it; if it needs the memory once more, it says so.
                answer = worker.ask({"op": "render", "variant": plain(variant), "key": plain(key), "frameSize": 4 * channels})
                if answer.get("stale"):
                    # A unit keeps state from earlier sounds: this sound is rendered in a separate process.
                    worker.close()
                elif not answer.get("again"):
                    break
            worker.forget(0)
            try:
                made = _taken(worker, answer["bytes"])
            except (ValueError, TypeError, struct.error) as error:
                worker.close()
                raise UnitError(f"the result of the chain is damaged: {error}") from None
            worker.forget(1)
        return made[0] if is_flat and made.shape[0] == 1 else made

    def _in_place(self, array: Samples, rate: int) -> Samples | None:
        """The result of a sound that the worker renders in place; None where it has to be a file."""
        channels, frames = array.shape
        # Requested once more in another process, if a unit keeps state from earlier sounds.
        for _ in range(2):
            worker = self._ready()
            memory = worker.write(0, channels * frames * 4)
            planar = np.frombuffer(memory, dtype="<f4").reshape(channels, frames)
            planar[:] = array
            answer = worker.ask({"op": "sound", "channels": channels, "frames": frames, "rate": rate})
            if answer.get("asFile"):
                # Samples that are no numbers are refused as a file; the next sound may have none.
                if np.isfinite(planar).all():
                    self._as_files.add(channels)
                return None
            if not answer.get("stale"):
                break
            worker.close()
        try:
            count, tail = int(answer["frames"]), int(answer["tail"])
            inside = min(count, frames)
            if count < 0 or tail != count - inside:
                raise ValueError(f"{count} frames with a tail of {tail}")
            # Mapped anew, which fails where a unit made the memory shorter.
            planar = np.frombuffer(worker.read(0, channels * frames * 4), dtype="<f4").reshape(channels, frames)
            made = np.empty((channels, count), np.float32)
            made[:, :inside] = planar[:, :inside]
            if tail:
                made[:, inside:] = np.frombuffer(worker.read(1, channels * tail * 4), dtype="<f4").reshape(channels, tail)
        except (ValueError, TypeError, OverflowError, MemoryError) as error:
            worker.close()
            raise UnitError(f"the result of the chain is damaged: {error}") from None
        del planar, memory
        worker.forget(0)
        worker.forget(1)
        return made

    def stream(self, blocks: Iterable[npt.ArrayLike], sample_rate: float) -> Iterator[Samples]:
        """Renders blocks one after the other and keeps the state between them; each result has as many frames.

        The result is late by the latency of the units. For parameters that change, use ``open_stream``.
        """
        opened: Stream | None = None
        try:
            for block in blocks:
                if opened is None:
                    array, _ = _planar(block)
                    opened = self.open_stream(sample_rate, array.shape[0])
                yield opened(block)
        finally:
            if opened is not None:
                opened.close()

    def open_stream(self, sample_rate: float, channels: int, max_frames: int = 4096) -> "Stream":
        """Opens a stream with a process of its own; ``set`` changes parameters between its blocks and in them."""
        return Stream(self._setup, self._stall_limit, sample_rate, channels, max_frames)

    def close(self) -> None:
        """Ends the process; the next call starts another."""
        with self._guard():
            if self._worker is not None:
                self._worker.close()
                self._worker = None


class Stream:
    """Blocks through a chain that keeps its state. Made by ``Chain.open_stream``; for one thread."""

    def __init__(self, setup: dict[str, Any], stall_limit: float, sample_rate: float, channels: int,
                 max_frames: int) -> None:
        if channels < 1 or max_frames < 1:
            raise UsageError("a stream has a channel and a frame at least")
        self.channels, self.max_frames = int(channels), min(int(max_frames), 65_536)
        self._changes: list[list[Any]] = []
        self._worker = Worker(setup, stall_limit)
        shared = self._worker.write(2, HEADER + self.channels * self.max_frames * 4)
        begin = HEADER if IS_KNOWN else 0
        self._memory = np.frombuffer(shared, dtype="<f4", offset=begin, count=self.channels * self.max_frames)
        self._memory = self._memory.reshape(self.channels, self.max_frames)
        about = self._worker.ask({"op": "open", "rate": float(sample_rate), "channels": self.channels,
                                  "frames": self.max_frames, "handOver": IS_KNOWN})
        if IS_KNOWN:
            self._worker.hand_over = HandOver(shared)
        #: Frames by which the result is late, as the units report now.
        self.latency: int = about["latency"]
        #: The labels of the units, for ``set``.
        self.stages: list[str] = about["stages"]

    def set(self, parameter: str, value: float | str, *, unit: int | str = 0, frame: int = 0) -> None:
        """Sets a parameter when the next block reaches ``frame``; ``unit`` is the unit's number in the chain or its name."""
        self._changes.append([plain(unit), parameter, text(value), int(frame)])

    def __call__(self, block: npt.ArrayLike) -> Samples:
        """Renders a block of any length; the result has as many frames."""
        array, is_flat = _planar(block)
        if array.shape[0] != self.channels:
            raise UsageError(f"the stream has {self.channels} channels, and a block {array.shape[0]}")
        if not self._worker.is_usable:
            raise UnitHung("the stream is closed, or belongs to another process: open a new one")
        made = np.empty_like(array)
        changes, self._changes = self._changes, []
        for start in range(0, array.shape[1], self.max_frames):
            count = min(self.max_frames, array.shape[1] - start)
            self._memory[:, :count] = array[:, start:start + count]
            last = start + count >= array.shape[1]
            now = [[*change[:3], change[3] - start] for change in changes
                   if start <= change[3] < start + count or last and change[3] >= start]
            if now or self._worker.hand_over is None:
                self.latency = self._worker.ask({"op": "block", "n": count, "set": now})["latency"]
            else:
                self.latency = self._worker.block(count)
            made[:, start:start + count] = self._memory[:, :count]
        return made[0] if is_flat else made

    def close(self) -> None:
        """Ends the process of the stream."""
        del self._memory
        self._worker.close()

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _taken(worker: Worker, size: int) -> Samples:
    """The result as an array, (channels, frames). Memory of the worker is returned as it is read, so that nothing is there twice."""
    memory = worker.read(1, size)
    result, _ = _wave.samples(memory)
    frames, channels = result.shape
    # Separate memory, which goes back to the system with the array.
    made = np.frombuffer(mmap.mmap(-1, max(1, frames * channels * 4)), dtype=np.float32, count=frames * channels).reshape(channels, frames)
    step, done = max(1, _PART // (4 * channels)), 0
    for start in range(0, frames, step):
        made[:, start:start + step] = result[start:start + step].T
        # At least this much of the file is samples that are read; whole pages.
        read = start * 4 * channels // mmap.PAGESIZE * mmap.PAGESIZE
        if read > done:
            memory.madvise(mmap.MADV_REMOVE, done, read - done)
            done = read
    return made


def _planar(samples: npt.ArrayLike) -> tuple[Samples, bool]:
    """The samples as (channels, frames) of 32-bit floating point, and whether they had one dimension."""
    array = np.asarray(samples)
    if array.dtype.kind not in "fiu" or array.dtype.kind in "iu" and array.size:
        raise UsageError(f"samples are floating point from -1 to 1, not {array.dtype}")
    if array.ndim not in (1, 2):
        raise UsageError(f"samples have the shape (channels, frames) or (frames,), not {array.shape}")
    planar = array.astype(np.float32, copy=False)
    planar = planar[np.newaxis] if planar.ndim == 1 else planar
    if planar.shape[0] > 64 or planar.shape[0] == 0:
        raise UsageError(f"a sound has 1 to 64 channels, and the shape {array.shape} says {planar.shape[0]}: "
                         "the channels come first")
    return planar, array.ndim == 1


def _whole_rate(rate: float) -> int:
    if not 1 <= rate <= 10_000_000 or rate != int(rate):
        raise UsageError(f"a sample rate is a whole number of hertz, not {rate}")
    return int(rate)
