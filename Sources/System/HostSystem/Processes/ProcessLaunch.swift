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
  /// Whether it is the first of a process group of its own, with no signal blocked or ignored.
  package var leadsGroup = false
  /// `NAME=VALUE`, ended by nil; nil for the environment of this process.
  package var environment: [UnsafeMutablePointer<CChar>?]?

  /// Describes a program that is to be started.
  package init(_ program: String, _ arguments: [String]) {
    self.program = program
    self.arguments = arguments
  }

  /// Starts it.
  ///
  /// - Returns: The number of the process, and 0; or the error number.
  package func start() -> (process: pid_t, error: Int32) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for standard in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where !files.contains(where: { $0.child == standard }) {
      unsafe posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0)
    }
    // One that stands where another is to be would be gone before its turn comes: a copy stands above all of them.
    let above = files.reduce(STDERR_FILENO) { max($0, $1.child) } + 1
    let copies = files.map { $0.own < above ? fcntl($0.own, F_DUPFD_CLOEXEC, above) : -1 }
    defer { for copy in copies where copy >= 0 { close(copy) } }
    for (file, copy) in zip(files, copies) {
      unsafe posix_spawn_file_actions_adddup2(&actions, copy < 0 ? file.own : copy, file.child)
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    if leadsGroup { Self.setGroup(&attributes) }
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) }
    unsafe words.append(nil)
    defer { unsafe words.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let error =
      if let environment = unsafe environment {
        unsafe posix_spawn(&process, program, &actions, &attributes, words, environment)
      } else {
        unsafe posix_spawn(&process, program, &actions, &attributes, words, environ)
      }
    return (process, error)
  }

  private static func setGroup(_ attributes: inout posix_spawnattr_t) {
    var none = sigset_t()
    unsafe sigemptyset(&none)
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
  }
}
