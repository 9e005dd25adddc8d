// The inputs of a unit for a thread of the unit's own.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// The means for pulling a unit's inputs on another thread than the host's, by one thread at a time.
///
/// Valid from the slice that made it until the unit is uninitialised, so the thread must end with the kernel.
/// For units that render ahead, such as the deferred renderer:
///
/// ```swift
/// // In the first slice, on the render thread:
/// input = slice.detachedInput()
/// // Later, on the thread of the unit:
/// let status = unsafe input.pull(
///   bus: 0, sampleTime: nextTime, frameCount: block, into: rows)
/// if status == 0 { isSilent = input.isSilent(bus: 0) }
/// ```
///
/// @unchecked Sendable because sources are atomics, and all else is used by one thread at a time.
@safe public struct DetachedInput: BitwiseCopyable, @unchecked Sendable {
  private let side: InputSide

  @_noLocks init(_ side: InputSide) { self.side = side }

  /// Whether the input is the caller's lists, of this render alone: they cannot be pulled later.
  ///
  /// A host that calls `AudioUnitProcess` supplies its input so. Context: any.
  public var isSupplied: Bool { @_noLocks get { side.isSupplied } }

  /// Fills memory with frames of any time.
  ///
  /// - Parameters:
  ///   - bus: Input bus, from 0.
  ///   - sampleTime: Time of the first frame on the clock of the bus.
  ///   - frameCount: 1 to the unit's maximum.
  ///   - channels: A pointer for each channel of the bus, to room for `frameCount` samples.
  /// - Returns: 0, or the error of the source, `kAudioUnitErr_NoConnection` without one.
  ///
  /// Context: any one thread.
  @_noLocks public func pull(
    bus: Int, sampleTime: Double, frameCount: Int,
    into channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) -> OSStatus {
    guard frameCount > 0, frameCount <= side.maximumFrames else {
      return kAudioUnitErr_TooManyFramesToProcess
    }
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = sampleTime
    stamp.mFlags = kAudioTimeStampSampleTimeValid
    return unsafe side.pull(bus, &stamp, frameCount, channels)
  }

  /// Returns whether the last input of a bus is known to be silence. Context: the thread that pulled it.
  @_noLocks public func isSilent(bus: Int) -> Bool { unsafe side.buses[bus].isSilent }
}

extension RenderSlice {
  /// Returns the inputs for a thread of the unit. Context: render.
  @_noLocks public func detachedInput() -> DetachedInput { unsafe DetachedInput(side.pointee) }
}
