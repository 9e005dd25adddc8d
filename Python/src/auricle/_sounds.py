"""Commands for single files: measuring, converting, songs and speech. SPDX-License-Identifier: Apache-2.0"""
from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, overload

from ._program import ask, call
from ._runs import Run, run, words
from ._values import option_words, text

Path = str | os.PathLike[str]


@overload
def measure(files: Path, **options: Any) -> dict[str, Any]: ...
@overload
def measure(files: Sequence[Path], **options: Any) -> list[dict[str, Any]]: ...


def measure(files: Path | Sequence[Path], **options: Any) -> Any:
    """Measures sound files as ``auricle measure`` does: a dict for one file, a list of them for several.

    The keys are those of ``--format json``: ``integratedLoudness`` (LUFS), ``truePeakDecibels`` (dBTP), ``peakDecibels`` and
    ``rmsDecibels`` (dBFS), ``loudnessRange`` (LU), ``maximumMomentary``, ``maximumShortTerm``, ``seconds``, ``frames``, ``path``.
    """
    is_one = isinstance(files, (str, bytes, os.PathLike))
    paths = [files] if is_one else list(files)  # type: ignore[list-item, arg-type]
    if not paths:
        return []
    found = ask(["measure", *option_words(options), "--", *(os.fsdecode(path) for path in paths)])
    return found[0] if is_one else found


def convert(inputs: Path | Sequence[Path], output: Path, *, progress: Callable[[dict[str, Any]], Any] | None = None,
            **options: Any) -> Run | str:
    """Converts files into a file or a folder, as ``auricle convert`` does; returns the path of the file, or the run of the folder.

    ``options`` are those of the command, with ``_`` for ``-``: ``bit_rate="192k"``, ``container="flac"``, ``overwrite=True``.
    """
    paths = [inputs] if isinstance(inputs, (str, bytes, os.PathLike)) else list(inputs)
    arguments = ["--no-config", *option_words(options), "--", *(os.fsdecode(path) for path in paths), os.fsdecode(output)]
    return _made(run(["convert"], arguments, output, progress))


def render(songs: Path | Sequence[Path], output: Path, *, preset: Path | None = None, units: Sequence[Any] = (),
           progress: Callable[[dict[str, Any]], Any] | None = None, **options: Any) -> Run | str:
    """Renders MIDI files into a file or a folder, as ``auricle render`` does; returns the path of the file, or the run of the folder.

    Without a preset and units the General MIDI bank of the system plays. ``options`` are those of the command:
    ``bank="piano.sf2"``, ``stems=True``, ``sample_rate=44_100``.
    """
    return _made(run(["render"], words(songs, preset, units, output, options), output, progress))


def say(spoken: str, output: Path, *, preset: Path | None = None, units: Sequence[Any] = (), **options: Any) -> str:
    """Synthesizes a text into a sound file, as ``auricle say`` does; returns the path of the file.

    ``options`` are those of the command: ``voice="en-gb"``, ``rate=160``, ``overwrite=True``.
    """
    call(["say", *words([], preset, units, output, options), text(spoken)])
    return os.fsdecode(output)


def _made(done: Run) -> Run | str:
    """The run where the output is a folder, else the path of the file."""
    return done if os.path.isdir(done.output) else done.output
