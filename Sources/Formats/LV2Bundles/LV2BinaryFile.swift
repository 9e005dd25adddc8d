// Reads a plug-in's binary, or a library, without loading it.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import Glibc
internal import HostSystem

/// The dynamic-linking tables of a shared object.
///
/// Names are stored as hashes: they are only compared.
package struct LV2BinaryFile {
  /// Names of the libraries it needs.
  package private(set) var wanted: [String] = []
  /// Folders to search for them first.
  package private(set) var searchFolders: [String] = []
  /// Symbols that others have to define.
  package private(set) var undefined: Set<UInt64> = []
  /// Symbols that it defines.
  package private(set) var defined: Set<UInt64> = []
  private let file: LV2MappedFile

  private static let sectionOfUndefined = 0
  private static let sectionOfDynamicSymbols = 11
  private static let segmentOfMemory = 1
  private static let segmentOfTies = 2

  /// Reads the tables of a file; nil when it is no shared object for this machine, judging by its header.
  package init?(_ path: String) {
    guard let file = LV2MappedFile(path), file.number(0, 4) == 0x464C_457F,
      file.number(4, 1) == MemoryLayout<Int>.size / 4, file.number(16, 2) == 3
    else { return nil }
    self.file = file
    guard readTies(folder: String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])),
      readSymbols()
    else { return nil }
  }

  /// Whether a text is anywhere in the file.
  package func contains(_ text: String) -> Bool { file.contains(text) }

  /// Reads the libraries it needs, and where it searches them.
  private mutating func readTies(folder: String) -> Bool {
    guard let start = file.number(32, 8), let width = file.number(54, 2),
      let count = file.number(56, 2)
    else { return false }
    var segments: [(address: Int, offset: Int, size: Int)] = []
    var ties: (offset: Int, size: Int)?
    for index in 0..<count {
      let at = start &+ index &* width
      guard let type = file.number(at, 4), let offset = file.number(at &+ 8, 8),
        let address = file.number(at &+ 16, 8), let size = file.number(at &+ 32, 8)
      else { return false }
      if type == Self.segmentOfMemory { segments.append((address, offset, size)) }
      if type == Self.segmentOfTies { ties = (offset, size) }
    }
    guard let ties else { return false }
    var entries: [(tag: Int, value: Int)] = []
    for at in stride(from: ties.offset, to: ties.offset &+ min(ties.size, 1 << 20), by: 16) {
      guard let tag = file.number(at, 8), let value = file.number(at &+ 8, 8) else { return false }
      if tag == 0 { break }
      entries.append((tag, value))
    }
    guard let table = entries.first(where: { $0.tag == 5 })?.value,
      let segment = segments.first(where: { $0.address <= table && table < $0.address &+ $0.size })
    else { return false }
    let texts = table &- segment.address &+ segment.offset
    for entry in entries {
      guard entry.tag == 1 || entry.tag == 15 || entry.tag == 29,
        let text = file.text(texts &+ entry.value)
      else { continue }
      if entry.tag == 1 {
        wanted.append(text)
      } else {
        searchFolders += text.split(separator: ":").map {
          String($0).replacing("${ORIGIN}", with: folder).replacing("$ORIGIN", with: folder)
        }
      }
    }
    return true
  }

  /// The symbols that it defines for others to link with; not the weak ones, which compilers make of inline functions.
  package var exportedNames: [String] {
    var names: [String] = []
    _ = eachSymbol { symbol in
      if symbol.section != Self.sectionOfUndefined, symbol.binding == 1,
        let name = file.text(symbol.name)
      {
        names.append(name)
      }
      return true
    }
    return names
  }

  /// Reads its dynamic symbols from the sections; a file without sections is accepted.
  private mutating func readSymbols() -> Bool {
    var (found, missing): (Set<UInt64>, Set<UInt64>) = ([], [])
    let file = file
    let isWhole = eachSymbol { symbol in
      guard let hash = file.hash(symbol.name) else { return false }
      if symbol.section != Self.sectionOfUndefined {
        found.insert(hash)
      } else if symbol.binding == 1 {
        // Weak symbols may stay undefined.
        missing.insert(hash)
      }
      return true
    }
    (defined, undefined) = (found, missing)
    return isWhole
  }

  /// A dynamic symbol: where its name is, how it binds, and the section that it is in.
  private struct Symbol {
    var name: Int
    var binding: Int
    var section: Int
  }

  /// Calls a body with each dynamic symbol, until it returns false.
  ///
  /// - Returns: False where the body returned it, or the tables are no tables.
  private func eachSymbol(_ body: (Symbol) -> Bool) -> Bool {
    guard let start = file.number(40, 8), let width = file.number(58, 2),
      let count = file.number(60, 2), start > 0
    else { return false }
    for index in 0..<count {
      let at = start &+ index &* width
      guard file.number(at &+ 4, 4) == Self.sectionOfDynamicSymbols else { continue }
      guard let offset = file.number(at &+ 24, 8), let size = file.number(at &+ 32, 8),
        let link = file.number(at &+ 40, 4),
        let texts = file.number(start &+ link &* width &+ 24, 8), size <= file.count
      else { return false }
      for place in stride(from: offset &+ 24, to: offset &+ size, by: 24) {
        guard let name = file.number(place, 4), let info = file.number(place &+ 4, 1),
          let section = file.number(place &+ 6, 2),
          body(Symbol(name: texts &+ name, binding: info >> 4, section: section))
        else { return false }
      }
      return true
    }
    return false
  }
}

/// A file mapped read-only; reading outside of it returns nil.
@safe private final class LV2MappedFile {
  private let bytes: UnsafeRawBufferPointer

  var count: Int { unsafe bytes.count }

  init?(_ path: String) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size >= 64, status.st_size < 1 << 30,
      let memory = unsafe mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0),
      unsafe memory != MAP_FAILED
    else { return nil }
    unsafe bytes = UnsafeRawBufferPointer(start: memory, count: Int(status.st_size))
  }

  deinit {
    unsafe _ = munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }

  /// A number of 1, 2, 4 or 8 bytes; nil outside of the file.
  func number(_ offset: Int, _ width: Int) -> Int? {
    guard offset >= 0, offset <= count - width else { return nil }
    let value: UInt64
    switch width {
    case 1: value = UInt64(unsafe bytes[offset])
    case 2: value = UInt64(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    case 4: value = UInt64(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    default: value = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
    return value < 1 << 40 ? Int(value) : nil
  }

  /// A text that ends with a zero.
  func text(_ offset: Int) -> String? {
    guard offset >= 0, offset < count else { return nil }
    let rest = unsafe bytes[offset...].prefix(4096)
    guard let end = unsafe rest.firstIndex(of: 0) else { return nil }
    return unsafe String(decoding: rest[..<end], as: UTF8.self)
  }

  /// A hash of a text that ends with a zero.
  func hash(_ offset: Int) -> UInt64? {
    guard offset >= 0 else { return nil }
    var value: UInt64 = 0xCBF2_9CE4_8422_2325
    var index = offset
    while index < count {
      let byte = unsafe bytes[index]
      if byte == 0 { return value }
      value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
      index += 1
    }
    return nil
  }

  func contains(_ text: String) -> Bool {
    unsafe text.utf8CString.withUnsafeBytes { wanted in
      guard let start = unsafe bytes.baseAddress, let first = wanted.baseAddress else {
        return false
      }
      return unsafe auricle_contains(start, bytes.count, first, wanted.count - 1)
    }
  }
}
