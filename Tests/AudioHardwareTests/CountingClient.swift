// A client of a device that plays the numbers of its frames, and keeps its recording.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import CAudioToolbox

/// Plays 1, 2, 3 … in units of 2^-20 on every channel, exactly representable and never 0.
final class CountingClient {
  /// Frames asked for.
  private(set) var played = 0
  /// The first channel of the recording.
  private(set) var recorded: [Float] = []
  /// Called before each call, to simulate a slow client.
  var beforeCall: () -> Void = {}
  /// Whether it plays a single 1 instead, at this frame.
  var impulse: Int?

  static let unit: Float = 0x1p-20

  private func run(
    _ input: UnsafePointer<AudioBufferList>?, _ output: UnsafeMutablePointer<AudioBufferList>?
  ) {
    beforeCall()
    if let buffer = unsafe input?.pointee.mBuffers, let data = unsafe buffer.mData {
      let width = unsafe Int(buffer.mNumberChannels)
      let count = unsafe Int(buffer.mDataByteSize) / 4 / max(1, width)
      let samples = unsafe data.assumingMemoryBound(to: Float.self)
      for frame in 0..<count { unsafe recorded.append(samples[frame * width]) }
    }
    guard let buffer = unsafe output?.pointee.mBuffers, let data = unsafe buffer.mData else {
      return
    }
    let width = unsafe Int(buffer.mNumberChannels)
    let count = unsafe Int(buffer.mDataByteSize) / 4 / max(1, width)
    let samples = unsafe data.assumingMemoryBound(to: Float.self)
    for frame in 0..<count {
      let number =
        impulse.map { $0 == played + frame ? 1 : 0 } ?? Float(played + frame + 1) * Self.unit
      for channel in 0..<width { unsafe samples[frame * width + channel] = number }
    }
    played += count
  }

  /// The registration; this must outlive the device.
  var client: IOClient {
    unsafe IOClient(
      { _, _, input, _, output, _, context in
        guard let context = unsafe context else { return 0 }
        unsafe Unmanaged<CountingClient>.fromOpaque(context).takeUnretainedValue().run(
          input, output)
        return 0
      }, Unmanaged.passUnretained(self).toOpaque(), number: 1)
  }
}
