// The options for sample rate, channels, level and ends of results.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioConversion
import AudioFiles
import AudioTypes
import AuricleHost
import ChainPresets
import Foundation
import ResultSettings
import RunReports
import Workers

/// Options for the processing of the sound besides the chain.
struct SignalArguments: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Sample rate of results.", valueName: "same|Hz"),
    completion: .list(["same", "44100", "48000", "96000"]))
  var sampleRate: String?

  @Option(
    help: ArgumentHelp(
      "Quality of sample rate conversion. Default: very-high.",
      valueName: SampleRateConverter.Quality.words))
  var resampleQuality: SampleRateConverter.Quality?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Channels of results.", valueName: "same|mono|stereo|n"),
    completion: .list(["same", "mono", "stereo"]))
  var channels: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Integrated loudness of results (EBU R 128), such as -16.",
      valueName: "none|LUFS"),
    transform: LevelArgument.loudness)
  var loudness: LevelArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Integrated loudness of inputs before the chain, such as -18.",
      valueName: "none|LUFS"),
    transform: LevelArgument.loudness)
  var inputLoudness: LevelArgument?

  @Flag(help: "Measure one channel as dual mono: 3 LU louder.")
  var dualMono = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "True-peak ceiling of a limiter on results, such as -1.", valueName: "none|dBTP"),
    transform: LevelArgument.truePeak)
  var truePeak: LevelArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Peak level of results, such as -0.5.", valueName: "none|dBFS"),
    transform: LevelArgument.peak)
  var normalize: LevelArgument?

  @Option(
    help: ArgumentHelp(
      "Dither where samples lose bits.",
      valueName: DitherKind.words))
  var dither: DitherKind?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Start of the input: seconds or h:m:s; a leading - counts from its end.",
      valueName: "time"))
  var start: TimePosition?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("End of the input.", valueName: "time"))
  var end: TimePosition?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "--start and --end in one; either side may be empty.", valueName: "start..end"))
  var trim: TrimArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Trim both ends of results below this level, such as -60.",
      valueName: "none|dBFS"),
    transform: LevelArgument.silence)
  var trimSilence: LevelArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Duration of a fade-in.", valueName: "seconds"),
    transform: DurationArgument.fade)
  var fadeIn: DurationArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Duration of a fade-out.", valueName: "seconds"),
    transform: DurationArgument.fade)
  var fadeOut: DurationArgument?

  @Option(
    help: ArgumentHelp("Curve of fades. Default: linear.", valueName: FadeCurve.words))
  var fadeCurve: FadeCurve?

  @Flag(help: "Measure loudness and true peak of inputs and results, for the report.")
  var measure = false

  /// Refuses invalid combinations.
  func check() throws {
    if loudness?.level != nil, normalize?.level != nil {
      throw ValidationError("Give either --loudness or --normalize: both set the level.")
    }
    if trim != nil, start != nil || end != nil {
      throw ValidationError("Give either --trim or --start and --end.")
    }
    let (from, to) = (trim?.start ?? start, trim?.end ?? end)
    if let from, let to, from.isFromEnd == to.isFromEnd,
      from.isFromEnd ? from.seconds <= to.seconds : from.seconds >= to.seconds
    {
      throw ValidationError("Nothing is left: the end does not come after the start.")
    }
    do throws(AuricleError) { _ = try channelCount() } catch {
      throw ValidationError(error.message + ".")
    }
  }

  /// Adds rate, channels, level and ends to a request.
  func fill(_ request: inout ResultRequest) throws(AuricleError) {
    request.sampleRate = try OutputArguments.choice(sampleRate) { text throws(AuricleError) in
      if let rate = Self.hertz(text) { return rate }
      throw AuricleError(
        .usage,
        "--sample-rate takes 'same', or a rate from 1000 to 768000 Hz such as 48000, not '\(text)'")
    }
    request.resampleQuality = resampleQuality
    request.channelCount = try channelCount()
    request.loudness = Self.choice(loudness)
    request.inputLoudness = Self.choice(inputLoudness)
    request.isDualMono = dualMono ? true : nil
    request.truePeak = Self.choice(truePeak)
    request.peak = Self.choice(normalize)
    request.dither = dither
    request.start =
      trim.map { Self.choice($0.start) } ?? start.map { .set($0) } ?? .asPreset
    request.end = trim.map { Self.choice($0.end) } ?? end.map { .set($0) } ?? .asPreset
    request.silenceThreshold = Self.choice(trimSilence)
    request.fadeIn = fadeIn?.seconds
    request.fadeOut = fadeOut?.seconds
    request.fadeCurve = fadeCurve
    request.measuresLoudness = measure
  }

  private static func choice<Value: Sendable & Equatable>(_ value: Value?) -> Choice<Value> {
    value.map(Choice.set) ?? .unchanged
  }

  private static func choice(_ level: LevelArgument?) -> Choice<Double> {
    level.map { choice($0.level) } ?? .asPreset
  }

  private func channelCount() throws(AuricleError) -> Choice<Int> {
    try OutputArguments.choice(channels) { text throws(AuricleError) in
      switch text.lowercased() {
      case "mono": return 1
      case "stereo": return 2
      default:
        guard let count = Int(text), (1...64).contains(count) else {
          throw AuricleError(
            .usage, "--channels takes same, mono, stereo or 1 to 64, not '\(text)'")
        }
        return count
      }
    }
  }

  /// The rate of `--sample-rate`, for commands that accept no `same`; nil where it is not set.
  static func rate(_ written: String?) throws(AuricleError) -> Double? {
    guard let written else { return nil }
    guard let rate = hertz(written) else {
      throw AuricleError(
        .usage,
        "--sample-rate takes 1000 to 768000 Hz, such as 48000, 48k or 44.1 kHz, not '\(written)'")
    }
    return rate
  }

  /// Reads a sample rate such as `48000`, `48k` or `44.1 kHz`; nil for anything else.
  static func hertz(_ written: String) -> Double? {
    var text = written[...]
    var scale = 1.0
    for (unit, factor) in [("khz", 1000.0), ("hz", 1.0), ("k", 1000.0)]
    where text.lowercased().hasSuffix(unit) {
      text = text.dropLast(unit.count)
      scale = factor
      break
    }
    while text.last == " " { text = text.dropLast() }
    guard let number = Double(text), OutputSettings.sampleRates.contains(number * scale) else {
      return nil
    }
    return number * scale
  }
}
