"""Reads Package.swift as the table of modules: floors, purposes, folders, imports. For the scripts beside it.

SPDX-License-Identifier: Apache-2.0

A floor begins with a comment `// MARK: NAME: CAPTION`. The comment directly above a target is its purpose. The
dependencies of a target are the modules that its files import, Foundation and Dispatch with them.
"""
import dataclasses
import pathlib
import re

CALL = re.compile(r"(?m)^ +(module|library|\.target|\.executableTarget|\.systemLibrary)\(")
MARK = re.compile(r"(?m)^ *// MARK: (\w+): (.+)$")


@dataclasses.dataclass
class Module:
    name: str
    folder: str
    floor: str
    imports: list
    purpose: str
    kind: str


def closing(text, start, pair):
    """The place of the bracket that closes the one at `start`."""
    depth = 0
    for match in re.compile(f"[{re.escape(pair)}]").finditer(text, start):
        depth += 1 if match[0] == pair[0] else -1
        if depth == 0:
            return match.start()
    return len(text) - 1


def floor_of(folder):
    parts = folder.split("/")
    return parts[0] if parts[0] == "SDK" else parts[1] if len(parts) > 1 else ""


def purpose_above(text, place):
    """The comment that ends on the line before `place`, as one text."""
    lines = []
    for line in reversed(text[:place].rstrip("\n").split("\n") if text[:place].endswith("\n") else []):
        comment = re.match(r" *// ?(?!MARK:)(.*)$", line)
        if not comment:
            break
        lines.insert(0, comment[1].strip())
    return " ".join(lines)


class Manifest:
    """The targets of Package.swift in SDK/ and Sources/."""

    def __init__(self, root):
        text = (pathlib.Path(root) / "Package.swift").read_text()
        #: Captions by floor, from the top.
        self.floors = {name: caption.strip() for name, caption in MARK.findall(text)}
        #: Modules by name, in their order.
        self.modules = {}
        for call in CALL.finditer(text):
            module = self.module(call, text)
            if module and module.folder.startswith(("SDK", "Sources/")):
                self.modules[module.name] = module
        #: The imports that units have beside the SDK.
        self.unit_libraries = self.libraries_of_units(text)

    @staticmethod
    def module(call, text):
        body = re.sub(r"(?m)(^|\s)//.*$", "", text[call.end():closing(text, call.end() - 1, "()")])
        name = re.match(r'\s*(?:name:\s*)?"(\w+)"', body)
        path = re.search(r'(?:path|in):\s*"([^"\\]+)"', body)
        if not name or not path:
            return None
        folder = path[1] + ("/" + name[1] if call[1] in ("module", "library") else "")
        listed = re.search(r"dependencies:\s*(?:imports\()?\[" if call[1].startswith(".") else r"\[", body)
        imports = []
        if listed and call[1] != "library":
            inner = body[listed.end():closing(body, listed.end() - 1, "[]")]
            imports = re.findall(r'"(\w+)"', re.sub(r'package:\s*"[^"]*"', "", inner))
        return Module(name[1], folder, floor_of(folder), imports, purpose_above(text, call.start()), call[1])

    @staticmethod
    def libraries_of_units(text):
        table = re.search(r"let unitLibraries[^=]*= \[", text)
        if not table:
            return {}
        body = text[table.end():closing(text, table.end() - 1, "[]")]
        return {name: re.findall(r'"(\w+)"', names) for name, names in re.findall(r'"(\w+)": \[([^\]]*)\]', body)}

    def of_floor(self, floor):
        return [module for module in self.modules.values() if module.floor == floor]
