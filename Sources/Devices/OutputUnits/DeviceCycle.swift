// The work of an output unit in a cycle of its device: passes on recorded frames, pulls the frames to play.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import CAudioToolbox
import Glibc
import HardwareObjects
import RealtimeSupport
import Synchronization

/// The render side of an output unit.
///
/// Settings are changed while the unit is not on a device, or are atomic.
///
/// @unchecked Sendable because the device's thread alone uses the rest between start and stop.
@safe final class DeviceCycle: @unchecked Sendable {
  private weak var unit: IOUnit?
  /// The halves in use, borrowed: the unit keeps them.
  private var output: Unmanaged<ConversionHalf>?
  private var input: Unmanaged<ConversionHalf>?
  private var handle: AudioUnitHandle?
  private var sampleRate = 48_000.0
  /// Sample times at which each side began since the start; nil before.
  private var outputOrigin: Double?
  private var inputOrigin: Double?
  private var recorded: UnsafePointer<AudioBufferList>?
  private var recordedFrames = 0
  /// The part of the recorded frames that the client is called for, and the frame that it reads
  /// next.
  private var readable = 0..<0
  private var used = 0
  /// Frames that the halves render at once; a longer cycle is rendered in parts.
  private var frameCapacity = 1
  private var ratesDiffer = false
  private var presentVolume: Float = 1
  /// The moment of the next start: on the host's clock, or in samples of the device.
  private var startTime: AudioTimeStamp?
  /// The canceller of echoes; nil in other units. Set while the unit does not run.
  var voice: VoiceSide? {
    didSet { unsafe borrowedVoice = voice.map { unsafe Unmanaged.passUnretained($0) } }
  }
  private var borrowedVoice: Unmanaged<VoiceSide>?

  /// Linear, as the bits of a float.
  let volume = Atomic<UInt32>(Float(1).bitPattern)
  /// Whether sample times begin at 0 with each start.
  let startsAtZero = Atomic<Bool>(true)
  private let callback = Atomic<UInt>(0)
  private let callbackContext = Atomic<UInt>(0)
  /// The last error of the render callback.
  let lastError = Atomic<Int32>(0)

  /// Connects its unit. Context: control, once.
  func connect(_ unit: IOUnit) { self.unit = unit }

  /// Accepts all that a start needs. Context: control, while the unit does not run.
  func prepare(
    sampleRate: Double, output: ConversionHalf, input: ConversionHalf, frameCapacity: Int
  ) {
    self.frameCapacity = frameCapacity
    let state = unit?.state.withLock { ($0.hasOutput, $0.hasInput) } ?? (true, false)
    unsafe self.output = state.0 ? Unmanaged.passUnretained(output) : nil
    unsafe self.input = state.1 ? Unmanaged.passUnretained(input) : nil
    unsafe handle = unsafe unit?.handle
    self.sampleRate = sampleRate
    ratesDiffer =
      input.format(kAudioUnitScope_Input).mSampleRate
      != input.format(kAudioUnitScope_Output).mSampleRate
  }

