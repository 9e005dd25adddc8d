// The sockets of open pages: what changes is sent to all, the newest state of each thing at most 30 times a second.
// SPDX-License-Identifier: Apache-2.0

import FlyingFox
import Foundation
import HostSystem
import Synchronization

/// The pages that receive changes.
final class SocketHub: Sendable {
  private let pages = Mutex<[Int: PageSocket]>([:])
  private let nextNumber = Atomic<Int>(0)
  /// The newest state of each thing that has numbers.
  private let orders = Mutex<[String: Int]>([:])
  /// Called when a page has come.
  private let onArrival: @Sendable () -> Void

  init(onArrival: @escaping @Sendable () -> Void) { self.onArrival = onArrival }

  /// Whether any page listens.
  var hasListeners: Bool { pages.withLock { !$0.isEmpty } }

  /// Tells all pages; an older message of the same key that was not sent yet is dropped.
  ///
  /// - Parameter order: The number of the state; one that comes late behind a newer one is dropped.
  func publish(_ key: String, order: Int? = nil, _ message: JSONValue) {
    let all = pages.withLock { Array($0.values) }
    guard !all.isEmpty else { return }
    if let order {
      let isLate = orders.withLock { orders in
        if let last = orders[key], last > order { return true }
        orders[key] = order
        return false
      }
      if isLate { return }
    }
    let text = message.compactText
    for page in all { page.post(key, text) }
  }

  /// Adds a page.
  func add(_ page: PageSocket) -> Int {
    let number = nextNumber.add(1, ordering: .relaxed).newValue
    pages.withLock { $0[number] = page }
    onArrival()
    return number
  }

  /// Removes a page.
  func remove(_ number: Int) { pages.withLock { $0[number] = nil } }
}

/// The socket of one page: what waits to be sent is one message for each thing that changed.
final class PageSocket: Sendable {
  private struct State {
    var order: [String] = []
    var texts: [String: String] = [:]
    var frames: [WSFrame] = []
    var waiting: CheckedContinuation<Void, Never>?
    var isClosed = false
    /// Messages that may be sent at once, which grow with time.
    var credit = 10.0
    var filled = ContinuousClock.now
  }

  private let state = Mutex(State())
  /// Messages a second, and at once.
  private static let (rate, burst) = (20.0, 10.0)
  /// The most messages that wait.
  private static let mostWaiting = 4096

  /// Puts a message among those to be sent.
  func post(_ key: String, _ text: String) {
    state.withLock { state in
      guard !state.isClosed, state.order.count < Self.mostWaiting else { return }
      if state.texts.updateValue(text, forKey: key) == nil { state.order.append(key) }
      state.waiting?.resume()
      state.waiting = nil
    }
  }

  /// Puts a frame of the protocol in front of all messages.
  func post(_ frame: WSFrame) {
    state.withLock { state in
      guard !state.isClosed, state.frames.count < 16 else { return }
      state.frames.append(frame)
      state.waiting?.resume()
      state.waiting = nil
    }
  }

  /// Ends it.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.waiting?.resume()
      state.waiting = nil
    }
  }

  /// The next frame to be sent, when its time has come; nil at the end.
  func next() async -> WSFrame? {
    while true {
      if let found = state.withLock({ Self.nextFrame(&$0) }) {
        switch found {
        case .frame(let frame): return frame
        case .end: return nil
        // The pause between two messages; nothing else could happen in it.
        case .pause(let seconds): try? await Task.sleep(for: .seconds(seconds))
        }
        if Task.isCancelled { return nil }
        continue
      }
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if state.isClosed || !state.order.isEmpty || !state.frames.isEmpty { return true }
          state.waiting = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    }
  }

  private enum Found {
    case frame(WSFrame)
    case pause(Double)
    case end
  }

  private static func nextFrame(_ state: inout State) -> Found? {
    if !state.frames.isEmpty {
      let frame = state.frames.removeFirst()
      if frame.opcode == .close { state.isClosed = true }
      return .frame(frame)
    }
    if state.isClosed { return .end }
    guard let key = state.order.first else { return nil }
    let now = ContinuousClock.now
    let passed = (now - state.filled) / .seconds(1)
    state.credit = min(burst, state.credit + passed * rate)
    state.filled = now
    guard state.credit >= 1 else { return .pause((1 - state.credit) / rate) }
    state.credit -= 1
    state.order.removeFirst()
    let text = state.texts.removeValue(forKey: key) ?? ""
    return .frame(WSFrame(fin: true, opcode: .text, mask: nil, payload: Data(text.utf8)))
  }
}

/// Speaks with one page by WebSocket.
struct PageHandler: WSHandler {
  let hub: SocketHub
  /// The first message.
  let hello: JSONValue
  /// Called with each text of the page; returns what it is answered with.
  let receive: @Sendable (JSONValue) -> JSONValue?
  /// Called when the socket has ended.
  let onEnd: @Sendable () -> Void

  func makeFrames(
    for client: AsyncThrowingStream<WSFrame, any Error>
  ) async throws -> AsyncStream<WSFrame> {
    let page = PageSocket()
    page.post("hello", hello.compactText)
    let number = hub.add(page)
    let (receive, onEnd, hub) = (receive, onEnd, hub)
    let reader = Task {
      var text: [UInt8] = []
      do {
        for try await frame in client {
          switch frame.opcode {
          case .ping:
            var pong = frame
            (pong.opcode, pong.mask) = (.pong, nil)
            page.post(pong)
          case .text, .continuation:
            text += frame.payload
            guard text.count <= 1 << 16 else {
              throw StudioFault(.tooLarge, "a message is too long")
            }
            guard frame.fin else { continue }
            if let message = JSONValue(text), let answer = receive(message) {
              page.post("answer \(answer["type"]?.text ?? "")", answer.compactText)
            }
            text = []
          case .close: throw CancellationError()
          default: continue
          }
        }
      } catch {}
      page.post(WSFrame(fin: true, opcode: .close, mask: nil, payload: Data([0x03, 0xE8])))
      hub.remove(number)
      page.close()
      onEnd()
    }
    return AsyncStream(
      unfolding: { await page.next() },
      onCancel: {
        hub.remove(number)
        page.close()
        reader.cancel()
        onEnd()
      })
  }
}
