"""The examples of docs/python.md, as they are there. SPDX-License-Identifier: Apache-2.0"""
import pathlib
import re

import numpy as np
import pytest
from conftest import song

import auricle

GUIDE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"


@pytest.mark.skipif(not GUIDE.exists(), reason="the guide is not beside the tests")
def test_the_guide_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with auricle.open("voice.flac", "w", sample_rate=48_000) as file:
        file.write(np.random.default_rng(1).standard_normal((2, 48_000)) * 0.1)
    pathlib.Path("song.mid").write_bytes(song())
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    # Twice in one folder, as by a reader trying it again.
    for _ in range(2):
        names = {}
        for block in blocks:
            try:
                exec(compile(block, str(GUIDE), "exec"), names)
            except auricle.AuricleError as error:
                # Speech and songs need libraries that a machine may lack.
                if error.code != 69:
                    raise
    sounds = [names["x"], names["x"] * 0.5]
    data = names["Augmented"](sounds, 3, seed=7)
    assert len(data) == 6
    np.testing.assert_array_equal(data[4], data[4])
    assert data[4].shape != data[5].shape or not np.array_equal(data[4], data[5])
    _load(data)


def _load(data):
    """Torch's loader returns in its processes the same as the set here."""
    try:
        from torch.utils.data import DataLoader
    except ImportError:
        return
    loader = DataLoader(data, batch_size=None, num_workers=2)
    for made, wanted in zip(loader, [data[index] for index in range(len(data))]):
        np.testing.assert_array_equal(made, wanted)
