// Small files of text, read and written whole.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
import HostSystem

/// Reads and writes small files of text. Context: control.
package enum TextFile {
  /// The text of a file of at most 16 MB; bytes that are not UTF-8 become U+FFFD.
  ///
  /// - Throws: `.noInput` when it cannot be read.
  package static func read(_ path: String) throws(AuricleError) -> String {
    String(decoding: try bytes(of: path), as: UTF8.self)
  }

  /// The bytes of a file of at most 16 MB.
  ///
  /// - Throws: `.noInput` when it cannot be read.
  package static func bytes(
    of path: String, limit: Int = 16 << 20
  ) throws(AuricleError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0, FileStamp(descriptor: descriptor) != nil else {
      let reason = descriptor >= 0 ? "it is no file" : unsafe String(cString: strerror(errno))
      if descriptor >= 0 { close(descriptor) }
      throw AuricleError(.noInput, "\(path) cannot be read: \(reason)")
    }
    defer { close(descriptor) }
    var result: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while result.count <= limit {
      let count = unsafe Glibc.read(descriptor, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw AuricleError(
          .noInput, "\(path) cannot be read: \(unsafe String(cString: strerror(errno)))")
      }
      if count == 0 { return result }
      result += block[..<count]
    }
    throw AuricleError(.badData, "\(path) is larger than \(limit) bytes")
  }

  /// Writes a file, which appears when it is complete; one that is there is replaced.
  ///
  /// - Throws: `.inputOutput` when it cannot be written.
  package static func write(_ text: String, to path: String) throws(AuricleError) {
    try write(Array(text.utf8), to: path)
  }

  /// Writes a file, which appears when it is complete; one that is there is replaced.
  ///
  /// - Throws: `.inputOutput` when it cannot be written.
  package static func write(
    _ bytes: [UInt8], to path: String, isExecutable: Bool = false
  ) throws(AuricleError) {
    let file = try AtomicFile(path: path, overwrite: true)
    var offset = 0
    while offset < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(
          file.descriptor, $0.baseAddress?.advanced(by: offset), bytes.count - offset)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw systemError(errno, "write", path) }
      offset += count
    }
    if isExecutable { fchmod(file.descriptor, 0o755) }
    try file.commit()
  }
}
