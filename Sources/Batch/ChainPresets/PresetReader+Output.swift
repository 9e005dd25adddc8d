// Reads `output` and `render`: the output settings and the deliverables.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import ResultSettings

extension PresetReader {
  /// Reads `input`: the loudness that the chain is set for.
  mutating func inputLoudness(_ node: PresetNode) -> Double? {
    guard case .mapping(let pairs) = node.content else {
      add(
        "'input' must be a mapping such as {loudness: -18 LUFS}, not \(node.kindName)",
        at: node.position)
      return nil
    }
    var loudness: Double?
    for (key, value) in pairs {
      if key.value == "loudness" {
        loudness = level(value, key: key.value, unit: "LUFS", within: -70...0)
      } else {
        unknown(key, among: PresetKeys.input, in: "'input'")
      }
    }
    return loudness
  }

  mutating func output(_ node: PresetNode) -> OutputSettings {
    var settings = OutputSettings()
    guard case .mapping(let pairs) = node.content else {
      add(
        "'output' must be a mapping such as {tail: auto, latency: compensate}, not \(node.kindName)",
        at: node.position)
      return settings
    }
    for (key, value) in pairs {
      switch key.value {
      case "tail": settings.tail = tail(value) ?? settings.tail
      case "latency": settings.latency = latency(value) ?? settings.latency
      case "start": settings.start = place(value, key: key.value)
      case "end": settings.end = place(value, key: key.value)
      case "crop":
        settings.crop = number(value) { $0.time($1, key: "crop", upTo: 86_400) }
          .map { $0.random ?? .choices([$0.value]) }
        if let crop = settings.crop, !crop.isPositive {
          add("'crop' is a length above zero, such as 3 s", at: value.position)
        }
      case "metadata":
        let kept = word(value, key: key.value, among: PresetKeys.metadataWords)
        settings.keepsMetadata = kept != PresetKeys.noneWord
      case "trim silence": settings.silenceThreshold = silence(value)
      default:
        if !file(key.value, value, &settings) {
          unknown(key, among: PresetKeys.output, in: "'output'")
        }
      }
    }
    if let start = settings.start, let end = settings.end, start.isFromEnd == end.isFromEnd,
      start.isFromEnd ? start.seconds <= end.seconds : start.seconds >= end.seconds
    {
      add("nothing is left: 'end' does not come after 'start'", at: node.position)
    }
    refuseTwoLevels(settings, at: node.position)
    return settings
  }

  /// Reads the list of deliverables; each starts from the settings of `output`.
  mutating func render(_ node: PresetNode, output: OutputSettings) -> [Deliverable] {
    guard case .sequence(let items) = node.content else {
      add(
        "'render' must be a list such as [{name: web, container: mp3}], not \(node.kindName)",
        at: node.position)
      return []
    }
    if items.isEmpty { add("'render' is empty; leave it out for one file", at: node.position) }
    if items.count > 64 {
      add("'render' has \(items.count) entries; there may be 64", at: node.position)
      return []
    }
    var found: [Deliverable] = []
    for item in items {
      guard let deliverable = deliverable(item, output: output) else { continue }
      if let name = deliverable.name,
        found.contains(where: { $0.name?.value.lowercased() == name.value.lowercased() }),
        let position = name.position
      {
        add("\(quoted(name.value)) is the name of two entries of 'render'", at: position)
      }
      found.append(deliverable)
    }
    return found
  }

  private mutating func deliverable(
    _ node: PresetNode, output: OutputSettings
  ) -> Deliverable? {
    guard case .mapping(let pairs) = node.content else {
      add(
        "an entry of 'render' is a mapping such as {name: web, container: mp3}, not "
          + node.kindName, at: node.position)
      return nil
    }
    requireKeys(PresetKeys.requiredInRender, in: pairs, of: "the entry", at: node.position)
    var settings = output
    var name: Located<String>?
    for (key, value) in pairs {
      if key.value == "name" {
        name = fileNamePart(value)
      } else if !file(key.value, value, &settings) {
        if PresetKeys.output.contains(key.value), let position = key.position {
          add(
            "\(quoted(key.value)) belongs to 'output': it is the same for all files", at: position)
        } else {
          unknown(key, among: PresetKeys.render, in: "an entry of 'render'")
        }
      }
    }
    // A level set in the entry replaces a level of the other kind in 'output'.
    let keys = Set(pairs.map(\.key.value))
    if settings.loudness != nil, !keys.contains("peak"), keys.contains("loudness") {
      (settings.peak, settings.randomPeak) = (nil, nil)
    } else if settings.peak != nil, !keys.contains("loudness"), keys.contains("peak") {
      (settings.loudness, settings.randomLoudness) = (nil, nil)
    }
    if output.loudness == nil || output.peak == nil {
      refuseTwoLevels(settings, at: node.position)
    }
    return name.map { Deliverable(name: $0, settings: settings) }
  }

  private mutating func refuseTwoLevels(_ settings: OutputSettings, at position: SourcePosition) {
    guard settings.loudness != nil, settings.peak != nil else { return }
    add("'loudness' and 'peak' both set the level of a file: leave one out", at: position)
  }

  /// A name that becomes a part of a file's name.
  private mutating func fileNamePart(_ node: PresetNode) -> Located<String>? {
    guard let name = located(node, key: "name") else { return nil }
    let isPlain = name.value.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || " -_.".unicodeScalars.contains(scalar)
    }
    guard isPlain, !name.value.hasPrefix("."), name.value.utf8.count <= 100 else {
      add(
        "\(quoted(name.value)) becomes a part of a file's name: at most 100 letters, digits, "
          + "spaces, '-', '_' and '.', which is not the first", at: node.position)
      return nil
    }
    return name
  }

  /// Reads a key of a deliverable's settings; false when it is none.
  private mutating func file(
    _ key: String, _ node: PresetNode, _ settings: inout OutputSettings
  ) -> Bool {
    switch key {
    case "container": settings.container = formatName(node, key: key)
    case "encoding": settings.encoding = formatName(node, key: key)
    case "bit rate": settings.bitRate = bitRate(node)
    case "sample rate": settings.sampleRate = sampleRate(node)
    case "channels": settings.channelCount = channelCount(node)
    case "loudness":
      (settings.loudness, settings.randomLoudness) = drawnLevel(
        node, key: key, unit: "LUFS", within: -70...0)
    case "dual mono": settings.isDualMono = boolean(node, key: key) ?? false
    case "true peak": settings.truePeak = level(node, key: key, unit: "dBTP", within: -60...0)
    case "peak":
      (settings.peak, settings.randomPeak) = drawnLevel(
        node, key: key, unit: "dBFS", within: -60...0)
    case "dither": settings.dither = dither(node)
    case "resample quality":
      settings.resampleQuality = word(node, key: key, among: PresetKeys.resampleWords)
        .flatMap(SampleRateConverter.Quality.init(rawValue:))
    case "fade curve":
      settings.fadeCurve = word(node, key: key, among: PresetKeys.fadeWords)
        .flatMap(FadeCurve.init(rawValue:))
    case "fade in": settings.fadeIn = time(node, key: key, upTo: 3600) ?? 0
    case "fade out": settings.fadeOut = time(node, key: key, upTo: 3600) ?? 0
    default: return false
    }
    return true
  }
}
