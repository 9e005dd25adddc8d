// A shared object as the loader reads it: its needs, its exports, its search path; and changes of these in place.
// SPDX-License-Identifier: Apache-2.0

import HostSystem

/// The dynamic section of an ELF file of 64 bits in the order of bytes of this machine.
struct ELFImage {
  /// The whole file.
  private(set) var bytes: [UInt8]
  private let dynamic: Int
  private var entries: [(tag: UInt64, value: UInt64)]
  private let texts: Int
  private let symbols: (offset: Int, count: Int)

  private enum Tag {
    static let needed: UInt64 = 1
    static let strings: UInt64 = 5
    static let name: UInt64 = 14
    static let path: UInt64 = 15
    static let runPath: UInt64 = 29
  }

  /// Reads a file; nil when it is no shared object of this machine's kind, or damaged.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]),
      let table = Self.number(bytes, 32, 8), let width = Self.number(bytes, 54, 2),
      let count = Self.number(bytes, 56, 2), width >= 56
    else { return nil }
    var segments: [(offset: Int, address: Int, size: Int)] = []
    var dynamic: (offset: Int, size: Int)?
    for index in 0..<count {
      let header = table + index * width
      guard let type = Self.number(bytes, header, 4),
        let offset = Self.number(bytes, header + 8, 8),
        let address = Self.number(bytes, header + 16, 8),
        let size = Self.number(bytes, header + 32, 8)
      else { return nil }
      if type == 1 { segments.append((offset, address, size)) }
      if type == 2 { dynamic = (offset, size) }
    }
    guard let dynamic, dynamic.size <= bytes.count, dynamic.offset <= bytes.count - dynamic.size
    else { return nil }
    self.dynamic = dynamic.offset
    entries = stride(from: dynamic.offset, to: dynamic.offset + dynamic.size / 16 * 16, by: 16).map
    {
      (Self.word(bytes, $0), Self.word(bytes, $0 + 8))
    }
    guard let strings = entries.first(where: { $0.tag == Tag.strings }).map({ Int($0.value) }),
      let segment = segments.first(where: {
        $0.address <= strings && strings < $0.address + $0.size
      })
    else { return nil }
    texts = strings - segment.address + segment.offset
    guard let symbols = Self.symbolTable(bytes) else { return nil }
    self.symbols = symbols
  }

  /// The names of the libraries that it needs, in their order.
  var needed: [String] { texts(of: Tag.needed) }

  /// The folders in which its libraries are searched for, "$ORIGIN" for its own.
  var searchPath: [String] {
    (texts(of: Tag.runPath) + texts(of: Tag.path)).flatMap {
      $0.split(separator: ":").map(String.init)
    }
  }

  /// The names of symbols that another file has to export, without optional ones.
  var wanted: Set<String> { names { section, binding in section == 0 && binding == 1 } }

  /// The names of the symbols that it offers.
  var offered: Set<String> {
    names { section, binding in section != 0 && [1, 2, 10].contains(binding) }
  }

  /// Renames libraries, to names of as many bytes, leaves some out, and sets the search path to the file's folder.
  mutating func change(names: [String: String], leavingOut unneeded: Set<String>) {
    var kept: [(tag: UInt64, value: UInt64)] = []
    for entry in entries {
      let place = texts + Int(truncatingIfNeeded: entry.value)
      let isName = entry.tag == Tag.needed || entry.tag == Tag.name
      let text =
        isName || entry.tag == Tag.runPath || entry.tag == Tag.path ? self.text(at: place) : ""
      if entry.tag == Tag.needed, unneeded.contains(text) { continue }
      if isName, let other = names[text] { write(other, over: text, at: place) }
      if entry.tag == Tag.runPath || entry.tag == Tag.path,
        text.utf8.count >= Self.origin.utf8.count
      {
        write(Self.origin, over: text, at: place)
      }
      kept.append(entry)
    }
    // Places that are left over end the list.
    kept += Array(repeating: (0, 0), count: entries.count - kept.count)
    entries = kept
    for (index, entry) in kept.enumerated() {
      for byte in 0..<8 {
        bytes[dynamic + 16 * index + byte] = UInt8(
          truncatingIfNeeded: entry.tag >> UInt64(8 * byte))
        bytes[dynamic + 16 * index + 8 + byte] = UInt8(
          truncatingIfNeeded: entry.value >> UInt64(8 * byte))
      }
    }
  }

  private static let origin = "$ORIGIN"

  private mutating func write(_ text: String, over former: String, at place: Int) {
    let size = former.utf8.count
    let new = Array(text.utf8)
    guard new.count <= size, place + size <= bytes.count else { return }
    for index in 0..<size { bytes[place + index] = index < new.count ? new[index] : 0 }
  }

  private func texts(of tag: UInt64) -> [String] {
    entries.prefix { $0.tag != 0 }.filter { $0.tag == tag }.map {
      text(at: texts + Int(truncatingIfNeeded: $0.value))
    }
  }

  private func text(at place: Int) -> String {
    guard bytes.indices.contains(place) else { return "" }
    return String(decoding: bytes[place...].prefix { $0 != 0 }, as: UTF8.self)
  }

  private func names(_ isMeant: (_ section: Int, _ binding: Int) -> Bool) -> Set<String> {
    var found: Set<String> = []
    for index in 1..<max(1, symbols.count) {
      let place = symbols.offset + 24 * index
      guard let name = Self.number(bytes, place, 4), let info = Self.number(bytes, place + 4, 1),
        let section = Self.number(bytes, place + 6, 2)
      else { break }
      if isMeant(section, info >> 4) { found.insert(text(at: texts + name)) }
    }
    return found
  }

  /// Where the dynamic symbols lie, by the sections.
  private static func symbolTable(_ bytes: [UInt8]) -> (offset: Int, count: Int)? {
    guard let sections = number(bytes, 40, 8), let width = number(bytes, 58, 2),
      let count = number(bytes, 60, 2), width >= 64
    else { return nil }
    for index in 0..<count {
      let header = sections + index * width
      // SHT_DYNSYM.
      guard number(bytes, header + 4, 4) == 11 else { continue }
      guard let offset = number(bytes, header + 24, 8), let size = number(bytes, header + 32, 8)
      else { return nil }
      return (offset, size / 24)
    }
    return nil
  }

  private static func word(_ bytes: [UInt8], _ place: Int) -> UInt64 {
    guard place >= 0, place <= bytes.count - 8 else { return 0 }
    return (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
  }

  /// A number of some bytes; nil beyond the end, or for a value that no file can have.
  private static func number(_ bytes: [UInt8], _ place: Int, _ size: Int) -> Int? {
    guard place >= 0, place <= bytes.count - size else { return nil }
    let value = (0..<size).reduce(UInt64(0)) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
    return value < 1 << 40 ? Int(value) : nil
  }
}
