"""LV2 plug-ins that crash, hang, make values that are not numbers, or report their latency late. SPDX-License-Identifier: Apache-2.0"""
import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import time
import uuid

import numpy as np
import pytest
from conftest import LIMIT

import auricle

URI = "urn:test:python:hostile"

SOURCE = """
#include <lv2/core/lv2.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct { float *ports[4]; long done; } Hostile;

static LV2_Handle instantiate(const LV2_Descriptor *d, double rate, const char *path, const LV2_Feature *const *features) {
  (void)d; (void)rate; (void)path; (void)features;
  return calloc(1, sizeof(Hostile));
}
static void connect_port(LV2_Handle handle, uint32_t port, void *data) { ((Hostile *)handle)->ports[port] = data; }
static void run(LV2_Handle handle, uint32_t frames) {
  float **ports = ((Hostile *)handle)->ports;
  const int mode = (int)*ports[2];
  if (mode == 1) abort();
  if (mode == 8) *(volatile int *)8 = 1;
  for (volatile int waits = mode == 2; waits;) {}
  // Into every descriptor: what is no JSON, an object that is no answer, and a list.
  const char *foreign[] = {"nothing\\n", "{\\"a\\":1}\\n", "[1]\\n"};
  for (int file = 0; mode >= 5 && mode <= 7 && file < 64; file++) (void)!write(file, foreign[mode - 5], strlen(foreign[mode - 5]));
  ((Hostile *)handle)->done += frames;
  *ports[3] = mode == 4 && ((Hostile *)handle)->done > 200000 ? 480 : 0;
  for (uint32_t i = 0; i < frames; i++) ports[1][i] = mode == 3 ? NAN : ports[0][i];
}
static const LV2_Descriptor descriptor = {"urn:test:python:hostile", instantiate, connect_port, NULL, run, NULL, free, NULL};
const LV2_Descriptor *lv2_descriptor(uint32_t index) { return index == 0 ? &descriptor : NULL; }
"""

MANIFEST = """@prefix lv2: <http://lv2plug.in/ns/lv2core#> .
@prefix doap: <http://usefulinc.com/ns/doap#> .
<urn:test:python:hostile> a lv2:Plugin ; lv2:binary <hostile.so> ; doap:name "Hostile" ;
  lv2:port
    [ a lv2:InputPort, lv2:AudioPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "in" ],
    [ a lv2:OutputPort, lv2:AudioPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "out" ],
    [ a lv2:InputPort, lv2:ControlPort ; lv2:index 2 ; lv2:symbol "mode" ; lv2:name "mode" ;
      lv2:default 0 ; lv2:minimum 0 ; lv2:maximum 8 ; lv2:portProperty lv2:integer ],
    [ a lv2:OutputPort, lv2:ControlPort ; lv2:index 3 ; lv2:symbol "late" ; lv2:name "late" ;
      lv2:designation lv2:latency ; lv2:portProperty lv2:reportsLatency, lv2:integer ] .
"""


@pytest.fixture
def hostile(tmp_path, monkeypatch):
    """Makes a chain of the plug-in in a mode."""
    bundle = tmp_path / "lv2" / "hostile.lv2"
    bundle.mkdir(parents=True)
    (bundle / "hostile.c").write_text(SOURCE)
    (bundle / "manifest.ttl").write_text(MANIFEST)
    compiler = shutil.which("cc")
    command = [compiler, "-shared", "-fPIC", "-o", bundle / "hostile.so", bundle / "hostile.c"]
    if compiler is None or subprocess.run(command, capture_output=True).returncode != 0:
        pytest.skip("there is no C compiler, or no header of LV2 (lv2-dev)")
    monkeypatch.setenv("LV2_PATH", str(tmp_path / "lv2"))
    chains = []

    def make(mode):
        chains.append(auricle.Chain([URI, auricle.Unit(URI, mode=mode)], tail="keep-length", stall_limit=1))
        return chains[-1]
    yield make
    for chain in chains:
        chain.close()


def test_an_lv2_plugin_is_a_unit_by_its_uri(hostile, noise):
    np.testing.assert_array_equal(hostile(0)(noise, 48_000), noise)


@pytest.mark.parametrize("mode, kind", [(1, auricle.UnitCrashed), (2, auricle.UnitHung), (3, auricle.UnitError)])
def test_what_a_plugin_does_wrong_is_an_exception_and_the_next_call_works(hostile, noise, mode, kind):
    good, bad = hostile(0), hostile(mode)
    for _ in range(2):
        with pytest.raises(kind):
            bad(noise, 48_000)
        np.testing.assert_array_equal(good(noise, 48_000), noise)


@pytest.mark.parametrize("mode", [5, 6, 7])
def test_a_plugin_that_writes_into_all_descriptors_is_an_exception_of_the_package(hostile, noise, mode):
    good, bad = hostile(0), hostile(mode)
    for _ in range(2):
        with pytest.raises(auricle.AuricleError):
            bad(noise, 48_000)
        np.testing.assert_array_equal(good(noise, 48_000), noise)


def _marked(mark):
    """The processes with a mark in their environment, and their ticks of processor time."""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() not in (folder / "environ").read_bytes():
                continue
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if fields[0] != "Z":
            found[int(folder.name)] = int(fields[11])
    return found


def _until(condition):
    deadline = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("handle", ["", "import auricle._worker; auricle._worker._own_handle = lambda: -1\n"])
def test_a_worker_whose_plugin_hangs_ends_with_a_program_that_is_killed(hostile, tmp_path, handle):
    """Also on kernels and Pythons without handles of processes, where standard input ends."""
    script = tmp_path / "hang.py"
    script.write_text(
        f"import auricle, numpy\n{handle}"
        f"chain = auricle.Chain([auricle.Unit({URI!r}, mode=2)], stall_limit=600)\n"
        "chain(numpy.zeros((1, 4800), numpy.float32), 48_000)\n")
    mark = uuid.uuid4().hex
    program = subprocess.Popen([sys.executable, script], env={**os.environ, "AURICLE_TEST_MARK": mark})
    try:
        # A second of the processor: the plug-in is at work.
        _until(lambda: any(ticks > 100 for number, ticks in _marked(mark).items() if number != program.pid))
    finally:
        program.kill()
        program.wait()
    _until(lambda: not _marked(mark))


def test_a_latency_that_is_told_late_counts_from_the_beginning(hostile):
    sound = (np.random.default_rng(5).standard_normal((2, 300_000)) * 0.1).astype(np.float32)
    chain = hostile(4)
    for _ in range(2):
        made = chain(sound, 48_000)
        np.testing.assert_array_equal(made[:, :290_000], sound[:, 480:290_480])


def test_a_crash_has_the_function_that_it_happened_in(hostile, noise):
    for mode, name in ((1, "SIGABRT"), (8, "SIGSEGV")):
        with pytest.raises(auricle.UnitCrashed) as caught:
            hostile(mode)(noise, 48_000)
        assert (caught.value.signal, caught.value.place) == (name, "in the function run of hostile.so")
        assert f"({name} in the function run of hostile.so)" in str(caught.value)
        assert pickle.loads(pickle.dumps(caught.value)).place == caught.value.place


def test_a_stream_ends_with_its_plugin(hostile, noise):
    with hostile(0).open_stream(48_000, 2) as stream:
        np.testing.assert_array_equal(stream(noise[:, :512]), noise[:, :512])
        stream.set("mode", 1, unit=1, frame=100)
        with pytest.raises(auricle.UnitCrashed) as caught:
            stream(noise[:, :512])
        assert caught.value.signal == "SIGABRT"
