// A password in a file, so that it is in no command line and no preset.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc

/// Reads passwords.
package enum PasswordFile {
  /// The first line of a file; empty for no path.
  ///
  /// - Throws: `.unavailable` for a file that cannot be read, `.badData` for one whose first line is empty.
  ///
  /// Context: control.
  package static func password(_ path: String) throws(AuricleError) -> String {
    guard !path.isEmpty else { return "" }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? ""
      throw AuricleError(.unavailable, "the password file \(path) cannot be read: \(reason)")
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    let line = bytes.prefix(max(0, count)).prefix { $0 != 10 && $0 != 13 }
    guard !line.isEmpty else {
      throw AuricleError(
        .badData, "the password file \(path) has an empty first line: write the password there")
    }
    return String(decoding: line, as: UTF8.self)
  }
}
