// Facts about a binary that is not loaded: its build id, and its functions by their addresses.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A binary in the ELF format of 64 bits, in the order of bytes of this machine, read in parts.
///
/// A binary of strangers may hold anything: numbers without sense count as missing. Context: control.
package enum BinaryFile {
  /// Section types: symbols of all functions, and those of exported functions.
  private static let (allSymbols, dynamicSymbols): (UInt64, UInt64) = (2, 11)
  /// The most sections and bytes of symbols that are read.
  private static let (mostSections, mostBytes): (UInt64, UInt64) = (4096, 1 << 26)
  private static let (sectionSize, symbolSize) = (64, 24)

  /// The build id in hexadecimal digits; nil for none.
  package static func buildID(of path: String) -> String? {
    guard let file = FileDescriptor(ifReadable: path, O_RDONLY | O_NONBLOCK), isRegular(file.number)
    else { return nil }
    let bytes = bytes(file.number, at: 0, 1 << 16)
    // The note: length of the name (4), length of the id, type 3, "GNU".
    let mark: [UInt8] = [0, 0, 0, 3, 0, 0, 0, 0x47, 0x4E, 0x55, 0]
    for place in bytes.indices.dropFirst(5) where bytes[place] == 0 {
      guard bytes[place...].starts(with: mark), bytes[(place - 5)..<(place - 1)] == [4, 0, 0, 0]
      else { continue }
      let (start, count) = (place + mark.count, Int(bytes[place - 1]))
      guard count > 0, count <= 64, start + count <= bytes.count else { continue }
      return bytes[start..<(start + count)].map {
        let digits = String($0, radix: 16)
        return digits.count < 2 ? "0" + digits : digits
      }.joined()
    }
    return nil
  }

  /// The name of the function within whose size an address of the binary lies; nil for none.
  package static func function(at address: UInt64, in path: String) -> String? {
    guard let file = FileDescriptor(ifReadable: path, O_RDONLY | O_NONBLOCK), isRegular(file.number)
    else { return nil }
    let header = bytes(file.number, at: 0, sectionSize)
    guard header.count == sectionSize, header.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]),
      number(header, 58, 2) == UInt64(sectionSize)
    else { return nil }
    let count = number(header, 60, 2)
    let size = Int(min(count, mostSections)) * sectionSize
    let sections = bytes(file.number, at: number(header, 40, 8), size)
    guard sections.count == size else { return nil }
    // A stripped binary has the second kind alone.
    for kind in [allSymbols, dynamicSymbols] {
      for section in stride(from: 0, to: size, by: sectionSize)
      where number(sections, section + 4, 4) == kind {
        let names = number(sections, section + 40, 4)
        guard names < count, names < mostSections else { continue }
        let place = number(sections, Int(names) * sectionSize + 24, 8)
        let symbols = bytes(
          file.number, at: number(sections, section + 24, 8),
          Int(min(number(sections, section + 32, 8), mostBytes)))
        if let name = symbol(at: address, in: symbols) {
          return text(file.number, at: place &+ name)
        }
      }
    }
    return nil
  }

  /// The place of the name of the function that holds an address.
  private static func symbol(at address: UInt64, in symbols: [UInt8]) -> UInt64? {
    guard symbols.count >= symbolSize else { return nil }
    for entry in stride(from: 0, through: symbols.count - symbolSize, by: symbolSize) {
      let kind = symbols[entry + 4] & 0xF
      // Defined functions, and functions that the loader chooses.
      guard kind == 2 || kind == 10, number(symbols, entry + 6, 2) != 0 else { continue }
      let start = number(symbols, entry + 8, 8)
      if address >= start, address - start < number(symbols, entry + 16, 8) {
        return number(symbols, entry, 4)
      }
    }
    return nil
  }

  private static func text(_ file: Int32, at place: UInt64) -> String? {
    let name = bytes(file, at: place, 256).prefix { $0 != 0 }
    let isPlain = name.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    return name.isEmpty || !isPlain ? nil : String(decoding: name, as: UTF8.self)
  }

  private static func isRegular(_ file: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Bytes at a place; fewer where the file ends.
  private static func bytes(_ file: Int32, at place: UInt64, _ count: Int) -> [UInt8] {
    var status = stat()
    guard unsafe fstat(file, &status) == 0, place < UInt64(max(status.st_size, 0)) else {
      return []
    }
    let there = min(count, Int(status.st_size) - Int(place))
    var bytes = [UInt8](repeating: 0, count: there)
    let read = retrying { unsafe pread(file, &bytes, there, off_t(place)) }
    return Array(bytes.prefix(max(read, 0)))
  }

  /// A number of some bytes, the least significant first; the caller has checked that it is there.
  private static func number(_ bytes: [UInt8], _ place: Int, _ width: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<width { value |= UInt64(bytes[place + index]) << UInt64(8 * index) }
    return value
  }
}
