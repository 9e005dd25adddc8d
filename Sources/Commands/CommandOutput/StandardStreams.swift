// Reserves standard output for results: output of plug-ins goes to standard error.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem
import RunReports
import Synchronization

/// The program's access to standard output and standard error.
package enum StandardStreams {
  /// A private copy of standard output; -1 before `divert`.
  private static let resultDescriptor = Atomic<Int32>(-1)
  /// The `errno` number of a failed write of results; 0 for none.
  private static let resultError = Atomic<Int32>(0)

  /// Reserves standard output for results: descriptor 1 becomes a duplicate of standard error.
  package static func divert() {
    // A closed descriptor would be reused by the next opened file, and written to. Results for a closed
    // standard output fail.
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      _ = unsafe open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR)
    }
    let copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10)
    guard copy >= 0 else { return }
    resultDescriptor.store(copy, ordering: .relaxed)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    // A closed pipe (`| head`) is a write error, not a signal.
    signal(SIGPIPE, SIG_IGN)
    // So is a file size limit: unfinished files can then be removed.
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Writes to standard output; does nothing after a failure.
  ///
  /// Control characters of names stay in a file and in a pipe. On a terminal they are shown as `?`.
  package static func writeResult(_ text: String) {
    writeDrawing(isatty(results) == 1 ? TerminalText.shown(text) : text)
  }

  /// Writes to standard output with the escapes of a drawing; does nothing after a failure.
  package static func writeDrawing(_ text: String) {
    guard resultError.load(ordering: .relaxed) == 0 else { return }
    let failure = write(text, to: results)
    if failure != 0 { resultError.store(failure, ordering: .relaxed) }
  }

  /// The descriptor of standard output, for results.
  package static var results: Int32 {
    let kept = resultDescriptor.load(ordering: .relaxed)
    return kept >= 0 ? kept : STDOUT_FILENO
  }

  /// The message about lost results; nil when none were lost, or when their reader closed the pipe.
  package static var lossOfResults: String? {
    let failure = resultError.load(ordering: .relaxed)
    guard failure != 0, failure != EPIPE else { return nil }
    let reason = unsafe String(cString: strerror(failure))
    return "cannot write the results to standard output: \(reason)"
  }

  /// Writes one line to standard error: bytes of names that are no text become U+FFFD.
  ///
  /// On a terminal control characters are shown as `?`, and a line that is too wide for it breaks between words.
  package static func writeMessage(_ text: String) {
    var text = FileNameText.shown(text)
    if isatty(STDERR_FILENO) == 1 {
      text = TextWidth.wrapped(TerminalText.shown(text), at: terminalWidth)
    }
    write(text + "\n", to: STDERR_FILENO)
  }

  /// Writes to standard error without escaping.
  package static func writeRaw(_ text: String) {
    write(text, to: STDERR_FILENO)
  }

  /// Writes all of a text; returns 0 or an `errno` number.
  @discardableResult
  private static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      unsafe FileTransfer.writeAll(UnsafeRawBufferPointer(bytes), to: descriptor)
    }
  }

  /// Whether standard error is a terminal, for a progress bar.
  package static var errorIsTerminal: Bool {
    guard isatty(STDERR_FILENO) == 1 else { return false }
    guard let terminal = unsafe getenv("TERM") else { return false }
    return unsafe strcmp(terminal, "dumb") != 0
  }

  /// The number of columns of the terminal, 80 if unknown.
  package static var terminalWidth: Int {
    var size = winsize()
    guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }

  /// The number of rows of the terminal, 24 if unknown.
  package static var terminalHeight: Int {
    var size = winsize()
    guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else {
      return 24
    }
    return Int(size.ws_row)
  }
}
