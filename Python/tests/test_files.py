"""Files, what is installed, and runs. SPDX-License-Identifier: Apache-2.0"""
import numpy as np
import pytest

import auricle


def test_units_are_what_is_installed():
    found = auricle.units("aufx", search="low-pass")
    assert "aufx:lpas:appl" in [unit.id for unit in found]
    parameters = next(unit for unit in found if unit.id == "aufx:lpas:appl").parameters()
    assert parameters[0].name == "cutoff frequency" and parameters[0].minimum == 10


def test_a_file_is_written_whole_or_not_at_all(tmp_path, noise):
    with auricle.open(tmp_path / "a.flac", "w", sample_rate=44_100, encoding="pcm24") as file:
        file.write(noise[:, :1000])
        file.write(noise[:, 1000:])
    with auricle.open(tmp_path / "a.flac") as file:
        assert (file.sample_rate, file.channels, file.frames) == (44_100, 2, 24_000)
        first, rest = file.read(100), file.read()
    np.testing.assert_allclose(np.concatenate([first, rest], axis=1), noise, atol=2.0 ** -23)
    with pytest.raises(RuntimeError):
        with auricle.open(tmp_path / "b.wav", "w", sample_rate=44_100) as file:
            file.write(noise)
            raise RuntimeError
    assert not (tmp_path / "b.wav").exists()
    with pytest.raises(auricle.AuricleError):
        auricle.open(tmp_path / "none.wav")


def test_a_file_without_frames_is_refused_by_its_own_name(tmp_path):
    for shape in ((2, 0), (0,)):
        with pytest.raises(auricle.UsageError, match="no frames were written to .*e.wav"):
            with auricle.open(tmp_path / "e.wav", "w", sample_rate=48_000) as file:
                file.write(np.zeros(shape, np.float32))
    with pytest.raises(auricle.AuricleError) as caught:
        with auricle.open(tmp_path / "e.nonsense", "w", sample_rate=48_000) as file:
            file.write(np.zeros((1, 10), np.float32))
    assert "/tmp/tmp" not in str(caught.value) and not isinstance(caught.value, auricle.PresetError)


def test_what_the_program_cannot_answer_is_an_exception_of_the_package(tmp_path, monkeypatch):
    fake = tmp_path / "auricle"
    for answer in ("", "no json", "[" * 100_000):
        (tmp_path / "answer").write_text(answer)
        fake.write_text(f'#!/bin/sh\ncat "{tmp_path}/answer"\n')
        fake.chmod(0o755)
        monkeypatch.setenv("AURICLE_PROGRAM", str(fake))
        with pytest.raises(auricle.AuricleError):
            auricle.units()
        with pytest.raises(auricle.AuricleError):
            auricle.Chain("telephone")(np.zeros((1, 100), np.float32), 48_000)
    monkeypatch.setenv("AURICLE_PROGRAM", str(tmp_path / "missing"))
    with pytest.raises(auricle.AuricleError, match="cannot start"):
        auricle.units()
    with pytest.raises(auricle.AuricleError, match="cannot start"):
        auricle.Chain("telephone")(np.zeros((1, 100), np.float32), 48_000)


def test_a_run_accounts_for_every_file(tmp_path, noise):
    (tmp_path / "in").mkdir()
    for index in range(3):
        with auricle.open(tmp_path / "in" / f"{index}.wav", "w", sample_rate=48_000) as file:
            file.write(noise * (index + 1))
    (tmp_path / "in" / "bad.wav").write_bytes(b"RIFF\0\0\0\0WAVEjunk")
    events = []
    run = auricle.process([tmp_path / "in"], units=[auricle.Unit("aufx:lpas:appl", cutoff_frequency=900)],
                          output=tmp_path / "out", jobs=2, progress=events.append)
    assert run.exit_code == 1
    assert (run.counts["done"], run.counts["failed"]) == (3, 1)
    assert {event["event"] for event in events} >= {"run", "file", "summary"}
    assert len(run.records()) == 4 and len(run.table()) == 4 and run.verify()
    with pytest.raises(auricle.AuricleError):
        auricle.process([tmp_path / "in"], preset="nonsuch", output=tmp_path / "other")
