// Reading `output` and `render`: how a rendering ends, and the files it is stored as.
// SPDX-License-Identifier: Apache-2.0

extension PresetReader {
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
    return settings
  }

  /// Reads the list of deliverables; each starts from what `output` says.
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
    return name.map { Deliverable(name: $0, settings: settings) }
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

  /// Reads a key that says what a file is; false when it is none.
  private mutating func file(
    _ key: String, _ node: PresetNode, _ settings: inout OutputSettings
  ) -> Bool {
    switch key {
    case "container": settings.container = formatName(node, key: key)
    case "encoding": settings.encoding = formatName(node, key: key)
    case "bit rate": settings.bitRate = bitRate(node)
    case "sample rate": settings.sampleRate = sampleRate(node)
    case "channels": settings.channelCount = channelCount(node)
    case "loudness": settings.loudness = level(node, key: key, unit: "LUFS", within: -70...0)
    case "true peak": settings.truePeak = level(node, key: key, unit: "dBTP", within: -60...0)
    case "peak": settings.peak = level(node, key: key, unit: "dBFS", within: -60...0)
    case "dither": settings.dither = dither(node)
    case "resample quality":
      settings.resampleQuality = word(node, key: key, among: PresetKeys.resampleWords)
        .flatMap(OutputSettings.ResampleQuality.init)
    case "fade curve":
      settings.fadeCurve = word(node, key: key, among: PresetKeys.fadeWords)
        .flatMap(OutputSettings.FadeCurve.init)
    case "fade in": settings.fadeIn = time(node, key: key, upTo: 3600) ?? 0
    case "fade out": settings.fadeOut = time(node, key: key, upTo: 3600) ?? 0
    default: return false
    }
    return true
  }

  private mutating func channelCount(_ node: PresetNode) -> Int? {
    let form = "'channels' is same, mono, stereo, or a number from 1 to 64"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    switch trimmingSpaces(text) {
    case PresetKeys.sameWord: return nil
    case "mono": return 1
    case "stereo": return 2
    default: break
    }
    if let number = parseNumber(text), let count = Int(exactly: number), (1...64).contains(count) {
      return count
    }
    add("\(form), not \(quoted(text))", at: node.position)
    return nil
  }

  /// A level in the unit named or in dB; `nil` for `none`.
  private mutating func level(
    _ node: PresetNode, key: String, unit: String, within range: ClosedRange<Double>
  ) -> Double? {
    let form = "\(quoted(key)) is none, or a level such as \(unit == "LUFS" ? "-16" : "-1") \(unit)"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    if trimmingSpaces(text) == PresetKeys.noneWord { return nil }
    let value: Double
    switch Quantity.read(text) {
    case .quantity(let quantity) where quantity.unit == nil || quantity.unit?.kind == .level:
      value = quantity.value
    case .unknownUnit(let number, let written) where written.lowercased() == unit.lowercased():
      value = number
    default:
      add("\(form), not \(quoted(text))", at: node.position)
      return nil
    }
    guard range.contains(value) else {
      let limits = "\(plainNumber(range.lowerBound)) and \(plainNumber(range.upperBound)) \(unit)"
      add(
        "\(quoted(key)) lies between \(limits); \(trimmingSpaces(text)) is outside",
        at: node.position)
      return nil
    }
    return value
  }

  private mutating func dither(_ node: PresetNode) -> OutputSettings.Dither? {
    let form = "'dither' is \(alternatives(PresetKeys.ditherWords))"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    if let dither = OutputSettings.Dither(rawValue: text) { return dither }
    if text.lowercased() == "tpdf" { return .triangular }
    let near = suggestion(for: text, in: PresetKeys.ditherWords)
    add("\(form), not \(quoted(text))\(near)", at: node.position)
    return nil
  }

  /// One of a few words.
  mutating func word(
    _ node: PresetNode, key: String, among words: [String]
  ) -> String? {
    let form = "\(quoted(key)) is \(alternatives(words))"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    let plain = String(text.lowercased().map { $0 == " " || $0 == "_" ? "-" : $0 })
    if words.contains(plain) { return plain }
    add("\(form), not \(quoted(text))\(suggestion(for: text, in: words))", at: node.position)
    return nil
  }

  /// The level below which sound is silence; `true` for the usual one.
  private mutating func silence(_ node: PresetNode) -> Double? {
    if case .scalar(let text, _) = node.content {
      switch trimmingSpaces(text).lowercased() {
      case "true": return OutputSettings.usualSilence
      case "false": return nil
      default: break
      }
    }
    return level(node, key: "trim silence", unit: "dBFS", within: -150...0)
  }

  private mutating func time(
    _ node: PresetNode, key: String, upTo longest: Double
  ) -> Double? {
    let form = "\(quoted(key)) is a time such as 20 ms"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    guard case .quantity(let quantity) = Quantity.read(text),
      quantity.unit == nil || quantity.unit?.kind == .time
    else {
      add("\(form), not \(quoted(text))", at: node.position)
      return nil
    }
    guard (0...longest).contains(quantity.basicValue) else {
      add(
        "\(quoted(key)) lies between 0 s and \(plainNumber(longest)) s; \(quantity.description) is outside",
        at: node.position)
      return nil
    }
    return quantity.basicValue
  }

  /// A gain in dB.
  mutating func decibels(
    _ node: PresetNode, key: String, within range: ClosedRange<Double>
  ) -> Double? {
    let form = "\(quoted(key)) is a number of decibels such as -6 dB"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    guard case .quantity(let quantity) = Quantity.read(text),
      quantity.unit == nil || quantity.unit?.kind == .level
    else {
      add("\(form), not \(quoted(text))", at: node.position)
      return nil
    }
    guard range.contains(quantity.value) else {
      add(
        "\(quoted(key)) lies between \(plainNumber(range.lowerBound)) dB and "
          + "\(plainNumber(range.upperBound)) dB; \(quantity.description) is outside",
        at: node.position)
      return nil
    }
    return quantity.value
  }
}
