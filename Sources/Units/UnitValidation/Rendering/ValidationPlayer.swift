// Renders a unit slice by slice, feeds it, and checks its output.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

/// A unit at work, with its input.
@safe final class ValidationPlayer {
  let unit: AudioUnit
  let source: ValidationSource
  /// Frames rendered so far.
  private(set) var time = 0
  private var buffers: GuardedBuffers
  private let isOffline: Bool
  /// The most frames of a slice.
  private var maximum = 512

  /// The frames of input that are announced to an offline unit: more than any phase renders.
  private static let offlineLength = 1 << 19

  /// Feeds a unit.
  init(_ unit: AudioUnit, _ signal: ValidationSignal = .soft(1)) {
    self.unit = unit
    source = ValidationSource(signal)
    buffers = GuardedBuffers(channelCount: 0, frameCapacity: 1)
    isOffline = unit.description.componentType == kAudioUnitType_OfflineEffect
    feed()
  }

  // A unit may pull on a separate thread, until it is uninitialized: not from a source that is gone.
  deinit { try? unit.uninitialize() }

  /// Has all inputs pull the source.
  func feed() {
    for element in 0..<UInt32(unit.busCount(scope: kAudioUnitScope_Input)) {
      unsafe try? unit.setInputCallback(
        element: element, ValidationSource.procedure, refCon: source.pointer)
    }
  }

