// The sounds that offline units of a chain are run over: rendered from the input before the chain itself.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import PlugInGuard
import ResultSettings
import UnitChains

/// Renders an input through the parts of a chain that come before its offline units.
///
/// Context: one control thread.
struct WholeSoundRendering {
  let range: InputRange
  /// The settings of the result; those of its level are of no concern here.
  let settings: JobSettings
  /// The factor of the input before the chain.
  let inputFactor: Float
  /// Whether the work ends: asked between slices.
  let shouldStop: () -> Bool
  /// Opens the input at its start.
  let openInput: () throws(AuricleError) -> any SoundInput
  /// The file for frames beyond the memory of a sound; -1 for none.
  let spool: Int32
  /// The name of the result in messages.
  let path: String

  /// Runs the offline units of a chain.
  ///
  /// - Returns: Notes about the parts before them: tails that were cut, latencies that changed.
  func prepare(_ chain: UnitChain) throws(AuricleError) -> [String] {
    // The first lane is that of the result.
    let lanes = 1 + chain.wholeSoundCount
    var lane = 0
    var notes: [String] = []
    try chain.prepareWholeSounds(
      makeStore: { () throws(AuricleError) in
        lane += 1
        return SoundSpool(
          channelCount: chain.channelCount, path: path, file: spool, lane: lane, of: lanes)
      }, check: check
    ) { (part, store) throws(AuricleError) in
      let (count, found) = try render(part, store)
      notes += found
      return count
    }
    Heartbeat.enter(.prepare, unit: Heartbeat.noUnit)
    return notes
  }

  private func check() throws(AuricleError) {
    if shouldStop() { throw AuricleError(.interrupted, "interrupted") }
  }

  /// Renders the input through a part into a store, again where a latency is reported late.
  private func render(
    _ part: UnitChain, _ store: any SoundStore
  ) throws(AuricleError) -> (frameCount: Int, notes: [String]) {
    var settings = settings
    settings.latency = .compensate
    settings.measuresLoudness = false
    settings.deliverables = [DeliverableSettings()]
    // Silence behind the input is no tail where nothing rings.
    if part.isEmpty { settings.tail = .none }
    if part.needsSignalLevels {
      try part.measureSignals(
        openInput(), range, factor: inputFactor, framesPerSlice: settings.framesPerSlice,
        shouldStop: shouldStop)
    }
    var mayBeginAgain = true
    while true {
      var rendering = JobRendering(
        reader: try openInput(), chain: part, range: range, output: StoreSink(store),
        settings: settings, inputFactor: inputFactor, mayBeginAgain: mayBeginAgain)
      while !rendering.hasLearnedLatency {
        guard try rendering.step() else { break }
        try check()
      }
      guard rendering.hasLearnedLatency else {
        if rendering.inputFrameCount == 0 {
          throw AuricleError(.badData, "the input has no sound in it")
        }
        return (rendering.inputFrameCount, rendering.notes)
      }
      mayBeginAgain = false
      store.removeAll()
      try part.reset()
    }
  }
}

/// A sink that appends to a store.
private final class StoreSink: RenderedSink {
  private let store: any SoundStore

  init(_ store: any SoundStore) { self.store = store }

  func write(_ rows: ChannelRows, _ count: Int) throws(AuricleError) {
    try unsafe store.append(rows, count)
  }

  func setDelay(_ frames: Int) {}
}
