"""The corpus of a batch and the programs that go through it, for `batch` and `batch-cpu`.

SPDX-License-Identifier: Apache-2.0
"""
import array
import os
import pathlib
import random
import shlex
import shutil
import subprocess
import wave

ROOT = pathlib.Path(__file__).resolve().parent.parent
AURICLE = pathlib.Path(os.environ.get("AURICLE", ROOT / ".build" / "release" / "auricle"))
CALF = "http://calf.sourceforge.net/plugins/"
LSP = "http://lsp-plug.in/plugins/lv2/"
# The same four steps with plug-ins of two makers: a URI, and values by symbol.
CHAINS = {
    "calf": [
        (CALF + "Equalizer5Band",
         dict(ls_active=1, ls_level=1.4, hs_active=1, hs_level=0.7, p1_active=1, p1_level=1.4, p2_active=1, p2_level=0.8,
              p3_active=1, p3_level=1.25)),
        (CALF + "Compressor", dict(threshold=0.125, ratio=4)),
        (CALF + "Reverb", dict(decay_time=1.5)),
        (LSP + "limiter_stereo", dict()),
    ],
    "lsp": [
        (LSP + "para_equalizer_x16_stereo",
         {f"{name}_{index}": value for index, (hertz, gain) in
          enumerate([(100, 1.4), (500, 0.8), (1000, 1.25), (4000, 1.4), (8000, 0.7)])
          for name, value in (("ft", 1), ("f", hertz), ("g", gain), ("q", 1))}),
        (LSP + "compressor_stereo", dict(al=0.125, cr=4)),
        ("http://drobilla.net/plugins/mda/Ambience", dict(mix=0.3)),
        (LSP + "limiter_stereo", dict()),
    ],
}
BANDS = [(100, 3), (500, -2), (1000, 2), (4000, 3), (8000, -3)]
FORMATS = ["wav", "flac", "aiff", "caf", "au"]


def make_corpus(folder, scale, seed):
    """The files, longest last; what pedalboard cannot read has a WAV twin."""
    rng = random.Random(seed)
    blocks = {}
    for channels in (1, 2):
        # Five seconds of noise bursts that decay, over and over.
        samples = array.array("h")
        for index in range(48000 * 5):
            level = 0.7 ** ((index % 12000) / 1500)
            for _ in range(channels):
                samples.append(int(rng.uniform(-9000, 9000) * level))
        blocks[channels] = samples.tobytes()
    files = []
    for index in range(40):
        seconds = max(2.0 * 300 ** (index / 39) * scale, 2.0)
        rate, channels = rng.choice([44100, 48000, 48000, 96000]), rng.choice([1, 2, 2])
        name = folder / f"{index:02}.wav"
        block = blocks[channels]
        left = int(seconds * rate) * 2 * channels
        with wave.open(str(name), "wb") as file:
            file.setparams((channels, 2, rate, 0, "NONE", ""))
            start = rng.randrange(24000) * 2 * channels
            while left > 0:
                piece = block[start:start + left]
                file.writeframes(piece)
                left, start = left - len(piece), 0
        kind = FORMATS[index % 5]
        if kind != "wav":
            other = name.with_suffix("." + kind)
            code = {"flac": "flac", "aiff": "pcm_s16be", "caf": "pcm_s16be", "au": "pcm_s16be"}[kind]
            subprocess.run(["ffmpeg", "-v", "error", "-i", name, "-c:a", code, other], check=True)
            if kind in ("flac", "aiff"):
                name.unlink()
            name = other
        files.append((name, channels, seconds))
    return files


def make_bare_host(folder):
    """The host in C, as FOLDER/bare."""
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "lilv-0", "sndfile"],
                           capture_output=True, text=True, check=True).stdout.split()
    subprocess.run(["cc", "-O2", "-o", folder / "bare", ROOT / "Benchmarks" / "bare-lv2-chain.c", *flags], check=True)


def preset(units):
    lines = ["auricle: 1", "name: benchmark", "units:"]
    for name, values in units:
        inner = ", ".join(f'"{key}": {value}' for key, value in values.items())
        lines.append(f'  - {{unit: "{name}", parameters: {{{inner}}}}}')
    return "\n".join(lines) + "\n"


def in_parallel(folder, name, lines, processes):
    """A command for xargs: a shell line a file."""
    script = folder / f"{name}.list"
    script.write_text("".join(line + "\0" for line in lines))
    return ["xargs", "-0", "-a", script, "-P", str(processes), "-I{}", "sh", "-c", "{}"]


def quoted(*words):
    return " ".join(shlex.quote(str(word)) for word in words)


def auricle(folder, name, text, files, jobs, *more):
    (folder / f"{name}.yaml").write_text(text)
    return [AURICLE, "process", "-q", "--jobs", str(jobs), "--tail", "none", "--preset", folder / f"{name}.yaml",
            *more, "--output", folder / "out" / f"{name}-{jobs}", *[name for name, _, _ in files]]


