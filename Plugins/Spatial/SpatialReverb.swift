// The reverb inside of a mixer in space: the matrix reverb, and a band of the equaliser behind it.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import Filters
import MatrixReverb
import RealtimeSupport

/// Both inner units, and the memory that they work on. Off until a host uses it.
final class SpatialReverb: Sendable {
  private let reverb: InnerUnit
  private let filter: InnerUnit

  /// Makes both; nil where there is no memory for them. Context: control.
  init?() {
    guard let reverb = unsafe InnerUnit(matrixReverbFactory(nil)),
      let filter = unsafe InnerUnit(nBandEQFactory(nil))
    else { return nil }
    self.reverb = reverb
    self.filter = filter
    reverb.calls.set(kReverbParam_DryWetMix, 100)
  }

  /// The number of the room, a `kReverbRoomType_…`. Context: control.
  var room: UInt32 { reverb.value(kAudioUnitProperty_ReverbRoomType, UInt32(0)) }

  /// Seconds that it rings on. Context: control.
  var tailSeconds: Double { reverb.value(kAudioUnitProperty_TailTime, 0.0) }

  /// Chooses a room; a status. Context: control.
  func setRoom(_ room: UInt32) -> OSStatus {
    reverb.set(kAudioUnitProperty_ReverbRoomType, kAudioUnitScope_Global, room)
  }

  /// Readies both for a kernel. Context: control.
  func open(
    sampleRate: Double, channelCount: Int, maximumFrames: Int
  ) throws(UnitRefusal) -> ReverbSend {
    for unit in [reverb, filter] {
      let status = unit.initialize(
        sampleRate: sampleRate, channelCount: channelCount, maximumFrames: maximumFrames)
      guard status == 0 else {
        throw UnitRefusal(
          status: status,
          reason:
            "the reverb inside of the mixer cannot be initialised at \(sampleRate) Hz (\(status))")
      }
    }
    return ReverbSend(
      reverb.calls, filter.calls, channelCount: channelCount, maximumFrames: maximumFrames)
  }

  /// Forgets the past. Context: control.
  func reset() {
    reverb.reset()
    filter.reset()
  }
}

/// The send to the reverb in a slice, and its return. Context: render; made and freed on a control thread.
@safe struct ReverbSend: BitwiseCopyable {
  private let reverb: InnerUnitCalls?
  private let filter: InnerUnitCalls?
  private let channelCount: Int
  private let maximumFrames: Int
  private let samples: UnsafeMutablePointer<Float>
  private let list: UnsafeMutablePointer<AudioBufferList>
  private let buffers: UnsafeMutablePointer<AudioBuffer>
  private var isFed = false
  private var isFiltered = false

  fileprivate init(
    _ reverb: InnerUnitCalls?, _ filter: InnerUnitCalls?, channelCount: Int, maximumFrames: Int
  ) {
    self.reverb = reverb
    self.filter = filter
    self.channelCount = channelCount
    self.maximumFrames = maximumFrames
    unsafe samples = .allocate(capacity: max(channelCount * maximumFrames, 1))
    unsafe samples.initialize(repeating: 0, count: channelCount * maximumFrames)
    let first = unsafe MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? 8
    let memory = unsafe UnsafeMutableRawPointer.allocate(
      byteCount: first + max(channelCount, 1) * MemoryLayout<AudioBuffer>.stride, alignment: 16)
    unsafe list = memory.assumingMemoryBound(to: AudioBufferList.self)
    unsafe buffers = (memory + first).assumingMemoryBound(to: AudioBuffer.self)
  }

  /// One that nothing comes back from.
  static var none: ReverbSend { ReverbSend(nil, nil, channelCount: 0, maximumFrames: 0) }

  /// Frees the memory. Context: control.
  func deallocate() {
    unsafe samples.deallocate()
    unsafe UnsafeMutableRawPointer(list).deallocate()
  }

  /// Sets the filter: frequency (Hz), bandwidth (octaves), gain (dB), type, switch.
  @_noLocks mutating func setFilter(
    frequency: Float, bandwidth: Float, gain: Float, type: Float, isOn: Bool
  ) {
    guard let filter else { return }
    filter.set(kAUNBandEQParam_BypassBand, isOn ? 0 : 1)
    filter.set(kAUNBandEQParam_FilterType, type)
    filter.set(kAUNBandEQParam_Frequency, max(20, frequency))
    filter.set(kAUNBandEQParam_Bandwidth, bandwidth)
    filter.set(kAUNBandEQParam_Gain, gain)
    isFiltered = isOn
  }

  /// Begins a slice: nothing is sent yet.
  @_noLocks mutating func begin(_ frameCount: Int) {
    isFed = false
    for channel in 0..<channelCount {
      unsafe SampleRun.clear(samples + channel * maximumFrames, frameCount)
    }
  }

  /// Sends a run of a source to one of the two inputs of the reverb.
  @_noLocks mutating func add(
    _ source: UnsafePointer<Float>, side: Int, frame: Int, _ gain: ParameterGlide, phase: Int,
    _ count: Int
  ) {
    guard channelCount > 0 else { return }
    isFed = true
    let target = unsafe samples + min(side, channelCount - 1) * maximumFrames + frame
    if gain.isSettled {
      unsafe SampleRun.add(source, gain: gain.value, to: target, count)
    } else {
      unsafe SampleRun.add(source, glide: gain, phase: phase, to: target, count)
    }
  }

  /// Reverberates the slice; false if nothing comes back.
  @_noLocks func run(_ frameCount: Int, sampleTime: Double) -> Bool {
    guard let reverb, let filter else { return false }
    // The list is set before each call, as a unit may set its sizes.
    unsafe list.pointee.mNumberBuffers = UInt32(truncatingIfNeeded: channelCount)
    for channel in 0..<channelCount {
      let buffer = unsafe buffers + channel
      unsafe buffer.pointee.mNumberChannels = 1
      unsafe buffer.pointee.mDataByteSize = UInt32(truncatingIfNeeded: 4 * frameCount)
      unsafe buffer.pointee.mData = UnsafeMutableRawPointer(samples + channel * maximumFrames)
    }
    var isSilent = unsafe reverb.process(
      list, frameCount, sampleTime: sampleTime, isSilent: !isFed)
    if isFiltered {
      isSilent = unsafe filter.process(
        list, frameCount, sampleTime: sampleTime, isSilent: isSilent)
    }
    return !isSilent
  }

  /// Returns a channel of the reverb's return.
  @_noLocks func channel(_ index: Int) -> UnsafeMutablePointer<Float> {
    unsafe samples + index * maximumFrames
  }
}
