"""Runs on a cluster of Ray: one task a shard. ``import auricle.ray`` needs the package ``ray``.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import ray as _ray
from ray.experimental import tqdm_ray

from ._program import call
from ._runs import Run
from ._shards import ShardAgain, do_shard, plan


def process(inputs: Sequence[str | os.PathLike[str]] | str, *, output: str | os.PathLike[str],
            preset: str | os.PathLike[str] | None = None, units: Sequence[Any] = (), shards: int | None = None,
            jobs: int = 1, retries: int = 20, progress: Callable[[int, int], Any] | bool | None = None, **options: Any) -> Run:
    """Runs files through a chain as ``auricle.process`` does, a task of Ray for each shard, on all nodes of the cluster.

    All nodes see the same folders and have the same package. A task that is lost with its node, or cut off, is run again up to
    ``retries`` times; a run that was cut off goes on when it is asked for again. ``jobs`` are the CPUs of a task, ``progress`` is called
    with the numbers of shards that are done and that there are; True shows Ray's own bar, or lines where ``tqdm`` is missing.
    """
    if not _ray.is_initialized():
        _ray.init()
    place = os.path.abspath(output)
    paths = [inputs] if isinstance(inputs, (str, os.PathLike)) else list(inputs)
    count = shards or max(1, 4 * int(_ray.cluster_resources().get("CPU", 1)) // jobs)
    made = plan([os.path.abspath(path) for path in paths], place, preset, units, count, options)
    # A shard may run twice at once, so a task that is lost is simply run again.
    task: Any = _ray.remote(num_cpus=jobs, max_retries=retries, retry_exceptions=[ShardAgain])(do_shard)  # type: ignore[call-overload]
    named = os.environ.get("AURICLE_PROGRAM")
    left = [task.options(name=f"auricle shard {shard['index']}").remote(place, shard["index"], jobs, named)
            for shard in made["shards"]]
    total, code = len(left), 0
    bar: Any = _bar(total) if progress is True else None
    while left:
        ready, left = _ray.wait(left, num_returns=1)
        try:
            code = max(code, *_ray.get(ready))
        except BaseException:
            for one in left:
                _ray.cancel(one)
            raise
        if bar is not None:
            bar.update(1)
        elif callable(progress):
            progress(total - len(left), total)
    if bar is not None:
        bar.close()
    call(["merge", place])
    run = Run(place)
    run.exit_code = 1 if code or run.counts.get("failed", 0) or run.counts.get("quarantined", 0) else 0
    return run


class _Lines:
    """Progress as lines, for where Ray's bar shows nothing."""

    def __init__(self, total: int) -> None:
        self.done, self.total = 0, total

    def update(self, count: int) -> None:
        self.done += count
        print(f"shards: {self.done} of {self.total} done", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Nothing is left open."""


def _bar(total: int) -> Any:
    return tqdm_ray.tqdm(total=total, desc="shards") if importlib.util.find_spec("tqdm") else _Lines(total)
