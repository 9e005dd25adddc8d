// Between interleaved float, which clients see, and the format of a device.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
package import CAudioToolbox
import RealtimeSupport

/// The memory and the state of one direction's conversion.
@safe package final class SampleExchange {
  /// The clients' side: one buffer of interleaved 32-bit float.
  package let list: UnsafeMutablePointer<AudioBufferList>
  /// The device's side.
  package let block: PCMBlock
  /// Frames of both.
  package let frameCapacity: Int
  private let channelCount: Int
  private let floats: UnsafeMutablePointer<Float>
  private let sum: UnsafeMutablePointer<Float>
  private let planar: AudioBuffers
  private let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let interleaved: SampleFormat
  /// The device's list and format, without the object around them.
  private let stored: UnsafeMutablePointer<AudioBufferList>
  private let storedFormat: SampleFormat
  private var dither: DeviceDither?

  /// Allocates. Context: control.
  package init(_ configuration: PCMConfiguration, frameCapacity: Int) {
    self.frameCapacity = frameCapacity
    channelCount = configuration.channelCount
    block = PCMBlock(configuration, frameCapacity: frameCapacity)
    unsafe stored = block.list
    storedFormat = block.format
    interleaved = PCMFormat.native.sampleFormat(
      channelCount: configuration.channelCount, isPlanar: false)
    planar = AudioBuffers(
      channelCount: configuration.channelCount, frameCapacity: frameCapacity)
    unsafe rows = .allocate(capacity: configuration.channelCount)
    for channel in 0..<configuration.channelCount {
      unsafe (rows + channel).initialize(to: planar.channel(channel))
    }
    let count = frameCapacity * configuration.channelCount
    unsafe floats = .allocate(capacity: count)
    unsafe floats.initialize(repeating: 0, count: count)
    unsafe sum = .allocate(capacity: count)
    unsafe sum.initialize(repeating: 0, count: count)
    unsafe list = .allocate(capacity: 1)
    unsafe list.initialize(to: AudioBufferList())
    unsafe list.pointee.mNumberBuffers = 1
    if !configuration.format.isFloat, configuration.format.bitCount < 32 {
      dither = DeviceDither(bitCount: configuration.format.bitCount)
    }
    setFrameCount(frameCapacity)
  }

  deinit {
    unsafe list.deallocate()
    unsafe floats.deallocate()
    unsafe sum.deallocate()
    unsafe rows.deallocate()
  }

  /// Makes the clients' list describe so many frames of the exchange's memory.
  @_noLocks package func setFrameCount(_ count: Int) {
    unsafe list.pointee.mBuffers = AudioBuffer(
      mNumberChannels: UInt32(channelCount), mDataByteSize: UInt32(count * channelCount * 4),
      mData: UnsafeMutableRawPointer(floats))
  }

  /// Silences the clients' side.
  @_noLocks package func clear() {
    unsafe floats.update(repeating: 0, count: frameCapacity * channelCount)
  }

  /// Keeps the output of the first client as the sum.
  @_noLocks func keepSum() {
    unsafe UnsafeMutableRawPointer(sum).copyMemory(
      from: floats, byteCount: 4 * frameCapacity * channelCount)
  }

  /// Adds the output of a further client to the sum.
  @_noLocks func addToSum() {
    for index in 0..<(frameCapacity * channelCount) { unsafe sum[index] += floats[index] }
  }

  /// Makes the sum the clients' output.
  @_noLocks func useSum() {
    unsafe UnsafeMutableRawPointer(floats).copyMemory(
      from: sum, byteCount: 4 * frameCapacity * channelCount)
  }

  /// The clients' samples.
  package var samples: UnsafeMutablePointer<Float> { unsafe floats }

  /// Puts the clients' frames into the device's format.
  @_noLocks package func encode(frameCount: Int) {
    unsafe SampleConversion.read(list, interleaved, into: rows, frameCount: frameCount)
    unsafe dither?.apply(rows, channelCount: channelCount, frameCount: frameCount)
    unsafe SampleConversion.write(rows, to: stored, storedFormat, frameCount: frameCount)
  }

  /// Converts the device's frames for the clients.
  @_noLocks package func decode(frameCount: Int) {
    setFrameCount(frameCount)
    unsafe SampleConversion.read(stored, storedFormat, into: rows, frameCount: frameCount)
    unsafe SampleConversion.write(rows, to: list, interleaved, frameCount: frameCount)
  }
}

extension PCMFormat {
  /// 32-bit float of this machine.
  package static var native: PCMFormat { 1.bigEndian == 1 ? .float32Big : .float32Little }
}
