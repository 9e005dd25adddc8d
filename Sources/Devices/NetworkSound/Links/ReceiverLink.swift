// A receiver with its socket and its thread; the render thread reads what came through a ring.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
import RealtimeSupport

/// A receiver that is at work.
package final class ReceiverLink: Sendable {
  /// The settings of a link.
  package struct Setup: Sendable {
    /// The password; empty for none.
    package var password = ""
    /// The sender that is called; nil for a receiver that listens.
    package var peer: PeerAddress?
    /// The address at which it listens; nil for one that calls.
    package var bound: PeerAddress?
    /// Computers that may send to one that listens; empty for this one.
    package var invited: [PeerAddress] = []
    /// The stream that comes without the session layer, with its payload type.
    package var plain: SoundFormat?
    package var plainKind: UInt8?
    /// Seconds for the jitter of the network.
    package var latency = 0.06

    /// Sends invitations; no sender has answered yet.
    package init() {}
  }

  /// The ring that a `PlayoutReader` reads.
  package let feed: SoundFeed
  /// The port of the socket.
  package let port: UInt16
  /// Seconds for the jitter of the network.
  package let latency: Double
  private let bell = LinkBell()
  private let thread = LinkThread()
  private let refusals = LastRefusal()

  /// Opens the socket, and starts the thread.
  ///
  /// - Throws: `.temporary` for a port in use, `.unavailable` for an address that is none. `.badData` for a plain
  ///   format that cannot be decoded, `.usage` for one that would listen to strangers.
  ///
  /// Context: control.
  package init(_ setup: Setup, _ feed: SoundFeed) throws(AuricleError) {
    self.feed = feed
    latency = setup.latency
    if let bound = setup.bound, !bound.isLoopback, setup.invited.isEmpty, setup.password.isEmpty {
      throw AuricleError(
        .usage,
        "a receiver that listens at \(bound.text) needs to know who may send: name the sender's "
          + "address, or set a password")
    }
    if let plain = setup.plain { _ = try PayloadDecoder(plain) }
    var settings = SoundReceiver.Settings(password: PasswordKey(setup.password))
    settings.hasPassword = !setup.password.isEmpty
    settings.calls = setup.peer != nil
    settings.invited = setup.invited
    settings.plain = setup.plain
    settings.plainKind = setup.plainKind
    settings.waitLimit = setup.latency / 2
    let socket = try SoundSocket(bound: setup.bound, peer: setup.peer)
    port = socket.port
    let (made, bell) = (settings, bell)
    let isStarted = thread.start { [feed, refusals] shouldEnd in
      let receiver = SoundReceiver(made, feed)
      var loop = LinkLoop(socket, bell)
      while !shouldEnd() {
        loop.wait(until: receiver.dueTime) { receiver.receive($0, from: $1, now: $2) }
        receiver.advance(to: RenderClock.nanoseconds())
        for datagram in receiver.dequeueOutgoing() { socket.send(datagram) }
        refusals.value = receiver.refusal
      }
      receiver.end(now: RenderClock.nanoseconds())
      for datagram in receiver.dequeueOutgoing() { socket.send(datagram) }
    }
    guard isStarted else {
      throw AuricleError(.temporary, "the system has no thread left for the network")
    }
  }

  /// The last refusal of the sender that is called; nil for none.
  package var refusal: SessionRefusal? { refusals.value }

  /// Says farewell, and ends the thread. Context: control, once.
  package func end() {
    thread.end(bell)
    feed.board.status = .notConnected
  }

  deinit { bell.close() }
}
