// The time and pitch of an output queue: a unit between the decoder and the ring.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

/// Changes the speed and the pitch of decoded frames by a unit that is installed.
///
/// Input waits in a store until the unit can make a whole chunk of it: its input has no silence but
/// at the end.
/// Context: the queue's thread, under the queue's `work`.
@safe final class QueuePitch {
  private let unit: AudioUnitHandle
  private let channelCount: Int
  private let output: AudioBuffers
  private let parameters: (rate: AudioUnitParameterID, pitch: AudioUnitParameterID?)
  private var rate: Float = 1
  private var pitch: Float = 0
  /// Interleaved input, from `first` on.
  private var store: [Float] = []
  private var first = 0
  /// Frames ever put in.
  private(set) var used = 0
  /// Output frames that the input is worth, less the rendered ones.
  private var owed = 0.0
  private var sampleTime = 0.0
  /// Frames that the unit may want at once beyond those of a chunk.
  private static let margin = 8192

  /// Makes the unit of an algorithm.
  ///
  /// - Throws: -66675 for an unknown algorithm; the unit's error, where it cannot work.
  init(
    _ algorithm: UInt32, channelCount: Int, sampleRate: Double, frameCapacity: Int
  ) throws(QueueFailure) {
    self.channelCount = channelCount
    output = AudioBuffers(channelCount: channelCount, frameCapacity: frameCapacity)
    let subtype: OSType
    switch algorithm {
    case kAudioQueueTimePitchAlgorithm_Spectral:
      subtype = kAudioUnitSubType_NewTimePitch
      parameters = (kNewTimePitchParam_Rate, kNewTimePitchParam_Pitch)
    case kAudioQueueTimePitchAlgorithm_TimeDomain:
      subtype = kAudioUnitSubType_TimePitch
      parameters = (kTimePitchParam_Rate, kTimePitchParam_Pitch)
    case kAudioQueueTimePitchAlgorithm_Varispeed,
      kAudioQueueTimePitchAlgorithm_LowQualityZeroLatency:
      subtype = kAudioUnitSubType_Varispeed
      parameters = (kVarispeedParam_PlaybackRate, nil)
    default: throw QueueFailure(kAudioQueueErr_InvalidPropertyValue)
    }
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_FormatConverter, componentSubType: subtype,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    var made: AudioUnitHandle?
    guard let component = unsafe AudioComponentFindNext(nil, &description),
      unsafe AudioComponentInstanceNew(component, &made) == noErr, let unit = unsafe made
    else { throw QueueFailure(kAudioQueueErr_InvalidPropertyValue) }
    unsafe self.unit = unsafe unit
    try setUp(sampleRate, frameCapacity)
  }

  deinit { _ = unsafe AudioComponentInstanceDispose(unit) }

  private func setUp(_ sampleRate: Double, _ frameCapacity: Int) throws(QueueFailure) {
    let format = AudioStreamBasicDescription(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4,
      mChannelsPerFrame: UInt32(channelCount), mBitsPerChannel: 32, mReserved: 0)
    let source = unsafe AURenderCallbackStruct(
      inputProc: { context, _, _, _, frames, list in
        guard let context = unsafe context, let list = unsafe list else { return kAudio_ParamError }
        unsafe Unmanaged<QueuePitch>.fromOpaque(context)._withUnsafeGuaranteedRef {
          unsafe $0.passInput(Int(frames), list)
        }
        return noErr
      }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
    let statuses = [
      set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, format),
      set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, format),
      set(
        kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, UInt32(frameCapacity)),
      unsafe set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, source),
      unsafe AudioUnitInitialize(unit),
    ]
    if let failure = statuses.first(where: { $0 != noErr }) { throw QueueFailure(failure) }
  }

  private func set<Value: BitwiseCopyable>(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ value: Value
  ) -> OSStatus {
    unsafe withUnsafeBytes(of: value) { bytes in
      unsafe AudioUnitSetProperty(
        unit, property, scope, 0, bytes.baseAddress, UInt32(bytes.count))
    }
  }

  /// Chooses speed and pitch (cents) of the next frames.
  func tune(rate newRate: Float, pitch newPitch: Float) {
    if newRate != rate {
      // Waiting frames become longer or shorter with the rest.
      owed *= Double(rate / newRate)
      rate = newRate
      _ = unsafe AudioUnitSetParameter(
        unit, parameters.rate, kAudioUnitScope_Global, 0, rate, 0)
    }
    if newPitch != pitch, let id = parameters.pitch {
      pitch = newPitch
      _ = unsafe AudioUnitSetParameter(unit, id, kAudioUnitScope_Global, 0, pitch, 0)
    }
  }

  /// Frames that wait in the store.
  private var waiting: Int { (store.count - first) / channelCount }

  /// Whether there is too little input for so many frames.
  func lacks(_ frameCount: Int) -> Bool {
    waiting < Int(Float(frameCount) * rate) + Self.margin
  }

  /// Puts interleaved input in.
  func put(_ samples: UnsafePointer<Float>, frameCount: Int) {
    if first > 1 << 16 {
      store.removeFirst(first)
      first = 0
    }
    unsafe store.append(
      contentsOf: UnsafeBufferPointer(start: samples, count: frameCount * channelCount))
    used += frameCount
    owed += Double(frameCount) / Double(rate)
  }

  /// Makes interleaved frames: all of them, or at the end as many as are owed.
  func render(
    into samples: UnsafeMutablePointer<Float>, frameCount: Int, isLast: Bool
  ) -> Int {
    guard isLast || !lacks(frameCount) else { return 0 }
    let count = isLast ? min(frameCount, Int(owed)) : frameCount
    guard count > 0 else { return 0 }
    output.setFrameCount(count)
    var flags = AudioUnitRenderActionFlags()
    var time = AudioTimeStamp()
    time.mSampleTime = sampleTime
    time.mFlags = kAudioTimeStampSampleTimeValid
    let status = unsafe AudioUnitRender(unit, &flags, &time, 0, UInt32(count), output.list)
    guard status == noErr else { return 0 }
    for channel in 0..<channelCount {
      guard let made = unsafe output.list.buffers[channel].mData else { continue }
      let row = unsafe made.assumingMemoryBound(to: Float.self)
      for frame in 0..<count { unsafe samples[frame * channelCount + channel] = row[frame] }
    }
    sampleTime += Double(count)
    owed -= Double(count)
    return count
  }

  /// Passes input to the unit, and silence beyond it.
  private func passInput(_ frameCount: Int, _ list: UnsafeMutablePointer<AudioBufferList>) {
    let count = min(frameCount, waiting)
    for channel in 0..<min(channelCount, unsafe Int(list.pointee.mNumberBuffers)) {
      guard let target = unsafe list.buffers[channel].mData else { continue }
      let row = unsafe target.assumingMemoryBound(to: Float.self)
      for frame in 0..<frameCount {
        unsafe row[frame] = frame < count ? store[first + frame * channelCount + channel] : 0
      }
    }
    first += count * channelCount
  }

  /// Forgets everything.
  func reset() {
    store = []
    first = 0
    owed = 0
    _ = unsafe AudioUnitReset(unit, kAudioUnitScope_Global, 0)
  }
}
