// Texts with commands in them, such as [[rate 200]], into passages.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// Reads a text once.
struct CommandReader {
  private(set) var settings: SpeechSettings
  private(set) var passages: [Passage] = []
  /// The errors, each with its scalar.
  private(set) var errors: [(code: OSErr, place: Int)] = []
  private let scalars: [Unicode.Scalar]
  /// The volume that the unit has all along.
  private let volume: Double
  private let before: SpeechSettings
  private var current: Passage
  private var place = 0
  /// Whether the end of a command may follow.
  private var hasEnds = true
  /// The movement of the next word's pitch, and its gain; nil: as others.
  private var emphasis: (range: Float, gain: Float)?
  private var silence = 0.0

  /// Reads a text.
  ///
  /// - Parameter settings: How it is said until it says otherwise.
  init(_ text: ClientText, _ settings: SpeechSettings) {
    scalars = Array(text.text.unicodeScalars)
    self.settings = settings
    before = settings
    volume = settings.volume
    current = settings.passage(volume: volume)
    read()
  }

  private mutating func read() {
    while place < scalars.count {
      if hasEnds, !settings.prefix.isEmpty, matches(settings.prefix, at: place) {
        readCommands()
      } else {
        read(scalars[place])
        place += 1
      }
    }
    flush()
    if silence > 0 { flush(keepsEmpty: true) }
  }

  private func matches(_ text: String, at place: Int) -> Bool {
    let wanted = text.unicodeScalars
    return place + wanted.count <= scalars.count
      && zip(wanted, scalars[place...]).allSatisfy { $0 == $1 }
  }

  /// Reads a character of the text in its mode.
  private mutating func read(_ scalar: Unicode.Scalar) {
    let isDigit = ("0"..."9").contains(scalar)
    let isApart =
      (settings.characterMode == modeLiteral && scalar.properties.isAlphabetic)
      || (settings.numberMode == modeLiteral && isDigit)
    add(scalar)
    if isApart { add(" ") }
    let isSpace = scalar.properties.isWhitespace
    if emphasis != nil, isSpace, current.text.contains(where: { !$0.isWhitespace }) { flush() }
  }

  private mutating func add(_ scalar: Unicode.Scalar) {
    current.text.unicodeScalars.append(scalar)
    current.origins.append(place..<place + 1)
  }

  /// Ends a passage, and begins another with the settings as they are.
  private mutating func flush(keepsEmpty: Bool = false) {
    defer { current = settings.passage(volume: volume) }
    guard keepsEmpty || current.sync != nil || current.text.contains(where: { !$0.isWhitespace })
    else { return }
    current.record.silence = Float(silence)
    silence = 0
    if let emphasis {
      current.record.range *= emphasis.range
      current.record.gain *= emphasis.gain
    }
    emphasis = nil
    if settings.inputMode != modeText {
      current.record.flags |= kAuricleSpeechPassage_IsPhonemes
      passages.append(current)
    } else {
      passages += current.split(at: settings.pronunciations)
    }
  }

  private mutating func readCommands() {
    let start = place
    let inside = place + settings.prefix.unicodeScalars.count
    guard
      let end = (inside...scalars.count).first(where: { matches(settings.suffix, at: $0) })
    else {
      // Without an end it is no command, nor is any behind it.
      hasEnds = false
      read(scalars[place])
      place += 1
      return
    }
    let text = String(String.UnicodeScalarView(scalars[inside..<end]))
    place = end + settings.suffix.unicodeScalars.count
    flush()
    for command in text.split(separator: ";") {
      let words = command.split(separator: " ", maxSplits: 1).map(String.init)
      guard let name = words.first?.lowercased() else { continue }
      let value = words.count > 1 ? words[1].filter { $0 != "\n" } : ""
      do throws(SpeechFailure) {
        try run(name, value.trimmed)
      } catch {
        errors.append((error.result, start))
      }
    }
    let sync = current.sync
    current = settings.passage(volume: volume)
    current.sync = sync
  }

