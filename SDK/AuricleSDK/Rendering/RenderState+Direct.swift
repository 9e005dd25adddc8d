// Rendering for a host that has the input already and stands for the source: nothing is pulled.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

/// Which short ways are open, as control threads found when something changed last.
enum Openness {
  /// Through `renderPlain`: nothing to watch, a source.
  static var plain: UInt8 { @_noLocks get { 1 } }
  /// Through the functions of `kAuricleProperty_DirectRender` as well.
  static var direct: UInt8 { @_noLocks get { 2 } }
}

extension RenderState {
  /// Looks anew which short ways are open. Context: control, under the instance's lock.
  func updateOpenness() {
    var open: UInt8 = 0
    if isInitialized.load(ordering: .relaxed), isSimple, !isBypassed.load(ordering: .relaxed),
      unsafe inputs[0].lendsMemory && outputs[0].lendsMemory,
      unsafe samplesCallback.load(ordering: .relaxed) == nil,
      unsafe notifies.load(ordering: .relaxed) == nil, !guardsNumbers.load(ordering: .relaxed),
      !processesInPlace || mayWorkInPlace.load(ordering: .relaxed),
      let source = unsafe sources[0].load(ordering: .relaxed)
    {
      open = unsafe source == directSource ? Openness.plain | Openness.direct : Openness.plain
    }
    if openness.load(ordering: .relaxed) != open { openness.store(open, ordering: .releasing) }
  }

  /// Closes all short ways. Context: control, under the instance's lock.
  func closeShortWays() { openness.store(0, ordering: .releasing) }

  /// Whether a slice may be rendered directly now.
  ///
  /// Context: render.
  @_noLocks @inline(__always) private func isDirect(
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int
  ) -> Bool {
    guard openness.load(ordering: .acquiring) & Openness.direct != 0, frameCount > 0,
      frameCount <= maximumFrames, unsafe isNewAndUnchanged(timeStamp),
      let word = unsafe hostGuard.load(ordering: .acquiring)
    else { return false }
    return unsafe word.pointee != 0
  }

  /// Renders a slice whose input the caller has.
  ///
  /// - Parameters:
  ///   - inputs: The channels of input bus 0; for a kernel in place those of the output.
  ///   - outputs: The channels of output bus 0.
  /// - Returns: `kAuricleErr_NotDirect`, with nothing done, where the slice has to go another way.
  ///
  /// Context: render.
  @_noLocks mutating func renderDirect(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    _ outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) -> OSStatus {
    guard unsafe isDirect(timeStamp, frameCount) else { return OSStatus(kAuricleErr_NotDirect) }
    isRendering = true
    unsafe plainSlice.pointee.inputs = unsafe inputs
    unsafe plainSlice.pointee.outputs = unsafe outputs
    let status = unsafe runPlain(flags, timeStamp, frameCount, true)
    isRendering = false
    return status
  }

  /// Begins a slice whose input the caller is about to fetch: the first half of `renderDirect`.
  ///
  /// - Returns: Whether `endDirect` follows; else the slice has to go another way.
  ///
  /// Context: render.
  @_noLocks mutating func beginDirect(
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int
  ) -> Bool {
    guard unsafe isDirect(timeStamp, frameCount) else { return false }
    isRendering = true
    hasRendered = false
    return true
  }

  /// Ends what `beginDirect` began.
  ///
  /// - Parameters:
  ///   - inputStatus: How the fetching went.
  ///   - flags: In: whether the input is silent. Out: whether the output is.
  ///
  /// Context: render.
  @_noLocks mutating func endDirect(
    _ inputStatus: OSStatus, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ given: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    _ wanted: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) -> OSStatus {
    defer { isRendering = false }
    guard inputStatus == 0 else { return failPlain(inputStatus, true) }
    let isSilent = unsafe flags.pointee & kAudioUnitRenderAction_OutputIsSilence != 0
    guard isSilent || !events.isEmpty || !hasNoMIDI else {
      unsafe plainSlice.pointee.inputs = unsafe given
      unsafe plainSlice.pointee.outputs = unsafe wanted
      return unsafe runPlain(flags, timeStamp, frameCount, true)
    }
    denormals = DenormalGuard()
    for channel in 0..<(unsafe plainSlice.pointee.channelCount) {
      unsafe outputChannels?[channel] = unsafe wanted[channel]
    }
    for channel in 0..<(unsafe plainSlice.pointee.inputChannelCount) {
      unsafe inputChannels?[channel] = unsafe given[channel]
    }
    return unsafe goOn(flags, timeStamp, frameCount, isSilent: isSilent)
  }
}
