// The options that say where results go and what they are.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioFiles
import AudioTypes
import BatchProcessing
import ChainPresets
import Foundation

/// Where results go, how long they are, and how they are stored.
struct OutputArguments: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The folder to write into; it is made when missing.", valueName: "folder"),
    completion: .directory)
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Names of results: {dir}, {path}, {stem}, {ext}, {name}, {preset}, {render}, {variant}.",
      valueName: "template"))
  var name: String?

  @Option(
    help: ArgumentHelp("What to do about results that exist.", valueName: ExistingArgument.words))
  var onExists: ExistingArgument?

  @Flag(help: "Replace files that exist: --on-exists overwrite.")
  var overwrite = false

  @Flag(help: "Take damaged inputs as far as they can be read.")
  var tolerant = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Which of several sound tracks of an input is taken, from 1.", valueName: "number"))
  var track: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "After the input: as long as there is sound, nothing, as many frames as the input, or a time.",
      valueName: "auto|none|keep-length|seconds"),
    completion: .list(["auto", "none", "keep-length"]))
  var tail: TailArgument?

  @Option(
    help: ArgumentHelp("What happens to the delay of units.", valueName: "compensate|keep"))
  var latency: LatencyArgument?

  @Option(
    help: ArgumentHelp(
      "Kind of file, such as wav, flac, aiff, caf, ogg, mp3, m4a.", valueName: "same|name"),
    completion: .list(["same"] + FormatNames.files.containers))
  var container: String?

  @Option(
    help: ArgumentHelp(
      "How samples are stored, such as pcm16, pcm24, float32, vorbis, aac.",
      valueName: "same|name"),
    completion: .list(["same"] + FormatNames.files.encodings))
  var encoding: String?

  @Option(
    help: ArgumentHelp(
      "Bits a second of AAC, AC-3, MP3 and Opus, such as 192k.", valueName: "bits"))
  var bitRate: String?

  @Option(
    help: ArgumentHelp(
      "Whether texts, marks, pictures and the like go from inputs to results.",
      valueName: MetadataArgument.words))
  var metadata: MetadataArgument?

  @Option(
    help: ArgumentHelp(
      "Frames that units render at a time, 1 to 65536.", valueName: "frames", visibility: .hidden))
  var framesPerSlice: Int?

  @OptionGroup var signal: SignalArguments

  func check() throws {
    try signal.check()
    if case .seconds(let seconds) = tail?.policy, seconds > 86_400 {
      throw ValidationError("--tail takes a day at most, not \(Figures.plain(seconds)) s.")
    }
    if let track, !(1...1000).contains(track) {
      throw ValidationError("--track takes the number of a sound track, from 1; not \(track).")
    }
    if overwrite, let onExists, onExists != .overwrite {
      throw ValidationError("Give either --overwrite or --on-exists \(onExists.rawValue).")
    }
    if output?.isEmpty == true { throw ValidationError("The name of the output is empty.") }
    if output == "-" {
      throw ValidationError("Results are files: name a folder ('./-' for one of that name).")
    }
  }

  /// What is done about results that exist.
  var existing: ExistingPolicy { overwrite ? .overwrite : onExists?.policy ?? .error }

  /// What the preset says, changed by what the command line says.
  ///
  /// - Parameter file: The one file to write, whose name tells what it is to be; nil for a folder.
  func settings(
    for preset: ChainPreset, file: String? = nil
  ) throws(AuricleError) -> JobSettings {
    var settings = JobSettings()
    settings.overwrite = existing == .overwrite
    settings.isTolerant = tolerant
    settings.keepsMetadata = metadata.map { $0 == .keep } ?? preset.output.keepsMetadata
    settings.track = track
    settings.tail = tail?.policy ?? TailPolicy(preset.output.tail)
    settings.latency = latency?.policy ?? LatencyPolicy(preset.output.latency)
    settings.deliverables = []
    for deliverable in preset.deliverables {
      do {
        settings.deliverables.append(try self.settings(of: deliverable, preset.output, file))
      } catch {
        guard let name = deliverable.name?.value else { throw error }
        throw AuricleError(
          error.category, status: error.status, "render '\(name)': \(error.message)")
      }
    }
    try signal.apply(to: &settings, preset)
    for deliverable in settings.deliverables {
      guard let refusal = deliverable.refusal else { continue }
      let entry = deliverable.name.map { "render '\($0)': " } ?? ""
      throw AuricleError(.usage, entry + refusal)
    }
    if let framesPerSlice {
      guard (1...65_536).contains(framesPerSlice) else {
        throw AuricleError(.usage, "--frames-per-slice takes 1 to 65536, not \(framesPerSlice)")
      }
      settings.framesPerSlice = framesPerSlice
    }
    return settings
  }

  /// Name, container and encoding of one of the files that the preset gives.
  private func settings(
    of deliverable: Deliverable, _ common: OutputSettings, _ file: String?
  ) throws(AuricleError) -> DeliverableSettings {
    var settings = DeliverableSettings()
    settings.name = deliverable.name?.value
    if let name = chosen(container, deliverable.settings.container?.value) {
      guard let container = AudioContainer(named: name) else {
        let names = FormatNames.files.containers.joined(separator: ", ")
        throw AuricleError(.usage, "there is no container '\(name)'; there are \(names)")
      }
      settings.container = container
      if file != "-", let written = file ?? self.name { try Self.check(container, named: written) }
    } else if let file, file != "-", container == nil {
      settings.container = try Self.container(of: file)
    } else if container == nil, let template = self.name {
      // An ending that is written out says what the file is to be; `{ext}` is that of the result.
      settings.container = AudioContainer(path: template)
    }
    if let name = chosen(encoding, deliverable.settings.encoding?.value) {
      guard let encoding = AudioEncoding(named: name) else {
        let names = AudioEncoding.allCases.filter { $0 != .other }.map(\.name)
          .joined(separator: ", ")
        throw AuricleError(.usage, "there is no encoding '\(name)'; there are \(names)")
      }
      settings.encoding = encoding
    }
    settings.bitRate = try bits() ?? deliverable.settings.bitRate
    // What was said of all files is meant for those that have a bit rate.
    settings.sharesBitRate =
      deliverable.name != nil
      && (bitRate != nil || deliverable.settings.bitRate == common.bitRate)
    if let container = settings.container { try CodecLibrary.check(container) }
    return settings
  }

  /// What the ending of a file's name stands for; nil without one, for that of the input.
  private static func container(of path: String) throws(AuricleError) -> AudioContainer? {
    if let container = AudioContainer(path: path) { return container }
    let ending = (path as NSString).pathExtension
    guard !ending.isEmpty else { return nil }
    throw AuricleError(
      .usage,
      "no container has files that end in '.\(ending)', as '\(path)' does: name one with "
        + "--container, or end it in .wav, .flac, .aiff, .caf, .mp3 or the like")
  }

  /// Refuses a name that is written out with the ending of another kind of file.
  private static func check(
    _ container: AudioContainer, named name: String
  ) throws(AuricleError) {
    guard let other = AudioContainer(path: name), other.fileExtension != container.fileExtension
    else { return }
    let ending = (name as NSString).pathExtension
    throw AuricleError(
      .usage,
      "'\(name)' ends in .\(ending), which \(container.name) files do not: end it in "
        + ".\(container.fileExtension), or choose another container")
  }

  /// The command line's word, else the preset's; nil for `same`.
  private func chosen(_ option: String?, _ preset: String?) -> String? {
    guard let name = option ?? preset, name.lowercased() != "same" else { return nil }
    return name
  }

  private func bits() throws(AuricleError) -> Int? {
    guard let bitRate else { return nil }
    guard let rate = OutputSettings.bitRate(text: bitRate) else {
      throw AuricleError(
        .usage, "--bit-rate takes bits a second such as 192k, not '\(bitRate)'")
    }
    return rate
  }
}
