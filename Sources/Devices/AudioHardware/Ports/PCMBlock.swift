// Memory for sound in the format of a device.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
package import CAudioToolbox
package import RealtimeSupport

/// Frames as a device stores them, with the buffer list for conversions.
@safe package final class PCMBlock {
  /// The most frames that it holds.
  package let frameCapacity: Int
  /// Channels.
  package let channelCount: Int
  /// Whether each channel has a separate run.
  package let isPlanar: Bool
  /// Bytes of a sample.
  package let sampleBytes: Int
  /// The layout.
  package let format: SampleFormat
  /// The list of its buffers.
  package let list: UnsafeMutablePointer<AudioBufferList>
  private let memory: UnsafeMutableRawPointer
  private let byteCount: Int

  /// Allocates silence. Context: control.
  package init(_ configuration: PCMConfiguration, frameCapacity: Int) {
    self.frameCapacity = frameCapacity
    channelCount = configuration.channelCount
    isPlanar = configuration.isPlanar
    sampleBytes = configuration.format.byteCount
    format = configuration.format.sampleFormat(
      channelCount: configuration.channelCount, isPlanar: configuration.isPlanar)
    byteCount = max(64, frameCapacity * channelCount * sampleBytes)
    unsafe memory = .allocate(byteCount: byteCount, alignment: 64)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    let count = format.bufferCount
    let size = AudioBufferList.byteSize(bufferCount: count)
    unsafe list = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      .bindMemory(to: AudioBufferList.self, capacity: 1)
    unsafe list.pointee.mNumberBuffers = UInt32(count)
    let stride = format.byteCount(frameCount: frameCapacity)
    for index in 0..<count {
      unsafe list.buffers[index] = AudioBuffer(
        mNumberChannels: UInt32(format.channelsPerBuffer), mDataByteSize: UInt32(stride),
        mData: memory + index * stride)
    }
  }

  deinit {
    unsafe UnsafeMutableRawPointer(list).deallocate()
    unsafe memory.deallocate()
  }

  /// The first byte of a frame: of all channels, or of one of a planar block.
  package func address(frame: Int, channel: Int = 0) -> UnsafeMutableRawPointer {
    unsafe isPlanar
      ? memory + (channel * frameCapacity + frame) * sampleBytes
      : memory + (frame * channelCount + channel) * sampleBytes
  }

  /// Fills it with silence, which is zero in every signed format.
  package func clear() {
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
  }
}
