// Looks whether anything of a file's sound is left for the next one: in a chain, or in the process.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import CSystemSupport

/// Looks whether a new chain renders the same whatever older ones in the process have done.
///
/// What plug-ins keep outside of their instances, such as one state of chance for all, shows so.
enum FreshnessProbe {
  /// True when no sample differs between two new chains that had different chains before them.
  ///
  /// True as well when a chain cannot be made: the file itself is to meet that.
  static func isIndependent(
    _ request: ChainRequest, makeChain: BatchRun.ChainMaker
  ) -> Bool {
    do throws(AuricleError) {
      let first = try rendering(try makeChain(request), request)
      return try first == rendering(try makeChain(request), request)
    } catch {
      return true
    }
  }

  private struct Rendering: Equatable {
    var checksum: UInt64
    var latency: Int
    var tail: Double?
  }

  /// What a chain makes of a quarter of a second of noise and as much silence; then it hears
  /// something else, for the chain after it.
  private static func rendering(
    _ chain: any RenderChain, _ request: ChainRequest
  ) throws(AuricleError) -> Rendering {
    let frames = request.maximumFrameCount
    let slices = max(1, Int((request.sampleRate / 4 / Double(frames)).rounded(.up)))
    let input = PlanarBuffer(channelCount: chain.channelCount, frameCapacity: frames)
    let output = PlanarBuffer(channelCount: chain.channelCount, frameCapacity: frames)
    var noise = ProbeNoise(state: 0x5851_F42D_4C95_7F2D)
    var checksum: UInt64 = 0
    for slice in 0..<(2 * slices) {
      if slice < slices { noise.fill(input, amplitude: 0.5) } else { input.clear(from: 0) }
      try unsafe chain.render(
        input: UnsafePointer(input.rows), output: output.rows, frameCount: frames)
      for channel in 0..<chain.channelCount {
        let row = unsafe UnsafeRawPointer(output.rows[channel])
        checksum = unsafe checksum &* 0x9E37_79B9_7F4A_7C15 &+ AuricleXXH64(row, frames * 4)
      }
    }
    let result = Rendering(
      checksum: checksum, latency: chain.latencyFrames, tail: chain.tailSeconds)
    for _ in 0...(slices / 2) {
      noise.fill(input, amplitude: 0.9)
      try unsafe chain.render(
        input: UnsafePointer(input.rows), output: output.rows, frameCount: frames)
    }
    return result
  }
}

/// Looks whether a chain that was reset renders what a fresh one does.
enum ResetProbe {
  /// The longest memory that is looked for, in seconds; what is told of a tail may shorten it.
  private static let longest = 12.0

  /// True when no sample differs.
  ///
  /// The used chain hears loud noise before it is reset, so that delay lines are full; then both hear
  /// other noise and silence. Each part lasts as long as the chain's tail, or 12 s where it tells
  /// none.
  static func isClean(used: any RenderChain, fresh: any RenderChain, _ request: ChainRequest)
    -> Bool
  {
    let frames = request.maximumFrameCount
    let input = PlanarBuffer(channelCount: used.channelCount, frameCapacity: frames)
    let first = PlanarBuffer(channelCount: used.channelCount, frameCapacity: frames)
    let second = PlanarBuffer(channelCount: used.channelCount, frameCapacity: frames)
    var noise = ProbeNoise(state: 0x9E37_79B9_7F4A_7C15)
    let told = used.tailSeconds.map { $0.isFinite ? $0 + 1 : longest } ?? longest
    let seconds = max(2, min(told, longest))
    let slices = max(1, Int((seconds * request.sampleRate / Double(frames)).rounded(.up)))
    do throws(AuricleError) {
      for _ in 0..<slices {
        noise.fill(input, amplitude: 0.9)
        try unsafe used.render(
          input: UnsafePointer(input.rows), output: first.rows, frameCount: frames)
      }
      try used.reset()
      for slice in 0..<(2 * slices) {
        for (chain, output) in [(used, first), (fresh, second)] {
          // A chain may work in place: each gets the same noise anew.
          var copy = ProbeNoise(state: UInt64(slice + 1) &* 0xD134_2543_DE82_EF95)
          if slice < slices { copy.fill(input, amplitude: 0.3) } else { input.clear(from: 0) }
          try unsafe chain.render(
            input: UnsafePointer(input.rows), output: output.rows, frameCount: frames)
        }
        guard isSame(first, second) else { return false }
      }
      return used.latencyFrames == fresh.latencyFrames && used.tailSeconds == fresh.tailSeconds
    } catch {
      return false
    }
  }

  private static func isSame(_ first: PlanarBuffer, _ second: PlanarBuffer) -> Bool {
    for channel in 0..<first.channelCount {
      for frame in 0..<first.frameCapacity
      where unsafe first.rows[channel][frame].bitPattern
        != second.rows[channel][frame].bitPattern
      {
        return false
      }
    }
    return true
  }
}

/// Noise that is the same every time.
struct ProbeNoise {
  var state: UInt64

  mutating func fill(_ buffer: PlanarBuffer, amplitude: Float) {
    for channel in 0..<buffer.channelCount {
      for frame in 0..<buffer.frameCapacity {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let value = Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
        unsafe buffer.rows[channel][frame] = value * amplitude
      }
    }
  }
}
