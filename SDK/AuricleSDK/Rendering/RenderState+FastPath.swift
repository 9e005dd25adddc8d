// The fast path of a slice: one bus in and out in the unit's own format, and nobody observes it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport
import Synchronization

extension RenderState {
  /// Makes the slice of the fast path if the unit supports it.
  ///
  /// Context: control, uninitialised.
  mutating func prepareFastSlice() {
    suitsFastPath = false
    guard !kernelPullsInputs, !runsOffline, inputCount == 1, outputCount == 1,
      !processesInPlace || canProcessInPlace,
      unsafe inputs[0].isCanonical && outputs[0].isCanonical
    else { return }
    var stamp = AudioTimeStamp()
    unsafe fastSlice.initialize(to: SliceState(self, &stamp, frameCount: 1, isSilent: false))
    suitsFastPath = true
  }

  /// Whether a slice may use the fast path, which is open: a new cycle, directly in the caller's memory,
  /// without scheduled changes or a remaining dry signal. The output channels are set to that memory then.
  ///
  /// Context: render.
  @_noLocks @inline(__always) func canRenderFast(
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ output: UnsafeMutablePointer<AudioBufferList>
  ) -> Bool {
    guard frameCount > 0, unsafe isNewAndUnchanged(timeStamp) else { return false }
    return unsafe useMemory(of: output, frameCount)
  }

  /// Whether a cycle is new, without scheduled changes, and the unit is not bypassed.
  @_noLocks @inline(__always) func isNewAndUnchanged(
    _ timeStamp: UnsafePointer<AudioTimeStamp>
  ) -> Bool {
    guard events.isEmpty, dryPath.mix == 0, !isRendering, hasNoMIDI else { return false }
    return unsafe !hasRendered
      || timeStamp.pointee.mSampleTime != lastSampleTime.load(ordering: .relaxed)
  }

  /// Renders a slice for which `canRenderFast` is true.
  ///
  /// The source fills the kernel's memory: the caller's, if the kernel works in place.
  ///
  /// Context: render.
  @_noLocks @inline(__always) mutating func renderFast(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ output: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let source = unsafe sources[0].load(ordering: .acquiring) else {
      return fail(kAudioUnitErr_NoConnection)
    }
    isRendering = true
    defer { isRendering = false }
    // While the path is open, the unit is initialised.
    let channels = unsafe outputChannels.unsafelyUnwrapped
    let input = unsafe processesInPlace ? channels : inputChannels.unsafelyUnwrapped
    let list = unsafe processesInPlace ? output : offerMemory(input, frameCount)
    var inputFlags: AudioUnitRenderActionFlags = 0
    let status = unsafe InputSide.ask(0, source, &inputFlags, timeStamp, frameCount, list)
    // Reading the control word stalls the pipeline. A host that sets it avoids this; with any other, the
    // source is asked first, so that one read is enough.
    let isGuarded = unsafe (hostGuard.load(ordering: .acquiring)?.pointee ?? 0) != 0
    if !isGuarded { denormals = DenormalGuard() }
    defer { if !isGuarded { denormals.restoreBlindly() } }
    hasRendered = false
    let isSilent = inputFlags & kAudioUnitRenderAction_OutputIsSilence != 0
    guard status == 0,
      unsafe processesInPlace
        ? receive(list, input, frameCount)
        : receiveApart(list, input, frameCount, mayReadThere: !isSilent)
    else { return failOnFastPath(status == 0 ? kAudio_ParamError : status, isGuarded) }
    // The source may have scheduled changes or sent messages.
    let isOrdinary = unsafe !isSilent && isOrdinary(input, frameCount)
    if !isOrdinary || !events.isEmpty || !hasNoMIDI {
      if isGuarded { denormals = DenormalGuard() }
      return unsafe finishSlowly(flags, timeStamp, frameCount, isSilent: isSilent)
    }
    unsafe fastSlice.pointee.inputs = unsafe input
    unsafe fastSlice.pointee.outputs = unsafe channels
    return unsafe processFast(flags, timeStamp, frameCount, isGuarded)
  }

  /// Whether the samples of the input are audible, and such as a kernel receives.
  @_noLocks @inline(__always) func isOrdinary(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) -> Bool {
    let magnitude = unsafe InputLevels.magnitude(
      channels, count: fastSlice.pointee.inputChannelCount, frameCount: frameCount)
    return magnitude >= InputLevels.audible && magnitude <= InputLevels.greatest
  }

