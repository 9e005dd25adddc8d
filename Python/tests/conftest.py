"""What the tests share. SPDX-License-Identifier: Apache-2.0"""
import numpy as np
import pytest

import auricle


@pytest.fixture
def noise():
    """Two channels of noise, half a second at 48 kHz."""
    return (np.random.default_rng(7).standard_normal((2, 24_000)) * 0.1).astype(np.float32)


@pytest.fixture
def low_pass():
    chain = auricle.Chain([auricle.Unit("aufx:lpas:appl", cutoff_frequency="1 kHz")])
    yield chain
    chain.close()
