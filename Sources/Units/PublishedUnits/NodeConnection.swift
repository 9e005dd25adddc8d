// One host of this program: its questions on the socket, and the thread that renders for it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import CHostSystem
import CUnitLink
import Glibc
import HostSystem
import Synchronization
import UnitLink

/// A connection to a host, or to a process that passes further connections on.
///
/// The host is not trusted: its messages are bounded, and a host that goes ends the connection at any moment.
///
/// @unchecked Sendable because its own thread uses all that is not atomic or under a lock.
@safe final class NodeConnection: @unchecked Sendable {
  private let socket: LinkSocket
  private let sending = Mutex<Void>(())
  private let server: NodeServer
  /// Readable when the render thread has noticed another state of the transport, or a unit has become free.
  private let bell: Int32
  private let hammer: Int32
  private var hello: NodeHello?
  /// The component that the host has opened, for other threads.
  private let opened = Mutex<AudioComponentDescription?>(nil)
  private let current = Mutex<(unit: (any PublishedUnit)?, host: NodeHost?)>((nil, nil))
  private var renderer: pthread_t?
  /// The host's wish to render, while all units that it may have play for others.
  private var waiting: (number: UInt32, form: NodeForm, memory: LinkMemory, end: UInt64)?
  /// Nanoseconds for which such a host waits.
  private static let waitingTime: UInt64 = 5_000_000_000

  /// Owns a socket unless it returns nil.
  init?(_ end: Int32, _ server: NodeServer) {
    var ends: [Int32] = [-1, -1]
    guard unsafe AuriclePrivatePipe(&ends) == 0 else { return nil }
    // A bell that rings already is enough.
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    (self.server, bell, hammer) = (server, ends[0], ends[1])
    socket = LinkSocket(owning: end)
  }

  deinit {
    close(bell)
    close(hammer)
  }

  /// Starts its thread; false where the system has none.
  func start() -> Bool {
    guard let thread = startThread({ self.run() }) else { return false }
    pthread_detach(thread)
    return true
  }

  /// Whether it is of a unit: renders it, or has asked for it alone.
  func serves(_ unit: any PublishedUnit) -> Bool {
    let (own, host) = current.withLock { $0 }
    guard own === unit else { return false }
    let opened = opened.withLock { $0 }
    return host != nil || opened.map { server.unit(of: $0) == nil } ?? true
  }

  /// Has it try again: a unit has become free. Context: any.
  func knock() {
    var stroke: UInt8 = 2
    _ = unsafe write(hammer, &stroke, 1)
  }

  /// Ends it from any thread; its own one does the rest.
  func end() { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }

  // MARK: The connection's thread

  private func run() {
    while let message = next(), handle(message) {}
    waiting = nil
    release()
    server.forget(self)
  }

  /// The next message; nil at the end.
  private func next() -> LinkMessage? {
    while true {
      do throws(LinkFault) { return try socket.receive(milliseconds: 0) } catch {
        guard error == .late else { return nil }
      }
      var entries = [
        pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
      ]
      guard retrying({ unsafe poll(&entries, 2, timeLeft) }) >= 0 else { return nil }
      if entries[1].revents != 0, strokes().contains(1) {
        current.withLock { $0 }.unit?.hostChanged(kAudioOutputUnitProperty_HostTransportState)
      }
      guard tryAgain() else { return nil }
    }
  }

  /// The strokes of the bell since the last call.
  private func strokes() -> Set<UInt8> {
    var all: Set<UInt8> = []
    var bytes = [UInt8](repeating: 0, count: 64)
    while true {
      let count = unsafe read(bell, &bytes, bytes.count)
      guard count > 0 else { return all }
      all.formUnion(bytes.prefix(count))
    }
  }

  /// Milliseconds until a host that waits for a unit is refused; -1 where none waits.
  private var timeLeft: Int32 {
    guard let waiting else { return -1 }
    let now = AuricleLinkNow()
    return Int32(clamping: (max(waiting.end, now) - now) / 1_000_000 + 1)
  }

  /// Renders for a host that waits, where a unit has become free, or refuses it where its time is over; false where the
  /// connection has ended.
  private func tryAgain() -> Bool {
    guard let wish = waiting else { return true }
    guard let answer = begin(wish.form, wish.memory, until: wish.end) else { return true }
    waiting = nil
    return send(NodeMessage.answer, wish.number, answer.bytes)
  }

  /// Does what a message asks for; false ends the connection.
  private func handle(_ message: LinkMessage) -> Bool {
    var files = message.files
    defer { for file in files { close(file) } }
    let answer: NodeAnswer
    switch message.kind {
    case NodeMessage.open:
      guard files.count == 1 else { return false }
      server.serve(files.removeFirst())
      return true
    case NodeMessage.hello: answer = greet(message.bytes)
    case NodeMessage.prepare:
      guard files.count == 1 else { return false }
      guard let found = prepare(message.number, message.bytes, files.removeFirst()) else {
        return true
      }
      answer = found
    case NodeMessage.release:
      release()
      answer = NodeAnswer(0)
    case NodeMessage.event, NodeMessage.listens:
      var reader = MessageReader(message.bytes)
      guard let word = reader.next(UInt32.self) else { return false }
      note(message.kind, word)
      return true
    default: return false
    }
    return send(NodeMessage.answer, message.number, answer.bytes)
  }