  /// Makes the unit ready for a rate (Hz) and slices of at most so many frames.
  ///
  /// - Parameter isCompared: Whether the sound is compared with another, or each slice with its input. Then it is
  ///   rendered offline, where a unit distinguishes that: in real time, silence may replace late sound.
  func begin(
    rate: Double = 44_100, maximum: Int = 512, isCompared: Bool = false
  ) throws(AuricleError) {
    try unit.uninitialize()
    unit.setRendersOffline(isCompared)
    try unit.setMaximumFramesPerSlice(maximum)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      for element in 0..<UInt32(unit.busCount(scope: scope)) {
        try unit.setProperty(kAudioUnitProperty_SampleRate, scope: scope, element: element, rate)
      }
    }
    try unit.initialize()
    open(maximum)
  }

  /// Makes buffers for a unit that is initialized.
  func open(_ maximum: Int) {
    let format = try? unit.streamFormat(scope: kAudioUnitScope_Output)
    let hasOutput = unit.busCount(scope: kAudioUnitScope_Output) > 0
    buffers = GuardedBuffers(
      channelCount: hasOutput ? format?.channelCount ?? 2 : 0, frameCapacity: 2 * maximum)
    source.most = .max
    self.maximum = maximum
    if isOffline { preflight() }
  }

  /// Meets an offline unit's needs before it renders: the length of its input, and a pass that reads it.
  private func preflight() {
    try? unit.setProperty(kAudioUnitOfflineProperty_InputSize, UInt64(Self.offlineLength))
    try? unit.setProperty(kAudioUnitOfflineProperty_StartOffset, UInt64(0))
    let wanted = try? unit.property(
      kAudioUnitOfflineProperty_PreflightRequirements, as: UInt32.self)
    guard wanted == UInt32(kOfflinePreflight_Required) else { return }
    // Each pass reads the same input.
    restart(source.signal)
    var passed = 0
    while passed < Self.offlineLength + maximum {
      buffers.prepare(maximum)
      var flags: AudioUnitRenderActionFlags = kAudioOfflineUnitRenderAction_Preflight
      guard call(&flags, maximum) == 0, flags & kAudioOfflineUnitRenderAction_Complete == 0 else {
        break
      }
      passed += maximum
    }
    restart(source.signal)
  }

  /// Resets the unit, which needs another preflight if it is an offline unit.
  func reset() throws(AuricleError) {
    try unit.reset()
    if isOffline { preflight() }
  }

  /// Begins the signal and the time again.
  func restart(_ signal: ValidationSignal) {
    source.restart(signal)
    time = 0
  }

  /// The number of channels of output 0.
  var channelCount: Int { buffers.channelCount }

  /// One channel of the latest slice; nil where there is none.
  func samples(_ channel: Int) -> UnsafeMutableBufferPointer<Float>? {
    unsafe buffers.samples(channel)
  }

  /// The address of the first buffer of the latest slice.
  var place: UInt {
    guard unsafe buffers.list.bufferCount > 0 else { return 0 }
    return unsafe UInt(bitPattern: buffers.list.buffer(0).pointee.mData)
  }

  /// Renders one slice of output 0.
  ///
  /// - Parameter hasMemory: Whether the unit gets buffers with memory.
  /// - Returns: The status, and the defect of a rendered slice.
  func slice(_ frames: Int, hasMemory: Bool = true) -> (status: OSStatus, defect: SliceDefect?) {
    buffers.prepare(frames, hasMemory: hasMemory)
    var flags: AudioUnitRenderActionFlags = isOffline ? kAudioOfflineUnitRenderAction_Render : 0
    let status = call(&flags, frames)
    return (status, status == 0 ? buffers.defect(flags: flags) : nil)
  }

  /// Makes the buffers ready for a slice.
  func prepare(_ frames: Int) { buffers.prepare(frames) }

  /// Renders into buffers that are ready; the output is not checked.
  func render(_ frames: Int) -> OSStatus {
    var flags: AudioUnitRenderActionFlags = isOffline ? kAudioOfflineUnitRenderAction_Render : 0
    return call(&flags, frames)
  }

  private func call(_ flags: inout AudioUnitRenderActionFlags, _ frames: Int) -> OSStatus {
    var stamp = AudioTimeStamp(sampleTime: Double(time))
    time += frames
    return unsafe unit.render(
      flags: &flags, timeStamp: &stamp, frameCount: UInt32(frames), buffers: buffers.list)
  }

  /// Renders a sound in slices of lengths that are used in turn; nil when a slice fails or has a defect.
  func sound(_ frames: Int, slices: [Int] = [512], hasMemory: Bool = true) -> [[Float]]? {
    var sound: [[Float]] = Array(repeating: [], count: channelCount)
    var turn = 0
    while sound.first.map({ $0.count < frames }) ?? false {
      let count = min(slices[turn % slices.count], frames - (sound.first?.count ?? 0))
      turn += 1
      let (status, defect) = slice(count, hasMemory: hasMemory)
      guard status == 0, defect == nil else { return nil }
      for channel in sound.indices {
        guard let samples = unsafe samples(channel) else { return nil }
        unsafe sound[channel].append(contentsOf: samples)
      }
    }
    return sound
  }

  /// Sends a MIDI message; nil where the unit answers none.
  func send(_ status: UInt32, _ first: UInt32, _ second: UInt32, at offset: UInt32) -> OSStatus? {
    guard let plugIn = unsafe unit.instance.pointee.plugIn,
      let method = unsafe plugIn.pointee.Lookup?(Int16(kMusicDeviceMIDIEventSelect))
    else { return nil }
    let send = unsafe unsafeBitCast(method, to: MusicDeviceMIDIEventProc.self)
    return unsafe send(UnsafeMutableRawPointer(plugIn), status, first, second, offset)
  }
}

/// The difference of two sounds.
struct SoundDifference {
  /// The greatest difference, over the greatest sample of the first sound where that is more than 1.
  var greatest: Float = 0
  /// Where it begins to be more than nothing.
  var channel = 0
  var frame = 0

  /// Compares the frames that both have.
  init(_ first: [[Float]], _ second: [[Float]], above floor: Float = 0) {
    var peak: Float = 1
    var isFound = false
    for (channel, (left, right)) in zip(first, second).enumerated() {
      for (frame, (one, other)) in zip(left, right).enumerated() {
        peak = max(peak, abs(one))
        let difference = abs(one - other)
        greatest = max(greatest, difference)
        if difference > floor, !isFound {
          isFound = true
          (self.channel, self.frame) = (channel, frame)
        }
      }
    }
    greatest /= peak
  }

  /// The difference as evidence.
  var evidence: [UnitFault.Evidence] {
    [.count("channel", channel), .count("frame", frame), .value("difference", greatest)]
  }
}
