// A first rendering that is thrown away: chains with noise have to know how loud the sound is.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Glibc
import HostSystem
import PlugInGuard
import UnitChains

extension UnitChain {
  /// Renders a part of a file without keeping anything, and sets the levels of noise by it.
  ///
  /// - Parameters:
  ///   - factor: The factor of the input before the chain.
  ///   - shouldStop: Asked between slices; true ends the work.
  ///
  /// Context: control.
  func measureSignals(
    _ reader: any SoundInput, _ range: InputRange, factor: Float, framesPerSlice: Int,
    shouldStop: () -> Bool
  ) throws(AuricleError) {
    let inputCount = reader.format.channelCount
    let input = PlanarBuffer(
      channelCount: max(inputCount, channelCount), frameCapacity: framesPerSlice)
    beginMeasuringSignals()
    var place = 0
    while range.end.map({ place < $0 }) ?? true {
      if shouldStop() { throw AuricleError(.interrupted, "interrupted") }
      Heartbeat.enter(.read, unit: Heartbeat.noUnit)
      let edge = place < range.start ? range.start : range.end ?? .max
      let count = try unsafe reader.read(
        into: input.rows, frameCount: min(framesPerSlice, edge - place))
      guard count > 0 else { break }
      let isWanted = place >= range.start
      place += count
      guard isWanted else { continue }
      for channel in 0..<(factor == 1 ? 0 : inputCount) {
        for frame in 0..<count { unsafe input.rows[channel][frame] *= factor }
      }
      for channel in inputCount..<max(inputCount, channelCount) {
        unsafe input.rows[channel].update(from: input.rows[0], count: count)
      }
      if wantsWholeSlices { input.clear(from: count) }
      _ = try unsafe render(
        input: UnsafePointer(input.rows), frameCount: wantsWholeSlices ? framesPerSlice : count)
    }
    Heartbeat.enter(.prepare, unit: Heartbeat.noUnit)
    try endMeasuringSignals()
  }
}
