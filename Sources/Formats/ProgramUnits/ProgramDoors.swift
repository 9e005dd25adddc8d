// How a host comes to a program: by its socket, by starting it, or by a connection that was made before a sandbox.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import Glibc
import HostSystem
import PublishedUnits
import Synchronization
import UnitLink

/// Connections to programs.
enum ProgramDoors {
  private struct Door {
    var identity: String
    /// A connection that passes others on; nil where there was none.
    var socket: LinkSocket?
    var reason: String
  }

  /// Connections that were made before this process entered a sandbox.
  ///
  /// @unchecked Sendable because the lock of `doors` guards it.
  private struct Doors: @unchecked Sendable {
    var all: [Door] = []
  }

  private static let doors = Mutex(Doors())
  /// The time in which a program has to publish its unit.
  private static let startTime = Duration.seconds(10)

  /// Connects now, for units that are opened later in a sandbox. Context: control.
  static func open(_ description: AudioComponentDescription) {
    let entry = ProgramEntry(description, name: "", version: 0)
    guard doors.withLock({ doors in !doors.all.contains { $0.identity == entry.identity } }) else {
      return
    }
    var door = Door(identity: entry.identity, socket: nil, reason: "")
    do throws(AuricleError) {
      door.socket = LinkSocket(owning: try reach(description, named: ""))
    } catch { door.reason = error.message }
    doors.withLock { $0.all.append(door) }
  }

  /// A connection to a program that publishes a unit.
  ///
  /// - Throws: `.unavailable` with what to do.
  ///
  /// Context: control; it may start the program, which takes long.
  static func connection(
    to description: AudioComponentDescription, named name: String
  ) throws(AuricleError) -> ProgramConnection {
    let identity = ProgramEntry(description, name: "", version: 0).identity
    var failure = ""
    // A program that ends while it is connected to has published its unit again, or is started, the next time.
    for _ in 0..<3 {
      let end = try end(identity, description, named: name)
      guard let connection = ProgramConnection(end, name: name) else {
        throw AuricleError(.temporary, "there is no thread for the connection to \(name)")
      }
      let answer = connection.greet(description)
      if answer.status == 0 { return connection }
      connection.close()
      failure = answer.reason
    }
    throw AuricleError(
      .unavailable, status: kAudioComponentErr_InstanceInvalidated,
      "the program of \(name) cannot be used: \(failure)")
  }

  /// A connected socket: passed on by a door, or made now.
  private static func end(
    _ identity: String, _ description: AudioComponentDescription, named name: String
  ) throws(AuricleError) -> Int32 {
    let found = try doors.withLock { (doors) throws(AuricleError) -> Int32? in
      guard let door = doors.all.first(where: { $0.identity == identity }) else { return nil }
      guard let socket = door.socket else { throw unavailable(door.reason) }
      var ends: [Int32] = [-1, -1]
      let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
        throw systemError(errno, "make", "a socket")
      }
      defer { close(ends[1]) }
      do throws(LinkFault) {
        try socket.send(LinkMessage(NodeMessage.open, files: [ends[1]]), milliseconds: 5000)
      } catch {
        close(ends[0])
        throw unavailable("the program of \(name) has ended: start it again")
      }
      return ends[0]
    }
    if let found { return found }
    return try reach(description, named: name)
  }

  private static func unavailable(_ text: String) -> AuricleError {
    AuricleError(.unavailable, status: kAudioComponentErr_InstanceInvalidated, text)
  }

  /// A socket that is connected to the program, which is started where it does not run.
  private static func reach(
    _ description: AudioComponentDescription, named name: String
  ) throws(AuricleError) -> Int32 {
    if let end = present(description) { return end }
    guard
      let entry = ProgramRegistry.installed().entries.first(where: { $0.isSame(as: description) })
    else { throw unavailable("the program of \(name) does not run, and has no entry: start it") }
    guard !entry.command.isEmpty else {
      throw unavailable("\(entry.path) has no Exec: start the program of \(entry.name)")
    }
    let start = try StartLock(entry)
    defer { start.end() }
    let notices = ProgramNotices()
    // Another host may have started it meanwhile.
    if let end = present(description) { return end }
    try ProgramStart.start(entry)
    let deadline = ContinuousClock.now + startTime
    while notices.wait(until: deadline) {
      if let end = present(description) { return end }
    }
    throw unavailable(
      "\(entry.name) was started and published no unit within \(startTime.components.seconds) s: "
        + "run \(entry.command.joined(separator: " ")) to see why")
  }

  /// A socket that is connected to a program that runs; nil where there is none.
  private static func present(_ description: AudioComponentDescription) -> Int32? {
    for entry in ProgramRegistry.running().reversed() where entry.isSame(as: description) {
      let end = NodeAddress.connect(entry.socket)
      if end >= 0 { return end }
    }
    return nil
  }
}

/// The right to start a program: one host at a time.
private struct StartLock {
  private let file: Int32

  /// Waits until nobody else starts it.
  init(_ entry: ProgramEntry) throws(AuricleError) {
    guard let folder = ProgramRegistry.nodeFolder else {
      throw AuricleError(
        .unavailable, "there is no folder for programs that run: set XDG_RUNTIME_DIR")
    }
    try FolderMaker.make(folder)
    let path = "\(folder)/\(entry.identity).start"
    file = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw systemError(errno, "write", path) }
    _ = retrying { flock(file, LOCK_EX) }
  }

  func end() { close(file) }
}

/// The start of a program that goes on when its host ends.
private enum ProgramStart {
  static func start(_ entry: ProgramEntry) throws(AuricleError) {
    // The shell's child is nobody's: neither the end of this thread nor that of this process ends it.
    let launch = ProcessLaunch(
      "/bin/sh", ["-c", "\"$@\" </dev/null >/dev/null 2>&1 &", "sh"] + entry.command)
    let (process, error) = launch.start()
    guard error == 0 else { throw systemError(error, "start", entry.command[0]) }
    var status: Int32 = 0
    _ = retrying { unsafe waitpid(process, &status, 0) }
  }
}
