// The call of a unit's render function from a render thread.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// A unit's render function with its first argument: render code holds this instead of the unit.
///
/// Valid as long as the unit it came from lives.
@safe public struct RenderProcedure: @unchecked Sendable {
  // @unchecked Sendable because it is two pointers that never change; the unit's owner sees to it
  // that one thread at a time renders.
  let procedure: AudioUnitRenderProc?
  let plugIn: UnsafeMutableRawPointer

  init(
    procedure: AudioUnitRenderProc?, plugIn: UnsafeMutablePointer<AudioComponentPlugInInterface>
  ) {
    unsafe self.procedure = unsafe procedure
    unsafe self.plugIn = UnsafeMutableRawPointer(plugIn)
  }

  /// Renders one slice of an output bus.
  ///
  /// - Parameters:
  ///   - flags: In and out; see the render action flags.
  ///   - timeStamp: Its sample time must advance from slice to slice: a unit renders a time once.
  ///   - outputElement: Index of the output bus.
  ///   - frameCount: In 1...maximumFramesPerSlice.
  ///   - buffers: As many as the bus has streams; a buffer without memory lets the unit supply it.
  /// - Returns: 0, or a status; the buffers are unspecified then. -4 if the unit cannot render.
  ///
  /// Context: render. Does not allocate, lock or throw, if the unit does not.
  /// The corresponding Core Audio function is `AudioUnitRender`.
  @_noLocks
  public func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ timeStamp: UnsafePointer<AudioTimeStamp>,
    outputElement: UInt32,
    frameCount: UInt32,
    buffers: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let procedure = unsafe procedure else { return -4 }
    // The one door out of checked code: a plug-in's render code, which no compiler can check.
    return unsafe _unsafePerformance {
      unsafe procedure(plugIn, flags, timeStamp, outputElement, frameCount, buffers)
    }
  }
}
