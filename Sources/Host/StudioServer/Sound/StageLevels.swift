// Levels behind stages of chains: each rendered once, and again only where something in front of it changed.
// SPDX-License-Identifier: Apache-2.0

import HostSystem
import Synchronization

/// Levels and spectra of the output of chains.
final class StageLevels: Sendable {
  /// The values of one place, as pages see them.
  typealias Levels = [(String, JSONValue?)]

  private struct State {
    var known: [String: Levels] = [:]
    var order: [String] = []
  }

  private let state = Mutex(State())
  private let program: String
  private let readable: [String]
  private let scratch: ScratchSounds
  /// The most places that are remembered.
  private static let mostPlaces = 512

  init(program: String, readable: [String], scratch: ScratchSounds) {
    (self.program, self.readable, self.scratch) = (program, readable, scratch)
  }

  /// A process for levels behind parts of a chain, one after the other.
  ///
  /// Context: a thread that lives as long as it.
  func session(_ input: FloatSound) -> LoopSession {
    LoopSession(program: program, readable: readable, channelCount: input.channelCount)
  }

  /// The levels of a part of a sound behind a part of a chain.
  ///
  /// - Parameters:
  ///   - part: That part.
  ///   - whole: The chain, whose units the process of the session has.
  /// - Throws: Why the chain cannot be rendered.
  func behind(
    _ part: (ChainState, ChainText), of whole: (ChainState, ChainText), _ input: FloatSound,
    _ frames: Range<Int>, _ session: inout LoopSession
  ) throws -> Levels {
    // A decoded sound has a name that no other has.
    let key = "\(input.path) \(frames)\n\(part.1.text)"
    if let known = state.withLock({ $0.known[key] }) { return known }
    // The mistakes of the whole may lie behind the part.
    if !session.isOpen { try? session.prepare(whole.0, whole.1) }
    let samples: [Float]
    do {
      try session.prepare(part.0, part.1)
      samples = try session.render(input, frames)
    } catch {
      session.forget()
      throw error
    }
    let path = scratch.newPath(".wav")
    let bytes = FloatSound.wave(
      samples, channelCount: input.channelCount, sampleRate: input.sampleRate)
    try scratch.store(bytes, at: path)
    defer { scratch.remove(path) }
    let sound = try FloatSound(path)
    let levels = SoundViews(sound, frames: 0..<sound.frameCount).levels()
    state.withLock { state in
      guard state.known.updateValue(levels, forKey: key) == nil else { return }
      state.order.append(key)
      if state.order.count > Self.mostPlaces { state.known[state.order.removeFirst()] = nil }
    }
    return levels
  }
}
