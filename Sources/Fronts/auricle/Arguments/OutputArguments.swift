// The options for results: destination, tail and format.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioFiles
import AudioTypes
import AuricleHost
import ChainPresets
import CommandOutput
import Foundation
import ResultSettings
import RunLedgers
import RunReports
import Workers

/// Options for the destination, tail and format of results.
struct OutputArguments: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The folder for results; created if missing.", valueName: "folder"),
    completion: .directory)
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Names of results: {dir}, {path}, {stem}, {ext}, {name}, {preset}, {render}, {variant}, {segment}.",
      valueName: "template"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "The policy for results that exist. Default: error.", valueName: ExistingPolicy.words))
  var onExists: ExistingPolicy?

  @Flag(help: "Replace existing files, as --on-exists overwrite does.")
  var overwrite = false

  @Flag(help: "Process damaged inputs as far as they can be read.")
  var tolerant = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The sound track to read, counted from 1.", valueName: "number"),
    transform: Self.tracks)
  var track: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The end of results: when the sound has died away, at once, at the length of the input, or after a time. Default: auto.",
      valueName: "auto|none|keep-length|seconds"),
    completion: .list(["auto", "none", "keep-length"]),
    transform: TailPolicy.argument)
  var tail: TailPolicy?

  @Option(
    help: ArgumentHelp(
      "Compensate or keep the latency of units. Default: compensate.", valueName: "compensate|keep")
  )
  var latency: LatencyPolicy?

  @Option(
    help: ArgumentHelp(
      "The container: wav, flac, aiff, caf, ogg, mp3, m4a … Default: same.", valueName: "same|name"),
    completion: .listWhenWanted(["same"] + FormatNames.files.containers))
  var container: String?

  @Option(
    help: ArgumentHelp(
      "The encoding: pcm16, pcm24, float32, vorbis, aac … Default: same.",
      valueName: "same|name"),
    completion: .listWhenWanted(["same"] + FormatNames.files.encodings))
  var encoding: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Bit rate of AAC, AC-3, MP3, Opus and Vorbis, such as 192k; none for the encoder's default.",
      valueName: "same|none|bits"))
  var bitRate: String?

  @Option(
    help: ArgumentHelp(
      "Bit rate mode of encoders: constant, average or variable.", valueName: "cbr|abr|vbr"),
    completion: .list(BitRateStrategy.allCases.map(\.rawValue)))
  var strategy: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Quality of variable bit rates, compression of FLAC: 0 to 127, or a word.",
      valueName: "number|min|low|medium|high|max"),
    completion: .list(["min", "low", "medium", "high", "max"]))
  var quality: String?

  @Option(
    help: ArgumentHelp(
      "Copy tags, markers and pictures from inputs to results. Default: keep.",
      valueName: MetadataArgument.words))
  var metadata: MetadataArgument?

  @Option(
    help: ArgumentHelp(
      "Copy the video stream to results named mp4, mov or mkv, or drop it.",
      valueName: VideoArgument.words))
  var video = VideoArgument.keep

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The slice size in frames, 1 to 65536.", valueName: "frames", visibility: .hidden),
    transform: Self.slices)
  var framesPerSlice: Int?

  @OptionGroup var signal: SignalArguments

  func check() throws {
    try signal.check()
    try ExistingPolicy.check(overwrite: overwrite, onExists: onExists)
    if output?.isEmpty == true { throw ValidationError("The name of the output is empty.") }
    if output == "-" {
      throw ValidationError("Results are files: name a folder ('./-' for one of that name).")
    }
  }

  /// The accepted numbers of sound tracks.
  static let tracks = NumberRange.whole(1...1000)

  /// The accepted slice sizes.
  static let slices = NumberRange.whole(1...65_536, of: "frames")

  /// The policy for existing results, if set.
  var existing: ExistingPolicy? { overwrite ? .overwrite : onExists }

  /// Whether results are to differ from their inputs, with any chain.
  var changesFiles: Bool {
    guard let request = try? request() else { return true }
    return request.changesFiles
  }

  /// Returns the requested results.
  func request() throws(AuricleError) -> ResultRequest {
    var request = ResultRequest()
    request.name = name
    request.existing = existing
    request.isTolerant = tolerant
    request.track = track
    request.tail = tail
    request.latency = latency
    request.container = try Self.container(container)
    request.encoding = try Self.encoding(encoding)
    request.bitRate = try bits()
    request.encoder = try encoder()
    request.keepsMetadata = metadata.map { $0 == .keep }
    request.keepsVideo = video == .keep
    request.framesPerSlice = framesPerSlice
    try signal.fill(&request)
    return request
  }

  /// The choice for a word such as `same`; that of the preset without one.
  static func choice<Value: Sendable & Equatable>(
    _ word: String?, _ read: (String) throws(AuricleError) -> Value
  ) throws(AuricleError) -> Choice<Value> {
    guard let word else { return .asPreset }
    return word.lowercased() == "same" ? .unchanged : .set(try read(word))
  }

  /// The choice of a container.
  static func container(_ word: String?) throws(AuricleError) -> Choice<AudioContainer> {
    try choice(word) { name throws(AuricleError) in try AudioContainer(written: name) }
  }

  /// The choice of an encoding.
  static func encoding(_ word: String?) throws(AuricleError) -> Choice<AudioEncoding> {
    try choice(word) { name throws(AuricleError) in try AudioEncoding(written: name) }
  }

  private func encoder() throws(AuricleError) -> EncoderChoice {
    var choice = EncoderChoice()
    if let strategy {
      guard let found = BitRateStrategy(named: strategy) else {
        throw AuricleError(.usage, "--strategy takes cbr, abr or vbr, not '\(strategy)'")
      }
      choice.strategy = found
    }
    if let quality {
      guard let found = EncoderChoice.quality(named: quality) else {
        throw AuricleError(
          .usage,
          "--quality takes a number from 0 to 127, or min, low, medium, high or max, not "
            + "'\(quality)'")
      }
      choice.quality = found
    }
    return choice
  }

  private func bits() throws(AuricleError) -> Choice<BitRate> {
    try Self.choice(bitRate) { text throws(AuricleError) in
      if text.lowercased() == "none" { return .encoders }
      guard let rate = OutputSettings.bitRate(text: text) else {
        throw AuricleError(
          .usage, "--bit-rate takes same, none, or bits a second such as 192k, not '\(text)'")
      }
      return .bits(rate)
    }
  }
}
