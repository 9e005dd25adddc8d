// The text of an SFZ file: comments, #define and #include, headers, opcodes.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// Reads the text of an SFZ file into the opcodes of its regions.
struct SFZText {
  typealias Opcodes = [String: String]

  /// Bytes of one file that are read at most, files that one includes, and depth.
  private static let (mostBytes, mostFiles, mostDepth) = (1 << 24, 256, 32)
  /// Levels: <control>, <global>, <master>, <group>, <region>.
  private static let headers = ["control", "global", "master", "group", "region"]

  private let path: String
  /// The folder of the file, with a slash behind.
  let folder: String
  private var levels = [Opcodes](repeating: [:], count: Self.headers.count)
  private var level: Int?
  private var definitions: [(name: String, value: String)] = []
  private var fileCount = 0
  /// The opcodes of each region, with those of the levels that it is part of.
  private(set) var regions: [Opcodes] = []
  /// The opcodes of <control>.
  var control: Opcodes { levels[0] }

  /// Reads a file and its included files.
  ///
  /// - Throws: A sentence: not there, too many files, one in another without end.
  ///
  /// Context: control.
  init(_ path: String) throws(UnitRefusal) {
    self.path = path
    folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    try read(path, depth: 0)
    endRegion()
  }

  private func refusal(_ why: String) -> UnitRefusal {
    UnitRefusal(status: kAudioUnitErr_InvalidFile, reason: "\(path) \(why)")
  }

  private mutating func read(_ file: String, depth: Int) throws(UnitRefusal) {
    guard let bytes = FileBytes.read(file, most: Self.mostBytes) else {
      let why = "there is no SFZ file \(file)"
      throw UnitRefusal(
        status: OSStatus(kAudio_FileNotFoundError),
        reason: depth == 0 ? why : "\(path) includes a file that cannot be read: \(why)")
    }
    fileCount += 1
    guard fileCount <= Self.mostFiles, depth <= Self.mostDepth else {
      throw refusal("includes more than \(Self.mostFiles) files, or itself: leave some out")
    }
    // Some editors begin a text with a mark of its encoding.
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let text = Self.withoutComments(String(decoding: bytes[start...], as: UTF8.self))
    for line in text.split(whereSeparator: \.isNewline) { try readLine(line, depth) }
  }

  /// Removes comments: between /* and */, and from // to the end of the line.
  private static func withoutComments(_ text: String) -> String {
    var made: [UInt8] = []
    var isBlock = false, isLine = false
    var before: UInt8 = 0
    for byte in text.utf8 {
      if isLine, byte == 10 || byte == 13 { isLine = false }
      if isBlock {
        if before == 42, byte == 47 {
          isBlock = false
          before = 0
          continue
        }
        if byte == 10 { made.append(10) }
      } else if !isLine {
        if before == 47, byte == 47 || byte == 42 {
          made.removeLast()
          if byte == 47 { isLine = true } else { isBlock = true }
          before = 0
          continue
        }
        made.append(byte)
      }
      before = byte
    }
    return String(decoding: made, as: UTF8.self)
  }

  private mutating func readLine(_ line: Substring, _ depth: Int) throws(UnitRefusal) {
    var rest = line.drop(while: \.isWhitespace)
    while !rest.isEmpty {
      if rest.hasPrefix("#define") {
        rest = define(rest.dropFirst(7))
      } else if rest.hasPrefix("#include") {
        rest = try include(rest.dropFirst(8), depth)
      } else if rest.first == "<" {
        guard let close = rest.firstIndex(of: ">") else { return }
        enter(String(rest[rest.index(after: rest.startIndex)..<close]).lowercased())
        rest = rest[rest.index(after: close)...]
      } else if rest.first == "#" {
        throw refusal("uses \(rest.prefix { !$0.isWhitespace }), which is not known")
      } else {
        guard let sign = rest.firstIndex(of: "=") else { return }
        let words = rest[..<sign].split(whereSeparator: \.isWhitespace)
        let name = expanded(words.last.map(String.init) ?? "").lowercased()
        let value = Self.value(rest[rest.index(after: sign)...])
        if let level { Self.set(name, expanded(value.text), in: &levels[level]) }
        rest = value.rest
      }
      rest = rest.drop(while: \.isWhitespace)
    }
  }

