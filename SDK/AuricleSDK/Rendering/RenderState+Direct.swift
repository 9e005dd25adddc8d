// Direct rendering for a host that provides the input itself: nothing is pulled.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

/// The fast paths that are open: bits that control threads set when something changes.
enum FastPaths {
  /// `renderFast`: there is a source, and nobody observes the rendering.
  static var pulled: UInt8 { @_noLocks get { 1 } }
  /// The functions of `kAuricleProperty_DirectRender` as well.
  static var direct: UInt8 { @_noLocks get { 2 } }
}

extension RenderState {
  /// Updates which fast paths are open. Context: control, under the instance's lock.
  func updateFastPaths() {
    var open: UInt8 = 0
    if isInitialized.load(ordering: .relaxed), suitsFastPath, !isBypassed.load(ordering: .relaxed),
      unsafe inputs[0].lendsMemory && outputs[0].lendsMemory,
      unsafe samplesCallback.load(ordering: .relaxed) == nil,
      unsafe notifies.load(ordering: .relaxed) == nil, !guardsNumbers.load(ordering: .relaxed),
      !processesInPlace || mayWorkInPlace.load(ordering: .relaxed),
      let source = unsafe sources[0].load(ordering: .relaxed)
    {
      open = unsafe source == directSource ? FastPaths.pulled | FastPaths.direct : FastPaths.pulled
    }
    if openFastPaths.load(ordering: .relaxed) != open {
      openFastPaths.store(open, ordering: .releasing)
    }
  }

  /// Closes all fast paths. Context: control, under the instance's lock.
  func closeFastPaths() { openFastPaths.store(0, ordering: .releasing) }

  /// Whether a slice may be rendered directly now.
  ///
  /// Context: render.
  @_noLocks @inline(__always) private func isDirect(
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int
  ) -> Bool {
    guard openFastPaths.load(ordering: .acquiring) & FastPaths.direct != 0, frameCount > 0,
      frameCount <= maximumFrames, unsafe isNewAndUnchanged(timeStamp),
      let word = unsafe hostGuard.load(ordering: .acquiring)
    else { return false }
    return unsafe word.pointee != 0
  }

  /// Renders a slice whose input the caller provides.
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
    unsafe flags.pointee &= ~kAudioUnitRenderAction_OutputIsSilence
    return unsafe endDirect(0, flags, timeStamp, frameCount, inputs, outputs)
  }

  /// Begins a slice whose input the caller is about to fetch: the first half of `renderDirect`.
  ///
  /// - Returns: Whether `endDirect` follows; otherwise the slice must be rendered in the usual way.
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

  /// Ends the render that `beginDirect` began.
  ///
  /// - Parameters:
  ///   - inputStatus: The status of fetching the input.
  ///   - flags: In: whether the input is silent. Out: whether the output is.
  ///
  /// Context: render.
  @_noLocks mutating func endDirect(
    _ inputStatus: OSStatus, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ supplied: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    _ wanted: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) -> OSStatus {
    defer { isRendering = false }
    guard inputStatus == 0 else { return failOnFastPath(inputStatus, true) }
    let isSilent = unsafe flags.pointee & kAudioUnitRenderAction_OutputIsSilence != 0
    let isOrdinary = unsafe !isSilent && isOrdinary(supplied, frameCount)
    guard !isOrdinary || !events.isEmpty || !hasNoMIDI else {
      unsafe fastSlice.pointee.inputs = unsafe supplied
      unsafe fastSlice.pointee.outputs = unsafe wanted
      return unsafe processFast(flags, timeStamp, frameCount, true)
    }
    denormals = DenormalGuard()
    for channel in 0..<(unsafe fastSlice.pointee.channelCount) {
      unsafe outputChannels?[channel] = unsafe wanted[channel]
    }
    for channel in 0..<(unsafe fastSlice.pointee.inputChannelCount) {
      unsafe inputChannels?[channel] = unsafe supplied[channel]
    }
    return unsafe finishSlowly(flags, timeStamp, frameCount, isSilent: isSilent)
  }
}
