// Decoded sound on its way to the render thread: a header and interleaved floats in a ring.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport
import Synchronization

/// The header of a block.
struct SoundBlock: BitwiseCopyable {
  /// The stream that it is of: each has another number.
  var epoch: UInt32
  /// Frames; 0 where the stream has ended.
  var frameCount: UInt32
  /// Its first frame in the stream.
  var position: Int64
  /// When it came (ns).
  var arrival: UInt64
  /// Frames a second of the stream (Hz).
  var sampleRate: Double
  /// Frames of the stream's packets.
  var packetFrames: UInt32
  private var reserved: UInt32 = 0

  @_noLocks init() {
    (epoch, frameCount, position, arrival, sampleRate, packetFrames) = (0, 0, 0, 0, 0, 0)
  }
}

/// The ring of blocks, with the channels that a reader has.
///
/// Context: made on control; `put` on the network thread, the other end on the render thread.
@safe package final class SoundFeed: Sendable {
  let ring: SPSCRing
  /// Channels of the reader.
  package let channelCount: Int
  /// Frames a second of the reader (Hz).
  package let sampleRate: Double
  /// The counts of the stream.
  package let board: SoundBoard

  /// Allocates a ring of two seconds.
  package init(sampleRate: Double, channelCount: Int, board: SoundBoard) {
    self.sampleRate = sampleRate
    self.channelCount = max(1, channelCount)
    self.board = board
    let frames = Int(2 * max(sampleRate, 48_000))
    ring = SPSCRing(minimumCapacity: frames * max(1, channelCount) * 4)
  }

  /// Puts frames of a stream in, with its channels brought to those of the reader. One channel goes to the first two.
  func put(_ block: SoundBlock, _ samples: [Float], channelCount streamChannels: Int) {
    var header = block
    let frames = Int(block.frameCount)
    let size = MemoryLayout<SoundBlock>.size
    var bytes = [UInt8](repeating: 0, count: size + frames * channelCount * 4)
    unsafe bytes.withUnsafeMutableBytes { target in
      guard let base = target.baseAddress else { return }
      unsafe withUnsafeBytes(of: &header) {
        if let source = $0.baseAddress { unsafe base.copyMemory(from: source, byteCount: size) }
      }
      unsafe spread(samples, streamChannels, frames, to: base + size)
      if unsafe !ring.producer.write(base, count: target.count) {
        unsafe board.shared.pointee.overflows.add(1, ordering: .relaxed)
      }
    }
  }

  private func spread(
    _ samples: [Float], _ streamChannels: Int, _ frames: Int, to target: UnsafeMutableRawPointer
  ) {
    guard frames > 0, samples.count >= frames * streamChannels else { return }
    unsafe samples.withUnsafeBytes { source in
      guard let source = source.baseAddress else { return }
      if streamChannels == channelCount {
        unsafe target.copyMemory(from: source, byteCount: frames * channelCount * 4)
        return
      }
      for channel in 0..<channelCount {
        let from = streamChannels == 1 && channel < 2 ? 0 : channel
        guard from < streamChannels else { continue }
        for frame in 0..<frames {
          let sample = unsafe source.load(
            fromByteOffset: (frame * streamChannels + from) * 4, as: Float.self)
          unsafe target.storeBytes(
            of: sample, toByteOffset: (frame * channelCount + channel) * 4, as: Float.self)
        }
      }
    }
  }
}
