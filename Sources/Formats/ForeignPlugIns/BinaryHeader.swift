// The header of a shared object: whether it is one that this machine can load.
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HostSystem

/// A judgement of a file by its first bytes, before the loader reads it.
package enum BinaryHeader {
  /// Returns the reason why a file is no shared object for this machine, as the end of a sentence; nil if
  /// it seems to be one.
  ///
  /// Context: control; it opens the file, and loads nothing.
  package static func obstacle(_ path: String) -> String? {
    let descriptor = unsafe path.withFileName {
      unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    }
    guard descriptor >= 0 else { return reason(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return "it is no plain file"
    }
    var header = [UInt8](repeating: 0, count: headerSize)
    let count = retrying { unsafe read(descriptor, &header, header.count) }
    guard count >= 20, header.starts(with: [0x7F, 0x45, 0x4C, 0x46]) else {
      return "it is no shared object"
    }
    guard header[4] == 2 else { return "it is a 32-bit library: install the one of 64 bits" }
    let isBigEndian = header[5] == 2
    func number(_ place: Int) -> Int {
      let (first, second) = (Int(header[place]), Int(header[place + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    let machine = number(18)
    guard machine == ownMachine else {
      return "it is a library for \(machines[machine] ?? "another processor (\(machine))"): install"
        + " the one for \(machines[ownMachine] ?? "this processor")"
    }
    guard number(16) == sharedObject else {
      return "it is no shared object but another kind of ELF file: link it with -shared"
    }
    // The loader reads what the header promises, and is killed where the file ends before that.
    guard count == headerSize, hasAllParts(header, descriptor, UInt64(status.st_size)) else {
      return "it is cut short: install it again"
    }
    return nil
  }

  /// Why a file cannot be opened, as the end of a sentence.
  private static func reason(_ number: Int32) -> String {
    switch number {
    case ENOENT: "the file is missing"
    case ELOOP: "it is a link that leads in a circle: remove it"
    case EACCES, EPERM: "it may not be read: allow it with chmod"
    default: "the file cannot be read"
    }
  }

  /// Whether a file of a size has all the parts that are loaded.
  private static func hasAllParts(_ header: [UInt8], _ descriptor: Int32, _ size: UInt64) -> Bool {
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    func isInside(_ start: UInt64, _ length: UInt64) -> Bool {
      start <= size && length <= size - start
    }
    let (table, count) = (number(header[32..<40]), Int(number(header[56..<58])))
    // Entries of another size are the loader's affair.
    guard Int(number(header[54..<56])) == partSize else { return true }
    guard isInside(table, UInt64(count * partSize)) else { return false }
    var parts = [UInt8](repeating: 0, count: count * partSize)
    guard
      retrying({ unsafe pread(descriptor, &parts, parts.count, off_t(clamping: table)) })
        == parts.count
    else { return false }
    return (0..<count).allSatisfy { index in
      let part = parts[(index * partSize)..<((index + 1) * partSize)]
      let start = part.startIndex
      let (place, length) = (part[(start + 8)..<(start + 16)], part[(start + 32)..<(start + 40)])
      return number(part.prefix(4)) != loaded || isInside(number(place), number(length))
    }
  }

  /// Bytes of the header of a file of 64 bits, and of the description of one of its parts.
  private static let (headerSize, partSize) = (64, 56)
  /// The kind of a part that is loaded.
  private static let loaded: UInt64 = 1

  /// The kind of file that the loader opens.
  private static let sharedObject = 3

  private static let machines = [
    3: "i386", 8: "MIPS", 21: "PowerPC", 22: "S/390", 40: "ARM", 62: "x86-64", 183: "AArch64",
    243: "RISC-V", 258: "LoongArch",
  ]

  private static var ownMachine: Int {
    #if arch(x86_64)
      62
    #elseif arch(arm64)
      183
    #else
      0
    #endif
  }
}
