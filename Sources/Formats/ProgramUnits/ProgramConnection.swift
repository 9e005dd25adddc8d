// The host's side of a connection to a program: questions and their answers, events, its end.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import CUnitLink
import Glibc
import HostSystem
import PublishedUnits
import RealtimeSupport
import Synchronization
import UnitLink

/// A connection to a program, which may end at any moment.
///
/// @unchecked Sendable because its thread alone receives, and what else changes is under a lock.
@safe final class ProgramConnection: @unchecked Sendable {
  /// Events besides answers. Called on the connection's thread.
  enum Event {
    case remoteControl(UInt32)
    /// The program has not answered a slice for a while.
    case hangs
    /// The program has ended, or was disconnected because it hung while nothing waited for the sound.
    case ended
  }

  private struct State {
    var isGone = false
    var memory: LinkMemory?
    var isOffline = false
    var isHanging = false
    var answers: [UInt32: NodeAnswer] = [:]
    var listener: (@Sendable (Event) -> Void)?
  }

  private let socket: LinkSocket
  private let name: String
  private let sending = Mutex<Void>(())
  private let asking = Mutex<UInt32>(0)
  private let state = Mutex(State())
  /// Posted at an answer, and at the end.
  private let arrived = RenderSignal()
  private let thread = Atomic<UInt>(0)

  /// Seconds that a program has for an answer.
  private static let answerSeconds: UInt64 = 10
  /// Nanoseconds without the answer to a slice after which a program hangs.
  private static let hangTime: UInt64 = 2_000_000_000
  /// The same offline, where the program is disconnected; less than the render waits for a slice.
  private static let offlineHangTime: UInt64 = 8_000_000_000

  /// Owns a connected socket; nil where the system has no thread for it.
  init?(_ end: Int32, name: String) {
    socket = LinkSocket(owning: end)
    self.name = name
    // The thread keeps this object until it ends.
    guard let started = startThread({ [self] in receive() }) else { return nil }
    thread.store(UInt(started), ordering: .releasing)
  }

  /// Has events reported from now on. Context: control.
  func listen(_ listener: (@Sendable (Event) -> Void)?) {
    state.withLock { $0.listener = listener }
  }

  /// Whether the program has ended, or has said what makes no sense.
  var isGone: Bool { state.withLock { $0.isGone } }

  // MARK: Questions

  /// Opens a unit.
  func greet(_ description: AudioComponentDescription) -> NodeAnswer {
    let icon = unsafe getenv("AURICLE_HOST_ICON").map { unsafe String(cString: $0) } ?? ""
    let path = FileIdentity.realPath("/proc/self/exe") ?? ""
    return ask(
      NodeMessage.hello,
      NodeHello(
        description, hostName: Path.lastComponent(path), hostIcon: icon, hostURL: ProgramURL.ofHost
      ).bytes)
  }

  /// Has the unit initialized; it has the memory from here on.
  func prepare(_ form: NodeForm, _ memory: LinkMemory, isOffline: Bool) -> NodeAnswer {
    let isGone = state.withLock { state in
      state.memory = memory
      state.isOffline = isOffline
      return state.isGone
    }
    if isGone { memory.abandon() }
    return ask(NodeMessage.prepare, form.bytes, files: [memory.descriptor])
  }

  /// Ends the rendering.
  func release() {
    let memory = state.withLock { state in
      defer { state.memory = nil }
      return state.memory
    }
    memory?.abandon()
    _ = ask(NodeMessage.release, [])
  }

  /// Sends a word that has no answer; false at the end.
  func send(_ kind: UInt16, _ word: UInt32) -> Bool {
    var writer = MessageWriter()
    writer.add(word)
    return send(LinkMessage(kind, writer.bytes))
  }

  private func send(_ message: LinkMessage) -> Bool {
    sending.withLock { _ in
      do throws(LinkFault) {
        try socket.send(message, milliseconds: Int32(Self.answerSeconds) * 1000)
        return true
      } catch { return false }
    }
  }

  /// Sends a question, and waits for its answer.
  private func ask(_ kind: UInt16, _ bytes: [UInt8], files: [Int32] = []) -> NodeAnswer {
    let gone = NodeAnswer(
      kAudioComponentErr_InstanceInvalidated, "the program of \(name) has ended")
    return asking.withLock { number in
      number &+= 1
      guard !isGone, send(LinkMessage(kind, number: number, bytes, files: files)) else {
        return gone
      }
      var answer: NodeAnswer?
      arrived.wait(nanoseconds: Self.answerSeconds * 1_000_000_000) {
        let isGone = state.withLock { state in
          answer = state.answers.removeValue(forKey: number)
          return state.isGone
        }
        return answer != nil || isGone
      }
      if let answer { return answer }
      guard !isGone else { return gone }
      return NodeAnswer(
        kAudioComponentErr_InstanceTimedOut,
        "the program of \(name) has not answered for \(Self.answerSeconds) s")
    }
  }

  // MARK: The connection's thread

  /// Milliseconds until the next check for a program that hangs; negative without a rendering unit.
  ///
  /// A deadline that passes is no event. The answer to `prepare` wakes the thread after the memory is set.
  private var checkInterval: Int32 { state.withLock { $0.memory == nil ? -1 : 500 } }

  private func receive() {
    while true {
      do throws(LinkFault) {
        let message = try socket.receive(milliseconds: checkInterval)
        for file in message.files { Glibc.close(file) }
        guard note(message) else { break }
      } catch {
        guard error == .late, !reportHang() else { break }
      }
    }
    let (memory, listener) = state.withLock { state in
      state.isGone = true
      return (state.memory, state.listener)
    }
    // Nobody waits for a slice any more.
    memory?.abandon()
    arrived.post()
    shutdown(socket.descriptor, Int32(SHUT_RDWR))
    listener?(.ended)
  }

  /// Reports a program that begins to hang; true where it is to be disconnected.
  private func reportHang() -> Bool {
    let (listener, isOver) = state.withLock { state -> ((@Sendable (Event) -> Void)?, Bool) in
      let waiting = state.memory.map { unsafe AuricleLinkWaiting($0.link) } ?? 0
      let wasHanging = state.isHanging
      state.isHanging = waiting > Self.hangTime
      return (
        state.isHanging && !wasHanging ? state.listener : nil,
        state.isOffline && waiting > Self.offlineHangTime
      )
    }
    listener?(.hangs)
    return isOver
  }

  /// Notes a message; false for one that makes no sense.
  private func note(_ message: LinkMessage) -> Bool {
    switch message.kind {
    case NodeMessage.answer:
      state.withLock { state in
        // Only one is waited for; late ones are forgotten.
        state.answers = [message.number: NodeAnswer(message.bytes)]
      }
      arrived.post()
      return true
    case NodeMessage.eventToHost:
      var reader = MessageReader(message.bytes)
      guard let event = reader.next(UInt32.self) else { return false }
      state.withLock { $0.listener }?(.remoteControl(event))
      return true
    default: return false
    }
  }

  /// Ends the connection; when it returns on another thread than the connection's, no event is reported any more.
  func close() {
    state.withLock { $0.listener = nil }
    shutdown(socket.descriptor, Int32(SHUT_RDWR))
    let bits = thread.exchange(0, ordering: .acquiringAndReleasing)
    guard bits != 0 else { return }
    if bits == UInt(pthread_self()) {
      pthread_detach(pthread_t(bits))
    } else {
      pthread_join(pthread_t(bits), nil)
    }
  }
}
