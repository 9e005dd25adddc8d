// A command of this program, run in a child: what a page asks for is what a command line can ask for.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleHost
import CHostSystem
import Glibc
import HostSystem
import Synchronization

/// A running command of this program.
final class ProgramCommand: Sendable {
  /// The end of a command.
  struct End {
    /// The exit code; 128 and the signal for one that was killed.
    var code: Int32
    /// Its standard output, where that was kept.
    var output: [UInt8]
    /// The beginning of its standard error.
    var messages: String

    /// The failure of one that did not succeed.
    var fault: StudioFault {
      let lines = messages.split(separator: "\n").map(String.init).filter {
        !$0.hasPrefix("note: ") && !$0.hasPrefix("usage: ")
      }
      // What was said of the work comes in front of the failure, which has the program's name.
      let name = "auricle: "
      let failure = lines.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
      let text = failure ?? lines.first ?? "the command ended with the exit code \(code)"
      let category = AuricleError.Category(rawValue: code) ?? .software
      return StudioFault(StudioFault.kind(of: category), text)
    }
  }

  private let process = Atomic<Int32>(0)
  private let isStopped = Atomic<Bool>(false)
  private static let (mostOutput, mostMessages) = (256 << 20, 1 << 16)

  init() {}

  /// Asks it to end, as Ctrl-C does.
  func stop() {
    isStopped.store(true, ordering: .sequentiallyConsistent)
    let id = process.load(ordering: .sequentiallyConsistent)
    if id > 0 { kill(id, SIGINT) }
  }

  /// Ends it at once.
  func end() {
    isStopped.store(true, ordering: .sequentiallyConsistent)
    let id = process.load(ordering: .sequentiallyConsistent)
    if id > 0 { kill(id, SIGKILL) }
  }

  /// Whether it was asked to end.
  var wasStopped: Bool { isStopped.load(ordering: .sequentiallyConsistent) }

  /// Runs a command to its end. The child ends with this thread.
  ///
  /// - Parameters:
  ///   - program: The program's file.
  ///   - words: The command line behind its name.
  ///   - onLine: Receives each line of standard output, which is then not kept.
  ///
  /// Context: a thread that may block.
  func run(
    _ program: String, _ words: [String], onLine: ((String) -> Void)? = nil
  ) -> End {
    var (results, messages): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard unsafe AuriclePrivatePipe(&results) == 0 else { return Self.notStarted(errno) }
    guard unsafe AuriclePrivatePipe(&messages) == 0 else {
      for end in results { close(end) }
      return Self.notStarted(errno)
    }
    var launch = ProcessLaunch(program, words)
    launch.files = [(results[1], STDOUT_FILENO), (messages[1], STDERR_FILENO)]
    launch.leadsGroup = true
    let (child, error) = launch.start()
    close(results[1])
    close(messages[1])
    defer {
      close(results[0])
      close(messages[0])
    }
    guard error == 0 else { return Self.notStarted(error) }
    process.store(child, ordering: .sequentiallyConsistent)
    if wasStopped { kill(child, SIGINT) }
    var (output, said) = ([UInt8](), [UInt8]())
    Self.read(results[0], messages[0], &output, &said, onLine)
    var status: Int32 = 0
    process.store(0, ordering: .sequentiallyConsistent)
    retrying { unsafe waitpid(child, &status, 0) }
    let signal = status & 0x7F
    return End(
      code: signal == 0 ? (status >> 8) & 0xFF : 128 + signal, output: output,
      messages: String(decoding: said, as: UTF8.self))
  }

  private static func notStarted(_ error: Int32) -> End {
    End(
      code: AuricleError.Category.software.rawValue, output: [],
      messages: "the program cannot be started: \(systemReason(error))")
  }

  private static func read(
    _ results: Int32, _ messages: Int32, _ output: inout [UInt8], _ said: inout [UInt8],
    _ onLine: ((String) -> Void)?
  ) {
    var open = [results, messages]
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while !open.isEmpty {
      var entries = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard retrying({ unsafe poll(&entries, nfds_t(entries.count), -1) }) > 0 else { return }
      for entry in entries where entry.revents != 0 {
        let count = retrying { unsafe Glibc.read(entry.fd, &block, block.count) }
        guard count > 0 else {
          open.removeAll { $0 == entry.fd }
          continue
        }
        if entry.fd == messages {
          if said.count < mostMessages { said += block[..<count] }
        } else {
          output += block[..<min(count, mostOutput - output.count)]
          guard let onLine else { continue }
          while let end = output.firstIndex(of: 0x0A) {
            onLine(String(decoding: output[..<end], as: UTF8.self))
            output.removeSubrange(...end)
          }
        }
      }
    }
  }

  /// Runs a command, and returns what it wrote as JSON.
  ///
  /// - Throws: The failure that it reported.
  static func json(_ program: String, _ words: [String]) throws -> JSONValue {
    let end = ProgramCommand().run(program, words)
    guard end.code == 0, let value = JSONValue(end.output) else { throw end.fault }
    return value
  }
}
