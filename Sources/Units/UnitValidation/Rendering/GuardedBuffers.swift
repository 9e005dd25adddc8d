// Buffers that show a unit's writes outside its memory, and samples that it did not write.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

/// The defect of one slice.
struct SliceDefect {
  /// The rule that is broken.
  var check: ValidationCheck
  /// The rest of a sentence about the slice.
  var clause: String
  /// Where.
  var evidence: [UnitFault.Evidence]
}

/// A buffer list with marks before, in and behind each channel.
@safe final class GuardedBuffers {
  let list: UnsafeMutablePointer<AudioBufferList>
  let channelCount: Int
  private let memory: UnsafeMutablePointer<UInt32>
  private let stride: Int
  private var frames = 0

  /// Words before and behind the samples of a channel.
  private static let zone = 64
  /// A NaN that no arithmetic makes.
  private static let mark: UInt32 = 0x7FA5_A5A5
  /// The word around the samples.
  private static let wall: UInt32 = 0x5AFE_5AFE

  init(channelCount: Int, frameCapacity: Int) {
    let (channels, frames) = (max(0, channelCount), max(1, frameCapacity))
    self.channelCount = channels
    stride = (frames + 2 * Self.zone + 15) & ~15
    unsafe memory = .allocate(capacity: max(16, stride * channels))
    let raw = UnsafeMutableRawPointer.allocate(
      byteCount: AudioBufferList.byteSize(bufferCount: channels), alignment: 16)
    unsafe list = raw.assumingMemoryBound(to: AudioBufferList.self)
  }

  deinit {
    unsafe memory.deallocate()
    unsafe UnsafeMutableRawPointer(list).deallocate()
  }

  /// Makes the list describe so many frames, all of them marked.
  func prepare(_ frames: Int, hasMemory: Bool = true) {
    self.frames = frames
    unsafe list.pointee.mNumberBuffers = UInt32(channelCount)
    for channel in 0..<channelCount {
      let start = unsafe memory + channel * stride
      for place in 0..<stride {
        let isInside = place >= Self.zone && place < Self.zone + frames
        unsafe start[place] = isInside ? Self.mark : Self.wall
      }
      unsafe list.buffer(channel).pointee = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(frames * MemoryLayout<Float>.size),
        mData: hasMemory ? UnsafeMutableRawPointer(start + Self.zone) : nil)
    }
  }

  /// One channel of the output; nil where the list holds none.
  func samples(_ channel: Int) -> UnsafeMutableBufferPointer<Float>? {
    guard channel < (unsafe list.bufferCount), let data = unsafe list.samples(channel),
      unsafe Int(list.buffer(channel).pointee.mDataByteSize) >= frames * MemoryLayout<Float>.size
    else { return nil }
    return unsafe UnsafeMutableBufferPointer(start: data, count: frames)
  }

  /// The first thing that is wrong after a slice; nil for nothing.
  func defect(flags: AudioUnitRenderActionFlags) -> SliceDefect? {
    wallDefect() ?? listDefect()
      ?? sampleDefect(flags & kAudioUnitRenderAction_OutputIsSilence != 0)
  }

  private func wallDefect() -> SliceDefect? {
    for channel in 0..<channelCount {
      for place in 0..<stride where place < Self.zone || place >= Self.zone + frames {
        guard unsafe memory[channel * stride + place] != Self.wall else { continue }
        let frame = place - Self.zone
        let text =
          frame < 0 ? "\(-frame) before its output" : "\(frame - frames + 1) past its output"
        return SliceDefect(
          check: .overrun, clause: "writes a sample \(text)",
          evidence: [.count("channel", channel), .count("frame", frame)])
      }
    }
    return nil
  }

  private func listDefect() -> SliceDefect? {
    let count = unsafe list.bufferCount
    if count != channelCount {
      unsafe list.pointee.mNumberBuffers = UInt32(channelCount)
      return SliceDefect(
        check: .buffers, clause: "returns \(count) buffers where \(channelCount) were given",
        evidence: [.count("buffers", count)])
    }
    for channel in 0..<channelCount {
      let buffer = unsafe list.buffer(channel).pointee
      let size = unsafe Int(buffer.mDataByteSize)
      let isEmpty = unsafe buffer.mData == nil
      guard isEmpty || size != frames * MemoryLayout<Float>.size else { continue }
      return SliceDefect(
        check: .buffers,
        clause: isEmpty
          ? "returns a buffer without memory"
          : "returns \(size) bytes where \(frames * 4) are due",
        evidence: [.count("channel", channel), .count("bytes", size)])
    }
    return nil
  }

  private func sampleDefect(_ isSilent: Bool) -> SliceDefect? {
    for channel in 0..<channelCount {
      guard let samples = unsafe samples(channel) else { continue }
      for frame in 0..<frames {
        let value = unsafe samples[frame]
        let place: [UnitFault.Evidence] = [.count("channel", channel), .count("frame", frame)]
        if value.bitPattern == Self.mark {
          return SliceDefect(
            check: .unwritten, clause: "leaves frame \(frame) unwritten", evidence: place)
        }
        if !value.isFinite {
          return SliceDefect(
            check: .finite, clause: "has \(value) at frame \(frame)",
            evidence: place + [.value("value", value)])
        }
        if isSilent, value != 0 {
          return SliceDefect(
            check: .silenceFlag, clause: "is flagged as silence and has \(value) at frame \(frame)",
            evidence: place + [.value("value", value)])
        }
      }
    }
    return nil
  }
}
