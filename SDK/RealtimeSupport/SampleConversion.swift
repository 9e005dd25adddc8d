// Converts between buffer lists of any linear PCM and planar float, for render code.
// SPDX-License-Identifier: Apache-2.0

internal import AudioTypes
public import CAudioToolbox

/// Converts runs of frames between a buffer list in some `SampleFormat` and planar float channels.
///
/// Integers become fractions of full scale: a b-bit integer n is n / 2ᵇ⁻¹, or n / 2ᶠ for fixed point with f
/// bits after the point. The other way, values are rounded to the nearest (ties to even) and clipped; NaN
/// becomes 0. Up to 24 bits both ways together are exact.
///
/// Context: any, render included.
public enum SampleConversion {
  /// Channel pointers, as a unit keeps them: one pointer to planar samples a channel.
  public typealias Channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// Returns whether a list has the buffers of a format, with memory for so many frames.
  @_noLocks
  public static func holds(
    _ list: UnsafeMutablePointer<AudioBufferList>, _ format: SampleFormat, frameCount: Int
  ) -> Bool {
    guard unsafe list.bufferCount == format.bufferCount else { return false }
    let needed = format.byteCount(frameCount: frameCount)
    var index = 0
    while index < format.bufferCount {
      let buffer = unsafe list.buffer(index)
      if unsafe buffer.pointee.mData == nil || Int(buffer.pointee.mDataByteSize) < needed {
        return false
      }
      index += 1
    }
    return true
  }

  /// Reads frames of a list into planar float.
  ///
  /// - Parameters:
  ///   - list: Buffers in `format`, at least `firstFrame + frameCount` frames long; those without
  ///     memory, or that are missing, are read as silence.
  ///   - format: Layout of the list.
  ///   - firstFrame: First frame of the list to read.
  ///   - channels: `format.channelCount` pointers; written.
  ///   - offset: First frame of the channels to write.
  ///   - frameCount: Number of frames.
  @_noLocks
  public static func read(
    _ list: UnsafeMutablePointer<AudioBufferList>, _ format: SampleFormat, from firstFrame: Int = 0,
    into channels: Channels, at offset: Int = 0, frameCount: Int
  ) {
    let coding = SampleCoding(format)
    var channel = 0
    while channel < format.channelCount {
      let target = unsafe channels[channel] + offset
      if let source = unsafe Self.samples(list, format, channel, firstFrame) {
        unsafe coding.decode(source, into: target, frameCount)
      } else {
        unsafe SampleCopy.clear(target, count: frameCount)
      }
      channel += 1
    }
  }

  /// Writes planar float into frames of a list.
  ///
  /// - Parameters:
  ///   - channels: `format.channelCount` pointers.
  ///   - offset: First frame of the channels to read.
  ///   - list: Buffers in `format`, at least `firstFrame + frameCount` frames long; written. Those
  ///     without memory are left out.
  ///   - format: Layout of the list.
  ///   - firstFrame: First frame of the list to write.
  ///   - frameCount: Number of frames.
  @_noLocks
  public static func write(
    _ channels: Channels, from offset: Int = 0, to list: UnsafeMutablePointer<AudioBufferList>,
    _ format: SampleFormat, at firstFrame: Int = 0, frameCount: Int
  ) {
    let coding = SampleCoding(format)
    var channel = 0
    while channel < format.channelCount {
      if let target = unsafe Self.samples(list, format, channel, firstFrame) {
        unsafe coding.encode(channels[channel] + offset, into: target, frameCount)
      }
      channel += 1
    }
  }

  /// Writes silence into frames of a list: zero, or the middle for unsigned integers.
  @_noLocks
  public static func clear(
    _ list: UnsafeMutablePointer<AudioBufferList>, _ format: SampleFormat, from firstFrame: Int = 0,
    frameCount: Int
  ) {
    let coding = SampleCoding(format)
    var channel = 0
    while channel < format.channelCount {
      if let target = unsafe Self.samples(list, format, channel, firstFrame) {
        unsafe coding.clear(target, frameCount)
      }
      channel += 1
    }
  }

  /// Returns the first sample of a channel in a list, or nil where there is no memory.
  @_noLocks
  static func samples(
    _ list: UnsafeMutablePointer<AudioBufferList>, _ format: SampleFormat, _ channel: Int,
    _ frame: Int
  ) -> UnsafeMutableRawPointer? {
    let index = format.isPlanar ? channel : 0
    guard unsafe index < list.bufferCount, let data = unsafe list.buffer(index).pointee.mData else {
      return nil
    }
    let start = format.isPlanar ? 0 : channel &* format.bytesPerSample
    return unsafe data + (start &+ format.byteCount(frameCount: frame))
  }
}
