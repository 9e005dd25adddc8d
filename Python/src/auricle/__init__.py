"""Audio units and LV2 plug-ins for arrays, files and data sets.

Plug-ins run in sandboxed processes of the program ``auricle``, which the wheel carries: one that crashes or hangs is an
exception here, and the next call works.

SPDX-License-Identifier: Apache-2.0
"""
from typing import TYPE_CHECKING, Any

from ._errors import (AuricleError, InputError, OutputError, PresetError, UnitCrashed, UnitError, UnitHung,
                      UsageError)
from ._version import __version__

if TYPE_CHECKING:
    from ._chains import Chain, Stream
    from ._files import SoundFile, open
    from ._place import program
    from ._plots import plot
    from ._runs import Run, process
    from ._sounds import convert, measure, render, say
    from ._units import Parameter, Unit, UnitInfo, units

__all__ = [
    "AuricleError", "Chain", "InputError", "OutputError", "Parameter", "PresetError", "Run", "SoundFile", "Stream",
    "Unit", "UnitCrashed", "UnitError", "UnitHung", "UnitInfo", "UsageError", "__version__", "convert", "measure", "open",
    "plot", "process", "program", "render", "say", "units",
]

# Modules of names that are imported when they are first used: the command starts at once, and NumPy is imported for arrays alone.
_LATER = {
    "Chain": "_chains", "Stream": "_chains", "SoundFile": "_files", "open": "_files", "program": "_place", "plot": "_plots",
    "Run": "_runs", "process": "_runs", "convert": "_sounds", "measure": "_sounds", "render": "_sounds", "say": "_sounds",
    "Parameter": "_units", "Unit": "_units", "UnitInfo": "_units", "units": "_units",
}

if not TYPE_CHECKING:
    def __getattr__(name: str) -> Any:
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import importlib
        found = globals()[name] = getattr(importlib.import_module("." + _LATER[name], __name__), name)
        return found


def __dir__() -> list[str]:
    return sorted(__all__)
