"""Chains for arrays: as the command line does them, through crashes, forks, pickles and threads.

SPDX-License-Identifier: Apache-2.0
"""
import multiprocessing
import os
import pickle
import signal
import subprocess
import threading

import numpy as np
import pytest
from conftest import LIMIT

import auricle


def test_the_result_is_that_of_the_command_line(tmp_path, noise):
    with auricle.open(tmp_path / "in.wav", "w", sample_rate=48_000, encoding="float32") as file:
        file.write(noise)
    with auricle.open(tmp_path / "in.wav") as file:
        np.testing.assert_array_equal(file.read(), noise)
    for preset in ("podcast-voice", "hall-large"):
        subprocess.run([auricle.program(), "process", "--preset", preset, "--output-file", tmp_path / f"{preset}.wav",
                        tmp_path / "in.wav", "--quiet"], check=True)
        with auricle.open(tmp_path / f"{preset}.wav") as file:
            wanted = file.read()
        chain = auricle.Chain(preset)
        for _ in range(2):
            np.testing.assert_array_equal(chain(noise, 48_000), wanted)
        chain.close()


def test_sounds_in_place_and_as_files_are_the_same(noise):
    units = [auricle.Unit("aufx:hpas:appl"), auricle.Unit("aufx:rvb2:appl", {"dry/wet mix": 30}), auricle.Unit("aufx:lmtr:appl")]
    for tail in ("auto", "none", "keep-length", 0.25):
        for latency in ("compensate", "keep"):
            in_place, as_file = auricle.Chain(units, tail=tail, latency=latency), auricle.Chain(units, tail=tail, latency=latency)
            as_file._as_files.update(range(65))
            for frames in (1, 480, noise.shape[1]):
                np.testing.assert_array_equal(in_place(noise[:, :frames], 48_000), as_file(noise[:, :frames], 48_000))
            assert not in_place._as_files


@pytest.mark.parametrize("unit", ["aufx:rvb2:appl", "aufx:dely:appl", "aufx:dcmp:appl", "aufx:lmtr:appl", "aufx:dist:appl", "aufx:tmpt:appl"])
def test_each_of_many_short_sounds_is_as_the_first(noise, unit):
    # Behind a number of sounds a chain is reset, and not made anew.
    chain = auricle.Chain([unit])
    sounds = [noise[:, :frames] for frames in (480, 37, 2048)]
    first = [chain(sound, 48_000) for sound in sounds]
    for _ in range(16):
        for sound, wanted in zip(sounds, first):
            np.testing.assert_array_equal(chain(sound, 48_000), wanted)
    # Another format begins anew.
    np.testing.assert_array_equal(chain(sounds[0][:1], 44_100), auricle.Chain([unit])(sounds[0][:1], 44_100))
    chain.close()


def test_samples_that_are_no_numbers_are_refused_once(low_pass, noise):
    broken = noise.copy()
    broken[0, 7] = np.nan
    with pytest.raises(auricle.AuricleError):
        low_pass(broken, 48_000)
    assert low_pass(noise, 48_000).shape[0] == noise.shape[0]


def test_a_low_pass_takes_what_is_high(low_pass):
    time = np.arange(48_000) / 48_000
    for frequency, least, most in ((100, 0.98, 1.02), (8000, 0, 0.05)):
        made = low_pass(np.sin(2 * np.pi * frequency * time), sample_rate=48_000)
        assert made.ndim == 1 and made.dtype == np.float32
        assert least <= np.abs(made[10_000:40_000]).max() <= most


def test_layouts_and_types_of_arrays_are_taken_as_they_are(low_pass, noise):
    wanted = low_pass(noise, 48_000)
    for array in (np.asfortranarray(noise), noise.astype(np.float64), np.repeat(noise, 2, axis=1)[:, ::2], noise.tolist()):
        np.testing.assert_array_equal(low_pass(array, 48_000), wanted)
    assert low_pass(noise[:, :0], 48_000).shape == (2, 0)
    for bad in (np.zeros((2, 3), dtype=np.int16), np.zeros((2, 3, 4)), np.zeros((48_000, 2))):
        with pytest.raises(auricle.UsageError):
            low_pass(bad, 48_000)
    with pytest.raises(auricle.InputError):
        low_pass(np.full((1, 100), np.nan), 48_000)
    np.testing.assert_array_equal(low_pass(noise, 48_000), wanted)


def test_what_is_wrong_with_a_chain_is_told(noise):
    with pytest.raises(auricle.PresetError, match="cutoff frequency"):
        auricle.Chain([auricle.Unit("aufx:lpas:appl", cutof=2)])(noise, 48_000)
    with pytest.raises(auricle.PresetError, match="podcast-voice"):
        auricle.Chain("podcast-voic")(noise, 48_000)
    with pytest.raises(auricle.PresetError, match="nonsuch.*auricle preset list"):
        auricle.Chain("nonsuch")(noise, 48_000)


def test_a_crash_is_an_exception_and_the_next_call_works(low_pass, noise):
    wanted = low_pass(noise, 48_000)
    process = low_pass._worker.process
    os.kill(process.pid, signal.SIGSTOP)
    threading.Timer(0.2, process.kill).start()
    with pytest.raises(auricle.UnitCrashed) as caught:
        low_pass(noise, 48_000)
    assert caught.value.signal == "SIGKILL" and caught.value.unit
    assert pickle.loads(pickle.dumps(caught.value)).signal == "SIGKILL"
    np.testing.assert_array_equal(low_pass(noise, 48_000), wanted)


