// The signal that chains are compared with, and the checksum of their output.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import CHostSystem
package import FileRendering
package import UnitChains

/// Alternating noise and silence, the same every time, and the checksum of a chain's output.
package struct ProbeSignal {
  private let input: PlanarBuffer
  private let amplitude: Float
  private let blocksInBurst: Int
  private var state: UInt64
  private var blockIndex = 0
  private var sum: UInt64 = 0

  /// The signal for chains of a request.
  ///
  /// Context: control, as all of it.
  package init(
    _ request: ChainSpecification, seed: UInt64 = 0x5851_F42D_4C95_7F2D, amplitude: Float = 0.5
  ) {
    let frames = request.maximumFrameCount
    input = PlanarBuffer(channelCount: request.channelCount, frameCapacity: frames)
    self.amplitude = amplitude
    state = seed
    blocksInBurst = max(1, Int(request.sampleRate / 8) / frames)
  }

  /// Receives the output of a chain.
  private typealias Sink = (ChannelRows, Int) throws(AuricleError) -> Void

  /// The last slices of noise, in frames, short as at the end of files.
  package static let lastSlices = [999, 37, 1]

  /// Loud noise that differs from the probe signal.
  package static func noise(_ request: ChainSpecification) -> Self {
    Self(request, seed: 0x9E37_79B9_7F4A_7C15, amplitude: 1)
  }

  /// Renders the next blocks of the signal.
  ///
  /// Offline units are run over these blocks as a whole.
  package mutating func render(_ chain: UnitChain, blocks: Int) throws(AuricleError) {
    try chain.prepareWholeSounds(
      makeStore: { () throws(AuricleError) in
        SoundSpool(channelCount: chain.channelCount, path: "the signal", file: -1)
      }
    ) { (part, store) throws(AuricleError) in
      var signal = self
      try unsafe signal.renderBlocks(part, blocks) { (rows, count) throws(AuricleError) in
        try unsafe store.append(rows, count)
      }
      return blocks * input.frameCapacity
    }
    try unsafe renderBlocks(chain, blocks)
  }

  private mutating func renderBlocks(
    _ chain: UnitChain, _ blocks: Int, _ receive: Sink = { _, _ in }
  ) throws(AuricleError) {
    for _ in 0..<blocks {
      if blockIndex / blocksInBurst % 2 == 0 { fill() } else { input.clear(from: 0) }
      blockIndex += 1
      try unsafe render(chain, frames: input.frameCapacity, receive)
    }
  }

  /// Renders noise to the end of a file, whose last slices are shorter, which some units handle badly.
  package mutating func renderEnd(_ chain: UnitChain, frameCounts: [Int]) throws(AuricleError) {
    guard !chain.wantsWholeSlices else { return }
    for count in frameCounts where count <= input.frameCapacity {
      fill()
      try unsafe render(chain, frames: count)
    }
  }

  private mutating func render(
    _ chain: UnitChain, frames: Int, _ receive: Sink = { _, _ in }
  ) throws(AuricleError) {
    let made = try unsafe chain.render(input: UnsafePointer(input.rows), frameCount: frames)
    for channel in 0..<input.channelCount {
      let row = unsafe UnsafeRawPointer(made[channel])
      sum = unsafe sum &* 0x9E37_79B9_7F4A_7C15 &+ AuricleXXH64(row, frames * 4)
    }
    try unsafe receive(made, frames)
  }

  /// The checksum of all output, and of the latency and tail that the chain reports.
  package func checksum(_ chain: UnitChain) -> UInt64 {
    sum ^ UInt64(bitPattern: Int64(chain.latencyFrames)) &* 0xD134_2543_DE82_EF95
      ^ (chain.tailSeconds ?? -1).bitPattern &* 0xA24B_AED4_963E_E407
  }

  private mutating func fill() {
    for channel in 0..<input.channelCount {
      for frame in 0..<input.frameCapacity {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let value = Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
        unsafe input.rows[channel][frame] = value * amplitude
      }
    }
  }
}
