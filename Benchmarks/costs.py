"""Processor time and instruction counts of whole process trees, for `starts` and `prices`.

SPDX-License-Identifier: Apache-2.0
"""
import math
import os
import pathlib
import platform
import random
import re
import shutil
import struct
import subprocess
import tempfile
import wave

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHAIN = ["--unit", "aufx:hpas:appl", "--set", "cutoff frequency=80 Hz"]


def machine(short=False):
    """One line about the processor, its cores, the system and the load at this moment; short for figures.tsv."""
    load = os.getloadavg()[0]
    if short:
        with open("/etc/os-release") as file:
            of = dict(line.rstrip().replace('"', "").split("=", 1) for line in file if "=" in line)
        name = of.get("NAME", "Linux").removesuffix(" GNU/Linux")
        cores = len(os.sched_getaffinity(0))
        busy = f", load {load:.0f}" if load > cores else ""
        return f"{cores} cores{busy}, {name} {of.get('VERSION_ID', '')}".rstrip()
    model = "unknown processor"
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), model)
    return f"{model}, {len(os.sched_getaffinity(0))} cores, Linux {platform.release()}, load {load:.1f}"


def processor_seconds(command, environment=None, folder=None):
    """Seconds of user and system time of a process and all that it waited for; the process has to end well."""
    child = subprocess.Popen([*map(str, command)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                             env=environment, cwd=folder)
    with child.stderr:
        faults = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command[:6]))} … ended with {child.returncode}: {faults.decode(errors='replace')[-300:]}")
    return usage.ru_utime + usage.ru_stime


def least(cases, rounds, environment=None, folder=None):
    """The least processor time of each case, one round of all after the other. A case is a name and a command."""
    found = {}
    for _ in range(rounds):
        for name, command in cases.items():
            seconds = processor_seconds(command, environment, folder)
            found[name] = min(found.get(name, seconds), seconds)
    return found


def light_copy(program, folder):
    """A copy of the program and its components without debug information, which callgrind of Debian 12 cannot read."""
    source, place = pathlib.Path(program).resolve().parent, pathlib.Path(folder) / "light"
    place.mkdir(exist_ok=True)
    for name in ("Components", "Codecs"):
        if (source / name).is_dir():
            shutil.copytree(source / name, place / name, dirs_exist_ok=True)
    shutil.copy(program, place / "auricle")
    for path in place.rglob("*"):
        if path.is_file() and path.read_bytes()[:4] == b"\x7fELF":
            subprocess.run(["strip", "--strip-debug", path], check=True, stderr=subprocess.DEVNULL)
    return place / "auricle"


def instructions(command, environment=None, folder=None):
    """Instructions of each process of a tree, by callgrind; the first is the command itself. None without valgrind.

    A worker is ended from outside and writes no total at its end: it is counted in parts of two million basic blocks.
    """
    if shutil.which("valgrind") is None:
        return None
    with tempfile.TemporaryDirectory() as place:
        result = subprocess.run(
            ["valgrind", "--tool=callgrind", "--trace-children=yes", "--dump-every-bb=2000000", f"--callgrind-out-file={place}/%p",
             *map(str, command)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env=environment, cwd=folder, errors="replace")
        if result.returncode != 0:
            raise RuntimeError(f"valgrind {' '.join(map(str, command[:4]))} … ended with {result.returncode}: {result.stderr[-300:]}")
        counts = {}
        for path in pathlib.Path(place).iterdir():
            # The number of the process, then that of the part.
            total = re.search(r"^(?:totals|summary): (\d+)", path.read_text(errors="replace"), re.MULTILINE)
            process = int(path.name.split(".")[0])
            counts[process] = counts.get(process, 0) + (int(total.group(1)) if total else 0)
    first = re.search(r"^==(\d+)==", result.stderr, re.MULTILINE)
    first = int(first.group(1)) if first else None
    return [counts.pop(first, 0)] + sorted(counts.values(), reverse=True)


def live_seconds(pids):
    """Seconds that all threads of living processes have run, to the nanosecond."""
    total = 0
    for pid in pids:
        for task in os.listdir(f"/proc/{pid}/task"):
            try:
                with open(f"/proc/{pid}/task/{task}/schedstat") as file:
                    total += int(file.read().split()[0])
            except OSError:
                continue
    return total / 1e9


def noise(path, seconds, rate=48_000, channels=2, seed=1):
    """Writes seeded noise of a quarter of full scale as 16-bit WAVE."""
    rng = random.Random(seed)
    second = b"".join(rng.randrange(-8192, 8192).to_bytes(2, "little", signed=True) for _ in range(rate * channels))
    left = int(seconds * rate) * channels * 2
    with wave.open(str(path), "wb") as file:
        file.setparams((channels, 2, rate, 0, "NONE", ""))
        while left > 0:
            file.writeframes(second[:left])
            left -= len(second)
    return path


def speech(path, seconds, rate=48_000, seed=1):
    """Writes what a voice is to a meter as 16-bit mono: syllables of noise at 4 Hz with pauses, 20 dB apart in level."""
    rng = random.Random(seed)
    syllables = []
    for number in range(16):
        level = 0 if number % 5 == 4 else rng.uniform(1000, 10000)
        syllables.append(b"".join(int(level * math.sin(math.pi * at / (rate // 4)) * rng.uniform(-1, 1)).to_bytes(2, "little", signed=True)
                                  for at in range(rate // 4)))
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        for _ in range(4 * seconds):
            file.writeframes(rng.choice(syllables))
    return path


def float_noise(path, seconds, level, rate=48_000, seed=1):
    """Writes seeded stereo noise of 32-bit floating point, which may be far below the lowest bit of an integer."""
    rng = random.Random(seed)
    second = struct.pack(f"<{2 * rate}f", *(rng.uniform(-level, level) for _ in range(2 * rate)))
    size = len(second) * seconds
    with open(path, "wb") as file:
        file.write(struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + size, b"WAVE", b"fmt ", 16, 3, 2, rate, 8 * rate, 8, 32, b"data", size))
        for _ in range(seconds):
            file.write(second)
    return path
