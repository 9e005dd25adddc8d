// Standard input as a file, for commands that read at any place of it.
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
package import AudioTypes
import Glibc
import HostSystem
import Synchronization

/// The file that `-` names.
package enum StandardInput {
  private static let place = Mutex<String?>(nil)

  /// Returns a path for a file argument: that of standard input for `-`, else the argument.
  ///
  /// A pipe is copied into a file that no folder shows, once for all arguments.
  ///
  /// - Throws: `.noInput` for a folder, `.inputOutput` where standard input cannot be read or copied.
  ///
  /// Context: control.
  package static func path(of argument: String) throws(AuricleError) -> String {
    guard argument == "-" else {
      guard let file = FileIdentity.of(argument) else {
        throw FileIdentity.absence(of: argument, .file)
      }
      guard file.kind != .folder else {
        throw AuricleError(.noInput, "\(argument) is a folder: name the files in it")
      }
      return argument
    }
    if let path = place.withLock({ $0 }) { return path }
    var status = stat()
    let isFile = unsafe fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let path = "/proc/self/fd/\(isFile ? STDIN_FILENO : try spooled())"
    place.withLock { $0 = path }
    return path
  }

  /// Refuses arguments that name standard input twice, which has one content.
  ///
  /// Context: any.
  package static func checkOnce(in arguments: [String]) throws(ValidationError) {
    let count = arguments.count { $0 == "-" }
    guard count > 1 else { return }
    throw ValidationError("Standard input, '-', is named \(count) times: name it once.")
  }

  /// Names standard input in an error about its path. Context: control.
  package static func named(_ error: AuricleError, argument: String) -> AuricleError {
    guard argument == "-", let path = place.withLock({ $0 }) else { return error }
    return AuricleError(
      error.category, status: error.status, error.message.replacing(path, with: "standard input"))
  }

  /// Copies standard input to its end into a new file.
  ///
  /// - Throws: `.inputOutput` where it cannot be read, or the file not written.
  ///
  /// Context: control.
  package static func copy(to path: String) throws(AuricleError) {
    let target = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw systemError(errno, "write", path) }
    defer { close(target) }
    try spool(to: target)
  }

  /// Copies standard input to its end; returns the descriptor, which remains open.
  private static func spooled() throws(AuricleError) -> Int32 {
    let target = try NamelessFile.make()
    try spool(to: target)
    return target
  }

  private static func spool(to target: Int32) throws(AuricleError) {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = retrying { unsafe read(STDIN_FILENO, &block, block.count) }
      guard count >= 0 else { throw systemError(errno, "read", "standard input") }
      guard count > 0 else { return }
      let failure = FileTransfer.writeAll(Array(block[..<count]), to: target)
      guard failure == 0 else { throw systemError(failure, "write", "the copy of standard input") }
    }
  }
}
