// One slice for a kernel: channels, frames, parameter values.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

/// One slice of audio for a kernel on the render thread.
///
/// A pointer that is valid during the call only. Frames are counted from the start of this slice; a slice may
/// be a part of the host's request, split at a scheduled event. An effect in place:
///
/// ```swift
/// @_noLocks mutating func process(_ slice: RenderSlice) {
///   let gain = parameters.gain
///   for channel in 0..<slice.channelCount {
///     var samples = slice.samples(channel)
///     for frame in samples.indices { samples[frame] *= gain[frame] }
///   }
/// }
/// ```
///
/// Here `gain` is a `@Parameter` of type `Ramp`. The corresponding Core Audio arguments are those of
/// `AURenderCallback`. Context: render.
@safe public struct RenderSlice {
  @usableFromInline let state: UnsafeMutablePointer<SliceState>

  @_noLocks init(_ state: UnsafeMutablePointer<SliceState>) {
    unsafe self.state = unsafe state
  }

  /// Frames to process, at least 1 and at most `UnitSetup.maximumFrames`.
  @inlinable public var frameCount: Int {
    @_noLocks get { unsafe state.pointee.frameCount }
  }
  /// Sample time of the first frame, in frames of the output; it jumps where the host seeks.
  @inlinable public var sampleTime: Double {
    @_noLocks get { unsafe state.pointee.sampleTime }
  }
  /// Channels of output bus 0; constant from one initialise to the next.
  @inlinable public var channelCount: Int {
    @_noLocks get { unsafe state.pointee.channelCount }
  }
  /// Channels of input bus 0; 0 without inputs.
  @inlinable public var inputChannelCount: Int {
    @_noLocks get { unsafe state.pointee.inputChannelCount }
  }
  /// Number of input buses.
  @inlinable public var inputCount: Int {
    @_noLocks get { unsafe state.pointee.inputCount }
  }
  /// Number of output buses.
  @inlinable public var outputCount: Int {
    @_noLocks get { unsafe state.pointee.outputCount }
  }
  /// Whether every input bus is known to be silent: its samples are zero.
  @inlinable public var inputIsSilent: Bool {
    @_noLocks get { unsafe state.pointee.inputIsSilent }
  }
  /// Whether the unit needs the tail of the output; see `reportTail`.
  ///
  /// True for a unit with `skipsSilence` while silence comes in.
  @inlinable public var wantsTail: Bool {
    @_noLocks get { unsafe state.pointee.wantsTail }
  }
  /// Number of MIDI messages for this slice, sorted by frame.
  @inlinable public var midiEventCount: Int {
    @_noLocks get { unsafe state.pointee.midiEventCount }
  }
  @usableFromInline var frameOffset: Int {
    @_noLocks get { unsafe state.pointee.frameOffset }
  }
  @usableFromInline var inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
    @_noLocks get { unsafe state.pointee.inputs }
  }
  @usableFromInline var outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
    @_noLocks get { unsafe state.pointee.outputs }
  }
  @usableFromInline var firstInputChannel: UnsafeMutablePointer<Int> {
    @_noLocks get { unsafe state.pointee.firstInputChannel }
  }
  @usableFromInline var firstOutputChannel: UnsafeMutablePointer<Int> {
    @_noLocks get { unsafe state.pointee.firstOutputChannel }
  }
  var side: UnsafeMutablePointer<InputSide> {
    @_noLocks get { unsafe state.pointee.side }
  }
  var renderTimeStamp: UnsafePointer<AudioTimeStamp> {
    @_noLocks get { unsafe state.pointee.renderTimeStamp }
  }
  var renderFrameCount: Int {
    @_noLocks get { unsafe state.pointee.renderFrameCount }
  }
  var table: ParameterTable {
    @_noLocks get { unsafe state.pointee.table }
  }
  var events: ScheduledEvents {
    @_noLocks get { unsafe state.pointee.events }
  }
  var report: UnsafeMutablePointer<SliceReport> {
    @_noLocks get { unsafe state.pointee.report }
  }
  var host: UnsafeMutablePointer<HostCallbackInfo>? {
    @_noLocks get { unsafe state.pointee.host }
  }
  var midiInput: MIDIEventStore? {
    @_noLocks get { unsafe state.pointee.midiInput }
  }
  var midiOutput: MIDIOutput? {
    @_noLocks get { unsafe state.pointee.midiOutput }
  }
  var firstMIDIEvent: Int {
    @_noLocks get { unsafe state.pointee.firstMIDIEvent }
  }

  /// Returns a channel of output bus 0; for a kernel in place it holds the input.
  ///
  /// `samples(_:)` returns the same memory with bounds.
  ///
  /// - Parameter index: Channel, in `0..<channelCount`; it is not checked.
  /// - Returns: The first of `frameCount` samples.
  @inlinable @_noLocks public func channel(_ index: Int) -> UnsafeMutablePointer<Float> {
    unsafe outputs[index] + frameOffset
  }

  /// Returns a channel of an output bus: the first of `frameCount` samples.
  ///
  /// - Parameters:
  ///   - bus: Output bus, in `0..<outputCount`.
  ///   - channel: Channel, in `0..<outputChannelCount(bus: bus)`.
  @inlinable @_noLocks public func output(bus: Int, channel: Int) -> UnsafeMutablePointer<Float> {
    unsafe outputs[firstOutputChannel[bus] + channel] + frameOffset
  }

  /// Returns a channel of an input bus: the first of `frameCount` samples.
  ///
  /// For a kernel in place, bus 0 is the memory of the output.
  ///
  /// - Parameters:
  ///   - bus: Input bus, in `0..<inputCount`.
  ///   - channel: Channel, in `0..<inputChannelCount(bus: bus)`.
  @inlinable @_noLocks public func input(bus: Int, channel: Int) -> UnsafeMutablePointer<Float> {
    unsafe inputs[firstInputChannel[bus] + channel] + frameOffset
  }

  /// Returns the number of channels of an output bus.
  @_noLocks public func outputChannelCount(bus: Int) -> Int {
    unsafe state.pointee.outputBuses[bus].channelCount
  }

  /// Reports that every output channel of this slice is zero.
  ///
  /// The unit must have written the zeros. The host receives
  /// `kAudioUnitRenderAction_OutputIsSilence` if all slices of the cycle report it.
  @_noLocks public func markOutputSilent() {
    unsafe report.pointee.isSilent = true
  }

  /// Reports how long the output may ring on after this slice if the input is silent.
  ///
  /// Only needed in kernels whose unit has `skipsSilence`; done for `AuricleUnit` and `UnitKernel`, which have
  /// `restSeconds`.
  ///
  /// - Parameter seconds: From 0; may be infinite.
  @_noLocks public func reportTail(seconds: Double) {
    unsafe report.pointee.tailSeconds = seconds >= 0 ? seconds : 0
  }

  /// Reports a latency in frames that changed while rendering.
  ///
  /// The host is notified of `kAudioUnitProperty_Latency`. The definition's `maximumLatencySeconds` is its limit.
  ///
  /// - Parameter frames: Frames by which the output lags the input from now on.
  @_noLocks public func reportLatency(frames: Int) {
    unsafe report.pointee.latencyFrames = frames
  }

  /// Reports that the unit changed its own state: its host reads it again when it keeps states.
  ///
  /// Listeners of `kAudioUnitProperty_ClassInfo` are notified on the render thread.
  @_noLocks public func reportStateChange() {
    unsafe report.pointee.stateHasChanged = true
  }

  /// Frames from the start of the host's cycle to the start of this slice; 0 unless an event divides the cycle.
  public var cycleOffset: Int {
    @_noLocks get { frameOffset }
  }

  /// Returns a MIDI message for this slice, as bytes; `midi` has the messages as `MIDIMessage`.
  ///
  /// A loop that reads system exclusive messages as well:
  ///
  /// ```swift
  /// for index in 0..<slice.midiEventCount {
  ///   let event = slice.midiEvent(index)
  ///   let isExclusive = unsafe event.byteCount > 1 && event.bytes[0] == 0xF0
  ///   if isExclusive { unsafe maker = event.bytes[1] }
  /// }
  /// ```
  ///
  /// - Parameter index: In `0..<midiEventCount`.
  @_noLocks public func midiEvent(_ index: Int) -> MIDIEventRecord {
    guard let events = midiInput, index >= 0, index < midiEventCount else {
      return unsafe MIDIEventRecord(
        frame: 0, byteCount: 0, bytes: UnsafePointer(EventRing.emptyRecord.bytes))
    }
    let entry = events.entry(firstMIDIEvent + index)
    return unsafe MIDIEventRecord(
      frame: entry.frame - frameOffset, byteCount: entry.byteCount, bytes: events.bytes(of: entry))
  }

  /// Sends a MIDI message to the host, which receives it at the end of the cycle.
  ///
  /// `send(_:at:output:)` does so for a `MIDIMessage`. The corresponding Core Audio property is
  /// `kAudioUnitProperty_MIDIOutputCallback`.
  ///
  /// - Parameters:
  ///   - output: Index in the definition's `midiOutputs`.
  ///   - frame: Frame of this slice at which it is due.
  ///   - bytes: A whole message of MIDI 1.0 with its status byte.
  ///   - count: Number of bytes.
  /// - Returns: False if there is no such output, or no room for it in this cycle.
  @discardableResult
  @_noLocks public func sendMIDI(
    output: Int = 0, frame: Int, _ bytes: UnsafePointer<UInt8>, count: Int
  ) -> Bool {
    guard let midiOutput else { return false }
    return unsafe midiOutput.send(
      output: output, frame: frameOffset + frame, bytes, count: count)
  }
}
