// What a kernel sees of one slice: channels, frames, parameter values.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import RealtimeSupport
import Synchronization

/// One slice of audio given to a kernel on the render thread.
///
/// A plain value of pointers that are valid during the call only. Frames are counted from the start
/// of this slice; a slice may be a part of what the host asked for, cut at a scheduled event.
///
/// Context: render.
@safe public struct RenderSlice {
  /// Frames to process, at least 1.
  public internal(set) var frameCount: Int
  /// Sample time of the first frame.
  public internal(set) var sampleTime: Double
  /// Channels of output bus 0.
  public internal(set) var channelCount: Int
  /// Channels of input bus 0.
  public internal(set) var inputChannelCount: Int
  /// Number of input buses.
  public internal(set) var inputCount: Int
  /// Number of output buses.
  public internal(set) var outputCount: Int
  /// Whether every input bus is known to be silent.
  public internal(set) var inputIsSilent: Bool
  /// Whether the unit would like to know how long the output rings on; see `reportTail`.
  public internal(set) var wantsTail: Bool
  /// Number of MIDI messages that came in for this slice, sorted by frame.
  public internal(set) var midiEventCount: Int
  /// Frames into the memory of the buses.
  var frameOffset: Int
  /// Channel pointers of all input buses, one bus after the other.
  let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Channel pointers of all output buses, one bus after the other.
  let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Index of the first channel of each input bus.
  let firstInputChannel: UnsafeMutablePointer<Int>
  /// Index of the first channel of each output bus.
  let firstOutputChannel: UnsafeMutablePointer<Int>
  /// The input buses as they are in this cycle.
  let side: UnsafeMutablePointer<InputSide>
  /// What the host asked for, of which this slice is a part.
  let renderTimeStamp: UnsafePointer<AudioTimeStamp>
  let renderFrameCount: Int
  let table: ParameterTable
  let events: ScheduledEvents
  let report: UnsafeMutablePointer<SliceReport>
  let host: UnsafeMutablePointer<HostCallbackInfo>?
  let midiInput: MIDIEventStore?
  let midiOutput: MIDIOutput?
  /// Place of the slice's first message among those of the cycle.
  var firstMIDIEvent: Int

  @_noLocks init(
    _ state: borrowing RenderState, _ timeStamp: UnsafePointer<AudioTimeStamp>, frameCount: Int,
    isSilent: Bool
  ) {
    self.frameCount = frameCount
    renderFrameCount = frameCount
    unsafe sampleTime = timeStamp.pointee.mSampleTime
    unsafe renderTimeStamp = unsafe timeStamp
    unsafe side = state.side
    unsafe channelCount = state.outputs[0].channelCount
    unsafe inputChannelCount = state.inputCount > 0 ? state.inputs[0].channelCount : 0
    inputCount = state.inputCount
    outputCount = state.outputCount
    inputIsSilent = isSilent
    frameOffset = 0
    unsafe inputs = state.inputChannels.unsafelyUnwrapped
    unsafe outputs = state.outputChannels.unsafelyUnwrapped
    unsafe firstInputChannel = state.firstInputChannel
    unsafe firstOutputChannel = state.firstOutputChannel
    table = state.table
    events = state.events
    unsafe report = state.report
    wantsTail = isSilent && state.skipsSilence
    unsafe host = state.hostCallbacks.load(ordering: .acquiring)
    midiInput = state.midiInput?.events
    midiOutput = state.midiOutput
    midiEventCount = 0
    firstMIDIEvent = 0
  }

  /// Channel of output bus 0; for a kernel in place it holds the input.
  @_noLocks public func channel(_ index: Int) -> UnsafeMutablePointer<Float> {
    unsafe outputs[index] + frameOffset
  }

  /// Channel of an output bus.
  @_noLocks public func output(bus: Int, channel: Int) -> UnsafeMutablePointer<Float> {
    unsafe outputs[firstOutputChannel[bus] + channel] + frameOffset
  }

