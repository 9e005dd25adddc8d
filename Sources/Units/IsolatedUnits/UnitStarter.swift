// Where processes for units come from: a small process of this program that starts them and notes how they end.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
import HostSystem
import Synchronization
package import UnitLink

/// The words of the processes, and the messages between them and the host of the units.
package enum UnitProcessWords {
  /// The word that starts the process that starts others.
  package static let starter = "start-units"
  /// The word that starts a process for units.
  package static let server = "serve-units"
  /// The descriptor of the socket in either.
  package static let socketDescriptor: Int32 = 4

  /// To the starter: start one, end one. From it: the same, with a socket, or with the way it ended.
  package static let (start, end, failure): (UInt16, UInt16, UInt16) = (1, 2, 9)
  /// To a process for units: its task, in front of all requests.
  package static let task: UInt16 = 50
  /// From a process for units: a property changed by a request, or by the unit itself.
  package static let (changed, changedByItself): (UInt16, UInt16) = (100, 101)
}

/// The requests about units besides those of `IsolatedPlugIn.h`.
package enum UnitRequest {
  /// Opens a unit, closes one, makes one ready to render, gives it its connection, has one follow another.
  package static let (open, initialize, connect, close, join):
    (UInt16, UInt16, UInt16, UInt16, UInt16) =
      (1, 2, 3, 20, 21)
}

/// The end of a process for units.
package struct UnitProcessEnd: Sendable {
  /// The number of the unit on whose thread it crashed; nil for none.
  var crashed: UInt32?
  /// The number of the unit that was called last; nil for none.
  var unit: UInt32?
  /// The predicate: `crashed (Segmentation fault, in the function burst of gain.so)`.
  var text = "ended its process"
}

/// Starts processes for units through the starter, also from inside of a sandbox.
///
/// Context: control, any thread.
package final class UnitStarter: Sendable {
  private let socket: Mutex<LinkSocket>
  /// The first message to each process: its rights, and what it may read.
  private let task: [UInt8]

  /// Begins the starter. It ends with the thread that calls this, and with the socket.
  ///
  /// - Parameters:
  ///   - program: The `auricle` program of the same build.
  ///   - task: The first message to each process.
  /// - Throws: What the system has no more of.
  package init(program: String = "/proc/self/exe", task: [UInt8]) throws(AuricleError) {
    let (here, there) = try LinkSocket.pair()
    var launch = ProcessLaunch(program, [UnitProcessWords.starter])
    launch.files = [
      (there.descriptor, UnitProcessWords.socketDescriptor), (STDOUT_FILENO, STDOUT_FILENO),
      (STDERR_FILENO, STDERR_FILENO),
    ]
    launch.hidesCrashes = true
    let (_, error) = launch.start()
    guard error == 0 else { throw systemError(error, "start", "a process for plug-ins") }
    socket = Mutex(here)
    self.task = task
  }

  /// A process that was started: its number, that of the system (0 where it is unknown), and the socket to it.
  package struct Started {
    package var id: UInt32
    package var systemID: Int32
    package var socket: LinkSocket
  }

  /// Starts a process.
  package func start() throws(AuricleError) -> Started {
    let reply = try ask(LinkMessage(UnitProcessWords.start))
    guard reply.kind == UnitProcessWords.start, let file = reply.files.first else {
      reply.files.forEach { close($0) }
      throw AuricleError(
        .temporary,
        "a process for plug-ins cannot be started: \(String(decoding: reply.bytes, as: UTF8.self))")
    }
    let made = LinkSocket(owning: file)
    do throws(LinkFault) {
      try made.send(LinkMessage(UnitProcessWords.task, task))
    } catch {
      throw AuricleError(.temporary, "a process for plug-ins ended at once")
    }
    var reader = MessageReader(reply.bytes)
    return Started(
      id: reply.number, systemID: reader.next(Int32.self) ?? 0, socket: made)
  }

  /// Ends a process that may have ended already; how that came.
  package func end(_ id: UInt32) -> UnitProcessEnd {
    guard let reply = try? ask(LinkMessage(UnitProcessWords.end, number: id)) else {
      return UnitProcessEnd()
    }
    var reader = MessageReader(reply.bytes)
    var end = UnitProcessEnd()
    func nextUnit() -> UInt32? { reader.next(UInt32.self).flatMap { $0 == .max ? nil : $0 } }
    (end.crashed, end.unit) = (nextUnit(), nextUnit())
    if let text = reader.nextText(), !text.isEmpty { end.text = text }
    return end
  }

  private func ask(_ message: LinkMessage) throws(AuricleError) -> LinkMessage {
    try socket.withLock { socket throws(AuricleError) in
      do throws(LinkFault) {
        try socket.send(message)
        return try socket.receive(milliseconds: 60_000)
      } catch {
        throw AuricleError(.temporary, "the process that starts others for plug-ins has ended")
      }
    }
  }
}
