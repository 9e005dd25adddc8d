"""What the tests share. SPDX-License-Identifier: Apache-2.0"""
import os
import pathlib
import re
import struct

import numpy as np
import pytest

import auricle

#: The longest wait for anything, in seconds: it only ends a test that hangs.
LIMIT = 1800

#: Units of chains that files are run through.
UNITS = [auricle.Unit("aufx:mrev:appl"), auricle.Unit("aufx:lpas:appl", cutoff_frequency=3000)]


@pytest.fixture
def noise():
    """Two channels of noise, half a second at 48 kHz."""
    return (np.random.default_rng(7).standard_normal((2, 24_000)) * 0.1).astype(np.float32)


@pytest.fixture
def low_pass():
    chain = auricle.Chain([auricle.Unit("aufx:lpas:appl", cutoff_frequency="1 kHz")])
    yield chain
    chain.close()


@pytest.fixture
def sounds(tmp_path):
    """A folder of short sounds, as many as AURICLE_FILES says (12)."""
    rng = np.random.default_rng(3)
    (tmp_path / "in" / "sub").mkdir(parents=True)
    for index in range(int(os.environ.get("AURICLE_FILES", 12))):
        place = tmp_path / "in" / ("sub" if index % 2 else ".") / f"{index}.wav"
        with auricle.open(place, "w", sample_rate=16_000) as file:
            file.write(rng.standard_normal(16_000 * (1 + index % 3)).astype(np.float32) * 0.1)
    return tmp_path / "in"


@pytest.fixture
def whole(sounds, tmp_path):
    """What one process makes of the sounds, by name."""
    auricle.process([sounds], units=UNITS, output=tmp_path / "whole")
    return results(tmp_path / "whole")


def song():
    """The bytes of a MIDI file with one note."""
    track = bytes([0, 0xC0, 0, 0, 0x90, 60, 100, 0x60, 0x80, 60, 0, 0, 0xFF, 0x2F, 0])
    return b"MThd" + struct.pack(">IHHH", 6, 0, 1, 96) + b"MTrk" + struct.pack(">I", len(track)) + track


def results(folder):
    """The bytes of the results in a folder, by name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in pathlib.Path(folder).rglob("*.wav")}


def guide(name, language, word=""):
    """The first block of a language that holds a word in a guide, as it is there."""
    path = pathlib.Path(__file__).parents[2] / "docs" / name
    if not path.exists():
        pytest.skip("the guides are not beside the tests")
    blocks = re.findall(rf"```{language}\n(.*?)```", path.read_text(), re.DOTALL)
    return next(block for block in blocks if word in block)
