"""Units: installed ones, and those of a chain. SPDX-License-Identifier: Apache-2.0"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ._program import ask


class Unit:
    """One unit of a chain, with its parameters: ``Unit("aufx:lpas:appl", cutoff="2 kHz")``.

    A name of a parameter has ``_`` where it has spaces; ``parameters`` accepts names as they are. ``mix`` is the part of the
    processed sound, such as ``"50 %"``.
    """

    def __init__(self, unit: str, parameters: Mapping[str, Any] | None = None, *, mix: str | float | None = None,
                 preset: str | None = None, name: str | None = None, **more: Any) -> None:
        self.unit = unit
        self.parameters = {**(parameters or {}), **{key.replace("_", " "): value for key, value in more.items()}}
        self.mix, self.preset, self.name = mix, preset, name

    def __repr__(self) -> str:
        return f"Unit({self.unit!r}, {self.parameters!r})"

    def entry(self) -> dict[str, Any]:
        """The unit as a preset has it."""
        entry: dict[str, Any] = {"unit": self.unit}
        for key, value in (("name", self.name), ("preset", self.preset), ("mix", self.mix)):
            if value is not None:
                entry[key] = value
        if self.parameters:
            entry["parameters"] = self.parameters
        return entry


@dataclass(frozen=True)
class Parameter:
    """A parameter of a unit, with all its facts in ``details``."""

    name: str
    minimum: float
    maximum: float
    default: float
    unit: str
    details: dict[str, Any] = field(repr=False, default_factory=dict)


@dataclass(frozen=True)
class UnitInfo:
    """An installed unit, as ``auricle list`` reports it."""

    #: ``type:subtype:manufacturer``, or the URI of an LV2 plug-in: the argument of ``Unit``.
    id: str
    name: str
    version: str
    details: dict[str, Any] = field(repr=False, default_factory=dict)

    def parameters(self) -> list[Parameter]:
        """Its parameters, as ``auricle info`` reports them; opens the unit in a separate process."""
        found = ask(["info", self.id])
        return [
            Parameter(entry.get("name", ""), entry.get("minimum", 0.0), entry.get("maximum", 0.0),
                      entry.get("defaultValue", 0.0), entry.get("unit", ""), entry)
            for entry in found.get("parameters", [])
        ]

    def settings(self) -> list[dict[str, Any]]:
        """Its settings that are no parameters: files, texts, numbers, choices, switches. ``Unit`` accepts them by name."""
        found = ask(["info", self.id])
        return list(found.get("texts", []))


def units(pattern: str | None = None, search: str | None = None) -> list[UnitInfo]:
    """The installed units: ``units("aufx", search="reverb")``. Opens none."""
    words = ["list"] + ([pattern] if pattern else []) + (["--search", search] if search else [])
    found = ask(words)
    entries = found if isinstance(found, list) else found.get("components", found.get("units", []))
    return [
        UnitInfo(entry.get("uri") or entry.get("identifier") or _triple(entry), entry.get("name", ""),
                 str(entry.get("version", "")), entry)
        for entry in entries
    ]


def _triple(entry: dict[str, Any]) -> str:
    known = entry.get("triple") or entry.get("component")
    return known or ":".join(str(entry.get(key, "")) for key in ("type", "subtype", "manufacturer"))
