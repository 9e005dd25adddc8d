// The processes of this program that run units for a host: the one that starts them, and they themselves.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioHardware
import AudioTypes
import AuricleHost
import CUnitLink
import DeviceSound
import Glibc
import HostSystem
import IsolatedUnits
import PlugInGuard
import UnitLink
import WatchedProcesses
import Workers

/// The part of a program that runs units of another process.
public enum UnitProcesses {
  /// Does the work of such a process and ends it, if it was started as one; otherwise returns at once.
  ///
  /// Context: control; the first thing in `main`, before other threads are started.
  public static func serveIfChild() {
    switch ProgramArguments.words {
    case [UnitProcessWords.starter]: _exit(runStarter())
    // Destructors of plug-ins are skipped.
    case [UnitProcessWords.server]: _exit(runServer())
    default: return
    }
  }

  // MARK: The starter

  /// Starts processes and ends them, as its host asks, until that ends.
  private static func runStarter() -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGINT, SIG_IGN)
    _ = fcntl(UnitProcessWords.socketDescriptor, F_SETFD, FD_CLOEXEC)
    let socket = LinkSocket(owning: UnitProcessWords.socketDescriptor)
    var processes: [UInt32: WatchedProcess] = [:]
    var last: UInt32 = 0
    while let message = try? socket.receive() {
      message.files.forEach { close($0) }
      var reply = LinkMessage(message.kind, number: message.number)
      switch message.kind {
      case UnitProcessWords.start:
        do throws(AuricleError) {
          let made = try WatchedProcess(
            arguments: [UnitProcessWords.server], output: .descriptor(STDERR_FILENO))
          last += 1
          processes[last] = made
          (reply.number, reply.files) = (last, [made.socket])
          var writer = MessageWriter()
          writer.add(made.id)
          reply.bytes = writer.bytes
        } catch {
          reply = LinkMessage(UnitProcessWords.failure, Array(error.message.utf8))
        }
      case UnitProcessWords.end: reply.bytes = end(processes.removeValue(forKey: message.number))
      default: return 1
      }
      guard (try? socket.send(reply)) != nil else { break }
    }
    return 0
  }

  /// Ends a process; the numbers of the unit that crashed and of the unit at work, and the way it ended.
  private static func end(_ process: WatchedProcess?) -> [UInt8] {
    var writer = MessageWriter()
    // It closes its socket a moment before it is over.
    let isOver = process?.hasEnded(by: .now + .milliseconds(200)) ?? true
    for name in [process?.crashedUnit, process?.unitAtWork] {
      writer.add(name?.split(separator: " ").first.flatMap { UInt32($0) } ?? .max)
    }
    let end = process?.end(within: .zero)
    writer.add(isOver ? end?.text ?? "" : "gave no answer in time, and was ended")
    return writer.bytes
  }

  // MARK: A process for units

  private static func runServer() -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGINT, SIG_IGN)
    WatchedProcess.keepNoCore()
    WatchedProcess.adoptHeartbeat()
    let socket = LinkSocket(owning: UnitProcessWords.socketDescriptor)
    guard let first = try? socket.receive(), first.kind == UnitProcessWords.task,
      let task = first.bytes.isEmpty
        ? SoundTask(nil, SoundIsolation()) : SoundTask(first.bytes)
    else { return 1 }
    var worker = task.worker
    guard let registry = try? worker.enterSandbox(reading: []).registry else { return 1 }
    Heartbeat.enter(.idle, unit: Heartbeat.noUnit)
    // Below the host's thread, which waits on the same processor.
    let level = Int32(AuricleUnitPriority)
    let server = try? UnitServer(socket, raise: { _ = RealtimePriority.raiseDirectly(to: level) }) {
      try registry.resolve($0).instantiate()
    }
    guard let server else { return 1 }
    server.run()
    return 0
  }
}