def test_a_unit_without_a_sign_of_life_is_given_up(noise):
    chain = auricle.Chain([auricle.Unit("aufx:lpas:appl")], stall_limit=1)
    chain(noise, 48_000)
    os.kill(chain._worker.process.pid, signal.SIGSTOP)
    with pytest.raises(auricle.UnitHung):
        chain(noise, 48_000)
    assert chain(noise, 48_000).shape[0] == 2


def test_a_chain_is_pickled_as_what_it_is_made_of(low_pass, noise):
    again = pickle.loads(pickle.dumps(low_pass))
    np.testing.assert_array_equal(again(noise, 48_000), low_pass(noise, 48_000))


def _in_child(chain, noise, queue):
    queue.put(chain(noise, 48_000))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_chain_works_in_a_child_and_here_at_once(low_pass, noise, method):
    wanted = low_pass(noise, 48_000)
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    children = [context.Process(target=_in_child, args=(low_pass, noise, queue)) for _ in range(2)]
    for child in children:
        child.start()
    np.testing.assert_array_equal(low_pass(noise, 48_000), wanted)
    for _ in children:
        np.testing.assert_array_equal(queue.get(timeout=LIMIT), wanted)
    for child in children:
        child.join()


def test_threads_take_turns(low_pass, noise):
    wanted = low_pass(noise, 48_000)
    made = []
    threads = [threading.Thread(target=lambda: made.append(low_pass(noise, 48_000))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 4 and all(np.array_equal(one, wanted) for one in made)


def test_an_offline_unit_has_the_whole_array(noise):
    chain = auricle.Chain([auricle.Unit("auol:revs:Auri")])
    assert np.array_equal(chain(noise, 48000), noise[:, ::-1])
    assert np.array_equal(chain(noise[:, :999], 48000), noise[:, :999][:, ::-1])
    with pytest.raises(auricle.AuricleError, match="works on a whole sound"):
        next(chain.stream([noise[:, :100]], 48000))


def test_a_stream_keeps_its_state(low_pass, noise):
    whole = low_pass(noise, 48_000)[:, :noise.shape[1]]
    for size in (64, 1000, 7001):
        blocks = [noise[:, start:start + size] for start in range(0, noise.shape[1], size)]
        joined = np.concatenate(list(low_pass.stream(blocks, 48_000)), axis=1)
        np.testing.assert_allclose(joined, whole, atol=1e-6)


def test_a_stream_brings_sound_to_the_loudness_that_a_preset_expects():
    preset = {"auricle": 1, "name": "x", "input": {"loudness": "-20 LUFS"},
              "units": [{"unit": "aufx:lpas:appl", "parameters": {"cutoff frequency": "20 kHz"}}]}
    # A sine in both channels is as loud as its amplitude in dB.
    tone = 10 ** (-38 / 20) * np.sin(2 * np.pi * 997 * np.arange(48_000 * 12) / 48_000)
    chain = auricle.Chain(preset, tail="none")
    with chain.open_stream(48_000, channels=2) as stream:
        assert len(stream.stages) == 1
        made = stream(np.stack([tone, tone]))
        stream.set("cutoff frequency", "200 Hz", unit=0)
        low = stream(np.stack([tone, tone]))
    for sound in (made, chain(np.stack([tone, tone]), 48_000)):
        level = 20 * np.log10(np.sqrt(2 * np.mean(sound[0, -24_000:] ** 2)))
        assert abs(level + 20) < 0.7
    assert np.abs(low[:, -24_000:]).max() < 0.02
    chain.close()


def test_blocks_with_and_without_changes_follow_each_other(low_pass, noise):
    with low_pass.open_stream(48_000, noise.shape[0], 512) as stream, low_pass.open_stream(48_000, noise.shape[0], 512) as other:
        # One asks through shared memory, the other by lines alone.
        other._worker.ask({"op": "open", "rate": 48_000.0, "channels": noise.shape[0], "frames": 512, "handOver": False})
        other._worker.hand_over = None
        other._memory = np.frombuffer(other._worker.write(2, other._worker._maps[2].size()), dtype="<f4",
                                      count=noise.shape[0] * 512).reshape(noise.shape[0], 512)
        for index, start in enumerate(range(0, 8192, 512)):
            if index % 3 == 1:
                for each in (stream, other):
                    each.set("cutoff frequency", 500 + 100 * index, frame=100)
            block = noise[:, start:start + 512]
            np.testing.assert_array_equal(stream(block), other(block))


def test_a_parameter_changes_at_its_frame(low_pass):
    time = np.arange(8192) / 48_000
    tone = np.sin(2 * np.pi * 5000 * time)
    with low_pass.open_stream(48_000, 1) as stream:
        assert len(stream.stages) == 1 and stream.latency == 0
        low = stream(tone)
        stream.set("cutoff frequency", "20 kHz", frame=4096)
        both = stream(tone)
        with pytest.raises(auricle.AuricleError, match="did you mean"):
            stream.set("cutof frequency", 3)
            stream(tone)
    assert np.abs(low[4096:]).max() < 0.1
    assert np.abs(both[500:4096]).max() < 0.1 < 0.8 < np.abs(both[6000:]).max()