  private mutating func run(_ name: String, _ value: String) throws(SpeechFailure) {
    switch name {
    case "rate", "pbas", "pmod", "volm":
      guard let number = Double(value), let id = OSType(code: name) else { throw .parameter }
      let isChange = value.hasPrefix("+") || value.hasPrefix("-")
      try settings.set(id, isChange ? (settings.number(id) ?? 0) + number : number)
    case "inpt", "char", "nmbr":
      guard let id = OSType(code: name), let mode = OSType(code: value.uppercased()) else {
        throw .parameter
      }
      try settings.setMode(id, mode)
    case "slnc":
      guard let milliseconds = Double(value), (0...3_600_000).contains(milliseconds) else {
        throw .parameter
      }
      silence += milliseconds / 1000
    case "emph":
      guard value == "+" || value == "-" else { throw .parameter }
      emphasis = value == "+" ? (1.6, 1.3) : (0.5, 0.75)
    case "sync":
      guard let message = OSType(message: value) else { throw .parameter }
      if current.sync != nil { flush() }
      current.sync = message
    case "rset":
      settings = before
      settings.reset()
    case "dlim":
      let words = value.split(separator: " ").map(String.init)
      guard words.count == 2 else { throw .parameter }
      (settings.prefix, settings.suffix) = (words[0], words[1])
    case "cmnt", "ctxt", "vers", "xtnd": break
    default: throw SpeechFailure(siUnknownInfoType)
    }
  }
}

extension Passage {
  /// Splits at words with known phonemes: each becomes a passage of phonemes.
  func split(at pronunciations: [String: String]) -> [Passage] {
    guard !pronunciations.isEmpty else { return [self] }
    let scalars = Array(text.unicodeScalars)
    var parts: [Passage] = []
    var (start, place) = (0, 0)
    func part(_ range: Range<Int>) -> Passage {
      var part = self
      part.text = String(String.UnicodeScalarView(scalars[range]))
      part.origins = Array(origins[range])
      if !parts.isEmpty { (part.sync, part.record.silence) = (nil, 0) }
      return part
    }
    while place < scalars.count {
      let end =
        scalars[place...].firstIndex { !$0.properties.isAlphabetic && $0 != "'" } ?? scalars.count
      let word = String(String.UnicodeScalarView(scalars[place..<end]))
      if end > place, let phonemes = pronunciations[word.lowercased()] {
        if start < place { parts.append(part(start..<place)) }
        var spoken = part(place..<end)
        spoken.text = phonemes
        spoken.origins = phonemes.unicodeScalars.map { _ in
          origins[place].lowerBound..<origins[end - 1].upperBound
        }
        spoken.record.flags |= kAuricleSpeechPassage_IsPhonemes
        parts.append(spoken)
        start = end
      }
      place = max(end, place + 1)
    }
    if start < scalars.count { parts.append(part(start..<scalars.count)) }
    return parts
  }

  /// Whether its text ends as a sentence does.
  var endsSentence: Bool {
    text.last { !$0.isWhitespace }.map { ".!?:".contains($0) } ?? false
  }
}

extension OSType {
  /// Four characters; nil for another number of them.
  init?(code: String) {
    let bytes = Array(code.utf8)
    guard bytes.count == 4 else { return nil }
    self = bytes.reduce(0) { $0 << 8 | OSType($1) }
  }

  /// Four characters, perhaps in quotes, or a number: 0x41, 65.
  init?(message: String) {
    let bare = message.filter { $0 != "'" }
    let number =
      bare.lowercased().hasPrefix("0x") ? OSType(bare.dropFirst(2), radix: 16) : OSType(bare)
    guard let value = message.hasPrefix("'") ? OSType(code: bare) : number ?? OSType(code: bare)
    else { return nil }
    self = value
  }

  /// The characters.
  var code: String {
    String(
      decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }, as: UTF8.self)
  }
}

extension String {
  /// Without white space at its ends.
  fileprivate var trimmed: String {
    let start = drop { $0.isWhitespace }
    return String(
      start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)])
  }
}
