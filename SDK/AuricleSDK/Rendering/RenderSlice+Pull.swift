// Input that a kernel pulls itself, at any time and of any length.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import Synchronization

extension RenderSlice {
  /// Host time (ns) of the first frame of the host's request; nil without one.
  ///
  /// The clock is that of `AudioTimeStamp.mHostTime`. The slice begins `cycleOffset` frames later.
  public var hostTime: UInt64? {
    @_noLocks get {
      guard unsafe renderTimeStamp.pointee.mFlags & kAudioTimeStampHostTimeValid != 0 else {
        return nil
      }
      return unsafe renderTimeStamp.pointee.mHostTime
    }
  }

  /// Whether the slice is the first of the host's request; false where an event has divided it before.
  public var isFirst: Bool {
    @_noLocks get { frameOffset == 0 }
  }

  /// Frames from the start of this slice to the end of the host's request, at least `frameCount`.
  public var remainingFrameCount: Int {
    @_noLocks get { renderFrameCount - frameOffset }
  }

  /// The most frames of one pull: `kAudioUnitProperty_MaximumFramesPerSlice`.
  public var maximumFrameCount: Int {
    @_noLocks get { unsafe side.pointee.maximumFrames }
  }

  /// Returns whether the last input of a bus is known to be silence.
  ///
  /// - Parameter bus: Input bus, from 0; of a unit that pulls, one that was pulled.
  @_noLocks public func inputIsSilent(bus: Int) -> Bool {
    unsafe side.pointee.buses[bus].isSilent
  }

  /// Returns the number of channels of an input bus.
  @_noLocks public func inputChannelCount(bus: Int) -> Int {
    unsafe side.pointee.buses[bus].channelCount
  }

  /// Returns whether an input bus has a source, or samples from the caller.
  ///
  /// Pulling a bus without one fails, so a mixer asks first. The sources are connections and callbacks,
  /// `kAudioUnitProperty_MakeConnection` and `kAudioUnitProperty_SetRenderCallback`.
  @_noLocks public func inputHasSource(bus: Int) -> Bool {
    if unsafe side.pointee.isSupplied {
      let supplied = unsafe side.pointee.supplied
      return unsafe bus < supplied.count && supplied.lists?[bus] != nil
    }
    return unsafe side.pointee.sources[bus].load(ordering: .acquiring) != nil
  }

  /// Fills an input bus from the start of this slice to the end of the host's request.
  ///
  /// For units with `pullsInputs`, or whose definition says `kernelPullsInputs`. The samples are at
  /// `input(bus:channel:)`, for this slice and those after it:
  ///
  /// ```swift
  /// let status = slice.pullInput(bus: 0)
  /// guard status == 0 else { return slice.fail(status) }
  /// let source = slice.input(0)
  /// var target = slice.output(0)
  /// for frame in target.indices { target[frame] = source[frame] * 0.5 }
  /// ```
  ///
  /// - Returns: 0, or the error of the source, to be passed on with `fail`.
  @_noLocks public func pullInput(bus: Int) -> OSStatus {
    let first = unsafe firstInputChannel[bus]
    if frameOffset == 0 {
      return unsafe side.pointee.pull(bus, renderTimeStamp, renderFrameCount, inputs + first)
    }
    moveInput(bus, by: frameOffset)
    defer { moveInput(bus, by: -frameOffset) }
    var stamp = unsafe renderTimeStamp.pointee
    stamp.mSampleTime += Double(frameOffset)
    stamp.mFlags = kAudioTimeStampSampleTimeValid
    return unsafe side.pointee.pull(bus, &stamp, remainingFrameCount, inputs + first)
  }

  /// Fills the memory of an input bus with frames of any time.
  ///
  /// For units with `pullsInputs`, or whose definition says `kernelPullsInputs`. The samples are at
  /// `pulled(_:bus:count:)` until the next pull of the bus. They are at `input(bus:channel:)` in the first slice
  /// of a render alone. A converter pulls as much as it needs:
  ///
  /// ```swift
  /// let count = min(needed, slice.maximumFrameCount)
  /// let status = slice.pullInput(bus: 0, sampleTime: inputTime, frameCount: count)
  /// guard status == 0 else { return slice.fail(status) }
  /// let source = slice.pulled(0, count: count)
  /// inputTime += Double(count)
  /// ```
  ///
  /// - Parameters:
  ///   - bus: Input bus.
  ///   - sampleTime: Time of the first frame on the clock of the bus.
  ///   - frameCount: 1 to `maximumFrameCount`.
  /// - Returns: 0, or the error of the source, to be passed on with `fail`.
  @_noLocks public func pullInput(bus: Int, sampleTime: Double, frameCount: Int) -> OSStatus {
    guard frameCount > 0, unsafe frameCount <= side.pointee.maximumFrames else {
      return kAudioUnitErr_TooManyFramesToProcess
    }
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = sampleTime
    stamp.mFlags = kAudioTimeStampSampleTimeValid
    return unsafe side.pointee.pull(bus, &stamp, frameCount, inputs + firstInputChannel[bus])
  }

  /// Ends the render with an error, which the host receives unchanged.
  ///
  /// - Parameter status: Not 0. `AudioUnitRender` returns it, and the rest of the cycle is not rendered.
  @_noLocks public func fail(_ status: OSStatus) {
    unsafe report.pointee.status = status
  }

  /// Moves the write position of a bus.
  @_noLocks private func moveInput(_ bus: Int, by frames: Int) {
    let first = unsafe firstInputChannel[bus]
    for channel in 0..<(unsafe side.pointee.buses[bus].channelCount) {
      unsafe inputs[first + channel] += frames
    }
  }
}
