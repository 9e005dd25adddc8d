"""Runs on Ray and over object stores; each is left out where its package is not. SPDX-License-Identifier: Apache-2.0"""
import pathlib
import threading

import numpy as np
import pytest

import auricle


@pytest.fixture
def sounds(tmp_path):
    rng = np.random.default_rng(3)
    (tmp_path / "in" / "sub").mkdir(parents=True)
    for index in range(12):
        with auricle.open(tmp_path / "in" / ("sub" if index % 2 else ".") / f"{index}.wav", "w", sample_rate=16_000) as file:
            file.write(rng.standard_normal(16_000 * (1 + index % 3)).astype(np.float32) * 0.1)
    return tmp_path / "in"


def results(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in pathlib.Path(folder).rglob("*.wav")}


UNITS = [auricle.Unit("aufx:mrev:appl"), auricle.Unit("aufx:lpas:appl", cutoff_frequency=3000)]


def test_a_store_gets_what_a_folder_gets(sounds, tmp_path):
    pytest.importorskip("fsspec")
    import auricle.stores
    auricle.process([sounds], units=UNITS, output=tmp_path / "whole")
    told = []
    for _ in range(2):
        counts = auricle.stores.process(f"file://{sounds}", output=f"file://{tmp_path}/out", units=UNITS, shard_bytes=200_000,
                                        progress=lambda done, count: told.append((done, count)))
        assert counts == {"done": 12}
    assert told[-1][0] == told[-1][1] > 2
    assert results(tmp_path / "out") == results(tmp_path / "whole")
    import fsspec
    store = fsspec.filesystem("memory")
    store.put(str(sounds) + "/", "/bucket/in/", recursive=True)
    assert auricle.stores.process("memory://bucket/in", output="memory://bucket/out", units=UNITS) == {"done": 12}
    wanted = results(tmp_path / "whole")
    assert all(store.cat_file(f"/bucket/out/{name}") == data for name, data in wanted.items())


def test_ray_gives_what_one_process_gives(sounds, tmp_path):
    pytest.importorskip("ray")
    import ray.cluster_utils

    import auricle.ray
    auricle.process([sounds], units=UNITS, output=tmp_path / "whole")
    cluster = ray.cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    lost = cluster.add_node(num_cpus=2)
    try:
        ray.init(address=cluster.address, log_to_driver=False)
        # A node goes while its tasks run.
        threading.Timer(1.5, lambda: cluster.remove_node(lost, allow_graceful=False)).start()
        told = []
        run = auricle.ray.process([sounds], units=UNITS, output=tmp_path / "out", shards=8,
                                  progress=lambda done, count: told.append(done))
        assert run.exit_code == 0 and run.verify() and run.counts["done"] == 12
        assert told == list(range(1, 9))
        assert results(tmp_path / "out") == results(tmp_path / "whole")
    finally:
        ray.shutdown()
        cluster.shutdown()