  private func greet(_ bytes: [UInt8]) -> NodeAnswer {
    guard hello == nil, let found = NodeHello(bytes) else {
      return NodeAnswer(
        kAudio_ParamError, "it has another version of the connection: update both")
    }
    guard let unit = server.unit(of: found.description) else {
      return NodeAnswer(kAudioComponentErr_InstanceInvalidated, "it publishes the unit no more")
    }
    hello = found
    opened.withLock { $0 = found.description }
    current.withLock { $0.unit = unit }
    return NodeAnswer(0)
  }

  /// Reads the form of slices, and begins to render; nil where the host waits for a unit.
  private func prepare(_ number: UInt32, _ bytes: [UInt8], _ file: Int32) -> NodeAnswer? {
    guard hello != nil, waiting == nil, current.withLock({ $0.host }) == nil,
      let form = NodeForm(bytes)
    else {
      close(file)
      return NodeAnswer(kAudio_ParamError, "the host asked for a form that no sound has")
    }
    do throws(AuricleError) {
      let memory = try LinkMemory(received: file, form.link)
      let end = AuricleLinkNow() + Self.waitingTime
      if let answer = begin(form, memory, until: end) { return answer }
      waiting = (number, form, memory, end)
      return nil
    } catch { return NodeAnswer(kAudio_ParamError, error.message) }
  }

  /// Renders a unit that is free for the host.
  ///
  /// - Returns: nil while all play for others and the time is not over.
  private func begin(_ form: NodeForm, _ memory: LinkMemory, until end: UInt64) -> NodeAnswer? {
    guard let hello else { return NodeAnswer(kAudio_ParamError) }
    guard server.unit(of: hello.description) != nil else {
      return NodeAnswer(kAudioComponentErr_InstanceInvalidated, "it publishes the unit no more")
    }
    guard let unit = server.reserve(hello.description, for: self) else {
      guard AuricleLinkNow() >= end else { return nil }
      return NodeAnswer(
        kAudioUnitErr_CannotDoInCurrentContext,
        "it plays for another host: end that, or have the program publish another unit as the same component"
      )
    }
    let host = NodeHost(hello, form, memory, hammer: hammer) { [weak self] event in
      self?.sendEvent(event) ?? false
    }
    host.listens.store(listensAtOnce, ordering: .releasing)
    let status = unit.connect(to: host)
    guard status == 0, let thread = startThread({ Self.render(unit, host) }) else {
      if status == 0 { unit.disconnect(from: host) }
      server.release(unit)
      return NodeAnswer(
        status == 0 ? kAudio_MemFullError : status, "its output unit could not be initialized")
    }
    renderer = thread
    current.withLock { $0 = (unit, host) }
    ProgramRegistry.noteUse(of: hello.description)
    return NodeAnswer(0)
  }

  /// Whether the host had a listener for events before it rendered.
  private var listensAtOnce = false

  private func note(_ kind: UInt16, _ word: UInt32) {
    let (unit, host) = current.withLock { $0 }
    guard kind == NodeMessage.listens else {
      unit?.receive(word)
      return
    }
    listensAtOnce = word != 0
    host?.listens.store(word != 0, ordering: .releasing)
    if host != nil { unit?.hostChanged(kAudioOutputUnitProperty_HostReceivesRemoteControlEvents) }
  }

  /// Ends the rendering for the host.
  private func release() {
    let (unit, host) = current.withLock { state in
      defer { state.host = nil }
      return state
    }
    guard let unit, let host else { return }
    host.memory.abandon()
    if let thread = renderer { pthread_join(thread, nil) }
    renderer = nil
    unit.disconnect(from: host)
    server.release(unit)
    ProgramRegistry.noteUse(of: host.hello.description)
  }

  private func sendEvent(_ event: UInt32) -> Bool {
    var writer = MessageWriter()
    writer.add(event)
    return send(NodeMessage.eventToHost, 0, writer.bytes)
  }

  private func send(_ kind: UInt16, _ number: UInt32, _ bytes: [UInt8]) -> Bool {
    sending.withLock { _ in
      do throws(LinkFault) {
        try socket.send(LinkMessage(kind, number: number, bytes), milliseconds: 5000)
        return true
      } catch { return false }
    }
  }

  // MARK: The render thread

  private static func render(_ unit: any PublishedUnit, _ host: NodeHost) {
    unit.beginRendering()
    let link = unsafe host.memory.link
    while unsafe !AuricleLinkIsAbandoned(link) {
      var turn = AuricleLinkTurn()
      guard unsafe AuricleLinkTake(link, 200_000_000, &turn) else { continue }
      var answer = AuricleLinkAnswer()
      answer.kind = UInt32(kAuricleLinkAnswer_Done)
      if turn.kind == UInt32(kAuricleLinkTurn_Render), turn.frameCount > 0 {
        host.begin(turn.song)
        unsafe play(unit, link, turn.frameCount)
        let (status, isSilent) = unit.render(turn, for: host)
        answer.status = status
        answer.flags = isSilent ? kAudioUnitRenderAction_OutputIsSilence : 0
      } else {
        answer.status = kAudio_ParamError
      }
      unsafe AuricleLinkAnswerTurn(link, &answer)
    }
  }

  /// Plays the MIDI of a slice, with its frames inside of it.
  private static func play(_ unit: any PublishedUnit, _ link: OpaquePointer, _ frameCount: UInt32) {
    var event = AuricleLinkEvent()
    var bytes: UnsafePointer<UInt8>?
    while unsafe AuricleLinkNextEvent(link, false, &event, &bytes) {
      guard let behind = unsafe bytes else { continue }
      event.frame = min(event.frame, frameCount - 1)
      unsafe unit.play(event, behind, frameCount: frameCount)
    }
  }
}
