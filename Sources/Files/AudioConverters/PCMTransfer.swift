// Frames from one buffer list into another at one rate: copied, swapped, or by floats or doubles, without loss.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import Glibc
import RealtimeSupport

/// Moves frames from the format of the input to that of the output.
@safe final class PCMTransfer {
  /// Frames that are worked on at once.
  static let blockSize = 1024

  private enum Way {
    case copy
    /// A copy whose bytes are then turned around in each sample.
    case swap
    case floats
    case doubles
  }

  private let input: SampleFormat
  private let output: SampleFormat
  private let route: ChannelRoute
  private let way: Way
  private let floats: SampleRows<Float>
  private let doubles: SampleRows<Double>
  private let mixed: SampleRows<Double>
  private let chosenFloats: SampleRows<Float>
  private var dither: Dither?

  /// Plans the shortest way that loses nothing.
  init(
    from input: SampleFormat, to output: SampleFormat, route: ChannelRoute, dither: Dither?
  ) {
    self.input = input
    self.output = output
    self.route = route
    self.dither = dither
    if dither == nil, route.isIdentity, Self.areAlike(input, output) {
      way = Self.areSwapped(input, output) ? .swap : .copy
    } else if dither == nil, route.isMap, Self.fitsFloat(input), Self.fitsFloat(output) {
      way = .floats
    } else {
      way = .doubles
    }
    let size = Self.blockSize
    let isFloats = way == .floats, isDoubles = way == .doubles
    floats = SampleRows(
      channelCount: isFloats ? input.channelCount + 1 : 0, frameCapacity: isFloats ? size : 0)
    chosenFloats = SampleRows(channelCount: output.channelCount, frameCapacity: 0)
    doubles = SampleRows(
      channelCount: isDoubles ? input.channelCount : 0, frameCapacity: isDoubles ? size : 0)
    mixed = SampleRows(
      channelCount: isDoubles ? output.channelCount : 0, frameCapacity: isDoubles ? size : 0)
    guard isFloats else { return }
    for (channel, parts) in route.outputs.enumerated() {
      // The last row is silence.
      let source = parts.first?.input ?? input.channelCount
      unsafe chosenFloats.rows[channel] = floats.rows[source]
    }
  }

  /// Begins anew.
  func reset() { dither?.reset() }

  /// Moves frames.
  func move(
    _ source: UnsafeMutablePointer<AudioBufferList>, at sourceFrame: Int,
    to target: UnsafeMutablePointer<AudioBufferList>, at targetFrame: Int, frameCount: Int
  ) {
    if way == .copy || way == .swap {
      unsafe copy(source, sourceFrame, target, targetFrame, frameCount)
      if way == .swap { unsafe swap(source, target, targetFrame, frameCount) }
      return
    }
    var done = 0
    while done < frameCount {
      let count = min(Self.blockSize, frameCount - done)
      if way == .floats {
        unsafe SampleConversion.read(
          source, input, from: sourceFrame + done, into: floats.rows, frameCount: count)
        unsafe SampleConversion.write(
          chosenFloats.rows, to: target, output, at: targetFrame + done, frameCount: count)
      } else {
        unsafe SampleConversion.readDoubles(
          source, input, from: sourceFrame + done, into: doubles.rows, at: 0, frameCount: count)
        unsafe route.mix(doubles.rows, into: mixed.rows, frameCount: count)
        unsafe dither?.apply(mixed.rows, frameCount: count)
        unsafe SampleConversion.writeDoubles(
          mixed.rows, from: 0, to: target, output, at: targetFrame + done, frameCount: count)
      }
      done += count
    }
  }

  /// Whether samples of two formats are the same bytes, in any order. Bits beside the sample have no order.
  private static func areAlike(_ one: SampleFormat, _ other: SampleFormat) -> Bool {
    one.encoding == other.encoding && one.bytesPerSample == other.bytesPerSample
      && (!areSwapped(one, other) || one.bitCount == 8 * one.bytesPerSample)
      && one.isSigned == other.isSigned && one.bitCount == other.bitCount
      && one.isAlignedHigh == other.isAlignedHigh
      && one.fractionBitCount == other.fractionBitCount
  }

  private static func areSwapped(_ one: SampleFormat, _ other: SampleFormat) -> Bool {
    one.isBigEndian != other.isBigEndian && one.bytesPerSample > 1
  }

