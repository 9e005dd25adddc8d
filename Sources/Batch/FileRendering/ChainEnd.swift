// What a chain holds when its input is over: the sound that it delays, and its tail, slice by slice.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import ResultSettings
package import UnitChains

/// The end of sound that is played: that of a result whose latency is kept, as `process` makes it.
///
/// A result with as many frames as its input ends here as one without a tail: the delayed sound is played.
///
/// Context: the one thread that drives the chain.
package final class ChainEnd {
  private let chain: UnitChain
  private let settings: JobSettings
  private let inputFrameCount: Int
  private let silence: PlanarBuffer
  private var gate: TailGate
  private var fed = 0
  private var made: [[Float]]
  private var place = 0

  /// Begins the end of a sound with so many frames of input.
  package init(_ chain: UnitChain, _ settings: JobSettings, inputFrameCount: Int) {
    var settings = settings
    settings.latency = .keep
    if settings.tail == .keepLength { settings.tail = .none }
    (self.chain, self.settings, self.inputFrameCount) = (chain, settings, inputFrameCount)
    let count = min(settings.framesPerSlice, chain.maximumFrames)
    silence = PlanarBuffer(channelCount: chain.channelCount, frameCapacity: count)
    gate = TailGate(channelCount: chain.channelCount)
    gate.setEmitted(inputFrameCount)
    made = Array(repeating: [], count: chain.channelCount)
  }

  /// Whether nothing is left.
  package var isOver: Bool { gate.end != nil && place == made[0].count }

  /// Renders the next frames.
  ///
  /// - Parameters:
  ///   - rows: A place a channel.
  ///   - frameCount: The most frames.
  /// - Returns: The number of frames: 0 where the chain is still silent, or all is over.
  /// - Throws: The failure of a unit.
  package func render(
    into rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AuricleError) -> Int {
    if place == made[0].count, gate.end == nil { try renderSlice() }
    let count = min(frameCount, made[0].count - place)
    for channel in made.indices {
      for frame in 0..<count { unsafe rows[channel][frame] = made[channel][place + frame] }
    }
    place += count
    return count
  }

  private func renderSlice() throws(AuricleError) {
    place = 0
    for channel in made.indices { made[channel].removeAll(keepingCapacity: true) }
    if fed >= chain.latencyFrames { chain.endNoise() }
    silence.clear(from: 0)
    let count = silence.frameCapacity
    let rows = try unsafe chain.render(input: UnsafePointer(silence.rows), frameCount: count)
    fed += count
    let bounds = TailGate.Bounds(
      of: chain, settings, inputFrameCount: inputFrameCount, latency: chain.latencyFrames)
    unsafe gate.pass(rows, frameCount: count, bounds: bounds) { rows, count in
      for channel in made.indices {
        unsafe made[channel].append(
          contentsOf: UnsafeBufferPointer(start: rows[channel], count: count))
      }
    }
  }
}

extension TailGate.Bounds {
  /// The bounds of a result's end.
  ///
  /// - Parameters:
  ///   - inputFrameCount: Frames of the whole input.
  ///   - latency: Frames by which the chain delays sound.
  init(of chain: UnitChain, _ settings: JobSettings, inputFrameCount: Int, latency: Int) {
    let rate = chain.sampleRate
    func frames(_ seconds: Double) -> Int { Int((seconds * rate).rounded()) }
    let certain =
      (chain.wholeFrameCount ?? inputFrameCount) + (settings.latency == .keep ? latency : 0)
    let limits = settings.tailLimits
    func fixed(_ last: Int) -> TailGate.Bounds {
      TailGate.Bounds(certain: last, last: last, hold: nil, floor: 0, cutsSound: false)
    }
    switch settings.tail {
    case .none: self = fixed(certain)
    case .keepLength: self = fixed(inputFrameCount)
    case .seconds(let seconds):
      self = fixed(certain + (chain.tailsAreInWholeSounds ? 0 : frames(max(seconds, 0))))
    case .automatic:
      if let reported = chain.tailSeconds, reported.isFinite {
        self.init(
          certain: certain, last: certain + frames(min(max(reported, 0), limits.statedMaximum)),
          hold: frames(limits.statedHold), floor: limits.floor,
          cutsSound: reported > limits.statedMaximum)
      } else {
        self.init(
          certain: certain, last: certain + frames(limits.maximum), hold: frames(limits.hold),
          floor: limits.floor, cutsSound: true)
      }
    }
  }
}
