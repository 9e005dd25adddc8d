// Input that a kernel pulls itself, at any time and of any length.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import Synchronization

extension RenderSlice {
  /// Host time (ns) of the first frame of the host's request; nil without one.
  public var hostTime: UInt64? {
    @_noLocks get {
      guard unsafe renderTimeStamp.pointee.mFlags & kAudioTimeStampHostTimeValid != 0 else {
        return nil
      }
      return unsafe renderTimeStamp.pointee.mHostTime
    }
  }

  /// Whether the slice is the first of the host's request.
  public var isFirst: Bool {
    @_noLocks get { frameOffset == 0 }
  }

  /// Frames from the start of this slice to the end of the host's request.
  public var remainingFrameCount: Int {
    @_noLocks get { renderFrameCount - frameOffset }
  }

  /// The most frames of one pull.
  public var maximumFrameCount: Int {
    @_noLocks get { unsafe side.pointee.maximumFrames }
  }

  /// Returns whether the last input of a bus is known to be silence.
  @_noLocks public func inputIsSilent(bus: Int) -> Bool {
    unsafe side.pointee.buses[bus].isSilent
  }

  /// Channels of an input bus.
  @_noLocks public func inputChannelCount(bus: Int) -> Int {
    unsafe side.pointee.buses[bus].channelCount
  }

  /// Returns whether an input bus has a source, or samples from the caller.
  @_noLocks public func inputHasSource(bus: Int) -> Bool {
    if unsafe side.pointee.isSupplied {
      let supplied = unsafe side.pointee.supplied
      return unsafe bus < supplied.count && supplied.lists?[bus] != nil
    }
    return unsafe side.pointee.sources[bus].load(ordering: .acquiring) != nil
  }

  /// Fills an input bus from the start of this slice to the end of the host's request.
  ///
  /// For units whose definition says `kernelPullsInputs`. The samples are at
  /// `input(bus:channel:)`, for this slice and those after it.
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
  /// For units whose definition says `kernelPullsInputs`. The samples are at `pulled(_:bus:count:)` until
  /// the next pull of the bus; at `input(bus:channel:)` in the first slice of a render alone.
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
