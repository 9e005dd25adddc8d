// The content of a slice: numbers and pointers in memory of the unit.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
public import RealtimeSupport
import Synchronization

/// The memory behind a `RenderSlice`, where its public fields are documented.
///
/// Context: render.
@safe @usableFromInline struct SliceState {
  // Fields that every slice sets and every kernel reads come first, within two cache lines.
  @usableFromInline var frameCount: Int
  @usableFromInline var sampleTime: Double
  /// Channel pointers of all input buses, one bus after the other.
  @usableFromInline var inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Channel pointers of all output buses, one bus after the other.
  @usableFromInline var outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// The host's request, of which this slice is a part.
  var renderTimeStamp: UnsafePointer<AudioTimeStamp>
  var renderFrameCount: Int
  var host: UnsafeMutablePointer<HostCallbackInfo>?
  @usableFromInline var channelCount: Int
  /// Values of the parameters.
  @usableFromInline let values: ParameterStore
  /// Frames into the memory of the buses.
  @usableFromInline var frameOffset: Int
  @usableFromInline var inputChannelCount: Int
  @usableFromInline var inputIsSilent: Bool
  @usableFromInline var wantsTail: Bool
  var report: UnsafeMutablePointer<SliceReport>
  /// Index of the first channel of each input bus.
  @usableFromInline var firstInputChannel: UnsafeMutablePointer<Int>
  /// Index of the first channel of each output bus.
  @usableFromInline var firstOutputChannel: UnsafeMutablePointer<Int>
  @usableFromInline var inputCount: Int
  @usableFromInline var outputCount: Int
  @usableFromInline var midiEventCount: Int
  /// The input buses in this cycle.
  var side: UnsafeMutablePointer<InputSide>
  var table: ParameterTable
  var events: ScheduledEvents
  var midiInput: MIDIEventStore?
  var midiOutput: MIDIOutput?
  /// Index of the slice's first message in the cycle.
  var firstMIDIEvent: Int
  var outputBuses: UnsafeMutablePointer<BusState>
  /// The pass over the whole input that the slice is of.
  var pass: OfflinePass

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
    values = state.values
    events = state.events
    unsafe report = state.report
    wantsTail = (isSilent || state.inputIsQuiet) && state.skipsSilence
    unsafe host = state.hostCallbacks.load(ordering: .acquiring)
    midiInput = state.midiInput?.events
    midiOutput = state.midiOutput
    midiEventCount = 0
    firstMIDIEvent = 0
    unsafe outputBuses = state.outputs
    pass = state.pass
  }
}
