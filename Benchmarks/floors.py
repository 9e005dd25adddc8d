"""Programs that do nothing but start: the floors of a start in C, in Swift, and with the libraries of the program.

SPDX-License-Identifier: Apache-2.0
"""
import os
import re
import shutil
import subprocess

from costs import ROOT

FOLDER = "print(FileManager.default.currentDirectoryPath)"
PARSER = """import ArgumentParser
struct Line: ParsableCommand {
  @Option var text = "one line"
  func run() { print(text) }
}
Line.main()"""
SWIFT = {"Swift": 'print("one line")', "Swift with FoundationEssentials": f"import FoundationEssentials\n{FOLDER}",
         "Swift with Foundation": f"import Foundation\n{FOLDER}", "Swift with the argument parser": PARSER,
         "Swift with Foundation and the argument parser": f"import Foundation\n{PARSER}\n".replace("run() {", f"run() {{ {FOLDER};")}
# Libraries of the system that the program needs for some work, each with its dependencies.
SYSTEM = ["libsndfile.so.1", "liblilv-0.so.0", "libtag.so.1", "libasound.so.2", "libexpat.so.1"]
# Libraries of Auricle in a build folder.
OWN = ["libEffects.so", "libAudioToolbox.so", "libHostLibrary.so"]


def floors(folder, program):
    """Commands that do nothing but start, by name, built here; without a compiler there are fewer."""
    found = {}
    (folder / "line.c").write_text('#include <stdio.h>\nint main(void) { return puts("one line") < 0; }\n')
    if shutil.which("cc"):
        subprocess.run(["cc", "-O2", folder / "line.c", "-o", folder / "line"], check=True)
        found["C: one line"] = [folder / "line"]
        for name, chosen in libraries(folder, program).items():
            found[f"C: one line, with {name}"] = [with_libraries(folder, name, chosen)]
    if shutil.which("swiftc"):
        for name, source in SWIFT.items():
            found.update(in_swift(folder, program.resolve().parent, name, source))
    # callgrind of Debian 12 cannot read the debug information of the static ones.
    for words in found.values():
        subprocess.run(["strip", "--strip-debug", words[0]], check=True)
    return found


def libraries(folder, program):
    """Paths of libraries by a name: all that the program loads, in two orders; each of the system's, each of ours."""
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    paths = re.findall(r"=> (/\S+)", linked)
    # As ldd lists them is as they are searched.
    found = {"all libraries of the program": paths, "these, by name": sorted(paths, key=os.path.basename)}
    known = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True).stdout
    for name in SYSTEM:
        found[name.partition(".")[0]] = re.findall(rf"^\s*{re.escape(name)} .*=> (/\S+)", known, re.MULTILINE)[:1]
    for name in OWN:
        path = program.resolve().parent / name
        if path.exists():
            # callgrind cannot read their debug information either.
            subprocess.run(["strip", "--strip-debug", path, "-o", folder / name], check=True)
            found[name.partition(".")[0]] = [str(folder / name)]
    return {name: paths for name, paths in found.items() if paths}


def in_swift(folder, build, name, source):
    """A program of one Swift file, by its name, with shared libraries and without."""
    place = folder / name.replace(" ", "-")
    place.with_suffix(".swift").write_text(source + "\n")
    more = []
    if "ArgumentParser" in source:
        more = ["-I", build / "Modules", *sorted(path for part in ("ArgumentParser", "ArgumentParserToolInfo")
                                                 for path in (build / f"{part}.build").glob("*.o"))]
    found = {}
    for kind, flags in (("", []), (", static", ["-static-stdlib"])):
        target = place.with_name(place.name + kind.replace(", ", "-"))
        made = subprocess.run(["swiftc", "-O", *flags, place.with_suffix(".swift"), *more, "-o", target], stderr=subprocess.DEVNULL)
        if made.returncode == 0:
            found[f"{name}{kind}: one line"] = [target]
    return found


def with_libraries(folder, name, paths):
    """A C program that prints a line, and needs these libraries in this order."""
    place = folder / f"linked {name}"
    folders = sorted({os.path.dirname(path) for path in paths})
    subprocess.run(
        ["cc", "-O2", folder / "line.c", "-o", place, "-Wl,--no-as-needed", *paths,
         *[f"-Wl,-rpath,{folder}" for folder in folders], "-Wl,--allow-shlib-undefined"], check=True)
    return place
