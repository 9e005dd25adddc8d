// A sender with its socket and its thread; the render thread hands sound over through a ring.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
import RealtimeSupport
import Synchronization

/// A sender that is at work.
package final class SenderLink: Sendable {
  /// The settings of a link.
  package struct Setup: Sendable {
    /// The format.
    package var format: SoundFormat
    /// The password; empty for none.
    package var password = ""
    /// The address that receivers call; nil for a sender that calls.
    package var bound: PeerAddress?
    /// The receiver that is called; nil for none.
    package var peer: PeerAddress?
    /// Addresses that get RTP without the session layer.
    package var plain: [PeerAddress] = []
    /// The name that Avahi announces; nil for none.
    package var announcedName: String?

    /// Sends in a format.
    package init(_ format: SoundFormat) { self.format = format }
  }

  /// The counts and the status.
  package let board: SoundBoard
  /// The format, whole.
  package let format: SoundFormat
  /// The port that receivers call.
  package let port: UInt16
  fileprivate let ring: SPSCRing
  fileprivate let bell = LinkBell()
  private let thread = LinkThread()
  private let refusals = LastRefusal()

  /// Opens the socket, and starts the thread.
  ///
  /// - Throws: `.badData` for a format that cannot be encoded, `.temporary` for a port in use, `.unavailable` for an
  ///   address that is none.
  ///
  /// Context: control.
  package init(_ setup: Setup, board: SoundBoard = SoundBoard()) throws(AuricleError) {
    self.board = board
    var settings = SoundSender.Settings(setup.format, password: PasswordKey(setup.password))
    settings.listens = setup.bound != nil
    settings.calls = setup.peer != nil
    settings.plain = setup.plain
    format = try SoundSender(settings).format
    let needsVersion6 = setup.plain.first?.isVersion6 ?? false
    let anywhere = needsVersion6 ? try PeerAddress.find("::", port: 0) : nil
    let socket = try SoundSocket(bound: setup.bound ?? anywhere, peer: setup.peer)
    port = socket.port
    let frame = setup.format.channelCount * 4
    ring = SPSCRing(minimumCapacity: max(setup.format.sampleRate, 16_384) * frame)
    board.status = setup.peer != nil ? .connecting : .listening
    let (consumer, bell, name) = (ring.consumer, bell, setup.announcedName)
    let (made, listeningPort) = (settings, socket.port)
    let isStarted = thread.start { [board, ring, refusals] shouldEnd in
      guard let sender = try? SoundSender(made) else { return }
      let announcement = name.flatMap { SenderAnnouncement($0, port: listeningPort) }
      SenderRun(sender, socket, bell, board, ring, consumer).run(refusals, shouldEnd)
      announcement?.end()
    }
    guard isStarted else {
      throw AuricleError(.temporary, "the system has no thread left for the network")
    }
  }

  /// The last refusal of the receiver that is called; nil for none.
  package var refusal: SessionRefusal? { refusals.value }

  /// Says farewell, and ends the thread. Context: control, once.
  package func end() {
    thread.end(bell)
    board.status = .notConnected
  }

  deinit { bell.close() }
}

/// The render thread's end of a link.
@safe package struct SenderFeed: ~Copyable {
  private let link: SenderLink
  private let producer: SPSCRingProducer
  private let bell: LinkBell
  private let board: UnsafeMutablePointer<SoundBoard.Shared>
  /// Channels of a frame.
  package let channelCount: Int

  /// The end of a link; one at a time.
  package init(_ link: SenderLink) {
    self.link = link
    producer = link.ring.producer
    bell = link.bell
    unsafe board = link.board.shared
    channelCount = link.format.channelCount
  }

  /// Hands interleaved frames over, or counts that there was no room. Context: render.
  @_noLocks package mutating func write(
    _ samples: UnsafePointer<Float>, frameCount: Int, now: UInt64
  ) {
    let size = frameCount * channelCount * 4
    guard frameCount > 0, producer.availableToWrite >= size + 16 else {
      unsafe board.pointee.overflows.add(1, ordering: .relaxed)
      return
    }
    _ = producer.push(UInt64(frameCount))
    _ = producer.push(now)
    unsafe _ = producer.write(samples, count: size)
    bell.ring()
  }
}

/// The run of a sender on its thread.
private struct SenderRun {
  private let sender: SoundSender
  private var loop: LinkLoop
  private let board: SoundBoard
  private let ring: SPSCRing
  private let consumer: SPSCRingConsumer
  private var count: UInt64 = 0
  private var time: UInt64 = 0
  private var samples: [Float] = []
  private var overflows = 0

  init(
    _ sender: SoundSender, _ socket: SoundSocket, _ bell: LinkBell, _ board: SoundBoard,
    _ ring: SPSCRing, _ consumer: SPSCRingConsumer
  ) {
    self.sender = sender
    loop = LinkLoop(socket, bell)
    self.board = board
    self.ring = ring
    self.consumer = consumer
  }

  func run(_ refusals: LastRefusal, _ shouldEnd: () -> Bool) {
    var run = self
    while !shouldEnd() {
      run.turn()
      refusals.value = run.sender.refusal
    }
    run.drain()
    run.sender.end()
    run.sendAll()
  }

  private mutating func turn() {
    let (sender, board) = (sender, board)
    loop.wait(until: sender.dueTime) { bytes, address, now in
      unsafe board.shared.pointee.datagrams.add(1, ordering: .relaxed)
      sender.receive(bytes, from: address, now: now)
    }
    drain()
    sender.advance(to: RenderClock.nanoseconds())
    sendAll()
    showStatus()
  }

  /// Encodes what the render thread has handed over.
  private mutating func drain() {
    let channels = sender.format.channelCount
    while true {
      if count == 0 {
        guard consumer.availableToRead >= 16, consumer.pop(&count), consumer.pop(&time) else {
          return
        }
      }
      let size = Int(count) * channels
      guard consumer.availableToRead >= size * 4 else { return }
      if samples.count < size { samples = [Float](repeating: 0, count: size) }
      let frames = Int(count)
      unsafe samples.withUnsafeMutableBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return }
        unsafe _ = consumer.read(into: start, count: size * 4)
        unsafe sender.push(start, frameCount: frames, now: time)
      }
      count = 0
    }
  }

  private func sendAll() {
    for datagram in sender.dequeueOutgoing() { loop.socket.send(datagram) }
  }

  private mutating func showStatus() {
    let receivers = sender.receiverCount
    unsafe board.shared.pointee.receivers.store(receivers, ordering: .relaxed)
    let lost = unsafe board.shared.pointee.overflows.load(ordering: .relaxed)
    let isNew = lost != overflows
    overflows = lost
    board.status =
      isNew
      ? .overflow
      : receivers > 0 || sender.sendsPlain
        ? .connected : loop.socket.peer != nil ? .connecting : .listening
  }
}
