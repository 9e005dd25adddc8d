// Starting a program: the one place that does.
// SPDX-License-Identifier: Apache-2.0

package import CHostSystem
import Glibc

/// A program that is to be started, with the files it gets.
///
/// Standard input, output and error are `/dev/null` unless `files` says otherwise; nothing else of this process is
/// inherited, as all its files are closed on exec. Context: control.
@safe package struct ProcessLaunch {
  private let program: String
  private let arguments: [String]
  /// Open files of this process, and the numbers they have in the new one.
  package var files: [(own: Int32, child: Int32)] = []
  /// Whether it is the first of a new process group, with no signal blocked or ignored.
  package var leadsGroup = false
  /// Whether it omits the Swift runtime's report of a crash, which needs seconds.
  package var hidesCrashes = false
  /// `NAME=VALUE`, ended by nil; nil for the environment of this process.
  package var environment: [UnsafeMutablePointer<CChar>?]?

  /// Describes a program that is to be started.
  package init(_ program: String, _ arguments: [String]) {
    self.program = program
    self.arguments = arguments
  }

  /// Starts it; it ends with the thread that calls this, for any reason.
  ///
  /// - Returns: The number of the process, and 0; or the error number.
  package func start() -> (process: pid_t, error: Int32) {
    let (process, handle, error) = startWithHandle()
    if handle >= 0 { close(handle) }
    return (process, error)
  }

  /// Starts it as `start` does.
  ///
  /// - Returns: Also a descriptor that is readable when the process has ended, which the caller closes; -1 where
  ///   the kernel has none.
  package func startWithHandle() -> (process: pid_t, handle: Int32, error: Int32) {
    // A descriptor whose number is another's target would be overwritten before its turn: a copy is above all targets.
    let above = files.reduce(STDERR_FILENO) { max($0, $1.child) } + 1
    let copies = files.map { $0.own < above ? fcntl($0.own, F_DUPFD_CLOEXEC, above) : -1 }
    defer { for copy in copies where copy >= 0 { close(copy) } }
    let own = zip(files, copies).map { $1 < 0 ? $0.own : $1 }
    let theirs = files.map(\.child)
    var words = unsafe ([program] + arguments).map { unsafe $0.withFileName { unsafe strdup($0) } }
    unsafe words.append(nil)
    defer { unsafe words.forEach { unsafe free($0) } }
    var process: pid_t = 0
    var handle: Int32 = -1
    let error = unsafe program.withFileName { path in
      unsafe words.withUnsafeBufferPointer { words in
        unsafe own.withUnsafeBufferPointer { own in
          unsafe theirs.withUnsafeBufferPointer { theirs in
            unsafe withEnvironment { entries in
              var start = unsafe AuricleProcessStart(
                program: path, arguments: words.baseAddress, environment: entries,
                own: own.baseAddress, theirs: theirs.baseAddress, fileCount: files.count,
                leadsGroup: leadsGroup)
              return unsafe AuricleStartProcess(&start, &process, &handle)
            }
          }
        }
      }
    }
    return (process, handle, error)
  }

  private func withEnvironment<Result>(
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
  ) -> Result {
    if let environment = unsafe environment {
      return unsafe environment.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }
    guard hidesCrashes else { return unsafe body(environ) }
    let own = unsafe strdup("SWIFT_BACKTRACE=enable=no")
    defer { unsafe free(own) }
    var entries = unsafe [own]
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      if unsafe strncmp(text, "SWIFT_BACKTRACE=", 16) != 0 { unsafe entries.append(text) }
      unsafe entry += 1
    }
    unsafe entries.append(nil)
    return unsafe entries.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
  }
}
