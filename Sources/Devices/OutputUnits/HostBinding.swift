// A host in another process as the device of an output unit: slices between its memory and the unit's cycle.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import CUnitLink
import Glibc
import PublishedUnits
import RealtimeSupport
import Synchronization
import UnitLink

/// All that an output unit needs to be rendered by a host.
///
/// @unchecked Sendable because the host's render thread alone uses the buffers; the rest never changes, or is atomic.
@safe final class HostBinding: @unchecked Sendable {
  /// The host.
  let host: NodeHost
  /// Channels to the unit, and from it.
  let inputWidth: Int
  let outputWidth: Int
  private let input: UnsafeMutablePointer<Float>
  private let output: UnsafeMutablePointer<Float>
  private let isOpen = Atomic<Bool>(false)
  private let isInside = Atomic<Bool>(false)
  /// Posted behind each slice.
  private let sliceEnd = RenderSignal()
  private let renderer = Atomic<UInt>(0)

  /// Allocates buffers for the host's slices. Context: control.
  init(_ host: NodeHost) {
    self.host = host
    let form = host.form.link
    inputWidth = Int(form.inputChannels)
    outputWidth = Int(form.outputChannels)
    let frames = Int(form.frameCapacity)
    unsafe input = .allocate(capacity: max(1, frames * inputWidth))
    unsafe input.initialize(repeating: 0, count: max(1, frames * inputWidth))
    unsafe output = .allocate(capacity: max(1, frames * outputWidth))
    unsafe output.initialize(repeating: 0, count: max(1, frames * outputWidth))
  }

  deinit {
    unsafe input.deallocate()
    unsafe output.deallocate()
  }

  /// The format of a side, as that of a device.
  func format(isInput: Bool) -> AudioStreamBasicDescription {
    let width = UInt32(isInput ? inputWidth : outputWidth)
    var format = AudioStreamBasicDescription()
    format.mSampleRate = host.form.sampleRate
    format.mFormatID = kAudioFormatLinearPCM
    format.mFormatFlags = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
    format.mBytesPerPacket = 4 * width
    format.mFramesPerPacket = 1
    format.mBytesPerFrame = 4 * width
    format.mChannelsPerFrame = width
    format.mBitsPerChannel = 32
    return format
  }

  /// Lets slices through. Context: control.
  func open() { isOpen.store(true, ordering: .sequentiallyConsistent) }

  /// Whether the caller is in a slice of the host. Context: any.
  var isCalling: Bool {
    isInside.load(ordering: .sequentiallyConsistent)
      && renderer.load(ordering: .acquiring) == UInt(pthread_self())
  }

  /// Lets none through; when it returns on another thread than the host's, nothing renders any more.
  ///
  /// - Returns: Whether it was called in a slice, which still goes on.
  ///
  /// Context: any.
  @discardableResult
  func shut() -> Bool {
    isOpen.store(false, ordering: .sequentiallyConsistent)
    guard !isCalling else { return true }
    let isOver = { !self.isInside.load(ordering: .sequentiallyConsistent) }
    while !sliceEnd.wait(nanoseconds: 1_000_000_000, until: isOver) {}
    return false
  }

  /// Renders a slice by a cycle of the unit, in the host's memory. Context: the host's render thread.
  func render(
    _ turn: AuricleLinkTurn, _ cycle: DeviceCycle
  ) -> (status: OSStatus, isSilent: Bool) {
    renderer.store(UInt(pthread_self()), ordering: .releasing)
    isInside.store(true, ordering: .sequentiallyConsistent)
    defer {
      isInside.store(false, ordering: .sequentiallyConsistent)
      sliceEnd.post()
    }
    let frames = Int(min(turn.frameCount, host.form.link.frameCapacity))
    guard isOpen.load(ordering: .sequentiallyConsistent) else {
      clear(frames)
      return (0, true)
    }
    spread(frames)
    var time = AudioTimeStamp()
    time.mSampleTime = turn.sampleTime.isFinite ? turn.sampleTime : 0
    time.mHostTime = turn.hostTime
    time.mRateScalar = 1
    time.mFlags = kAudioTimeStampSampleTimeValid | kAudioTimeStampHostTimeValid
    var (recorded, played) = (AudioBufferList(), AudioBufferList())
    recorded.mNumberBuffers = inputWidth > 0 ? 1 : 0
    unsafe recorded.mBuffers = AudioBuffer(
      mNumberChannels: UInt32(inputWidth), mDataByteSize: UInt32(frames * inputWidth * 4),
      mData: UnsafeMutableRawPointer(input))
    played.mNumberBuffers = 1
    unsafe played.mBuffers = AudioBuffer(
      mNumberChannels: UInt32(outputWidth), mDataByteSize: UInt32(frames * outputWidth * 4),
      mData: UnsafeMutableRawPointer(output))
    unsafe cycle.runForHost(&recorded, &played, &time)
    gather(frames)
    return (0, false)
  }

  private func spread(_ frames: Int) {
    for channel in 0..<inputWidth {
      let row = unsafe AuricleLinkInput(host.memory.link, UInt32(channel))
      for frame in 0..<frames { unsafe input[frame * inputWidth + channel] = row[frame] }
    }
    // What a cycle does not fill is silent.
    unsafe output.update(repeating: 0, count: frames * outputWidth)
  }

  private func gather(_ frames: Int) {
    for channel in 0..<outputWidth {
      let row = unsafe AuricleLinkOutput(host.memory.link, UInt32(channel))
      for frame in 0..<frames { unsafe row[frame] = output[frame * outputWidth + channel] }
    }
  }

  private func clear(_ frames: Int) {
    for channel in 0..<outputWidth {
      unsafe AuricleLinkOutput(host.memory.link, UInt32(channel)).update(
        repeating: 0, count: frames)
    }
  }
}
