"""The command of the package, and its functions for single files. SPDX-License-Identifier: Apache-2.0"""
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from conftest import song

import auricle

SOURCE = str(pathlib.Path(auricle.__file__).parents[1])


def python(*words, **variables):
    """Runs Python with the package, and with these variables."""
    environment = {**os.environ, "PYTHONPATH": SOURCE, **variables}
    return subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, check=False)


def test_the_command_is_the_program():
    done = python("-m", "auricle", "--version", AURICLE_PROGRAM=auricle.program())
    assert (done.returncode, done.stdout) == (0, f"auricle {auricle.__version__}\n")
    assert python("-m", "auricle", "no-such-command", AURICLE_PROGRAM=auricle.program()).returncode == 64


def test_the_command_does_not_start_itself(tmp_path):
    entry = tmp_path / "auricle"
    entry.write_text(f"#!{sys.executable}\nimport sys\nfrom auricle.__main__ import main\nsys.exit(main())\n")
    entry.chmod(0o755)
    done = python("-m", "auricle", "list", AURICLE_PROGRAM=str(entry))
    assert done.returncode == 64 and "which starts AURICLE_PROGRAM" in done.stderr
    if "_tree" not in auricle.program():
        done = python("-m", "auricle", "list", AURICLE_PROGRAM="", PATH=str(tmp_path))
        assert done.returncode == 69 and "there is no program auricle" in done.stderr


def test_files_need_no_numpy(sounds):
    done = python("-c", "import auricle, sys; auricle.units('aufx'); auricle.Unit('aufx:lpas:appl').entry(); "
                  "assert 'numpy' not in sys.modules", AURICLE_PROGRAM=auricle.program())
    assert done.returncode == 0, done.stderr


def test_measure(sounds):
    one = auricle.measure(sounds / "0.wav")
    assert one["path"] == str(sounds / "0.wav") and one["frames"] == 16_000 and one["peakDecibels"] < 0
    both = auricle.measure([sounds / "0.wav", str(sounds / "sub" / "1.wav")])
    assert both[0] == one and [found["frames"] for found in both] == [16_000, 32_000]
    assert auricle.measure([]) == []
    with pytest.raises(auricle.InputError, match="nowhere"):
        auricle.measure(sounds / "nowhere.wav")


def test_convert(sounds, tmp_path):
    made = auricle.convert(sounds / "0.wav", tmp_path / "made.flac", encoding="pcm24")
    assert made == str(tmp_path / "made.flac") and auricle.measure(made)["frames"] == 16_000
    with pytest.raises(auricle.AuricleError, match="exists"):
        auricle.convert(sounds / "0.wav", tmp_path / "made.flac")
    (tmp_path / "flac").mkdir()
    run = auricle.convert([sounds], tmp_path / "flac", container="flac")
    assert run.counts["done"] == 12 and run.verify()
    (tmp_path / "text.wav").write_text("no sound")
    with pytest.raises(auricle.AuricleError, match="text.wav"):
        auricle.convert(tmp_path / "text.wav", tmp_path / "text.flac")


def test_render(tmp_path):
    (tmp_path / "song.mid").write_bytes(song())
    made = auricle.render(tmp_path / "song.mid", tmp_path / "song.wav", units=["aumu:samp:appl"], sample_rate=16_000)
    assert made == str(tmp_path / "song.wav") and auricle.measure(made)["frames"] > 0
    with pytest.raises(auricle.InputError):
        auricle.render(tmp_path / "nothing.mid", tmp_path / "nothing.wav", units=["aumu:samp:appl"])


def test_notes_are_no_sound(tmp_path):
    (tmp_path / "song.mid").write_bytes(song())
    with pytest.raises(auricle.InputError, match="MIDI file"):
        auricle.measure(tmp_path / "song.mid")
    with pytest.raises(auricle.InputError, match="MIDI file"):
        auricle.convert(tmp_path / "song.mid", tmp_path / "song.flac")


def test_say(tmp_path):
    try:
        made = auricle.say("-1 degree", tmp_path / "cue.wav", rate=np.int64(200))
    except auricle.AuricleError as error:
        if error.code != 69:
            raise
        pytest.skip("nothing that speaks is installed")
    assert auricle.measure(made)["seconds"] > 0.2
    with pytest.raises(auricle.AuricleError, match="nobody"):
        auricle.say("one", tmp_path / "other.wav", voice="nobody")