  /// The source of the recording half.
  var source: AURenderCallbackStruct {
    unsafe AURenderCallbackStruct(
      inputProc: { context, _, _, _, frames, buffers in
        guard let context = unsafe context, let buffers = unsafe buffers else {
          return kAudio_ParamError
        }
        return unsafe Unmanaged<DeviceCycle>.fromOpaque(context)._withUnsafeGuaranteedRef {
          unsafe $0.copyRecorded(Int(frames), buffers)
        }
      }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
  }

  /// Forgets the last run. Context: control, before a start.
  func begin() {
    (outputOrigin, inputOrigin) = (nil, nil)
    presentVolume = Float(bitPattern: volume.load(ordering: .relaxed))
  }

  /// Chooses when the next start begins to sound.
  func setStart(_ time: AudioTimeStamp?) { startTime = time }

  /// The procedure that is called when something was recorded; nil for none. Context: control.
  func setInputCallback(_ procedure: AURenderCallback?, _ context: UnsafeMutableRawPointer?) {
    callback.store(0, ordering: .releasing)
    callbackContext.store(UInt(bitPattern: context), ordering: .releasing)
    let bits = unsafe unsafeBitCast(procedure, to: UInt.self)
    callback.store(bits, ordering: .releasing)
  }

  /// The procedure that is called when something was recorded.
  var inputCallback: AURenderCallbackStruct {
    @_noLocks get {
      unsafe AURenderCallbackStruct(
        inputProc: unsafeBitCast(
          callback.load(ordering: .acquiring), to: AURenderCallback?.self),
        inputProcRefCon: UnsafeMutableRawPointer(
          bitPattern: callbackContext.load(ordering: .acquiring)))
    }
  }

  /// The client that the device calls.
  func client(number: UInt) -> IOClient {
    unsafe IOClient(
      { _, _, input, inputTime, output, outputTime, context in
        guard let context = unsafe context else { return noErr }
        unsafe Unmanaged<DeviceCycle>.fromOpaque(context)._withUnsafeGuaranteedRef {
          unsafe $0.run(input, inputTime, output, outputTime)
        }
        return noErr
      }, Unmanaged.passUnretained(self).toOpaque(), number: number)
  }

  /// One cycle of a host, whose sample times stay as they are. Context: the host's render thread.
  @_noLocks func runForHost(
    _ recordedList: UnsafePointer<AudioBufferList>,
    _ playedList: UnsafeMutablePointer<AudioBufferList>,
    _ time: UnsafePointer<AudioTimeStamp>
  ) {
    (outputOrigin, inputOrigin) = (0, 0)
    unsafe run(recordedList, time, playedList, time)
  }

  /// One cycle. Context: the device's thread.
  @_noLocks private func run(
    _ recordedList: UnsafePointer<AudioBufferList>?, _ inputTime: UnsafePointer<AudioTimeStamp>?,
    _ playedList: UnsafeMutablePointer<AudioBufferList>?,
    _ outputTime: UnsafePointer<AudioTimeStamp>?
  ) {
    unsafe recorded = nil
    if unsafe input != nil, let list = unsafe recordedList, let time = unsafe inputTime,
      unsafe list.pointee.mNumberBuffers > 0, unsafe list.pointee.mBuffers.mData != nil
    {
      unsafe recorded = unsafe list
      recordedFrames = unsafe frames(of: list.pointee.mBuffers)
      if let voice = unsafe borrowedVoice {
        let (buffer, frames) = unsafe (list.pointee.mBuffers, recordedFrames)
        let sampleTime = unsafe time.pointee.mSampleTime
        unsafe recorded = voice._withUnsafeGuaranteedRef {
          unsafe $0.clean(buffer, frameCount: frames, at: sampleTime)
        }
      }
      unsafe notifyRecorded(moved(time.pointee, from: &inputOrigin))
    }
    guard unsafe output != nil, let list = unsafe playedList, let time = unsafe outputTime,
      unsafe list.pointee.mNumberBuffers > 0, unsafe list.pointee.mBuffers.mData != nil
    else { return }
    unsafe play(list, time.pointee)
    if let voice = unsafe borrowedVoice {
      let buffer = unsafe list.pointee.mBuffers
      let (count, sampleTime) = unsafe (frames(of: buffer), time.pointee.mSampleTime)
      unsafe voice._withUnsafeGuaranteedRef {
        unsafe $0.note(buffer, frameCount: count, at: sampleTime)
      }
    }
    unsafe recorded = nil
  }

  @_noLocks private func frames(of buffer: AudioBuffer) -> Int {
    unsafe Int(buffer.mDataByteSize) / (4 * max(1, Int(buffer.mNumberChannels)))
  }

  /// A time of the device as clients of a side receive it.
  @_noLocks private func moved(_ time: AudioTimeStamp, from origin: inout Double?) -> AudioTimeStamp
  {
    var time = time
    if origin == nil { origin = time.mSampleTime }
    if startsAtZero.load(ordering: .relaxed) { time.mSampleTime -= origin ?? 0 }
    return time
  }

  /// Calls the client for recorded frames, in parts of the half's slice.
  @_noLocks private func notifyRecorded(_ time: AudioTimeStamp) {
    let callback = unsafe inputCallback
    let context = unsafe callback.inputProcRefCon
    var first = 0
    repeat {
      let end = min(recordedFrames, first + frameCapacity)
      readable = first..<end
      used = first
      if let procedure = unsafe callback.inputProc {
        var (flags, stamp) = (AudioUnitRenderActionFlags(), later(time, by: first))
        // Door out of checked code: the client's procedure for recorded frames.
        _ = unsafe _unsafePerformance {
          unsafe procedure(context, &flags, &stamp, 1, UInt32(end - first), nil)
        }
      }
      first = end
    } while first < recordedFrames
    // The output of the same cycle may read all of it.
    readable = 0..<recordedFrames
    used = 0
  }

  /// A time so many frames later.
  @_noLocks private func later(_ time: AudioTimeStamp, by frames: Int) -> AudioTimeStamp {
    var time = time
    time.mSampleTime += Double(frames)
    time.mHostTime += UInt64(Double(frames) * 1e9 / max(1, sampleRate))
    return time
  }

  /// Pulls the output into the device's list, in slices of the size that the half renders.
  @_noLocks private func play(_ list: UnsafeMutablePointer<AudioBufferList>, _ time: AudioTimeStamp)
  {
    let buffer = unsafe list.pointee.mBuffers
    let all = unsafe frames(of: buffer)
    var first = min(all, framesBeforeStart(time, all))
    while first < all {
      let count = min(all - first, frameCapacity)
      unsafe play(buffer, first, count, moved(later(time, by: first), from: &outputOrigin))
      first += count
    }
  }

  /// Pulls some of the frames of a buffer of the device.
  @_noLocks private func play(
    _ buffer: AudioBuffer, _ first: Int, _ count: Int, _ time: AudioTimeStamp
  ) {
    guard let output = unsafe output else { return }
    let bytesPerFrame = unsafe 4 * Int(buffer.mNumberChannels)
    let size = count * bytesPerFrame
    let wanted = unsafe buffer.mData.map { unsafe $0 + first * bytesPerFrame }
    var part = AudioBufferList()
    part.mNumberBuffers = 1
    unsafe part.mBuffers = AudioBuffer(
      mNumberChannels: buffer.mNumberChannels, mDataByteSize: UInt32(size), mData: wanted)
    var (flags, stamp) = (AudioUnitRenderActionFlags(), time)
    let status = unsafe output._withUnsafeGuaranteedRef {
      unsafe $0.render(&flags, &stamp, UInt32(count), &part)
    }
    lastError.store(status, ordering: .relaxed)
    guard status == 0 else {
      if let wanted = unsafe wanted {
        unsafe wanted.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      }
      return
    }
    if unsafe part.mBuffers.mData != wanted, let made = unsafe part.mBuffers.mData {
      unsafe wanted?.copyMemory(from: made, byteCount: size)
    }
    unsafe scale(wanted, frames: count, channels: Int(buffer.mNumberChannels))
  }

  /// Frames of a cycle before the time at which a start was asked to begin.
  @_noLocks private func framesBeforeStart(_ time: AudioTimeStamp, _ all: Int) -> Int {
    guard let start = startTime else { return 0 }
    var left = 0.0
    if start.mFlags & kAudioTimeStampSampleTimeValid != 0 {
      left = start.mSampleTime - time.mSampleTime
    } else if start.mFlags & kAudioTimeStampHostTimeValid != 0, start.mHostTime > time.mHostTime {
      left = Double(start.mHostTime - time.mHostTime) * sampleRate / 1e9
    }
    guard left > 0 else {
      startTime = nil
      return 0
    }
    if left < Double(all) { startTime = nil }
    return Int(min(RealtimeMath.round(left), Double(all)))
  }

  /// Applies the volume, in a ramp over the cycle where it changed.
  @_noLocks private func scale(_ data: UnsafeMutableRawPointer?, frames: Int, channels: Int) {
    let target = Float(bitPattern: volume.load(ordering: .relaxed))
    let present = presentVolume
    guard target != 1 || present != 1, let data = unsafe data else { return }
    let samples = unsafe data.assumingMemoryBound(to: Float.self)
    let step = (target - presentVolume) / Float(max(1, frames))
    for frame in 0..<frames {
      let gain = presentVolume + step * Float(frame + 1)
      for channel in 0..<channels { unsafe samples[frame * channels + channel] *= gain }
    }
    presentVolume = target
  }

  // MARK: Recorded frames

  /// Renders element 1: the device's input in this cycle. Context: inside of a cycle.
  @_noLocks func renderInput(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>,
    _ frames: UInt32, _ buffers: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let input = unsafe input else { return kAudioUnitErr_InvalidElement }
    guard unsafe recorded != nil, !ratesDiffer, Int(frames) <= recordedFrames else {
      return kAudioUnitErr_CannotDoInCurrentContext
    }
    // Each render of a cycle that asks for more than is left begins anew.
    if used + Int(frames) > readable.upperBound { used = readable.lowerBound }
    return unsafe input._withUnsafeGuaranteedRef {
      unsafe $0.render(flags, time, frames, buffers)
    }
  }

  /// The source of the recording half. Context: inside of a cycle.
  @_noLocks func copyRecorded(_ frames: Int, _ buffers: UnsafeMutablePointer<AudioBufferList>)
    -> OSStatus
  {
    guard let list = unsafe recorded, let source = unsafe list.pointee.mBuffers.mData,
      used + frames <= readable.upperBound
    else { return kAudioUnitErr_CannotDoInCurrentContext }
    let size = unsafe 4 * Int(list.pointee.mBuffers.mNumberChannels)
    if unsafe buffers.pointee.mBuffers.mData == nil {
      unsafe buffers.pointee.mBuffers.mData = source + used * size
    } else {
      unsafe buffers.pointee.mBuffers.mData?.copyMemory(
        from: source + used * size, byteCount: frames * size)
    }
    unsafe buffers.pointee.mBuffers.mDataByteSize = UInt32(frames * size)
    used += frames
    return noErr
  }
}
