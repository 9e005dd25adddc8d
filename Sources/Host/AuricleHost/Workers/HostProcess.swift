// The child processes of a host: workers, and processes that read or open plug-ins.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import ComponentValidation
import Glibc
import HostSystem
import InstalledComponents
import RunLedgers
import WatchedProcesses
import Workers

/// The part of a program that runs when a host has started it as its child.
///
/// A host runs plug-ins in processes of the program that it is part of. So every program that uses
/// AuricleHost calls `serveIfChild` first.
public enum HostProcess {
  /// Does the work of a child and ends the process, if it was started as one; otherwise returns at once.
  ///
  /// Context: control; the first thing in `main`, before other threads are started.
  public static func serveIfChild() {
    let words = ProgramArguments.words
    switch (words.first, words.count) {
    case ("run-worker", 2):
      guard let supervisor = Int32(words[1]) else { return }
      let results = divert()
      close(results)
      WorkerProgram.run(supervisor: supervisor) { ChainWorker(setup: $0) }
    case (BundleWorkers.command, 2): scanBundles(of: words[1], beginReport())
    case ("read-programs", 3): readPrograms(of: words[2], format: words[1], beginReport())
    case (ComponentValidator.command, 2):
      exit(UnitCheckProgram.run(words[1], results: beginReport()))
    case ("inspect-unit", 2): exit(UnitInspection.run(words[1], results: beginReport()))
    case (SandboxState.probeCommand, 1):
      let results = beginReport()
      let state = WorkerSandbox.enter(SandboxRequest(), readablePaths: [])
      _ = ScratchFolder.write(state.json[...], to: results)
    default: return
    }
    // Destructors of plug-ins are skipped.
    exit(0)
  }

  /// Begins a child that reports on units: a crash leaves no core file, and its place.
  private static func beginReport() -> Int32 {
    WatchedProcess.keepNoCore()
    WatchedProcess.adoptHeartbeat()
    return divert()
  }

  /// Reads folders from its parent, one at a time, and answers each with its bundle's content.
  ///
  /// First come lines with the paths that may be read, up to an empty one.
  /// A request is a path and a newline. An answer is a length (UInt32, little-endian) and that many bytes. A
  /// bundle can crash only this process.
  private static func scanBundles(of format: String, _ results: Int32) {
    guard let format = InstalledFormats(shippedFolder: nil).format(named: format) else {
      exit(AuricleError.Category.usage.rawValue)
    }
    dup2(WatchedProcess.socketDescriptor, STDIN_FILENO)
    // No bundle may exhaust the machine's memory.
    limit(RLIMIT_AS, to: 4 << 30)
    var readable: [String] = []
    while let path = readLine(), !path.isEmpty { readable.append(path) }
    WorkerSandbox.enterForReport(readablePaths: HostPlaces().readablePaths(for: []) + readable)
    while let path = readLine() {
      // This process ends if the parent dies.
      alarm(300)
      let answer = format.readBundle(path) ?? []
      let length = (0..<4).map { UInt8(truncatingIfNeeded: answer.count >> (8 * $0)) }
      guard ScratchFolder.write((length + answer)[...], to: results) == 0 else { break }
    }
  }

  /// Opens a plug-in and writes its programs, as read by the catalog of its format.
  private static func readPrograms(of identifier: String, format: String, _ results: Int32) {
    // This process does not outlive the parent's time limit.
    alarm(150)
    let host = HostPlaces()
    let catalog = host.formats.format(named: format)?.catalog(host.catalogRequest())
    let component = catalog?.discover().components.first { $0.location.identifier == identifier }
    WorkerSandbox.enterForReport(
      readablePaths: host.readablePaths(for: [component].compactMap(\.self)))
    guard let programs = catalog?.readCode(of: identifier),
      ScratchFolder.write(programs[...], to: results) == 0
    else { exit(AuricleError.Category.unavailable.rawValue) }
  }

  static func limit(_ resource: __rlimit_resource, to bytes: rlim_t) {
    var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
    unsafe setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
  }

  /// Keeps standard output for answers: output of plug-ins goes to standard error.
  package static func divert() -> Int32 {
    let results = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    return results
  }

  private static func exit(_ code: Int32) -> Never { _exit(code) }
}
