"""Audio units and LV2 plug-ins for arrays, files and data sets.

Plug-ins run in sandboxed processes of the program ``auricle``, which the wheel carries: one that crashes or hangs is an
exception here, and the next call works.

SPDX-License-Identifier: Apache-2.0
"""
from typing import TYPE_CHECKING, Any

from ._errors import (AuricleError, InputError, OutputError, PresetError, UnitCrashed, UnitError, UnitHung,
                      UsageError)
from ._plots import plot
from ._program import program
from ._runs import Run, process
from ._units import Parameter, Unit, UnitInfo, units
from ._version import __version__

if TYPE_CHECKING:
    from ._chains import Chain, Stream
    from ._files import SoundFile, open

__all__ = [
    "AuricleError", "Chain", "InputError", "OutputError", "Parameter", "PresetError", "Run", "SoundFile", "Stream",
    "Unit", "UnitCrashed", "UnitError", "UnitHung", "UnitInfo", "UsageError", "__version__", "open", "plot",
    "process", "program", "units",
]

# What needs NumPy, by where it lies: a program that only runs files does without.
_LATER = {"Chain": "_chains", "Stream": "_chains", "SoundFile": "_files", "open": "_files"}

if not TYPE_CHECKING:
    def __getattr__(name: str) -> Any:
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import importlib
        found = globals()[name] = getattr(importlib.import_module("." + _LATER[name], __name__), name)
        return found


def __dir__() -> list[str]:
    return sorted(__all__)
