"""Pictures of what a unit or a preset does. SPDX-License-Identifier: Apache-2.0"""
from __future__ import annotations

import os
from typing import Any

from ._program import ask
from ._units import Unit
from ._values import option_words, text


def plot(chain: str | os.PathLike[str] | Unit, output: str | os.PathLike[str] | None = None, *, kind: str = "response",
         **options: Any) -> dict[str, Any]:
    """Draws what a unit or a preset does into an SVG or PNG file, as ``auricle plot`` does; the figures of the picture.

    ``kind`` is response, phase, curve, impulse, step or spectrogram; ``options`` are those of the command, with ``_`` for ``-``:
    ``theme="dark"``, ``overwrite=True``, ``each="resonance=0 dB,12 dB"``. Without ``output`` nothing is drawn.
    """
    words = ["plot", "--kind", kind]
    if isinstance(chain, Unit):
        for name, value in chain.parameters.items():
            words += ["--set", f"{name}={text(value)}"]
        chain = chain.unit
    if output is not None:
        words += ["--output", os.fspath(output)]
    words += option_words(options)
    figures: dict[str, Any] = ask([*words, os.fspath(chain)])
    return figures
