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

  /// The levels of a part of a sound behind a chain.
  ///
  /// - Throws: Why the chain cannot be rendered.
  ///
  /// Context: a thread that lives as long as this takes.
  func behind(_ text: String, _ input: FloatSound, _ frames: Range<Int>) throws -> Levels {
    // A decoded sound has a name that no other has.
    let key = "\(input.path) \(frames)\n\(text)"
    if let known = state.withLock({ $0.known[key] }) { return known }
    let samples = try LoopSession.render(program, text, readable: readable, input, frames)
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
