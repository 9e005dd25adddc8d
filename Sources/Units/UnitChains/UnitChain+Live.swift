// A chain on a device's thread: slices as they come, without what only files need.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
package import AudioTypes
import AudioUnits
package import CAudioToolbox
import RealtimeSupport

extension UnitChain {
  /// Whether the chain follows a file: it has breakpoints, side chains of files, or noise.
  ///
  /// Context: control.
  package var followsFile: Bool { !automated.isEmpty || !feeds.isEmpty || !noises.isEmpty }

  /// Renders one slice. Latencies are those of the beginning.
  ///
  /// - Parameters:
  ///   - input: A pointer a channel, `frameCount` samples each, which may be changed.
  ///   - frameCount: 1 to `maximumFrames`.
  /// - Returns: A unit's status. Where it is 0, `liveRows` has the result until the chain is used again.
  ///
  /// Context: render; not of a chain that follows a file.
  package func renderLive(
    input: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) -> OSStatus {
    let buffers = unsafe list.buffers
    for channel in 0..<channelCount {
      unsafe self.input.pointee.channels[channel] = unsafe input[channel]
      unsafe buffers[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(frameCount * 4), mData: nil)
    }
    guard let output else { return kAudioUnitErr_NoConnection }
    var stamp = AudioTimeStamp(sampleTime: graphTime)
    var flags: AudioUnitRenderActionFlags = 0
    let status = unsafe output.render(
      &flags, &stamp, outputElement: 0, frameCount: UInt32(frameCount), buffers: list)
    graphTime += Double(frameCount)
    guard status == 0 else { return status }
    for channel in 0..<channelCount {
      guard let samples = unsafe buffers[channel].mData else { return kAudioUnitErr_NoConnection }
      unsafe made[channel] = unsafe samples.assumingMemoryBound(to: Float.self)
    }
    frame += frameCount
    return 0
  }

  /// A pointer a channel to what was rendered last.
  ///
  /// Context: render.
  package var liveRows: UnsafeMutablePointer<UnsafeMutablePointer<Float>> { unsafe made }

  /// The failure of a slice as a sentence, once; nil for none since the last call.
  ///
  /// Context: control, beside the render thread.
  package func consumeLiveFailure() -> AuricleError? {
    guard let failed = graph.consumeFailure() else { return nil }
    guard failed.value == nil else {
      return AuricleError(
        .software, status: failed.status, "\(failed.label) made a value that is not a finite number"
      )
    }
    return AuricleError(
      .software, status: failed.status, "\(failed.label) failed with status \(failed.status)")
  }
}
