// Examines a binary before the loader does, to say in plain words why it cannot be loaded.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The start of an ELF file.
enum ELFHeader {
  /// Returns the fault of a file as a shared object for this machine, as a clause; nil if there is none.
  ///
  /// The loader would say "invalid ELF header" to some of this, and a file that is cut short can
  /// end the process with SIGBUS.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - name: Its name in the clause.
  ///
  /// Context: control.
  static func defect(ofFileAt path: String, named name: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      return "its binary \(name) cannot be read: \(unsafe String(cString: strerror(errno)))"
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return "its binary \(name) is not a file"
    }
    var bytes = [UInt8](repeating: 0, count: 64)
    bytes.removeLast(64 - max(0, unsafe pread(descriptor, &bytes, 64, 0)))
    return defect(of: bytes, name) ?? truncation(descriptor, bytes, UInt64(status.st_size), name)
  }

  private static func defect(of bytes: [UInt8], _ binary: String) -> String? {
    guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46]) else {
      return "its binary \(binary) is not an ELF file but \(kind(of: bytes))"
    }
    guard bytes.count == 64 else { return "its binary \(binary) is cut short" }
    let machine = number(bytes, 18, 2)
    guard bytes[4] == 2, bytes[5] == 1, machine == Self.machine else {
      let bits = bytes[4] == 1 ? "32-bit " : ""
      return "its binary \(binary) is built for \(bits)\(name(of: machine)), but this machine is "
        + "\(name(of: Self.machine)); install a build for \(name(of: Self.machine))"
    }
    guard number(bytes, 16, 2) == 3 else {
      return "its binary \(binary) is not a shared object; it must be linked with -shared"
    }
    return nil
  }

  /// Whether the segments that will be mapped lie in the file.
  private static func truncation(
    _ descriptor: Int32, _ bytes: [UInt8], _ size: UInt64, _ binary: String
  ) -> String? {
    let start = number(bytes, 32, 8)
    let (width, count) = (number(bytes, 54, 2), number(bytes, 56, 2))
    guard count > 0, width >= 56, start <= size, count * width <= size - start else {
      return "its binary \(binary) is cut short or damaged"
    }
    var table = [UInt8](repeating: 0, count: Int(count * width))
    guard unsafe pread(descriptor, &table, table.count, off_t(start)) == table.count else {
      return "its binary \(binary) cannot be read"
    }
    for entry in 0..<Int(count) {
      let base = entry * Int(width)
      guard number(table, base, 4) == 1 else { continue }
      let (offset, length) = (number(table, base + 8, 8), number(table, base + 32, 8))
      guard offset <= size, length <= size - offset else {
        return "its binary \(binary) is cut short: it should have at least "
          + "\(offset &+ length) bytes and has \(size)"
      }
    }
    return nil
  }

  /// A little-endian number; the caller has checked that it is there.
  private static func number(_ bytes: [UInt8], _ offset: Int, _ width: Int) -> UInt64 {
    bytes[offset..<offset + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func kind(of bytes: [UInt8]) -> String {
    let isMacOS = [
      [0xCF, 0xFA, 0xED, 0xFE], [0xCE, 0xFA, 0xED, 0xFE], [0xCA, 0xFE, 0xBA, 0xBE],
    ].contains { bytes.starts(with: $0) }
    if isMacOS { return "a macOS binary" }
    if bytes.starts(with: [0x4D, 0x5A]) { return "a Windows binary" }
    if bytes.isEmpty { return "empty" }
    let isText = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
    return isText ? "text" : "something else"
  }

  private static func name(of machine: UInt64) -> String {
    let names: [UInt64: String] = [
      3: "x86", 21: "POWER", 22: "S/390", 40: "ARM", 62: "x86-64", 183: "ARM64", 243: "RISC-V",
      258: "LoongArch",
    ]
    return names[machine] ?? "machine type \(machine)"
  }

  /// The machine for which this program was built.
  private static var machine: UInt64 {
    #if arch(x86_64)
      62
    #elseif arch(arm64)
      183
    #elseif arch(riscv64)
      243
    #else
      0
    #endif
  }
}
