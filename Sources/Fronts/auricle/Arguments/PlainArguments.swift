// The options that plain lines are read into, group by group.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandOutput
import PluginCommands
import ResultSettings

extension ChainArguments: PlainArguments {
  init(plain line: inout PlainLine) {
    self.init()
    presets = line.values("--preset", short: "-p") { $0 }
    units = line.orderedValues("--unit")
    formatOfNames = line.group()
    unitPresets = line.orderedValues("--unit-preset")
    settings = line.orderedValues("--set")
    mixes = line.orderedValues("--mix")
  }
}

extension UnitFormatArguments: PlainArguments {
  init(plain line: inout PlainLine) {
    self.init()
    format = line.value("--format-of")
  }
}

extension OutputArguments: PlainArguments {
  init(plain line: inout PlainLine) {
    self.init()
    output = line.value("--output", short: "-o")
    name = line.value("--name")
    onExists = line.value("--on-exists")
    overwrite = line.flag("--overwrite")
    tolerant = line.flag("--tolerant")
    track = line.value("--track", acceptsDash: true, by: Self.tracks)
    tail = line.value("--tail", acceptsDash: true, by: TailPolicy.argument)
    latency = line.value("--latency")
    container = line.value("--container")
    encoding = line.value("--encoding")
    bitRate = line.value("--bit-rate")
    strategy = line.value("--strategy")
    quality = line.value("--quality")
    metadata = line.value("--metadata")
    video = line.value("--video") ?? .keep
    framesPerSlice = line.value("--frames-per-slice", by: Self.slices)
    signal = line.group()
  }
}

extension SignalArguments: PlainArguments {
  init(plain line: inout PlainLine) {
    self.init()
    sampleRate = line.value("--sample-rate")
    resampleQuality = line.value("--resample-quality")
    channels = line.value("--channels")
    loudness = line.value("--loudness", acceptsDash: true, by: LevelArgument.loudness)
    inputLoudness = line.value("--input-loudness", acceptsDash: true, by: LevelArgument.loudness)
    dualMono = line.flag("--dual-mono")
    truePeak = line.value("--true-peak", acceptsDash: true, by: LevelArgument.truePeak)
    normalize = line.value("--normalize", acceptsDash: true, by: LevelArgument.peak)
    dither = line.value("--dither")
    start = line.value("--start", acceptsDash: true)
    end = line.value("--end", acceptsDash: true)
    trim = line.value("--trim", acceptsDash: true)
    trimSilence = line.value("--trim-silence", acceptsDash: true, by: LevelArgument.silence)
    fadeIn = line.value("--fade-in", acceptsDash: true, by: DurationArgument.fade)
    fadeOut = line.value("--fade-out", acceptsDash: true, by: DurationArgument.fade)
    fadeCurve = line.value("--fade-curve")
    measure = line.flag("--measure")
  }
}

extension PlaceArguments: PlainArguments {
  init(plain line: inout PlainLine) {
    self.init()
    outputFile = line.value("--output-file")
    inPlace = line.flag("--in-place")
    backup = line.flag("--backup")
    raw = line.value("--raw")
  }
}

extension RunArguments: PlainArguments {
  init(plain line: inout PlainLine) {
    self.init()
    resume = line.value("--resume")
    lists = line.values("--from-file") { $0 }
    dryRun = line.flag("--dry-run")
    report = line.value("--report")
  }
}

extension VariantArguments: PlainArguments {
  init(plain line: inout PlainLine) {
    self.init()
    variants = line.value("--variants", acceptsDash: true, by: Self.counts)
    seed = line.value("--seed", acceptsDash: true, by: Self.seeds)
  }
}

extension WorkArguments: PlainArguments {
  init(plain line: inout PlainLine) {
    self.init()
    jobs = line.value("--jobs", short: "-j", acceptsDash: true, by: Self.jobCounts)
    recursive = !line.flag("--no-recursive")
    newRun = line.flag("--new-run")
    pictures = line.flag("--pictures")
    sandbox = line.value("--sandbox")
    allowRead = line.values("--allow-read") { $0 }
    allowNet = line.flag("--allow-net")
    memoryLimit = line.value("--memory-limit", by: Self.size)
    stallLimit = line.value("--stall-limit", acceptsDash: true, by: Self.limits)
    timeLimit = line.value("--time-limit", acceptsDash: true, by: Self.limits)
    maxFailures = line.value("--max-failures", acceptsDash: true, by: Self.failureCounts)
  }
}
