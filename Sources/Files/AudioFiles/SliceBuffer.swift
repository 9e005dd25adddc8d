// Interleaved frames on their way to or from the library, in slices of its best size.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFileParsing

/// Collects frames for an open file, so that small slices from a graph cost no more than large.
@safe final class SliceWriter {
  @safe private enum Storage {
    case float(UnsafeMutablePointer<Float>)
    case short(UnsafeMutablePointer<Int16>, Quantizer)
    case long(UnsafeMutablePointer<Int32>, Quantizer)
  }

  private let file: any SoundSink
  private let channelCount: Int
  private let capacity: Int
  private let clips: Bool
  private let storage: Storage
  private var filled = 0
  /// Frames handed over.
  private var writtenCount = 0
  private(set) var clippedSampleCount = 0
  /// The checksum of the written frames, for formats that need it.
  private(set) var checksum: WriteChecksum?

  init(_ file: any SoundSink, _ format: AudioFileFormat) {
    self.file = file
    channelCount = format.channelCount
    capacity = format.framesPerSlice
    clips = format.encoding.clips
    checksum = format.needsWriteChecksum ? WriteChecksum() : nil
    let samples = capacity * channelCount
    switch format.encoding.linearBits {
    case .some(let bits) where bits <= 16:
      unsafe storage = .short(.allocate(capacity: samples), Quantizer(bits: bits, width: 16))
    case .some(let bits):
      unsafe storage = .long(.allocate(capacity: samples), Quantizer(bits: bits, width: 32))
    case nil:
      unsafe storage = .float(.allocate(capacity: samples))
    }
  }

  deinit {
    switch storage {
    case .float(let memory): unsafe memory.deallocate()
    case .short(let memory, _): unsafe memory.deallocate()
    case .long(let memory, _): unsafe memory.deallocate()
    }
  }

  /// Collects frames; false when the library could not write.
  func write(_ channels: ChannelPointers, frameCount: Int) -> Bool {
    var done = 0
    while done < frameCount {
      let step = min(capacity - filled, frameCount - done)
      unsafe append(channels, offset: done, frameCount: step)
      filled += step
      done += step
      if filled == capacity, !flush() { return false }
    }
    return true
  }

  private func append(_ channels: ChannelPointers, offset: Int, frameCount: Int) {
    let start = filled * channelCount
    switch storage {
    case .float(let memory):
      unsafe interleave(
        channels, offset: offset, into: memory + start, channelCount: channelCount,
        frameCount: frameCount)
      if clips {
        clippedSampleCount += unsafe clip(memory + start, count: frameCount * channelCount)
      }
    case .short(let memory, let scale):
      clippedSampleCount += unsafe quantize(
        channels, offset: offset, into: memory + start, channelCount: channelCount,
        frameCount: frameCount, scale: scale)
    case .long(let memory, let scale):
      clippedSampleCount += unsafe quantize(
        channels, offset: offset, into: memory + start, channelCount: channelCount,
        frameCount: frameCount, scale: scale)
    }
  }

  /// Writes the collected frames, with silence up to a whole number of blocks, and up to some of
  /// them; false when the library could not write it.
  func fill(blocksOf frames: Int, atLeast count: Int) -> Bool {
    guard flush() else { return false }
    let wanted = max((writtenCount + frames - 1) / frames, count) * frames
    return end(withSilence: wanted - writtenCount)
  }

  /// Writes the collected frames, and silence behind them; false when the library could not write
  /// it.
  func end(withSilence frames: Int) -> Bool {
    guard flush() else { return false }
    var missing = frames
    while missing > 0 {
      filled = min(missing, capacity)
      missing -= filled
      let count = filled * channelCount
      switch storage {
      case .float(let memory): unsafe memory.update(repeating: 0, count: count)
      case .short(let memory, _): unsafe memory.update(repeating: 0, count: count)
      case .long(let memory, _): unsafe memory.update(repeating: 0, count: count)
      }
      guard flush() else { return false }
    }
    return true
  }

  /// Writes the collected frames; false when the library could not write them.
  func flush() -> Bool {
    guard filled > 0 else { return true }
    let count = filled
    filled = 0
    writtenCount += count
    let written =
      switch storage {
      case .float(let memory): unsafe file.write(memory, frameCount: count)
      case .short(let memory, _):
        unsafe checked(memory, count) { unsafe file.write($0, frameCount: $1) }
      case .long(let memory, _):
        unsafe checked(memory, count) { unsafe file.write($0, frameCount: $1) }
      }
    // For an odd number of samples one of its encoders declares one too many.
    return written >= count && file.stream.failure == 0
  }

  /// Hands whole numbers over, and adds them to the checksum where there is one.
  private func checked<Sample: BitwiseCopyable>(
    _ samples: UnsafeMutablePointer<Sample>, _ frameCount: Int,
    _ write: (UnsafePointer<Sample>, Int) -> Int
  ) -> Int {
    unsafe checksum?.add(samples, count: frameCount * channelCount)
    return unsafe write(samples, frameCount)
  }
}
