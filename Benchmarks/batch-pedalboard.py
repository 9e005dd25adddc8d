#!/usr/bin/env python3
"""The chain of Benchmarks/batch with pedalboard's own effects: two processes, file after file.

SPDX-License-Identifier: Apache-2.0
usage: batch-pedalboard.py PROCESSES in out [in out ...]
"""
import multiprocessing
import sys

import pedalboard
from pedalboard.io import AudioFile

BANDS = [(100, 3), (500, -2), (1000, 2), (4000, 3), (8000, -3)]


def process(pair):
    chain = pedalboard.Pedalboard(
        [pedalboard.PeakFilter(hertz, gain, 1) for hertz, gain in BANDS]
        + [pedalboard.Compressor(-18, 4), pedalboard.Reverb(wet_level=0.3, dry_level=0.7), pedalboard.Limiter()])
    with AudioFile(pair[0]) as source:
        with AudioFile(pair[1], "w", source.samplerate, source.num_channels, bit_depth=16) as target:
            while source.tell() < source.frames:
                target.write(chain(source.read(1 << 18), source.samplerate, reset=False))


if __name__ == "__main__":
    words = sys.argv[2:]
    with multiprocessing.Pool(int(sys.argv[1])) as pool:
        pool.map(process, list(zip(words[::2], words[1::2])), chunksize=1)
