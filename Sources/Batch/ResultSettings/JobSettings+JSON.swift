// Encodes settings for workers and for the manifest of a run.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
package import HostSystem

extension JobSettings {
  /// The settings as JSON: the same text for the same settings.
  package var json: JSONValue {
    .members([
      ("tail", tail.json), ("latency", latency == .keep ? "keep" : "compensate"),
      ("tailFloor", JSONValue(Double(tailLimits.floor))),
      ("tailHold", JSONValue(tailLimits.hold)), ("tailMaximum", JSONValue(tailLimits.maximum)),
      ("toldHold", JSONValue(tailLimits.statedHold)),
      ("toldMaximum", JSONValue(tailLimits.statedMaximum)),
      ("inputLoudness", inputLoudness.map(JSONValue.init)),
      ("start", start.map { .string($0.text) }), ("end", end.map { .string($0.text) }),
      ("crop", crop?.json), ("silence", silenceThreshold.map(JSONValue.init)),
      ("deliverables", .array(deliverables.map(\.json))), ("tolerant", .boolean(isTolerant)),
      ("track", track.map(JSONValue.init)),
      ("copiesPackets", copiesPackets ? .boolean(true) : nil),
      ("song", song?.json),
      ("metadata", .boolean(keepsMetadata)), ("video", .boolean(keepsVideo)),
      ("rawInput", rawInput.map { .string($0.rawDescription) }),
      ("framesPerSlice", JSONValue(framesPerSlice)), ("measures", .boolean(measuresLoudness)),
    ])
  }

  /// Reads settings; nil when one is malformed.
  package init?(json: JSONValue) {
    self.init()
    guard let tail = json["tail"].flatMap(TailPolicy.init(json:)),
      let frames = json["framesPerSlice"]?.integer, (1...1 << 20).contains(frames)
    else { return nil }
    self.tail = tail
    framesPerSlice = frames
    latency = json["latency"]?.text == "keep" ? .keep : .compensate
    if let value = json["tailFloor"]?.number { tailLimits.floor = Float(value) }
    if let value = json["tailHold"]?.number { tailLimits.hold = value }
    if let value = json["tailMaximum"]?.number { tailLimits.maximum = value }
    if let value = json["toldHold"]?.number { tailLimits.statedHold = value }
    if let value = json["toldMaximum"]?.number { tailLimits.statedMaximum = value }
    inputLoudness = json["inputLoudness"]?.number
    start = json["start"]?.text.flatMap(TimePosition.init(text:))
    end = json["end"]?.text.flatMap(TimePosition.init(text:))
    crop = RandomNumber(json: json["crop"])
    silenceThreshold = json["silence"]?.number
    let list = (json["deliverables"]?.elements ?? []).map(DeliverableSettings.init(json:))
    guard !list.isEmpty, !list.contains(where: { $0 == nil }) else { return nil }
    deliverables = list.compactMap(\.self)
    measuresLoudness = json["measures"]?.boolean ?? false
    isTolerant = json["tolerant"]?.boolean ?? false
    track = json["track"]?.integer
    copiesPackets = json["copiesPackets"]?.boolean ?? false
    keepsMetadata = json["metadata"]?.boolean ?? true
    keepsVideo = json["video"]?.boolean ?? true
    if let value = json["song"] {
      guard let settings = SongSettings(json: value) else { return nil }
      song = settings
    }
    if let text = json["rawInput"]?.text {
      guard let format = AudioFileFormat(rawDescription: text) else { return nil }
      rawInput = format
    }
  }

  /// The longest tail in seconds, for time limits.
  package var longestTail: Double {
    switch tail {
    case .automatic: max(tailLimits.maximum, tailLimits.statedMaximum)
    case .none, .keepLength: 0
    case .seconds(let seconds): seconds
    }
  }
}

extension TailPolicy {
  fileprivate var json: JSONValue {
    switch self {
    case .automatic: "auto"
    case .none: "none"
    case .keepLength: "keep-length"
    case .seconds(let seconds): JSONValue(seconds)
    }
  }

  fileprivate init?(json: JSONValue) {
    switch json {
    case "auto": self = .automatic
    case "none": self = .none
    case "keep-length": self = .keepLength
    default:
      guard let seconds = json.number, seconds >= 0 else { return nil }
      self = .seconds(seconds)
    }
  }
}