  private mutating func define(_ text: Substring) -> Substring {
    let words = text.drop(while: \.isWhitespace)
    let name = words.prefix { !$0.isWhitespace }
    let behind = words[name.endIndex...].drop(while: \.isWhitespace)
    let value = behind.prefix { !$0.isWhitespace }
    if name.first == "$", name.count > 1 {
      definitions.removeAll { $0.name == name }
      definitions.append((String(name), expanded(String(value))))
      // The longest name that fits is meant.
      definitions.sort { $0.name.count > $1.name.count }
    }
    return behind[value.endIndex...]
  }

  private mutating func include(
    _ text: Substring, _ depth: Int
  ) throws(UnitRefusal) -> Substring {
    guard let open = text.firstIndex(of: "\""),
      let close = text[text.index(after: open)...].firstIndex(of: "\"")
    else { throw refusal("has an #include without a name in quotes") }
    let name = expanded(String(text[text.index(after: open)..<close]))
    try read(folder + Self.plainPath(name), depth: depth + 1)
    return text[text.index(after: close)...]
  }

  /// A path with the slashes of this system.
  static func plainPath(_ path: String) -> String { String(path.map { $0 == "\\" ? "/" : $0 }) }

  /// Begins a level, and clears the deeper ones; <control> clears none.
  private mutating func enter(_ header: String) {
    endRegion()
    level = Self.headers.firstIndex(of: header)
    guard let level, level > 0 else { return }
    for deeper in level..<levels.count { levels[deeper] = [:] }
  }

  private mutating func endRegion() {
    guard level == levels.count - 1 else { return }
    regions.append(levels.reduce(into: [:]) { $0.merge($1) { $1 } })
    level = nil
  }

  private func expanded(_ text: String) -> String {
    guard text.contains("$") else { return text }
    var made = "", rest = Substring(text)
    while let next = rest.first {
      if next == "$", let found = definitions.first(where: { rest.hasPrefix($0.name) }) {
        made += found.value
        rest = rest.dropFirst(found.name.count)
      } else {
        made.append(next)
        rest.removeFirst()
      }
    }
    return made
  }

  /// Names of opcodes that have others: of older files, and of version 2.
  private static let otherNames = [
    "loopmode": "loop_mode", "loopstart": "loop_start", "loopend": "loop_end", "pitch": "tune",
    "offby": "off_by", "bendup": "bend_up", "benddown": "bend_down", "lorandom": "lorand",
    "hirandom": "hirand", "polyphony_group": "group",
  ]

  /// Sets an opcode. A key is the lowest, the highest and that of the pitch, unless these are set beside it.
  private static func set(_ name: String, _ value: String, in opcodes: inout Opcodes) {
    guard name == "key" else { return opcodes[otherNames[name] ?? name] = value }
    for part in ["lokey", "hikey", "pitch_keycenter"] where opcodes[part] == nil {
      opcodes[part] = value
    }
  }

  /// A value extends, spaces included, to the next `name=`, a header or a directive.
  private static func value(_ text: Substring) -> (text: String, rest: Substring) {
    var end = text.endIndex
    if let header = text.firstIndex(of: "<") { end = header }
    if let sign = text[..<end].firstIndex(of: "="),
      let space = text[..<sign].lastIndex(where: \.isWhitespace)
    {
      end = space
    }
    let value = text[..<end]
    let last = value.lastIndex { !$0.isWhitespace }
    return (last.map { String(value[...$0]) } ?? "", text[end...])
  }
}
