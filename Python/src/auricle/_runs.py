"""Runs of many files, as ``auricle process`` does them. SPDX-License-Identifier: Apache-2.0"""
from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from typing import Any

from ._errors import UsageError
from ._program import ask, call, fault, parsed, program, start
from ._units import Unit
from ._values import named, option_words, text


class Run:
    """A run in an output folder."""

    def __init__(self, output: str | os.PathLike[str], exit_code: int = 0) -> None:
        self.output = os.fsdecode(output)
        #: 0 when all files are done, 1 when some failed.
        self.exit_code = exit_code

    def __repr__(self) -> str:
        return f"Run({self.output!r})"

    @property
    def status(self) -> dict[str, Any]:
        """The report of ``auricle status``."""
        found: dict[str, Any] = ask(["status", self.output])
        return found

    @property
    def counts(self) -> dict[str, int]:
        """Files by what became of them."""
        return dict(self.status["counts"])

    def records(self) -> list[dict[str, Any]]:
        """A record for each file, in the order of the plan."""
        found: list[dict[str, Any]] = ask(["report", self.output])["records"]
        return found

    def table(self) -> Any:
        """The records as a table of pandas, else of polars, else as a list of flat dicts."""
        rows = [_flat(record) for record in self.records()]
        try:
            import pandas
            return pandas.DataFrame(rows)
        except ImportError:
            pass
        try:
            import polars
            return polars.DataFrame(rows, infer_schema_length=None)
        except ImportError:
            return rows

    def verify(self) -> bool:
        """Whether every result is there, unchanged."""
        done = start(subprocess.run, [program(), "verify", self.output], stdout=subprocess.DEVNULL,
                     stderr=subprocess.DEVNULL, check=False)
        return bool(done.returncode == 0)


def _flat(record: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{prefix}{key}."))
        else:
            flat[prefix + key] = value
    return flat


def words(inputs: Sequence[str | os.PathLike[str]], preset: Any, units: Sequence[Any], output: Any,
          options: dict[str, Any]) -> list[str]:
    """The words of a command for these inputs and options."""
    # A Python program's result depends on no file of the user.
    found = ["--no-config", "--output", os.fsdecode(output)]
    if preset is not None:
        found += ["--preset", os.fspath(preset)]
    for unit in units:
        unit = unit if isinstance(unit, Unit) else Unit(unit)
        found += ["--unit", unit.unit]
        for name, value in unit.parameters.items():
            found += ["--set", f"{name}={text(value)}"]
        if unit.preset is not None:
            found += ["--unit-preset", unit.preset]
        if unit.mix is not None:
            found += ["--mix", text(unit.mix)]
    found += option_words(options)
    paths = [inputs] if isinstance(inputs, (str, bytes, os.PathLike)) else list(inputs)
    return [*found, "--", *(os.fsdecode(path) for path in paths)]


def process(inputs: Sequence[str | os.PathLike[str]] | str, *, output: str | os.PathLike[str],
            preset: str | os.PathLike[str] | None = None, units: Sequence[Any] = (),
            progress: Callable[[dict[str, Any]], Any] | None = None, **options: Any) -> Run:
    """Runs files and folders through a chain into a folder, as ``auricle process`` does.

    ``options`` are those of the command, with ``_`` for ``-``: ``variants=5``, ``seed=7``, ``jobs=8``, ``container="flac"``,
    ``on_exists="skip"``. ``progress`` is called with every event, a dict. A run that was cut off goes on when it is asked for
    again. Files that fail are no exceptions: see ``Run.counts`` and ``Run.table``.
    """
    if preset is None and not units and not options:
        raise UsageError("say what is done: a preset, units, or options such as loudness")
    return run(["process"], words(inputs, preset, units, output, options), output, progress)


def run(command: Sequence[str], arguments: Sequence[str], output: str | os.PathLike[str],
        progress: Callable[[dict[str, Any]], Any] | None) -> Run:
    """Runs a command that prints events, such as ``process`` or ``render``; returns the run in its output folder."""
    child = start(subprocess.Popen, [program(), *command, "--format", "json", *arguments], stdin=subprocess.DEVNULL,
                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None and child.stderr is not None
    printed = b""
    try:
        import threading
        printed_parts: list[bytes] = []
        reader = threading.Thread(target=lambda: printed_parts.append(child.stderr.read()), daemon=True)  # type: ignore[union-attr]
        reader.start()
        for line in child.stdout:
            if progress is not None:
                progress(named(parsed(line)))
        child.wait()
        reader.join()
        printed = printed_parts[0] if printed_parts else b""
    except BaseException:
        # As Ctrl-C: files that were begun are finished or left out, and nothing is lost.
        child.terminate()
        child.wait()
        raise
    # Files of a folder that fail are in its ledger; a single file has no other place than an exception.
    if child.returncode not in ((0, 1) if os.path.isdir(output) else (0,)):
        raise fault(child.returncode, printed.decode(errors="replace"), command[0])
    return Run(output, child.returncode)