  /// Turns the bytes of copied samples around.
  private func swap(
    _ source: UnsafeMutablePointer<AudioBufferList>,
    _ target: UnsafeMutablePointer<AudioBufferList>, _ targetFrame: Int, _ frameCount: Int
  ) {
    let byteCount = output.byteCount(frameCount: frameCount)
    for index in 0..<output.bufferCount {
      // The target is as it was if nothing was copied.
      let from = unsafe source.buffer(min(index, input.bufferCount - 1)).pointee.mData
      let into = unsafe target.buffer(index).pointee.mData
      guard unsafe from != nil, let start = unsafe into else { continue }
      let place = unsafe start + output.byteCount(frameCount: targetFrame)
      switch output.bytesPerSample {
      case 2: unsafe swapSamples(UInt16.self, place, byteCount)
      case 4: unsafe swapSamples(UInt32.self, place, byteCount)
      case 8: unsafe swapSamples(UInt64.self, place, byteCount)
      default:
        let size = output.bytesPerSample
        for sample in stride(from: 0, to: byteCount, by: size) {
          for byte in 0..<(size / 2) {
            let (first, last) = (sample + byte, sample + size - 1 - byte)
            let kept = unsafe place.load(fromByteOffset: first, as: UInt8.self)
            unsafe place.storeBytes(
              of: place.load(fromByteOffset: last, as: UInt8.self), toByteOffset: first,
              as: UInt8.self)
            unsafe place.storeBytes(of: kept, toByteOffset: last, as: UInt8.self)
          }
        }
      }
    }
  }

  @inline(__always)
  private func swapSamples<Word: FixedWidthInteger & BitwiseCopyable>(
    _ type: Word.Type, _ place: UnsafeMutableRawPointer, _ byteCount: Int
  ) {
    let size = MemoryLayout<Word>.size
    for index in 0..<(byteCount / size) {
      let word = unsafe place.loadUnaligned(fromByteOffset: index &* size, as: type)
      unsafe place.storeBytes(of: word.byteSwapped, toByteOffset: index &* size, as: type)
    }
  }

  /// Whether a float of 32 bits holds every sample of a format.
  private static func fitsFloat(_ format: SampleFormat) -> Bool {
    format.encoding == .float32 || format.encoding == .integer && format.bitCount <= 24
  }

  private func copy(
    _ source: UnsafeMutablePointer<AudioBufferList>, _ sourceFrame: Int,
    _ target: UnsafeMutablePointer<AudioBufferList>, _ targetFrame: Int, _ frameCount: Int
  ) {
    if input.isPlanar == output.isPlanar || input.channelCount == 1 {
      for index in 0..<input.bufferCount {
        let from = unsafe source.buffer(index).pointee.mData
        let into = unsafe target.buffer(index).pointee.mData
        guard let from = unsafe from, let into = unsafe into else { continue }
        unsafe memmove(
          into + output.byteCount(frameCount: targetFrame),
          from + input.byteCount(frameCount: sourceFrame),
          input.byteCount(frameCount: frameCount))
      }
      return
    }
    for channel in 0..<input.channelCount {
      let from = unsafe start(source, input, channel, sourceFrame)
      let into = unsafe start(target, output, channel, targetFrame)
      guard let from = unsafe from, let into = unsafe into else { continue }
      let steps = (
        input.bytesPerSample * input.channelsPerBuffer,
        output.bytesPerSample * output.channelsPerBuffer
      )
      switch input.bytesPerSample {
      case 1: unsafe moveSamples(UInt8.self, from, steps.0, into, steps.1, frameCount)
      case 2: unsafe moveSamples(UInt16.self, from, steps.0, into, steps.1, frameCount)
      case 4: unsafe moveSamples(UInt32.self, from, steps.0, into, steps.1, frameCount)
      case 8: unsafe moveSamples(UInt64.self, from, steps.0, into, steps.1, frameCount)
      default:
        for frame in 0..<frameCount {
          unsafe (into + frame * steps.1).copyMemory(
            from: from + frame * steps.0, byteCount: input.bytesPerSample)
        }
      }
    }
  }

  /// The first sample of a channel.
  private func start(
    _ list: UnsafeMutablePointer<AudioBufferList>, _ format: SampleFormat, _ channel: Int,
    _ frame: Int
  ) -> UnsafeMutableRawPointer? {
    let data = unsafe list.buffer(format.isPlanar ? channel : 0).pointee.mData
    let place = format.isPlanar ? 0 : channel * format.bytesPerSample
    return unsafe data.map { unsafe $0 + place + format.byteCount(frameCount: frame) }
  }

  @inline(__always)
  private func moveSamples<Word: FixedWidthInteger & BitwiseCopyable>(
    _ type: Word.Type, _ source: UnsafeRawPointer, _ sourceStep: Int,
    _ target: UnsafeMutableRawPointer, _ targetStep: Int, _ frameCount: Int
  ) {
    for frame in 0..<frameCount {
      let word = unsafe (source + frame &* sourceStep).loadUnaligned(as: type)
      unsafe (target + frame &* targetStep).storeBytes(of: word, as: type)
    }
  }
}
