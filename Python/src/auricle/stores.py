"""Runs over object stores: files are staged in, done, and staged out. ``import auricle.stores`` needs the package ``fsspec``.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import fsspec

from ._program import parsed
from ._runs import Run, words
from ._runs import process as process_here

_SOUNDS = {".wav", ".flac", ".ogg", ".opus", ".mp3", ".m4a", ".aac", ".aif", ".aiff", ".caf", ".au", ".w64", ".rf64"}


def process(source: str, *, output: str, preset: str | os.PathLike[str] | None = None, units: Sequence[Any] = (),
            shard_bytes: int = 1 << 30, progress: Callable[[int, int], Any] | None = None,
            storage_options: dict[str, Any] | None = None, **options: Any) -> dict[str, int]:
    """Runs the sounds below ``source`` through a chain into ``output``; both are URLs of fsspec, such as ``s3://bucket/clips``.

    Sounds are done in shards of about ``shard_bytes``: a shard is copied to a folder of this machine, done there, copied to its
    place, and committed by a ledger beside the results (``.auricle/SHARD.jsonl``) once all of it is there. A committed result is not
    done again, also by another process: when two do a shard at once, both write the same. The result is the number of files
    by what became of them.
    """
    read, root = fsspec.core.url_to_fs(source, **(storage_options or {}))
    write, target = fsspec.core.url_to_fs(output, **(storage_options or {}))
    root, target = root.rstrip("/"), target.rstrip("/")
    sizes = {path: int(about.get("size") or 0) for path, about in read.find(root, detail=True).items()
             if os.path.splitext(path)[1].lower() in _SOUNDS and not path.startswith(target + "/")}
    counts: dict[str, int] = {}
    shards = list(_shards(sizes, shard_bytes))
    for number, paths in enumerate(shards):
        request = json.dumps([words([], preset, units, "", options), [[path[len(root):], sizes[path]] for path in paths]])
        ledger = f"{target}/.auricle/{hashlib.sha256(request.encode()).hexdigest()[:24]}.jsonl"
        if write.exists(ledger):
            records = [parsed(line) for line in write.cat_file(ledger).splitlines()]
        else:
            records = _shard(read, write, root, target, ledger, paths, preset, units, options)
        for record in records:
            counts[record["status"]] = counts.get(record["status"], 0) + 1
        if progress is not None:
            progress(number + 1, len(shards))
    return counts


def _shards(sizes: dict[str, int], most: int) -> Iterator[list[str]]:
    shard: list[str] = []
    size = 0
    for path in sorted(sizes):
        if shard and size + sizes[path] > most:
            yield shard
            shard, size = [], 0
        shard.append(path)
        size += sizes[path]
    if shard:
        yield shard


def _shard(read: Any, write: Any, root: str, target: str, ledger: str, paths: list[str], preset: Any, units: Sequence[Any],
           options: dict[str, Any]) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="auricle-") as box:
        staged, made = os.path.join(box, "in"), os.path.join(box, "out")
        for path in paths:
            place = os.path.join(staged, os.path.relpath(path, root))
            os.makedirs(os.path.dirname(place), exist_ok=True)
            read.get_file(path, place)
        run: Run = process_here([staged], preset=preset, units=units, output=made, **options)
        records = run.records()
        for folder, _, names in os.walk(made):
            if ".auricle" in os.path.relpath(folder, made).split(os.sep):
                continue
            for name in names:
                here = os.path.join(folder, name)
                there = f"{target}/{os.path.relpath(here, made)}"
                write.makedirs(os.path.dirname(there), exist_ok=True)
                write.put_file(here, there)
        text = "".join(json.dumps(record) + "\n" for record in records)
        write.makedirs(os.path.dirname(ledger), exist_ok=True)
        write.pipe_file(ledger, text.replace(json.dumps(staged)[1:-1], root).replace(json.dumps(made)[1:-1], target).encode())
        return records
