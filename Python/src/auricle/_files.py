"""Sound files, read and written by the program. SPDX-License-Identifier: Apache-2.0"""
from __future__ import annotations

import os
import subprocess
import tempfile
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _wave
from ._chains import _planar, _whole_rate
from ._errors import AuricleError, OutputError, PresetError, UsageError
from ._program import ask, call
from ._values import option_words

if TYPE_CHECKING:
    import numpy.typing as npt

    from ._chains import Samples


class SoundFile:
    """An open sound file. Made by ``auricle.open``."""

    def __init__(self, path: str | os.PathLike[str], mode: str, sample_rate: float | None, options: dict[str, Any]) -> None:
        if mode not in ("r", "w"):
            raise UsageError(f"mode is r or w, not {mode!r}")
        self.path, self.mode = os.fsdecode(path), mode
        self._options = options
        self._place = 0
        self._samples: npt.NDArray[np.float32] | None = None
        self._blocks: list[Samples] = []
        self._is_closed = False
        if mode == "r":
            data = call(["convert", "--output-file", "-", "--container", "wav", "--encoding", "float32",
                         "--metadata", "none", "--quiet", "--", self.path])
            self._samples, self.sample_rate = _wave.samples(data)
            self.channels = self._samples.shape[1]
        else:
            if sample_rate is None:
                raise UsageError("a file that is written needs a sample_rate")
            self.sample_rate, self.channels = _whole_rate(sample_rate), 0

    @property
    def frames(self) -> int:
        """Frames of the file, or those written so far."""
        if self._samples is not None:
            return len(self._samples)
        return sum(block.shape[1] for block in self._blocks)

    @property
    def info(self) -> dict[str, Any]:
        """The facts of ``auricle file info`` about the file."""
        found: dict[str, Any] = ask(["file", "info", self.path])
        return found

    def read(self, frames: int = -1) -> Samples:
        """The next frames, (channels, frames); all that are left by default."""
        if self._samples is None:
            raise UsageError(f"{self.path} is open for writing")
        end = len(self._samples) if frames < 0 else min(self._place + frames, len(self._samples))
        made = np.ascontiguousarray(self._samples[self._place:end].T, dtype=np.float32)
        self._place = end
        return made

    def seek(self, frame: int) -> None:
        """Goes to a frame."""
        self._place = min(max(0, frame), self.frames)

    def write(self, samples: npt.ArrayLike) -> None:
        """Appends samples, (channels, frames) or (frames,)."""
        if self.mode != "w" or self._is_closed:
            raise UsageError(f"{self.path} is not open for writing")
        block, _ = _planar(samples)
        if self._blocks and block.shape[0] != self.channels:
            raise UsageError(f"{self.path} has {self.channels} channels, and these samples {block.shape[0]}")
        self.channels = block.shape[0]
        self._blocks.append(block.copy())

    def close(self) -> None:
        """Writes the file, whole or not at all."""
        if self._is_closed:
            return
        self._is_closed = True
        if self.mode == "r":
            return
        if self.frames == 0:
            raise UsageError(f"no frames were written to {self.path}: a sound file has one at least")
        samples = np.concatenate(self._blocks, axis=1)
        words = ["convert", "--output-file", self.path, "--overwrite", "--quiet", *option_words(self._options)]
        with tempfile.NamedTemporaryFile(suffix=".wav") as file:
            file.write(_wave.header(samples.shape[0], samples.shape[1], self.sample_rate))
            file.write(np.ascontiguousarray(samples.T).tobytes())
            file.flush()
            try:
                call([*words, "--", file.name])
            except AuricleError as error:
                # For a writer, the samples are not in a file.
                kind = OutputError if type(error) is PresetError else type(error)
                raise kind(str(error).replace(file.name, self.path), error.code) from None

    def __enter__(self) -> "SoundFile":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self._is_closed = True
        self.close()


def open(path: str | os.PathLike[str], mode: str = "r", *, sample_rate: float | None = None,
         **options: Any) -> SoundFile:
    """Opens a sound file of any kind that the program reads or writes.

    ``options`` of a file that is written are those of ``auricle convert``: ``encoding="pcm24"``, ``bit_rate="192k"``.
    """
    return SoundFile(path, mode, sample_rate, options)
