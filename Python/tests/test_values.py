"""Values of NumPy's own kinds, in every function that takes values. SPDX-License-Identifier: Apache-2.0"""
import decimal
import fractions
import pathlib

import numpy as np
import pytest

import auricle
from auricle._values import option_words, plain, text

NUMBERS = [np.float16(80), np.float32(80), np.float64(80), np.longdouble(80), np.int8(80), np.uint16(80), np.int64(80),
           np.array(80), np.array(80.0, dtype=np.float32), decimal.Decimal(80), fractions.Fraction(80)]


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: f"{type(number).__name__}-{getattr(number, 'dtype', '')}")
def test_a_number_of_any_kind_is_a_number(number):
    assert plain(number) == 80 and type(plain(number)) in (int, float)
    assert float(text(number)) == 80


def test_a_number_keeps_the_digits_of_its_precision():
    assert plain(np.float32(0.1)) == 0.1 and text(np.float32(-16.3)) == "-16.3"


def test_truth_values_texts_lists_and_paths():
    assert plain(np.bool_(True)) is True and text(np.bool_(False)) == "false" and text(True) == "true"
    assert plain(np.str_("hall")) == "hall" and plain(pathlib.Path("a/b")) == "a/b"
    assert plain({"gain": [np.float32(1), (np.int8(2), np.arange(2))]}) == {"gain": [1.0, [2, [0, 1]]]}
    assert option_words({"dual_mono": np.bool_(True), "seed": np.int64(7), "track": None, "resume": np.bool_(False)}) == [
        "--dual-mono", "--seed", "7"]
    with pytest.raises(auricle.UsageError, match="is no text, number"):
        plain(object())


def test_chains_take_them_everywhere(noise):
    def made(kind, whole):
        unit = auricle.Unit("aufx:hpas:appl", {"resonance": kind(3)}, cutoff_frequency=kind(80), mix=kind(0.5))
        chain = auricle.Chain([unit], tail=kind(0.5), loudness=kind(-20), true_peak=kind(-1), output_rate=kind(44_100),
                              seed=whole(3), stall_limit=kind(10))
        try:
            return chain(noise, whole(48_000), variant=whole(1), key="a")
        finally:
            chain.close()

    wanted = made(float, int)
    for kind, whole in ((np.float32, np.int64), (np.float64, np.uint32), (np.array, np.array)):
        np.testing.assert_array_equal(made(kind, whole), wanted)


def test_presets_as_dicts_and_streams_take_them(noise):
    preset = {"auricle": np.int64(1), "name": np.str_("P"),
              "units": [{"unit": "aufx:hpas:appl", "parameters": {"cutoff frequency": np.float32(80)}}]}
    chain = auricle.Chain(preset)
    with chain.open_stream(np.float32(48_000), np.int64(2), np.int32(512)) as stream:
        stream.set("cutoff frequency", np.float32(200), unit=np.int64(0), frame=np.int64(100))
        assert stream(noise).shape == noise.shape
    chain.close()


def test_files_runs_and_plots_take_them(tmp_path, noise):
    with auricle.open(tmp_path / "a.mp3", "w", sample_rate=np.int64(48_000), bit_rate=np.int64(192_000)) as file:
        file.write(noise)
    with auricle.open(tmp_path / "a.mp3") as file:
        assert file.read(np.int64(10)).shape == (2, 10)
    run = auricle.process([tmp_path / "a.mp3"], output=tmp_path / "out", container="wav", loudness=np.float32(-20),
                          units=[auricle.Unit("aufx:hpas:appl", cutoff_frequency=np.float32(80))], jobs=np.int64(1))
    assert run.counts["done"] == 1
    assert auricle.plot(auricle.Unit("aufx:hpas:appl", cutoff_frequency=np.array(80.0)))


def test_names_that_are_no_utf8_are_names(tmp_path, noise):
    import os

    folder = os.fsencode(tmp_path)
    name = b"caf\xe9-\xf4\x8f\xbe\x80.wav"
    with auricle.open(os.path.join(folder, name), "w", sample_rate=48_000) as file:
        file.write(noise)
    events = []
    run = auricle.process(os.path.join(folder, name), output=os.path.join(folder, b"out\xff"), loudness=-20,
                          progress=events.append)
    assert run.counts["done"] == 1 and run.verify()
    assert os.listdir(os.path.join(folder, b"out\xff")).count(name) == 1
    record = run.records()[0]
    assert os.fsencode(record["output"]["path"]) == os.path.join(folder, b"out\xff", name)
    assert any(os.fsencode(event.get("input", {}).get("path", "")).endswith(name) for event in events)
    assert auricle.open(os.path.join(folder, name)).frames == noise.shape[1]
