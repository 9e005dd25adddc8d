// The thread that plays sounds, any number at once, and reports their ends.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import HostSystem
import MacSystem
import Synchronization

/// Plays sounds for the whole process.
final class SoundPlayer: Sendable {
  static let shared = SoundPlayer()

  private struct Order: Sendable {
    let sound: SystemSound?
    let completion: (@Sendable () -> Void)?
  }

  private struct State {
    var orders: [Order] = []
    var isRunning = false
    /// Sounds under way that an exit waits for.
    var awaited = 0
    var waitsAtExit = false
    var completions: [@Sendable () -> Void] = []
    var isCompleting = false
  }

  private let state = Mutex(State())
  private let signal = ThreadSignal()

  /// Has a sound played, and a completion called after its end; no sound ends at once. Context: any but a device's
  /// thread.
  func play(_ sound: SystemSound?, completion: (@Sendable () -> Void)?) {
    let isAwaited = sound?.state.withLock { $0.completesAtExit } ?? false
    let (starts, registers) = state.withLock { state -> (Bool, Bool) in
      state.orders.append(Order(sound: sound, completion: completion))
      if isAwaited { state.awaited += 1 }
      defer {
        state.isRunning = true
        if isAwaited { state.waitsAtExit = true }
      }
      return (!state.isRunning, isAwaited && !state.waitsAtExit)
    }
    if registers { atexit { SoundPlayer.shared.waitForAwaited() } }
    signal.ring()
    if starts { runOnThread { self.run() } }
  }

  /// Waits until the sounds that an exit waits for have ended.
  private func waitForAwaited() {
    while true {
      let mark = signal.mark
      guard state.withLock({ $0.awaited > 0 && $0.isRunning }) else { return }
      signal.wait(since: mark, milliseconds: 100)
    }
  }

  private func runOnThread(_ body: @escaping @Sendable () -> Void) {
    guard let thread = HostSystem.startThread(body) else { return body() }
    pthread_detach(thread)
  }

  /// Plays until nothing is left.
  private func run() {
    var playing: [(PlayedSound, Order, isAwaited: Bool)] = []
    while true {
      let mark = signal.mark
      let orders = state.withLock { state -> [Order]? in
        if state.orders.isEmpty, playing.isEmpty {
          state.isRunning = false
          return nil
        }
        defer { state.orders = [] }
        return state.orders
      }
      guard let orders else { return signal.ring() }
      for order in orders {
        let isAwaited = order.sound?.state.withLock { $0.completesAtExit } ?? false
        if let sound = order.sound, let played = PlayedSound(sound) {
          playing.append((played, order, isAwaited))
        } else {
          finish(order, isAwaited)
        }
      }
      playing.removeAll { played, order, isAwaited in
        let isDisposed = played.sound.state.withLock { $0.isDisposed }
        guard isDisposed || played.hasEnded else { return false }
        played.end()
        if !isDisposed { played.sound.notifyEnd() }
        finish(order, isAwaited)
        return true
      }
      if !playing.isEmpty { signal.wait(since: mark, milliseconds: 5) }
    }
  }

  private func finish(_ order: Order, _ isAwaited: Bool) {
    let starts = state.withLock { state -> Bool in
      if isAwaited { state.awaited -= 1 }
      guard let completion = order.completion else { return false }
      state.completions.append(completion)
      defer { state.isCompleting = true }
      return !state.isCompleting
    }
    signal.ring()
    if starts { runOnThread { self.complete() } }
  }

  /// Calls the completions one after another, on a separate thread: they may be slow.
  private func complete() {
    while true {
      let next = state.withLock { state -> (@Sendable () -> Void)? in
        guard !state.completions.isEmpty else {
          state.isCompleting = false
          return nil
        }
        return state.completions.removeFirst()
      }
      guard let next else { return }
      next()
    }
  }
}
