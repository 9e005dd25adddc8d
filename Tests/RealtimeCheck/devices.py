#!/usr/bin/env python3
"""Runs programs with devices under a checker of realtime code: live, play, record, queue, midi.

SPDX-License-Identifier: Apache-2.0

usage: devices.py CHECKER PROGRAM OBJECT... [--only SCENARIO]

CHECKER is the word that the checker says: RealtimeSanitizer or AllocationCounter. PROGRAM is `auricle`, linked with it;
the OBJECTs are linked into the programs in C. The devices are computed (`file:`), so no card is needed. The device's
thread enters a checked section at each wake, and the process that renders enters one for each slice. The exit code is 1
where the checker found something, and where it found nothing in a unit that allocates.
"""
import json
import os
import pathlib
import random
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RATE = 48_000
SECONDS = 2
# Seconds that end a hang; no result depends on them.
LIMIT = 120


class Failure(Exception):
    pass


class Check:
    def __init__(self, checker, program, objects, folder):
        self.checker, self.program, self.objects = checker, pathlib.Path(program).resolve(), objects
        self.folder = folder
        self.products = self.program.parent
        self.environment = dict(
            os.environ, XDG_RUNTIME_DIR=f"{folder}/run", XDG_CACHE_HOME=f"{folder}/cache", AURICLE_SEQUENCER="off",
            SWIFT_BACKTRACE="enable=no", HOME=str(folder), AURICLE_DEVICE="file:")
        for name in ("run", "cache", "units"):
            (folder / name).mkdir(mode=0o700)
        self.write_noise(folder / "in.wav", SECONDS)

    def write_noise(self, path, seconds):
        """A wave file of two channels of noise, in 32-bit float."""
        chance = random.Random(7)
        data = seconds * struct.pack(f"<{2 * RATE}f", *(chance.uniform(-0.25, 0.25) for _ in range(2 * RATE)))
        form = struct.pack("<HHIIHH", 3, 2, RATE, RATE * 8, 8, 32)
        chunks = b"fmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data)) + data
        path.write_bytes(b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks)

    def device(self, name, clock="free", source="in"):
        return f"file:{self.folder}/{name}.wav,in={self.folder}/{source}.wav,clock={clock}"

    # Programs.

    def start(self, arguments, **more):
        return subprocess.Popen(
            arguments, cwd=self.folder, env=self.environment | more, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)

    def finish(self, child):
        try:
            output, errors = child.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            child.kill()
            raise Failure(f"did not end: {child.communicate()[1]}")
        return child.returncode, output + errors

    def expect_clean(self, name, child, least):
        """The end of a program without a finding; it has to have done so many checked sections at least."""
        code, text = self.finish(child)
        if code != 0 or "in render code" in text or "RealtimeSanitizer" in text:
            raise Failure(f"{name}: exit code {code}\n{text}")
        sections = ""
        if self.checker == "AllocationCounter":
            counts = re.findall(r"AllocationCounter: (\d+) allocations in (\d+) slices", text)
            if not counts or any(int(count) for count, _ in counts):
                raise Failure(f"{name}: {text}")
            done = sum(int(slices) for _, slices in counts)
            if done < least:
                raise Failure(f"{name}: {done} checked sections, not {least}\n{text}")
            sections = f", {done} sections without an allocation"
        print(f"{self.checker}: {name}: in order{sections}")

    def auricle(self, *arguments, **more):
        return self.start([self.program, *arguments], **more)

    def compile(self, source):
        """A program in C, linked with the library and the checker."""
        target = self.folder / source.stem
        info = json.loads(subprocess.run(["swiftc", "-print-target-info"], stdout=subprocess.PIPE, check=True).stdout)
        libraries = info["paths"]["runtimeLibraryPaths"][0]
        subprocess.run(
            ["clang", "-std=c11", "-D_GNU_SOURCE", "-Wno-multichar", "-I", ROOT / "SDK/include", source, "-o", target,
             *self.objects, "-L", self.products, "-lAudioToolbox", "-L", libraries, "-lFoundation", "-lm", "-lpthread",
             "-ldl", "-rdynamic", f"-Wl,-rpath,{self.products}", f"-Wl,-rpath,{libraries}"], check=True)
        return target

    def ask(self, path, line):
        """The answer to a command for `auricle live`; none before it listens."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(LIMIT)
            connection.connect(str(path))
            connection.sendall(line.encode() + b"\n")
            return connection.makefile().readline().strip()

    def ask_first(self, child, path, line):
        """As `ask`, of a program that has begun a moment ago."""
        while child.poll() is None:
            try:
                return self.ask(path, line)
            except OSError:
                # The socket has no event before it is there.
                try:
                    child.wait(0.05)
                except subprocess.TimeoutExpired:
                    continue
        raise Failure(f"live ended: {self.finish(child)}")

    # Scenarios.

    def live(self):
        """A chain that is changed, bypassed and exchanged while it runs."""
        path = self.folder / "live"
        # Longer than the commands take: it ends by the last one.
        self.write_noise(self.folder / "long.wav", LIMIT)
        child = self.auricle(
            "live", "--preset", ROOT / "presets/podcast-voice.yaml", "--period", "128", "--control", f"unix:{path}",
            "--input", self.device("live", "real", "long"))
        for line in ("stats", "bypass 1 on", "bypass 1 off", f"preset {ROOT}/presets/telephone.yaml", "gain -3", "bypass on",
                     "bypass off", f"preset {ROOT}/presets/room-small.yaml"):
            answer = self.ask_first(child, path, line)
            if not answer.startswith("ok"):
                raise Failure(f"live: '{line}' is answered '{answer}'")
        first = self.slices(child, path)
        while self.slices(child, path) < first + 2 * RATE // 128:
            pass
        self.ask_first(child, path, "quit")
        self.expect_clean("live", child, 2 * RATE // 128)

    def slices(self, child, path):
        """The slices that live sound has rendered."""
        found = re.search(r"slices=(\d+)", self.ask_first(child, path, "stats"))
        return int(found[1]) if found else 0

    def play(self):
        """A file through a chain onto a device, and as it is."""
        for name, more in (("play", ()), ("play through a chain", ("--preset", ROOT / "presets/telephone.yaml"))):
            child = self.auricle("play", *more, "--device", f"file:{self.folder}/played.wav,clock=free", "in.wav")
            self.expect_clean(name, child, RATE * SECONDS // 4096)

    def record(self):
        """A device into a file."""
        child = self.auricle(
            "record", "--device", f"file:,in={self.folder}/in.wav,clock=free", "--overwrite", "take.wav")
        self.expect_clean("record", child, RATE * SECONDS // 4096)

    def queue(self):
        """Audio queues and an output unit of programs in C."""
        programs = ROOT / "Tests/AudioToolboxTests/Programs/Devices"
        for source, *arguments in (("QueuePlay", self.folder / "in.wav", "thread"),
                                   ("QueueRecord", self.folder / "rec.caf", "lpcm", "0.8"),
                                   ("PlayThrough", "ahal", "44000")):
            child = self.start(
                [self.compile(programs / f"{source}.c"), *arguments],
                AURICLE_DEVICE=self.device(source), AURICLE_COMPONENT_PATH=str(self.products / "Components"))
            self.expect_clean(f"queue: {source}", child, 40)

    def midi(self):
        """A keyboard that plays instruments."""
        keys = self.start([self.compile(ROOT / "Tests/RealtimeCheck/Keys.c")])
        try:
            if keys.stdout.readline() != "ready\n":
                raise Failure(f"midi: the source was not made: {self.finish(keys)}")
            path = self.folder / "midi"
            child = self.auricle(
                "live", "--unit", "dls ", "--midi", "Checked keys", "--control", f"unix:{path}", "--output",
                f"file:{self.folder}/midi.wav,clock=real")
            self.ask_first(child, path, "stats")
            while not self.has_sound(self.folder / "midi.wav"):
                child.poll()
                if child.returncode is not None:
                    raise Failure(f"midi: {self.finish(child)}")
                self.ask(path, "stats")
            self.ask(path, "quit")
            self.expect_clean("midi", child, 100)
        finally:
            keys.stdin.close()
            keys.stdin = None
            self.finish(keys)

    @staticmethod
    def has_sound(path):
        """Whether a second of the file is there, with notes in it."""
        data = path.read_bytes()[100:] if path.exists() else b""
        return len(data) > 8 * RATE and any(data[4 * RATE:])

    def violation(self):
        """A unit that allocates in render, which the checker has to notice in the process that renders."""
        sources = sorted((ROOT / "Tests/Fixtures/DefectUnits").glob("*.c"))
        contents = self.folder / "units/Defect.component/Contents"
        (contents / "Linux").mkdir(parents=True)
        subprocess.run(
            ["clang", "-std=gnu11", "-shared", "-fPIC", "-O1", "-I", ROOT / "SDK/include", *sources, "-o",
             contents / "Linux/Defect", "-lm", "-lpthread"], check=True)
        (contents / "Info.plist").write_text(
            '<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>CFBundleExecutable</key>'
            "<string>Defect</string><key>AudioComponents</key><array><dict><key>type</key><string>aufx</string>"
            "<key>subtype</key><string>mall</string><key>manufacturer</key><string>AuTe</string><key>name</key>"
            "<string>Defect: mall</string><key>version</key><integer>65536</integer><key>factoryFunction</key>"
            "<string>DefectUnitFactory</string></dict></array></dict></plist>")
        child = self.auricle(
            "live", "--unit", "aufx:mall:AuTe", "--isolate", "none", "--input", self.device("violation"),
            AURICLE_COMPONENT_PATH=str(self.folder / "units"))
        _, text = self.finish(child)
        if not re.search(r"RealtimeSanitizer: unsafe|AllocationCounter: malloc in render code", text):
            raise Failure(f"{self.checker} did not notice the allocation of a unit: {text}")
        print(f"{self.checker}: an allocation of a unit in live sound was noticed")


def main():
    arguments = sys.argv[1:]
    names = ["violation", "live", "play", "record", "queue", "midi"]
    if "--only" in arguments:
        place = arguments.index("--only")
        names = [arguments[place + 1]]
        del arguments[place:place + 2]
    checker, program, *objects = arguments
    folder = pathlib.Path(tempfile.mkdtemp(prefix="auricle-rt-", dir="/tmp"))
    try:
        check = Check(checker, program, objects, folder)
        for name in names:
            getattr(check, name)()
    except Failure as failure:
        print(f"check-realtime: {failure}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