def lv2_commands(folder, files, chain):
    units = CHAINS[chain]
    plugins = []
    for uri, values in units:
        plugins += ["--plugin", uri, *[f"{key}={value}" for key, value in values.items()]]
    out = folder / "out"

    def bare(block):
        pairs = [word for name, _, _ in files for word in (name, out / f"bare-{name.name}")]
        return [folder / "bare", str(block), *plugins, "--files", *pairs]

    graph = ",".join(
        "lv2=p=" + uri.replace(":", "\\\\:")
        + (":c=" + "|".join(f"{key}={value}" for key, value in values.items()) if values else "")
        for uri, values in units)
    ffmpeg = [
        quoted("ffmpeg", "-v", "error", "-y", "-i", name, "-af", graph, "-ac", channels, out / f"ffmpeg-{name.name}")
        for name, channels, _ in files]
    loop = ["set -e"]
    for name, channels, _ in files:
        source = name
        # The limiter crashes in lv2file, which passes it no options: it is left out there.
        for number, (uri, values) in enumerate(units[:3]):
            target = out / f"lv2file-{number}.wav"
            words = ["lv2file", "-i", source, "-o", target, "-b", "4096", "--ignore-clipping"]
            for key, value in values.items():
                words += ["-p", f"{key}:{value}"]
            if channels == 1 and number == 0:
                words += ["-c", "1:in_l", "-c", "1:in_r"]
            loop.append(quoted(*words, uri))
            source = target
        loop.append(quoted("mv", source, out / f"lv2file-{name.name}"))
    (folder / "loop.sh").write_text("\n".join(loop))
    text = preset(units)
    commands = {
        "bare C host, blocks of 1024": bare(1024),
        "bare C host, blocks of 4096": bare(4096),
        "auricle --jobs 1": auricle(folder, "lv2", text, files, 1),
        "auricle --jobs 2": auricle(folder, "lv2", text, files, 2),
        "ffmpeg lv2, xargs -P 2": in_parallel(folder, "ffmpeg", ffmpeg, 2) if shutil.which("ffmpeg") else None,
    }
    # Without options, all plug-ins of that maker crash.
    if chain != "lsp":
        commands["shell loop of lv2file (without the limiter)"] = \
            ["sh", folder / "loop.sh"] if shutil.which("lv2file") else None
    return commands


def own_commands(folder, files):
    out = folder / "out"
    units = [("aufx:pmeq:appl", {"center frequency": hertz, "gain": gain}) for hertz, gain in BANDS]
    units += [("aufx:dcmp:appl", {"threshold": -18}), ("aufx:mrev:appl", {"dry/wet mix": 30}), ("aufx:lmtr:appl", {})]
    sox = [
        quoted("sox", name, out / f"sox-{name.name}",
               *[word for hertz, gain in BANDS for word in ("equalizer", hertz, "1q", gain)],
               "compand", "0.005,0.1", "-40,-40,-18,-18,0,-13.5", "reverb", "50", "50", "100", "gain", "-l", "0")
        for name, _, _ in files]
    graph = ",".join(
        [f"equalizer=f={hertz}:t=q:w=1:g={gain}" for hertz, gain in BANDS]
        + ["acompressor=threshold=0.125:ratio=4", "aecho=0.8:0.9:40|60|80|100:0.3|0.25|0.2|0.15", "alimiter"])
    ffmpeg = [quoted("ffmpeg", "-v", "error", "-y", "-i", name, "-af", graph, out / f"ff-{name.name}")
              for name, _, _ in files]
    text = preset(units)
    python = os.environ.get("PEDALBOARD_PYTHON", "python3")
    has = subprocess.run([python, "-c", "import pedalboard"], capture_output=True).returncode == 0
    # Formats that it can neither read nor write go in and out as WAV.
    pairs = []
    for name, _, _ in files:
        source = name.with_suffix(".wav") if name.suffix in (".caf", ".au") else name
        pairs += [source, out / f"pedalboard-{name.stem}{source.suffix}"]
    return {
        "auricle --jobs 1": auricle(folder, "own", text, files, 1),
        "auricle --jobs 2": auricle(folder, "own", text, files, 2),
        "sox, xargs -P 2": in_parallel(folder, "sox", sox, 2) if shutil.which("sox") else None,
        "ffmpeg, xargs -P 2 (echoes for a reverb, which it has not)":
            in_parallel(folder, "ff", ffmpeg, 2) if shutil.which("ffmpeg") else None,
        "pedalboard, 2 processes":
            [python, ROOT / "Benchmarks" / "batch-pedalboard.py", "2", *pairs] if has else None,
    }