  /// Channel of an input bus. For a kernel in place, bus 0 is where the output goes.
  @_noLocks public func input(bus: Int, channel: Int) -> UnsafeMutablePointer<Float> {
    unsafe inputs[firstInputChannel[bus] + channel] + frameOffset
  }

  /// Value of a parameter, by its place in the definition.
  @_noLocks public func parameter(_ index: Int) -> Float {
    table.values.value(at: index)
  }

  /// The ramp that a parameter is on in this slice; nil while it stands still.
  ///
  /// For parameters whose definition says `isRampedByKernel`: at frame n of the slice the value is
  /// `start + n * step`. A slice never goes beyond the end of a ramp.
  ///
  /// - Parameters:
  ///   - index: Place of the parameter among those of its scope.
  ///   - scope: Global, if not told otherwise.
  ///   - element: An element that exists.
  @_noLocks public func parameterRamp(
    _ index: Int, scope: AudioUnitScope = kAudioUnitScope_Global, element: Int = 0
  ) -> (start: Float, step: Float)? {
    var event = ScheduledEvent(
      start: 0, duration: 0, index: 0, isKernelRamp: false, startValue: 0, endValue: 0)
    guard events.ramp(of: table.firstIndex(scope, element) + index, &event) else { return nil }
    return (event.value(at: frameOffset), event.step)
  }

  /// Sets a meter, by its place in the definition.
  @_noLocks public func setMeter(_ index: Int, _ value: Float) {
    table.values.setValue(value, at: index)
  }

  /// Value of a parameter of an input bus, by its place in the definition's `inputParameters`.
  @_noLocks public func inputParameter(bus: Int, _ index: Int) -> Float {
    table.values.value(at: table.firstIndex(kAudioUnitScope_Input, bus) + index)
  }

  /// Value of a parameter of an output bus, by its place in the definition's `outputParameters`.
  @_noLocks public func outputParameter(bus: Int, _ index: Int) -> Float {
    table.values.value(at: table.firstIndex(kAudioUnitScope_Output, bus) + index)
  }

  /// Value of a parameter of an element of any scope, by its place among those of the scope.
  @_noLocks public func parameter(
    _ index: Int, scope: AudioUnitScope, element: Int
  ) -> Float {
    guard element >= 0, element < table.elementCount(scope) else { return 0 }
    return table.values.value(at: table.firstIndex(scope, element) + index)
  }

  /// Sets a meter of an input bus, by its place in the definition's `inputParameters`.
  @_noLocks public func setInputMeter(bus: Int, _ index: Int, _ value: Float) {
    table.values.setValue(value, at: table.firstIndex(kAudioUnitScope_Input, bus) + index)
  }

  /// Sets a meter of an output bus, by its place in the definition's `outputParameters`.
  @_noLocks public func setOutputMeter(bus: Int, _ index: Int, _ value: Float) {
    table.values.setValue(value, at: table.firstIndex(kAudioUnitScope_Output, bus) + index)
  }

  /// Says that every output channel of this slice was set to zero.
  @_noLocks public func markOutputSilent() {
    unsafe report.pointee.isSilent = true
  }

  /// Says how long the output may ring on after this slice, should nothing but silence come in.
  ///
  /// Only asked of kernels whose unit `skipsSilence`, and done for those of `UnitKernel`.
  ///
  /// - Parameter seconds: May be infinite.
  @_noLocks public func reportTail(seconds: Double) {
    unsafe report.pointee.tailSeconds = seconds >= 0 ? seconds : 0
  }

  /// Says by how many frames the output is late from now on, where that changes while rendering.
  ///
  /// The definition's `maximumLatencySeconds` tells how far it may grow.
  @_noLocks public func reportLatency(frames: Int) {
    unsafe report.pointee.latencyFrames = frames
  }

  /// Frames from the start of the host's cycle to the start of this slice.
  public var cycleOffset: Int {
    @_noLocks get { frameOffset }
  }

  /// A MIDI message for this slice.
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

  /// Sends a MIDI message to the host, which gets it when the cycle is done.
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
