// A file's figures as JSON and back.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
package import HostSystem

extension FileResult {
  /// The members that describe a finished file; `output` is the path it got.
  package func jsonMembers(output path: String) -> [(String, JSONValue?)] {
    var source = FileSide(path: input, format: inputFormat, frames: inputFrameCount, levels: before)
    source.loudness = loudnessBefore
    source.gain = inputGain
    var result = FileSide(
      path: path, format: outputFormat, frames: outputFrameCount, levels: after)
    result.loudness = loudnessAfter
    result.change = levelChange
    result.name = name
    return [
      ("input", source.json), ("output", result.json),
      ("otherOutputs", others.isEmpty ? nil : .array(others.map { FileSide($0).json })),
      ("latencyFrames", JSONValue(latencyFrameCount)),
      ("tailFrames", JSONValue(tailFrameCount)),
      ("copied", isCopied ? .boolean(true) : nil),
      ("drawn", drawnValues.isEmpty ? nil : .array(drawnValues.map(\.json))),
      ("notes", .array(notes.map(JSONValue.string))),
      ("damage", toleratedDamage.isEmpty ? nil : .array(toleratedDamage.map(JSONValue.string))),
      ("elapsedSeconds", JSONValue(elapsedSeconds)),
    ]
  }

  /// Reads figures; nil when a required value is missing.
  package init?(json: JSONValue) {
    guard let input = FileSide(json["input"]), let output = FileSide(json["output"]) else {
      return nil
    }
    self.init(
      input: input.path, output: output.path, inputFormat: input.format,
      outputFormat: output.format, inputFrameCount: input.frames, outputFrameCount: output.frames,
      latencyFrameCount: json["latencyFrames"]?.integer ?? 0,
      tailFrameCount: json["tailFrames"]?.integer ?? 0, before: input.levels, after: output.levels,
      inputGain: input.gain, loudnessBefore: input.loudness, loudnessAfter: output.loudness,
      levelChange: output.change,
      drawnValues: (json["drawn"]?.elements ?? []).compactMap(DrawnFigure.init(json:)),
      name: output.name, notes: json["notes"]?.elements?.compactMap(\.text) ?? [],
      toleratedDamage: json["damage"]?.elements?.compactMap(\.text) ?? [],
      elapsedSeconds: json["elapsedSeconds"]?.number ?? 0)
    isCopied = json["copied"]?.boolean ?? false
    for json in json["otherOutputs"]?.elements ?? [] {
      guard let side = FileSide(json) else { return nil }
      others.append(side.deliverable)
    }
  }
}

extension DrawnFigure {
  package var json: JSONValue {
    .members([
      ("stage", .string(stage)), ("parameter", .string(parameter)), ("value", JSONValue(value)),
      ("text", .string(text)),
    ])
  }

  package init?(json: JSONValue) {
    guard let stage = json["stage"]?.text, let parameter = json["parameter"]?.text,
      let value = json["value"]?.number
    else { return nil }
    self.init(
      stage: stage, parameter: parameter, value: value, text: json["text"]?.text ?? "\(value)")
  }
}

/// The JSON members of one file, an input or an output.
private struct FileSide {
  package var path: String
  package var format: AudioFileFormat
  package var frames: Int
  package var levels: Levels
  package var loudness: LoudnessFigures?
  package var gain: Double?
  package var change: LevelChange?
  package var name: String?
  package var stored: StoredFile?

  package init(path: String, format: AudioFileFormat, frames: Int, levels: Levels) {
    self.path = path
    self.format = format
    self.frames = frames
    self.levels = levels
  }

  package init(_ result: DeliverableResult) {
    self.init(
      path: result.path, format: result.format, frames: result.frameCount, levels: result.levels)
    loudness = result.loudness
    change = result.levelChange
    name = result.name
    stored = result.stored
  }

  package var deliverable: DeliverableResult {
    DeliverableResult(
      name: name, path: path, format: format, frameCount: frames, levels: levels,
      loudness: loudness, levelChange: change, stored: stored)
  }

  package var json: JSONValue {
    .members([
      ("name", name.map(JSONValue.string)), ("path", .string(path)),
      ("container", .string(format.container.name)),
      ("encoding", .string(format.encoding.name)), ("sampleRate", JSONValue(format.sampleRate)),
      ("channels", JSONValue(format.channelCount)), ("frames", JSONValue(frames)),
      ("seconds", JSONValue(Double(frames) / format.sampleRate)),
      ("peakDecibels", levels.peakDecibels.map(JSONValue.init)),
      ("rmsDecibels", levels.rmsDecibels.map(JSONValue.init)), ("loudness", loudness?.json),
      ("gainDecibels", (change?.gain ?? gain).map { JSONValue($0) }),
      ("limitedDecibels", change.map { JSONValue($0.reduction) }),
      ("bytes", stored.map { JSONValue($0.byteCount) }),
      ("xxh64", stored.map { .string(Hexadecimal.text($0.checksum)) }),
    ])
  }

  package init?(_ json: JSONValue?) {
    guard let json, let path = json["path"]?.text,
      let container = json["container"]?.text.flatMap(AudioContainer.init(named:)),
      let encoding = json["encoding"]?.text.flatMap(AudioEncoding.init(named:)),
      let rate = json["sampleRate"]?.number, rate > 0,
      rate <= AudioFileFormat.maximumSampleRate, let channels = json["channels"]?.integer,
      (1...AudioFileFormat.maximumChannelCount).contains(channels),
      let frames = json["frames"]?.integer, frames >= 0
    else { return nil }
    let format = AudioFileFormat(
      container: container, encoding: encoding, sampleRate: rate, channelCount: channels)
    let levels = Levels(
      peakDecibels: json["peakDecibels"]?.number, rmsDecibels: json["rmsDecibels"]?.number)
    self.init(path: path, format: format, frames: frames, levels: levels)
    loudness = json["loudness"].map(LoudnessFigures.init(json:))
    gain = json["gainDecibels"]?.number
    if let gain, let reduction = json["limitedDecibels"]?.number {
      change = LevelChange(gain: gain, reduction: reduction)
    }
    name = json["name"]?.text
    if let count = json["bytes"]?.integer, count >= 0,
      let sum = json["xxh64"]?.text.flatMap(Hexadecimal.number)
    {
      stored = StoredFile(byteCount: count, checksum: sum)
    }
  }
}
