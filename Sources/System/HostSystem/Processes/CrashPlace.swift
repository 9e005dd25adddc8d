// The place of a crash of another process: the function, or the library and the offset in it.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import Glibc

/// The place of a crash: a library or program, and an address in it as its file counts.
package struct CrashPlace: Equatable, Sendable {
  /// The file.
  package let path: String
  /// The address of the instruction at fault.
  package let offset: UInt64

  /// Names a place.
  package init(path: String, offset: UInt64) {
    self.path = path
    self.offset = offset
  }

  /// The place that a process noted in its heartbeat; nil when it noted none for this signal.
  ///
  /// It is a hint, since units of that process can write there, too.
  package init?(heartbeat memory: UnsafeRawPointer, signal: Int32) {
    var offset: UInt64 = 0
    var path = [CChar](repeating: 0, count: 1024)
    let noted = unsafe AuricleHeartbeatCrash(memory, &offset, &path, path.count)
    guard noted != 0, noted == signal else { return nil }
    let bytes = path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    guard bytes.first == UInt8(ascii: "/") else { return nil }
    self.init(path: FileNameText.text(bytes), offset: offset)
  }

  /// The place as a part of a sentence: `in the function burst of gain.so`, or
  /// `at 0x1f00 of gain.so (build id 12ab…)` where no function holds the address.
  package var text: String {
    let name = FileNameText.shown(Path.lastComponent(path))
    if let function = BinaryFile.function(at: offset, in: path) {
      return "in the function \(function) of \(name)"
    }
    let id = BinaryFile.buildID(of: path).map { "build id \($0)" } ?? "no build id"
    return "at 0x\(String(offset, radix: 16)) of \(name) (\(id))"
  }
}
