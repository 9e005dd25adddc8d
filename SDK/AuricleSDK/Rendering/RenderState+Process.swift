// Processes a caller's buffer lists, without sources or observers.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

extension RenderState {
  /// Processes a list in place: it has the input of bus 0 and receives the output of bus 0.
  ///
  /// Other inputs are silent. On entry the flags say whether the input is silent.
  ///
  /// Context: render. The corresponding Core Audio function is `AudioUnitProcess`.
  @_noLocks mutating func processList(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let status = checkState(frameCount)
    guard status == 0 else { return fail(status) }
    guard canProcessInPlace else { return fail(kAudioUnitErr_FormatNotSupported) }
    if unsafe !trusts(flags) {
      let status = unsafe inputs[0].check(list, frameCount, mayLackMemory: false)
      guard status == 0 else { return fail(status) }
    }
    var input: UnsafePointer<AudioBufferList>? = unsafe UnsafePointer(list)
    var output: UnsafeMutablePointer<AudioBufferList>? = unsafe list
    return unsafe process(flags, timeStamp, frameCount, &input, 1, &output, 1)
  }

  /// Processes lists of all input buses to lists of all output buses.
  ///
  /// Context: render. The corresponding Core Audio function is `AudioUnitProcessMultiple`.
  @_noLocks mutating func processLists(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ supplied: UnsafeMutablePointer<UnsafePointer<AudioBufferList>?>?, _ suppliedCount: Int,
    _ wanted: UnsafeMutablePointer<UnsafeMutablePointer<AudioBufferList>?>?, _ wantedCount: Int
  ) -> OSStatus {
    let status = checkState(frameCount)
    guard status == 0 else { return fail(status) }
    guard suppliedCount == inputCount, wantedCount == outputCount else {
      return fail(kAudio_ParamError)
    }
    for bus in 0..<inputCount {
      guard let list = unsafe supplied?[bus] else {
        guard unsafe inputs[bus].isOptional else { return fail(kAudio_ParamError) }
        continue
      }
      if unsafe !trusts(flags) {
        let status = unsafe inputs[bus].check(
          UnsafeMutablePointer(mutating: list), frameCount, mayLackMemory: false)
        guard status == 0 else { return fail(status) }
      }
    }
    for bus in 0..<outputCount {
      guard let list = unsafe wanted?[bus] else { return fail(kAudio_ParamError) }
      if unsafe !trusts(flags) {
        let status = unsafe outputs[bus].check(
          list, frameCount, mayLackMemory: outputs[bus].lendsMemory)
        guard status == 0 else { return fail(status) }
      }
    }
    guard let wanted = unsafe wanted else { return fail(kAudio_ParamError) }
    return unsafe process(
      flags, timeStamp, frameCount, supplied, suppliedCount, wanted, wantedCount)
  }

  /// Checks conditions that do not depend on the caller's promises.
  @_noLocks private func checkState(_ frameCount: Int) -> OSStatus {
    guard isInitialized.load(ordering: .acquiring) else { return kAudioUnitErr_Uninitialized }
    // With different rates, input and output have different frame counts.
    guard inputRatio == 1 else { return kAudioUnitErr_FormatNotSupported }
    return frameCount <= maximumFrames ? 0 : kAudioUnitErr_TooManyFramesToProcess
  }

  /// Returns whether the caller promises that its lists are valid.
  @_noLocks private func trusts(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?
  ) -> Bool {
    guard let flags = unsafe flags else { return false }
    return unsafe flags.pointee & kAudioUnitRenderAction_DoNotCheckRenderArgs != 0
  }

  /// Processes checked lists.
  @_noLocks private mutating func process(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ lists: UnsafeMutablePointer<UnsafePointer<AudioBufferList>?>?, _ listCount: Int,
    _ wanted: UnsafeMutablePointer<UnsafeMutablePointer<AudioBufferList>?>, _ wantedCount: Int
  ) -> OSStatus {
    guard frameCount > 0 else { return 0 }
    guard !isRendering else { return fail(kAudioUnitErr_CannotDoInCurrentContext) }
    isRendering = true
    denormals = DenormalGuard()
    defer {
      denormals.restore()
      isRendering = false
    }
    let silence = unsafe (flags?.pointee ?? 0) & kAudioUnitRenderAction_OutputIsSilence
    unsafe supplied = SuppliedInput(
      lists, count: listCount, frameCount: frameCount, isSilent: silence != 0)
    isSupplied = true
    useOwnOutputs()
    // A kernel that pulls its input must not overwrite it before: the lists may share memory.
    for bus in 0..<wantedCount where !kernelPullsInputs {
      if let list = unsafe wanted[bus] { unsafe useOutput(bus, list) }
    }
    // The next render is another cycle at any time stamp.
    hasRendered = false
    let status = unsafe produce(timeStamp, frameCount)
    isSupplied = false
    supplied = SuppliedInput()
    events.removePlayed()
    guard status == 0 || status == OSStatus(kAuricleErr_NotFinite) else { return fail(status) }
    unsafe lastSampleTime.store(timeStamp.pointee.mSampleTime, ordering: .relaxed)
    for bus in 0..<wantedCount {
      if let list = unsafe wanted[bus] {
        unsafe deliver(bus, list, frameCount, writes: true)
      }
    }
    unsafe reportSilence(flags)
    return status == 0 ? 0 : fail(status)
  }
}
