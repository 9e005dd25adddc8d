// Processing of a caller's buffers, without sources or observers.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

extension AudioUnit {
  /// Processes a list in place: it holds the input of bus 0 and gets the output of bus 0.
  ///
  /// - Parameters:
  ///   - flags: In: whether the input is silent; out: whether the output is.
  ///   - timeStamp: Time of the first frame.
  ///   - frameCount: In 1...maximumFramesPerSlice.
  ///   - buffers: As many as the bus has streams, each with memory.
  /// - Returns: 0, or a status; -4 if the unit cannot do this.
  ///
  /// Context: render. The corresponding Core Audio function is `AudioUnitProcess`.
  public func process(
    flags: inout AudioUnitRenderActionFlags, timeStamp: UnsafePointer<AudioTimeStamp>,
    frameCount: UInt32, buffers: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let method = unsafe methods.process else { return kAudio_UnimplementedError }
    return unsafe method(plugIn, &flags, timeStamp, frameCount, buffers)
  }

  /// Processes lists of all input buses into lists of all output buses.
  ///
  /// - Parameters:
  ///   - inputs: A list for each input bus; nil leaves an optional one silent.
  ///   - outputs: A list for each output bus; buffers without memory get the unit's.
  /// - Returns: 0, or a status; -4 if the unit cannot do this.
  ///
  /// Context: render. The corresponding Core Audio function is `AudioUnitProcessMultiple`.
  public func processMultiple(
    flags: inout AudioUnitRenderActionFlags, timeStamp: UnsafePointer<AudioTimeStamp>,
    frameCount: UInt32,
    inputs: UnsafeMutableBufferPointer<UnsafePointer<AudioBufferList>?>,
    outputs: UnsafeMutableBufferPointer<UnsafeMutablePointer<AudioBufferList>?>
  ) -> OSStatus {
    guard let method = unsafe methods.processMultiple else { return kAudio_UnimplementedError }
    return unsafe method(
      plugIn, &flags, timeStamp, frameCount, UInt32(inputs.count), inputs.baseAddress,
      UInt32(outputs.count), outputs.baseAddress)
  }
}
