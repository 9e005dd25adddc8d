"""Names the wheel for the machine whose program it carries; it is for any Python of version 3.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import platform

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TagHook(BuildHookInterface):
    def initialize(self, version, build_data):
        tree = pathlib.Path(self.root, "src", "auricle", "_tree")
        if not tree.is_dir():
            # Without the program: for a system that has it installed.
            return
        build_data["pure_python"] = False
        floor = os.environ.get("AURICLE_GLIBC_FLOOR", "2_35")
        # Manual pages and completions go into the folders that pipx and shells search.
        share = pathlib.Path(self.root, "share")
        build_data.setdefault("shared_data", {}).update(
            {str(path): str(path.relative_to(self.root)) for path in share.rglob("*") if path.is_file()})
        build_data["tag"] = f"py3-none-manylinux_{floor}_{platform.machine()}"
