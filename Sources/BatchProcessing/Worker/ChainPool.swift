// Chains that serve several files: reset between them where that leaves nothing behind.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import RealtimeSupport

/// Keeps chains from file to file, one a format.
///
/// Before a chain is used a second time it is compared with a fresh one: played loud noise and reset,
/// it must render exactly what the fresh one renders. A chain that does not is made anew for every
/// file, so that no file hears the one before it.
final class ChainPool {
  /// How chains of a format are used again.
  private enum Habit {
    case unknown
    case resets
    case reopens
  }

  private struct Key: Hashable {
    var sampleRate: Double
    var channelCount: Int
  }

  private let makeChain: BatchRun.ChainMaker
  private let mayReset: Bool
  private var habits: [Key: Habit] = [:]
  private var kept: [(key: Key, chain: any RenderChain)] = []
  /// Formats whose chains are kept at once.
  private static let mostKept = 4

  /// A pool; without `mayReset` every file gets a fresh chain.
  init(mayReset: Bool, makeChain: @escaping BatchRun.ChainMaker) {
    self.mayReset = mayReset
    self.makeChain = makeChain
  }

  /// A chain without a past.
  func take(_ request: ChainRequest) throws(AuricleError) -> any RenderChain {
    let key = Key(sampleRate: request.sampleRate, channelCount: request.channelCount)
    guard let place = kept.firstIndex(where: { $0.key == key }) else {
      return try makeChain(request)
    }
    let used = kept.remove(at: place).chain
    if habits[key, default: .unknown] == .unknown {
      let fresh = try makeChain(request)
      let isClean = ResetProbe.isClean(used: used, fresh: fresh, request)
      habits[key] = isClean ? .resets : .reopens
    }
    if habits[key] == .resets, (try? used.reset()) != nil { return used }
    return try makeChain(request)
  }

  /// Takes a chain back after a file that went well.
  func giveBack(_ chain: any RenderChain, for request: ChainRequest) {
    let key = Key(sampleRate: request.sampleRate, channelCount: request.channelCount)
    guard mayReset, habits[key] != .reopens else { return }
    if kept.count >= Self.mostKept { kept.removeFirst() }
    kept.append((key, chain))
  }
}

/// Looks whether a chain that was reset renders what a fresh one does.
enum ResetProbe {
  /// True when no sample differs.
  ///
  /// The used chain hears a second of noise before it is reset, so that delay lines up to that long
  /// are full; then both hear other noise and silence for two seconds.
  static func isClean(used: any RenderChain, fresh: any RenderChain, _ request: ChainRequest)
    -> Bool
  {
    let frames = request.maximumFrameCount
    let slices = max(1, Int((request.sampleRate / Double(frames)).rounded(.up)))
    let input = PlanarBuffer(channelCount: used.channelCount, frameCapacity: frames)
    let first = PlanarBuffer(channelCount: used.channelCount, frameCapacity: frames)
    let second = PlanarBuffer(channelCount: used.channelCount, frameCapacity: frames)
    var noise = Noise(state: 0x9E37_79B9_7F4A_7C15)
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
          var copy = Noise(state: UInt64(slice + 1) &* 0xD134_2543_DE82_EF95)
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

  private struct Noise {
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
}
