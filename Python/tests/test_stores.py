"""Runs over object stores: in memory, and a local server of S3. SPDX-License-Identifier: Apache-2.0"""
import json
import multiprocessing
import os
import signal
import time

import pytest
from conftest import LIMIT, UNITS, results

pytest.importorskip("fsspec")

import auricle.stores  # noqa: E402


def test_a_store_gets_what_a_folder_gets(sounds, whole, tmp_path):
    told = []
    for _ in range(2):
        counts = auricle.stores.process(f"file://{sounds}", output=f"file://{tmp_path}/out", units=UNITS, shard_bytes=200_000,
                                        progress=lambda done, count: told.append((done, count)))
        assert counts == {"done": len(whole)}
    assert told[-1][0] == told[-1][1] > 2
    assert results(tmp_path / "out") == whole
    import fsspec
    store = fsspec.filesystem("memory")
    store.put(str(sounds) + "/", "/bucket/in/", recursive=True)
    assert auricle.stores.process("memory://bucket/in", output="memory://bucket/out", units=UNITS) == {"done": len(whole)}
    assert all(store.cat_file(f"/bucket/out/{name}") == data for name, data in whole.items())


@pytest.fixture
def bucket(sounds, monkeypatch):
    """A bucket of a local server of S3 that holds the sounds: the file system, and the options that lead to it."""
    pytest.importorskip("s3fs")
    server = pytest.importorskip("moto.server").ThreadedMotoServer(port=0, verbose=False)
    for name, value in (("AWS_ACCESS_KEY_ID", "key"), ("AWS_SECRET_ACCESS_KEY", "word"), ("AWS_DEFAULT_REGION", "us-east-1")):
        monkeypatch.setenv(name, value)
    server.start()
    host, port = server.get_host_and_port()
    options = {"endpoint_url": f"http://{host}:{port}", "use_listings_cache": False, "skip_instance_cache": True}
    import s3fs
    store = s3fs.S3FileSystem(**options)
    store.mkdir("bucket")
    store.put(str(sounds) + "/", "bucket/in/", recursive=True)
    yield store, options
    server.stop()


def _process(options):
    auricle.stores.process("s3://bucket/in", output="s3://bucket/out", units=UNITS, shard_bytes=100_000, storage_options=options)


def test_s3_gets_what_a_folder_gets_through_kills_and_by_two_at_once(bucket, whole):
    store, options = bucket
    context = multiprocessing.get_context("spawn")
    # The first is killed once it has committed a shard; then two do the rest at once.
    first = context.Process(target=_process, args=(options,))
    first.start()
    until = time.monotonic() + LIMIT
    while not store.exists("bucket/out/.auricle") or not store.ls("bucket/out/.auricle"):
        assert time.monotonic() < until and first.exitcode is None
        time.sleep(0.02)
    os.kill(first.pid, signal.SIGKILL)
    first.join()
    committed = {name: store.info(name)["LastModified"] for name in store.ls("bucket/out/.auricle")}
    pair = [context.Process(target=_process, args=(options,)) for _ in range(2)]
    for process in pair:
        process.start()
    for process in pair:
        process.join()
        assert process.exitcode == 0
    assert all(store.info(name)["LastModified"] == when for name, when in committed.items()), "a shard was done again"
    ledgers = store.ls("bucket/out/.auricle")
    records = [json.loads(line) for name in ledgers for line in store.cat_file(name).splitlines()]
    assert len(ledgers) > 2 and len(records) == len(whole) and all(record["status"] == "done" for record in records)
    made = {name.removeprefix("bucket/out/"): store.cat_file(name) for name in store.find("bucket/out") if name.endswith(".wav")}
    assert made == whole
