"""The examples of docs/python.md, as they stand there. SPDX-License-Identifier: Apache-2.0"""
import pathlib
import re

import numpy as np
import pytest

GUIDE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"


@pytest.mark.skipif(not GUIDE.exists(), reason="the guide is not beside the tests")
def test_the_guide_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL):
        exec(compile(block, str(GUIDE), "exec"), names)
    sounds = [names["x"], names["x"] * 0.5]
    data = names["Augmented"](sounds, 3, seed=7)
    assert len(data) == 6
    np.testing.assert_array_equal(data[4], data[4])
    assert data[4].shape != data[5].shape or not np.array_equal(data[4], data[5])
