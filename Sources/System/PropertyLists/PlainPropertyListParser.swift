// Reads the plain form of XML property lists, which most Info.plists have, in a fraction of the time of an XML parser.
// SPDX-License-Identifier: Apache-2.0

/// Reads dictionaries, arrays, strings, integers and truth values of ASCII without entities, behind the usual head.
///
/// It names no faults: text that is not plain, or breaks a limit, is left to the reader of all XML,
/// which names them.
struct PlainPropertyListParser {
  private let bytes: [UInt8]
  private var place = 0
  private var budget: PropertyListBudget
  /// Containers that may still be opened inside each other; bounds the recursion, too.
  private var depthLeft: Int

  /// The value of a list; nil for all that is not plain.
  static func read(_ bytes: [UInt8], limits: PropertyListLimits) -> PropertyListValue? {
    var parser = PlainPropertyListParser(bytes, limits)
    return parser.list()
  }

  private init(_ bytes: [UInt8], _ limits: PropertyListLimits) {
    self.bytes = bytes
    budget = PropertyListBudget(limits)
    depthLeft = min(limits.depth, 64)
  }

  // MARK: - Grammar

  private mutating func list() -> PropertyListValue? {
    guard accept("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"), skipComments(),
      accept("<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "),
      accept("\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">"),
      skipComments(), accept("<plist version=\"1.0\">")
    else { return nil }
    skipSpace()
    guard let value = value() else { return nil }
    skipSpace()
    guard accept("</plist>") else { return nil }
    skipSpace()
    return place == bytes.count ? value : nil
  }

  private mutating func value() -> PropertyListValue? {
    guard budget.visit() else { return nil }
    if accept("<string>") {
      return leaf("</string>").map { .string(String(decoding: $0, as: UTF8.self)) }
    }
    if accept("<dict>") { return inside { $0.dictionary() } }
    if accept("<array>") { return inside { $0.array() } }
    if accept("<integer>") {
      return leaf("</integer>").flatMap {
        PropertyListScalars.integer(PropertyListScalars.trimmed(Array($0)))
      }.map { .integer($0) }
    }
    if accept("<true/>") { return .boolean(true) }
    return accept("<false/>") ? .boolean(false) : nil
  }

  private mutating func inside(
    _ read: (inout PlainPropertyListParser) -> PropertyListValue?
  ) -> PropertyListValue? {
    guard depthLeft > 0 else { return nil }
    depthLeft -= 1
    defer { depthLeft += 1 }
    return read(&self)
  }

  private mutating func dictionary() -> PropertyListValue? {
    var entries = [String: PropertyListValue](minimumCapacity: 10)
    while true {
      skipSpace()
      if accept("</dict>") { return .dictionary(entries) }
      guard accept("<key>"), budget.visit(), let name = leaf("</key>") else { return nil }
      skipSpace()
      guard let value = value(),
        entries.updateValue(value, forKey: String(decoding: name, as: UTF8.self)) == nil
      else { return nil }
    }
  }

  private mutating func array() -> PropertyListValue? {
    var elements: [PropertyListValue] = []
    while true {
      skipSpace()
      if accept("</array>") { return .array(elements) }
      guard let element = value() else { return nil }
      elements.append(element)
    }
  }

  // MARK: - Tokens

  /// The text up to an end tag.
  private mutating func leaf(_ end: StaticString) -> ArraySlice<UInt8>? {
    let start = place
    while place < bytes.count, Self.isPlain(bytes[place]) { place += 1 }
    let text = bytes[start..<place]
    return accept(end) && budget.spend(contentBytes: text.count) ? text : nil
  }

  /// Whether a byte of text means itself.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"): false
    case 0x20...0x7E, 0x09, 0x0A: true
    default: false
    }
  }

  /// Goes beyond a token if it is next.
  private mutating func accept(_ token: StaticString) -> Bool {
    let count = token.utf8CodeUnitCount
    guard bytes.count - place >= count else { return false }
    for index in 0..<count where unsafe bytes[place + index] != token.utf8Start[index] {
      return false
    }
    place += count
    return true
  }

  private mutating func skipSpace() {
    while place < bytes.count, isXMLSpace(bytes[place]) { place += 1 }
  }

  /// Goes beyond white space and comments; false for a comment that is not plain.
  private mutating func skipComments() -> Bool {
    skipSpace()
    while accept("<!--") {
      while !accept("-->") {
        // Two hyphens end a comment or break it.
        guard !accept("--"), place < bytes.count, Self.isPlain(bytes[place]) else { return false }
        place += 1
      }
      skipSpace()
    }
    return true
  }
}
