// The settings of a run: those of its preset, changed by its request.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioConversion
import AudioFiles
package import AudioTypes
package import ChainPresets
package import ResultSettings
import RunReports
import SongPlaying
import Workers

extension ResultRequest {
  /// The settings of every file.
  ///
  /// - Parameter file: The single file to write, whose extension selects its format; nil for several files.
  package func settings(
    for preset: ChainPreset, file: String? = nil
  ) throws(AuricleError) -> JobSettings {
    var settings = JobSettings()
    settings.isTolerant = isTolerant
    settings.keepsMetadata = keepsMetadata ?? preset.output.keepsMetadata
    settings.keepsVideo = keepsVideo
    settings.track = track
    settings.copiesPackets = copiesPackets
    settings.tail = tail ?? preset.output.tail
    settings.latency = latency ?? preset.output.latency
    settings.measuresLoudness = measuresLoudness
    settings.inputLoudness = inputLoudness.value(or: preset.inputLoudness)
    settings.start = start.value(or: preset.output.start)
    settings.end = end.value(or: preset.output.end)
    settings.crop = preset.output.crop
    settings.silenceThreshold = silenceThreshold.value(or: preset.output.silenceThreshold)
    settings.deliverables = []
    for deliverable in preset.deliverables {
      let made = try self.settings(of: deliverable, preset.output, file)
      if let refusal = made.refusal {
        let entry = made.name.map { "render '\($0)': " } ?? ""
        throw AuricleError(.usage, entry + refusal)
      }
      settings.deliverables.append(made)
    }
    if fadeCurve != nil, settings.deliverables.allSatisfy({ $0.fadeIn == 0 && $0.fadeOut == 0 }) {
      throw AuricleError(
        .usage, "--fade-curve shapes fades, and there is none: add --fade-in or --fade-out")
    }
    if let framesPerSlice {
      guard (1...65_536).contains(framesPerSlice) else {
        throw AuricleError(.usage, "--frames-per-slice takes 1 to 65536, not \(framesPerSlice)")
      }
      settings.framesPerSlice = framesPerSlice
    }
    if let song { settings.play(song) }
    return settings
  }

  /// The settings of a deliverable of the preset.
  private func settings(
    of deliverable: Deliverable, _ common: OutputSettings, _ file: String?
  ) throws(AuricleError) -> DeliverableSettings {
    do {
      var settings = DeliverableSettings()
      settings.name = deliverable.name?.value
      settings.container = try container(of: deliverable.settings, file)
      settings.encoding = try encoding(of: deliverable.settings)
      let rate = bitRate.value(or: deliverable.settings.bitRate)
      settings.bitRate = rate?.bitsPerSecond
      settings.keepsBitRate = rate != .encoders
      settings.encoder = encoder
      // A bit rate for all files applies to compressed ones.
      settings.sharesBitRate =
        deliverable.name != nil
        && (bitRate != .asPreset || deliverable.settings.bitRate == common.bitRate)
      if let container = settings.container { try CodecLibrary.check(container) }
      try apply(to: &settings, deliverable.settings)
      return settings
    } catch {
      guard let name = deliverable.name?.value else { throw error }
      throw AuricleError(
        error.category, status: error.status, "render '\(name)': \(error.message)")
    }
  }

  /// The container of a file: as requested, otherwise from the preset, otherwise from its name.
  private func container(
    of preset: OutputSettings, _ file: String?
  ) throws(AuricleError) -> AudioContainer? {
    let chosen = container.value(or: nil)
    if chosen == nil, container == .asPreset {
      if let name = preset.container?.value, name.lowercased() != "same" {
        let container = try AudioContainer(written: name)
        if let written = file ?? self.name { try Self.check(container, named: written) }
        return container
      }
      if let file { return try Self.container(ofFile: file) }
      // A literal extension selects the format; `{ext}` is that of the result.
      return self.name.flatMap { AudioContainer(path: $0) }
    }
    if let chosen, let written = file ?? self.name { try Self.check(chosen, named: written) }
    return chosen
  }

  private func encoding(of preset: OutputSettings) throws(AuricleError) -> AudioEncoding? {
    switch encoding {
    case .unchanged: return nil
    case .set(let encoding): return encoding
    case .asPreset:
      guard let name = preset.encoding?.value, name.lowercased() != "same" else { return nil }
      return try AudioEncoding(written: name)
    }
  }

  /// Rate, channels, level and fades.
  private func apply(
    to settings: inout DeliverableSettings, _ preset: OutputSettings
  ) throws(AuricleError) {
    settings.sampleRate = sampleRate.value(or: preset.sampleRate)
    settings.resampleQuality =
      resampleQuality
      ?? preset.resampleQuality.flatMap { SampleRateConverter.Quality(named: $0.rawValue) }
      ?? .veryHigh
    settings.channelCount = channelCount.value(or: preset.channelCount)
    // A requested level replaces a level of the other kind in the preset.
    settings.loudness = loudness.value(or: peak.chosen == nil ? preset.loudness : nil)
    settings.peak = peak.value(or: loudness.chosen == nil ? preset.peak : nil)
    if loudness == .asPreset, settings.loudness != nil {
      settings.randomLoudness = preset.randomLoudness
    }
    if peak == .asPreset, settings.peak != nil { settings.randomPeak = preset.randomPeak }
    settings.truePeak = truePeak.value(or: preset.truePeak)
    settings.isDualMono = isDualMono ?? preset.isDualMono
    if settings.loudness != nil, settings.peak != nil {
      throw AuricleError(
        .badData, "the preset asks for a loudness and a peak of one file: both set its level")
    }
    settings.dither = dither ?? preset.dither.flatMap { DitherKind(named: $0.rawValue) } ?? .none
    settings.fadeIn = fadeIn ?? preset.fadeIn
    settings.fadeOut = fadeOut ?? preset.fadeOut
    settings.fadeCurve =
      fadeCurve ?? preset.fadeCurve.flatMap { FadeCurve(rawValue: $0.rawValue) } ?? .linear
  }

  /// The container of a file's extension; nil without one, for that of the input.
  private static func container(ofFile path: String) throws(AuricleError) -> AudioContainer? {
    let ending = ending(of: path)
    if let layer = ending.flatMap({ ["mp2": 2, "m1a": 1][$0.lowercased()] }) {
      throw AuricleError(
        .usage,
        "'\(path)' would be MPEG audio of layer \(layer), which is read, not written: end it in .mp3"
      )
    }
    if let container = AudioContainer(path: path) { return container }
    guard let ending else { return nil }
    throw AuricleError(
      .usage,
      "no container has files that end in '.\(ending)', as '\(path)' does: name one with "
        + "--container, or end it in .wav, .flac, .aiff, .caf, .mp3 or the like")
  }

  /// Refuses a name with the extension of another format.
  private static func check(
    _ container: AudioContainer, named name: String
  ) throws(AuricleError) {
    guard let other = AudioContainer(path: name), other.fileExtension != container.fileExtension
    else { return }
    throw AuricleError(
      .usage,
      "'\(name)' ends in .\(ending(of: name) ?? ""), which \(container.name) files do not: end it "
        + "in .\(container.fileExtension), or choose another container")
  }

  /// The extension of a path; nil without one.
  private static func ending(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...]
    return ending.isEmpty ? nil : String(ending)
  }
}