  /// Runs the kernel on a slice with its channels set.
  @_noLocks @inline(__always) mutating func processFast(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int, _ isGuarded: Bool
  ) -> OSStatus {
    if inputsMayBeSilent {
      unsafe inputs[0].isSilent = false
      inputsMayBeSilent = false
    }
    silentFrames = 0
    let slice = unsafe fastSlice
    // A bypass that begins later needs earlier input.
    if dryPath.hasLine { unsafe dryPath.write(slice.pointee.inputs, frameCount, isMixed: false) }
    unsafe slice.pointee.frameCount = frameCount
    unsafe slice.pointee.renderFrameCount = frameCount
    unsafe slice.pointee.sampleTime = timeStamp.pointee.mSampleTime
    unsafe slice.pointee.renderTimeStamp = unsafe timeStamp
    unsafe slice.pointee.host = hostCallbacks.load(ordering: .acquiring)
    unsafe report.pointee = SliceReport()
    let measured = load.begin()
    let process = unsafe self.process
    let kernel = unsafe self.kernel.unsafelyUnwrapped
    var supplied = unsafe RenderSlice(slice)
    // Door out of checked code: the kernel.
    unsafe _unsafePerformance { unsafe process(kernel, &supplied) }
    if measured != 0 {
      load.end(measured, frameCount: frameCount, sampleRate: table.sampleRate)
    }
    let made = unsafe report.pointee.status
    guard made == 0 else { return failOnFastPath(made, isGuarded) }
    if unsafe report.pointee.latencyFrames >= 0 {
      if isGuarded { denormals = DenormalGuard() }
      unsafe reportLatency(report.pointee.latencyFrames)
    }
    if unsafe report.pointee.stateHasChanged {
      if isGuarded { denormals = DenormalGuard() }
      reportStateChange()
    }
    lastOutputWasSilent = unsafe report.pointee.isSilent
    if hasMIDI { unsafe flushMIDI(timeStamp, isGuarded) }
    unsafe noteCycle(timeStamp, frameCount)
    unsafe reportSilence(flags)
    return 0
  }

  /// Whether no message waits for the kernel.
  var hasNoMIDI: Bool {
    @_noLocks @inline(__always) get { !hasMIDI || (midiInput?.isIdle ?? true) }
  }

  /// Sends the host the messages of the kernel.
  @_noLocks @inline(never) private mutating func flushMIDI(
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ isGuarded: Bool
  ) {
    let status = unsafe midiOutput?.flush(timeStamp) ?? 0
    if !isGuarded { denormals.renew() }
    // A lost message does not affect the sound: the error is reported, and the slice does not fail.
    if status != 0 { _ = failOnFastPath(status, isGuarded) }
  }

  /// Records an error; its listeners may change the control word.
  @_noLocks @inline(never) mutating func failOnFastPath(
    _ status: OSStatus, _ isGuarded: Bool
  ) -> OSStatus {
    if isGuarded { denormals = DenormalGuard() }
    return fail(status)
  }

  /// Records that a cycle was rendered.
  @_noLocks @inline(__always) private mutating func noteCycle(
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int
  ) {
    hasRendered = true
    renderedFrames = frameCount
    unsafe lastSampleTime.store(timeStamp.pointee.mSampleTime, ordering: .relaxed)
  }

  /// Removes values that no kernel receives from the input channels, and records whether they are quiet.
  ///
  /// Memory of a source is copied first.
  @_noLocks private mutating func examineInput(_ frameCount: Int) {
    guard let channels = unsafe inputChannels else { return }
    let count = unsafe fastSlice.pointee.inputChannelCount
    let magnitude = unsafe InputLevels.magnitude(channels, count: count, frameCount: frameCount)
    inputIsQuiet = magnitude < InputLevels.audible
    guard magnitude > InputLevels.greatest else { return }
    for channel in 0..<count where !processesInPlace {
      let own = unsafe inputs[0].own(channel, stride: strideFrames)
      if unsafe own != channels[channel] {
        unsafe SampleCopy.copy(from: channels[channel], to: own, count: frameCount)
        unsafe channels[channel] = unsafe own
      }
    }
    unsafe InputLevels.clean(channels, count: count, frameCount: frameCount)
  }

  /// Ends a slice on the slow path: for silence, for input that is not ordinary, and for changes within it.
  ///
  /// A kernel in place finds its input in the output channels, another in the input channels.
  @_noLocks @inline(never) mutating func finishSlowly(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int, isSilent: Bool
  ) -> OSStatus {
    guard let channels = unsafe outputChannels, let inputChannels = unsafe inputChannels else {
      return fail(kAudioUnitErr_Uninitialized)
    }
    for channel in 0..<(unsafe fastSlice.pointee.inputChannelCount) {
      if processesInPlace { unsafe inputChannels[channel] = unsafe channels[channel] }
      if isSilent { unsafe SampleCopy.clear(inputChannels[channel], count: frameCount) }
    }
    unsafe inputs[0].isSilent = isSilent
    examineInput(frameCount)
    unsafe side.pointee = inputSide
    let status = unsafe makeOutput(timeStamp, frameCount, isSilent: isSilent)
    events.removePlayed()
    guard status == 0 else { return fail(status) }
    unsafe noteCycle(timeStamp, frameCount)
    unsafe reportSilence(flags)
    return 0
  }
}
