"""Runs in shards, for engines that run many processes. SPDX-License-Identifier: Apache-2.0"""
from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from typing import Any

from ._errors import AuricleError
from ._program import call, fault, parsed, program, start
from ._runs import words
from ._values import named


class ShardAgain(AuricleError):
    """A shard was cut off, or the disk is full: it is to be run again."""

    code = 75


def plan(inputs: Sequence[str | os.PathLike[str]] | str, output: str | os.PathLike[str], preset: Any, units: Sequence[Any],
         shards: int, options: dict[str, Any]) -> dict[str, Any]:
    """Plans a run in shards, or goes on with the one that is not finished; returns the report of ``auricle plan``."""
    arguments = words(inputs, preset, units, output, options)
    try:
        plan: dict[str, Any] = named(parsed(call(["plan", "--format", "json", "--shards", str(shards), *arguments])))
        return plan
    except AuricleError as error:
        if error.code != 65 or not os.path.isdir(os.path.join(output, ".auricle")):
            raise
        left: dict[str, Any] = parsed(call(["unfinished", "--format", "json", os.fspath(output)]))
        return {"run": None, "output": os.fspath(output), "shards": [{"index": index} for index in left["missing"]]}


def do_shard(output: str, index: int, jobs: int, path: str | None = None) -> int:
    """Does one shard; 0, or 1 where some of its files failed for good.

    Raises ``ShardAgain`` when it is to be run again, another ``AuricleError`` when it never will do.
    """
    done = start(subprocess.run, [path or program(), "shard", output, "--index", str(index), "--jobs", str(jobs), "-q"],
                 stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode in (0, 1):
        return int(done.returncode)
    text = done.stderr.decode(errors="replace")
    if done.returncode == 75 or done.returncode < 0:
        raise ShardAgain(str(fault(75, text)))
    raise fault(done.returncode, text)
