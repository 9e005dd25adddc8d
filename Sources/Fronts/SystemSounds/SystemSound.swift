// One short sound: its samples, read once, and its settings.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import MacSystem
import RealtimeSupport
import Synchronization

/// A status of Audio Services.
struct SoundFailure: Error {
  let status: OSStatus
}

/// Interleaved 32-bit float.
func interleavedFloat(_ sampleRate: Double, _ channels: Int) -> AudioStreamBasicDescription {
  let bytes = UInt32(4 * channels)
  return AudioStreamBasicDescription(
    mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagsNativeFloatPacked, mBytesPerPacket: bytes, mFramesPerPacket: 1,
    mBytesPerFrame: bytes, mChannelsPerFrame: UInt32(channels), mBitsPerChannel: 32, mReserved: 0)
}

/// A sound that a program has a number for.
///
/// @unchecked Sendable because the samples do not change, and the rest is under a lock.
@safe final class SystemSound: @unchecked Sendable {
  /// The longest that is played (s).
  static let longest = 30.0

  /// The completion of each end.
  @safe struct Completion: Sendable {
    let call: @Sendable () -> Void
    let delivery: CallbackDelivery
  }

  struct State {
    var isInterfaceSound = true
    var completesAtExit = false
    var completion: Completion?
    var isDisposed = false
  }

  let sampleRate: Double
  let channelCount: Int
  let frameCount: Int
  let state = Mutex(State())
  private let samples: UnsafeMutablePointer<Float>

  /// Adopts samples, interleaved. One channel plays on both sides.
  init(_ made: [Float], channelCount: Int, sampleRate: Double) {
    self.channelCount = max(2, channelCount)
    self.sampleRate = sampleRate
    frameCount = made.count / max(1, channelCount)
    unsafe samples = .allocate(capacity: max(1, frameCount * self.channelCount))
    for place in 0..<(frameCount * self.channelCount) {
      unsafe (samples + place).initialize(to: channelCount == 1 ? made[place / 2] : made[place])
    }
  }

  deinit { unsafe samples.deallocate() }

  /// Reads a file.
  ///
  /// - Throws: -1500 for a file that cannot be read, -1502 for more than 30 seconds.
  convenience init(_ url: CFURLRef) throws(SoundFailure) {
    var file: ExtAudioFileRef?
    guard unsafe ExtAudioFileOpenURL(url, &file) == noErr, let file = unsafe file else {
      throw SoundFailure(status: kAudioServicesSystemSoundUnspecifiedError)
    }
    defer { unsafe _ = ExtAudioFileDispose(file) }
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    guard
      unsafe ExtAudioFileGetProperty(
        file, kExtAudioFileProperty_FileDataFormat, &size, &format) == noErr,
      format.mSampleRate >= 1, format.mSampleRate.isFinite, format.mChannelsPerFrame > 0
    else { throw SoundFailure(status: kAudioServicesSystemSoundUnspecifiedError) }
    let channels = Int(format.mChannelsPerFrame)
    let made = unsafe try Self.read(file, channels, format.mSampleRate)
    self.init(made, channelCount: channels, sampleRate: format.mSampleRate)
  }

  /// All samples of a file, interleaved.
  private static func read(
    _ file: ExtAudioFileRef, _ channels: Int, _ rate: Double
  ) throws(SoundFailure) -> [Float] {
    var client = interleavedFloat(rate, channels)
    let size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    guard
      unsafe ExtAudioFileSetProperty(
        file, kExtAudioFileProperty_ClientDataFormat, size, &client) == noErr
    else { throw SoundFailure(status: kAudioServicesSystemSoundUnspecifiedError) }
    let most = Int(longest * rate)
    var samples: [Float] = []
    var chunk = [Float](repeating: 0, count: 4096 * channels)
    while true {
      var (count, status) = (UInt32(4096), noErr)
      unsafe chunk.withUnsafeMutableBytes { bytes in
        var list = AudioBufferList()
        list.mNumberBuffers = 1
        unsafe list.mBuffers = AudioBuffer(
          mNumberChannels: UInt32(channels), mDataByteSize: UInt32(bytes.count),
          mData: bytes.baseAddress)
        status = unsafe ExtAudioFileRead(file, &count, &list)
      }
      guard status == noErr else {
        throw SoundFailure(status: kAudioServicesSystemSoundUnspecifiedError)
      }
      guard count > 0 else { return samples }
      samples += chunk.prefix(Int(count) * channels)
      guard samples.count <= most * channels else {
        throw SoundFailure(status: kAudioServicesSystemSoundExceededMaximumDurationError)
      }
    }
  }

  /// Copies frames from a place on; how many there were. Context: render.
  @inline(__always) @_noLocks
  func copy(from frame: Int, frameCount count: Int, to target: UnsafeMutablePointer<Float>) -> Int {
    let count = min(count, frameCount - frame)
    guard count > 0 else { return 0 }
    unsafe SampleCopy.copy(
      from: samples + frame * channelCount, to: target, count: count * channelCount)
    return count
  }

  /// Calls the completion after the last frame. Context: the player's thread.
  func notifyEnd() {
    guard let completion = state.withLock({ $0.completion }) else { return }
    completion.delivery.run(completion.call)
  }

  /// Sets another completion, or none.
  func setCompletion(_ completion: Completion?) {
    let old = state.withLock { state in
      defer { state.completion = completion }
      return state.completion
    }
    old?.delivery.close()
  }
}
