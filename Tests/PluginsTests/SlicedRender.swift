// The output of a unit in slices of changing lengths.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

/// Renders frames of a unit that is initialised, slice by slice.
///
/// - Parameters:
///   - start: Sample time of the first frame.
///   - buffers: Where it is rendered; nil for room for 1156 frames.
///   - before: Called before each slice, with its frames, counted from the first.
func renderInSlices(
  _ unit: AudioUnit, frames: Int, channels: Int, slices: [Int], from start: Int = 0,
  into buffers: AudioBuffers? = nil, before: (Range<Int>) throws -> Void = { _ in }
) throws -> [[Float]] {
  let buffers = buffers ?? AudioBuffers(channelCount: channels, frameCapacity: 1156)
  var output = Array(repeating: [Float](), count: channels)
  var (done, turn) = (0, 0)
  while done < frames {
    let count = min(slices[turn % slices.count], frames - done)
    try before(done..<done + count)
    buffers.setFrameCount(count)
    var flags: AudioUnitRenderActionFlags = 0
    var time = AudioTimeStamp(sampleTime: Double(start + done))
    let status = unsafe unit.render(
      flags: &flags, timeStamp: &time, frameCount: UInt32(count), buffers: buffers.list)
    guard status == 0 else { throw AuricleError(.software, status: status, "render failed") }
    for channel in 0..<channels {
      unsafe output[channel].append(
        contentsOf: UnsafeBufferPointer(start: buffers.channel(channel), count: count))
    }
    done += count
    turn += 1
  }
  return output
}
