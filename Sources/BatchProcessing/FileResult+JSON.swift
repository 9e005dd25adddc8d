// A file's figures as JSON and back.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles

extension FileResult {
  /// The members that describe a finished file; `output` is the path it got.
  func jsonMembers(output path: String) -> [(String, JSONValue?)] {
    [
      (
        "input",
        Self.side(input, inputFormat, inputFrameCount, inputDuration, before, loudnessBefore)
      ),
      (
        "output",
        Self.side(path, outputFormat, outputFrameCount, outputDuration, after, loudnessAfter)
      ),
      ("latencyFrames", JSONValue(latencyFrameCount)),
      ("tailFrames", JSONValue(tailFrameCount)),
      ("notes", .array(notes.map(JSONValue.string))),
      ("damage", toleratedDamage.isEmpty ? nil : .array(toleratedDamage.map(JSONValue.string))),
      ("elapsedSeconds", JSONValue(elapsedSeconds)),
    ]
  }

  private static func side(
    _ path: String, _ format: AudioFileFormat, _ frames: Int, _ seconds: Double, _ levels: Levels,
    _ loudness: LoudnessFigures?
  ) -> JSONValue {
    .members([
      ("path", .string(path)), ("container", .string(format.container.name)),
      ("encoding", .string(format.encoding.name)), ("sampleRate", JSONValue(format.sampleRate)),
      ("channels", JSONValue(format.channelCount)), ("frames", JSONValue(frames)),
      ("seconds", JSONValue(seconds)), ("peakDecibels", levels.peakDecibels.map(JSONValue.init)),
      ("rmsDecibels", levels.rmsDecibels.map(JSONValue.init)),
      ("loudness", loudness?.json),
    ])
  }

  /// Reads figures back; nil when something needed is missing.
  init?(json: JSONValue) {
    guard let input = Side(json["input"]), let output = Side(json["output"]) else { return nil }
    self.init(
      input: input.path, output: output.path, inputFormat: input.format,
      outputFormat: output.format, inputFrameCount: input.frames, outputFrameCount: output.frames,
      latencyFrameCount: json["latencyFrames"]?.integer ?? 0,
      tailFrameCount: json["tailFrames"]?.integer ?? 0, before: input.levels, after: output.levels,
      loudnessBefore: input.loudness, loudnessAfter: output.loudness,
      notes: json["notes"]?.elements?.compactMap(\.text) ?? [],
      toleratedDamage: json["damage"]?.elements?.compactMap(\.text) ?? [],
      elapsedSeconds: json["elapsedSeconds"]?.number ?? 0)
  }

  private struct Side {
    var path: String
    var format: AudioFileFormat
    var frames: Int
    var levels: Levels
    var loudness: LoudnessFigures?

    init?(_ json: JSONValue?) {
      guard let json, let path = json["path"]?.text,
        let container = json["container"]?.text.flatMap(AudioContainer.init(named:)),
        let encoding = json["encoding"]?.text.flatMap(AudioEncoding.init(named:)),
        let rate = json["sampleRate"]?.number, rate > 0,
        rate <= AudioFileFormat.maximumSampleRate, let channels = json["channels"]?.integer,
        (1...AudioFileFormat.maximumChannelCount).contains(channels),
        let frames = json["frames"]?.integer, frames >= 0
      else { return nil }
      self.path = path
      format = AudioFileFormat(
        container: container, encoding: encoding, sampleRate: rate, channelCount: channels)
      self.frames = frames
      levels = Levels(
        peakDecibels: json["peakDecibels"]?.number, rmsDecibels: json["rmsDecibels"]?.number)
      loudness = json["loudness"].map(LoudnessFigures.init(json:))
    }
  }
}
