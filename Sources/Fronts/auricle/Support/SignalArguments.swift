// The options that say what becomes of the sound on its way into a file: rate, channels, level, ends.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioFiles
import AudioTypes
import BatchProcessing
import ChainPresets
import Foundation

/// What is done to the sound besides the chain.
struct SignalArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("Sample rate of results.", valueName: "same|Hz"),
    completion: .list(["same", "44100", "48000", "96000"]))
  var sampleRate: String?

  @Option(
    help: ArgumentHelp(
      "How well sample rates are changed; very-high by default.",
      valueName: ResampleArgument.words))
  var resampleQuality: ResampleArgument?

  @Option(
    help: ArgumentHelp("Channels of results.", valueName: "same|mono|stereo|n"),
    completion: .list(["same", "mono", "stereo"]))
  var channels: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Bring results to this integrated loudness (EBU R 128), such as -16.",
      valueName: "none|LUFS"))
  var loudness: LevelArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Hold true peaks below this ceiling with a limiter, such as -1.", valueName: "none|dBTP"))
  var truePeak: LevelArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Bring the highest sample of results to this level, such as -0.5.", valueName: "none|dBFS"))
  var normalize: LevelArgument?

  @Option(
    help: ArgumentHelp(
      "Hide the rounding where samples lose bits; tpdf when no word follows.",
      valueName: DitherArgument.words))
  var dither: DitherArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Take the input from here: seconds or h:m:s; with - before it, from its end.",
      valueName: "time"))
  var start: PlaceArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Take the input up to here.", valueName: "time"))
  var end: PlaceArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "--start and --end in one; one side may be empty.", valueName: "start..end"))
  var trim: TrimArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Cut silence off both ends of results: what is below -60 dBFS, or below another level.",
      valueName: "none|dBFS"))
  var trimSilence: LevelArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Fade results in over this time.", valueName: "seconds"))
  var fadeIn: DurationArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Fade results out over this time.", valueName: "seconds"))
  var fadeOut: DurationArgument?

  @Option(
    help: ArgumentHelp("How fades go; linear by default.", valueName: FadeArgument.words))
  var fadeCurve: FadeArgument?

  @Flag(help: "Measure loudness and true peak before and after, for report and ledger.")
  var measure = false

  /// Options that may stand without a value get theirs where what follows is none: the input.
  ///
  /// A word that is neither is refused, lest a value that is misspelt is taken for an input.
  static func completing(_ arguments: [String]) throws(AuricleError) -> [String] {
    var result: [String] = []
    for (place, argument) in arguments.enumerated() {
      let next = arguments.indices.contains(place + 1) ? arguments[place + 1] : nil
      switch argument {
      case "--dither" where next.flatMap(DitherArgument.init(rawValue:)) == nil:
        try refuseValue(next, of: argument, "tpdf, shaped or none")
        result.append("--dither=tpdf")
      case "--trim-silence":
        // A level may be below zero, which looks like an option.
        if let next, LevelArgument(argument: next) != nil {
          result.append(argument)
        } else {
          try refuseValue(next, of: argument, "a level such as -50, or none")
          result.append("--trim-silence=\(Figures.plain(OutputSettings.usualSilence))")
        }
      case "--": return result + arguments[place...]
      default: result.append(argument)
      }
    }
    return result
  }

  /// Refuses a bare word that is neither a value nor there as an input.
  private static func refuseValue(
    _ word: String?, of option: String, _ values: String
  ) throws(AuricleError) {
    guard let word, !word.hasPrefix("-"), !word.contains("/"), !word.contains("."), !word.isEmpty,
      !FileManager.default.fileExists(atPath: word)
    else { return }
    throw AuricleError(
      .usage,
      "\(option) takes \(values), not '\(word)', and there is no file or folder of that name")
  }

  /// Refuses what makes no sense by itself.
  func check() throws {
    for (name, value, range) in [
      ("--loudness", loudness, -70.0...0.0), ("--true-peak", truePeak, -60...0),
      ("--normalize", normalize, -60...0), ("--trim-silence", trimSilence, -150...0),
    ] {
      guard let level = value?.level, !range.contains(level) else { continue }
      throw ValidationError(
        "\(name) takes \(Figures.plain(range.lowerBound)) to \(Figures.plain(range.upperBound)), not "
          + "\(Figures.plain(level)).")
    }
    for (name, time) in [("--fade-in", fadeIn), ("--fade-out", fadeOut)] {
      guard let time, time.seconds > 3600 else { continue }
      throw ValidationError("\(name) takes an hour at most, not \(Figures.plain(time.seconds)) s.")
    }
    if loudness?.level != nil, normalize?.level != nil {
      throw ValidationError("Give either --loudness or --normalize: both set the level.")
    }
    if trim != nil, start != nil || end != nil {
      throw ValidationError("Give either --trim or --start and --end.")
    }
    let (from, to) = (trim?.start ?? start?.position, trim?.end ?? end?.position)
    if let from, let to, from.isFromEnd == to.isFromEnd,
      from.isFromEnd ? from.seconds <= to.seconds : from.seconds >= to.seconds
    {
      throw ValidationError("Nothing is left: the end does not come after the start.")
    }
    do throws(AuricleError) { _ = try channelCount(nil) } catch {
      throw ValidationError(error.message + ".")
    }
  }

  /// Puts what the preset says, changed by what the command line says, into settings.
  func apply(to settings: inout JobSettings, _ preset: ChainPreset) throws(AuricleError) {
    settings.measuresLoudness = measure
    settings.start =
      trim.map(\.start) ?? start?.position ?? preset.output.start.map(TimePosition.init)
    settings.end = trim.map(\.end) ?? end?.position ?? preset.output.end.map(TimePosition.init)
    settings.silenceThreshold = trimSilence.map(\.level) ?? preset.output.silenceThreshold
    for (index, deliverable) in preset.deliverables.enumerated() {
      try apply(to: &settings.deliverables[index], deliverable.settings)
    }
    if fadeCurve != nil, settings.deliverables.allSatisfy({ $0.fadeIn == 0 && $0.fadeOut == 0 }) {
      throw AuricleError(
        .usage, "--fade-curve says how fades go, and there is none: give --fade-in or --fade-out")
    }
  }

  private func apply(
    to settings: inout DeliverableSettings, _ preset: OutputSettings
  ) throws(AuricleError) {
    settings.sampleRate = try rate(preset.sampleRate)
    settings.resampleQuality =
      resampleQuality?.quality
      ?? preset.resampleQuality.flatMap { SampleRateConverter.Quality(named: $0.rawValue) }
      ?? .veryHigh
    settings.channelCount = try channelCount(preset.channelCount)
    // A level on the command line takes the place of the other kind in the preset.
    settings.loudness =
      loudness.map(\.level) ?? (normalize?.level == nil ? preset.loudness : nil)
    settings.peak = normalize.map(\.level) ?? (loudness?.level == nil ? preset.peak : nil)
    settings.truePeak = truePeak.map(\.level) ?? preset.truePeak
    if settings.loudness != nil, settings.peak != nil {
      throw AuricleError(
        .badData, "the preset asks for a loudness and a peak of one file: both set its level")
    }
    settings.dither =
      dither?.kind ?? preset.dither.flatMap { DitherKind(named: $0.rawValue) } ?? .none
    settings.fadeIn = fadeIn?.seconds ?? preset.fadeIn
    settings.fadeOut = fadeOut?.seconds ?? preset.fadeOut
    settings.fadeCurve =
      fadeCurve?.curve ?? preset.fadeCurve.flatMap { FadeCurve(rawValue: $0.rawValue) } ?? .linear
  }

  private func channelCount(_ preset: Int?) throws(AuricleError) -> Int? {
    guard let channels else { return preset }
    switch channels.lowercased() {
    case "same": return nil
    case "mono": return 1
    case "stereo": return 2
    default:
      guard let count = Int(channels), (1...64).contains(count) else {
        throw AuricleError(
          .usage, "--channels takes same, mono, stereo or 1 to 64, not '\(channels)'")
      }
      return count
    }
  }

  private func rate(_ preset: Double?) throws(AuricleError) -> Double? {
    guard let sampleRate else { return preset }
    if sampleRate.lowercased() == "same" { return nil }
    guard let rate = Self.hertz(sampleRate) else {
      throw AuricleError(
        .usage,
        "--sample-rate takes 'same', or a rate from 1000 to 768000 Hz such as 48000, not "
          + "'\(sampleRate)'")
    }
    return rate
  }

  /// Reads a sample rate such as `48000`, `48k` or `44.1 kHz`; nil for what is none.
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
