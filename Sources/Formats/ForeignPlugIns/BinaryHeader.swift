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
    guard descriptor >= 0 else {
      return errno == ENOENT ? "the file is missing" : "the file cannot be read"
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return "it is no plain file"
    }
    var header = [UInt8](repeating: 0, count: 20)
    let count = retrying { unsafe read(descriptor, &header, header.count) }
    guard count == header.count, header.starts(with: [0x7F, 0x45, 0x4C, 0x46]) else {
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
    return nil
  }

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
