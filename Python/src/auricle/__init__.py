"""Audio units and LV2 plug-ins for arrays, files and data sets.

Plug-ins run in sandboxed processes of the program ``auricle``, which the wheel carries: one that crashes or hangs is an
exception here, and the next call works.

SPDX-License-Identifier: Apache-2.0
"""
from ._chains import Chain, Stream, Unit
from ._errors import (AuricleError, InputError, OutputError, PresetError, UnitCrashed, UnitError, UnitHung,
                      UsageError)
from ._files import SoundFile, open
from ._plots import plot
from ._program import program
from ._runs import Run, process
from ._units import Parameter, UnitInfo, units
from ._version import __version__

__all__ = [
    "AuricleError", "Chain", "InputError", "OutputError", "Parameter", "PresetError", "Run", "SoundFile", "Stream",
    "Unit", "UnitCrashed", "UnitError", "UnitHung", "UnitInfo", "UsageError", "__version__", "open", "plot",
    "process", "program", "units",
]
