"""Runs on a local cluster of Ray, whose nodes and workers are killed on the way. SPDX-License-Identifier: Apache-2.0"""
import concurrent.futures
import importlib.util
import os
import pathlib
import random
import signal
import subprocess
import time

import pytest
from conftest import UNITS, results

import auricle

pytest.importorskip("ray")


def children(process):
    return [int(pid) for pid in subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True).stdout.split()]


def kill_on_the_way(cluster, nodes, kills, is_alive):
    """Kills a node, a worker of Ray, or a shard that it has started, again and again; a new node comes for each that goes."""
    rng = random.Random(int(os.environ.get("AURICLE_SEED", 0)) or None)
    done = {"node": 0, "worker": 0, "shard": 0}
    while is_alive() and sum(done.values()) < kills:
        time.sleep(rng.uniform(0.05, 0.4))
        raylets = [info[0].process.pid for node in nodes for name, info in node.all_processes.items() if name == "raylet"]
        kind = rng.choice(list(done))
        try:
            workers = [pid for raylet in raylets for pid in children(raylet)
                       if b"auricle shard" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()]
            if kind == "node" and workers:
                # Its place is reserved first: a cluster without nodes would wait.
                nodes.append(cluster.add_node(num_cpus=1))
                cluster.remove_node(nodes.pop(0), allow_graceful=False)
            elif workers:
                found = workers if kind == "worker" else [pid for worker in workers for pid in children(worker)]
                os.kill(rng.choice(found), signal.SIGKILL)
            else:
                continue
            done[kind] += 1
        except (FileNotFoundError, IndexError, ProcessLookupError):
            continue
    return done


def test_progress_is_told_where_tqdm_is_missing(monkeypatch, capsys):
    import auricle.ray
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    bar = auricle.ray._bar(2)
    bar.update(1)
    bar.close()
    assert capsys.readouterr().err == "shards: 1 of 2 done\n"


def test_ray_gives_what_one_process_gives_whatever_is_killed(sounds, whole, tmp_path):
    import ray
    import ray.cluster_utils

    import auricle.ray
    cluster = ray.cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
    count, told = int(os.environ.get("AURICLE_SHARDS", 8)), []
    try:
        ray.init(address=cluster.address, log_to_driver=False)
        began = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor() as pool:
            # Nodes are added by the main thread only.
            asked = pool.submit(auricle.ray.process, [sounds], units=UNITS, output=tmp_path / "out", shards=count,
                                progress=lambda done, count: told.append(done))
            killed = kill_on_the_way(cluster, nodes, int(os.environ.get("AURICLE_KILLS", 3)), lambda: not asked.done())
            run = asked.result()
        print(f"{len(whole)} files in {count} shards by Ray in {time.monotonic() - began:.1f} s, killed {killed}")
        assert run.exit_code == 0 and run.verify() and run.counts["done"] == len(whole)
        assert [record["index"] for record in run.records()] == list(range(len(whole)))
        assert told == list(range(1, count + 1))
        assert results(tmp_path / "out") == whole
    finally:
        ray.shutdown()
        cluster.shutdown()
