// The input of an offline unit: any frames of a whole sound, in any order.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport

/// The source that an instance of an offline unit pulls. Context: one control thread.
@safe final class OfflineInput {
  /// The sound; nil for silence.
  var source: (any SoundStore)?
  /// Why the sound could not be read; nil for no failure.
  private(set) var failure: AuricleError?
  private let instance: UnsafeMutablePointer<StageInstance>
  private let channelCount: Int
  private var memory: PlanarMemory
  private var frameCapacity: Int
  /// The frame after the last one pulled.
  private var next = 0

  /// Feeds an instance of a stage.
  init(_ instance: UnsafeMutablePointer<StageInstance>, frameCapacity: Int) {
    unsafe self.instance = instance
    unsafe channelCount = instance.pointee.stage.pointee.channelCount
    self.frameCapacity = frameCapacity
    memory = PlanarMemory(channelCount: channelCount, frameCount: frameCapacity)
  }

  /// Begins a pass: input without a time is that from the start on.
  func begin() {
    next = 0
    failure = nil
  }

  /// Fills the input of the instance. Frames outside of the sound are silence.
  ///
  /// A unit may pull more frames at once than a slice has: one that plays faster does.
  fileprivate func fill(
    _ timeStamp: UnsafePointer<AudioTimeStamp>?, _ list: UnsafeMutablePointer<AudioBufferList>,
    _ frameCount: Int
  ) -> OSStatus {
    guard frameCount > 0, frameCount <= Self.mostFrames else { return kAudio_ParamError }
    if frameCount > frameCapacity {
      frameCapacity = frameCount
      memory = PlanarMemory(channelCount: channelCount, frameCount: frameCount)
    }
    let start = unsafe Self.frame(timeStamp) ?? next
    next = start + frameCount
    memory.clear(from: 0, to: frameCount)
    let length = source?.frameCount ?? 0
    let (first, end) = (min(max(start, 0), length), min(max(next, 0), length))
    if first < end, let source {
      let rows = unsafe PlanarCursor(memory.rows, channelCount: channelCount, from: first - start)
      do throws(AuricleError) {
        try unsafe source.read(from: first, into: rows.rows, frameCount: end - first)
      } catch {
        failure = error
        return kAudio_ParamError
      }
    }
    let input = unsafe instance.pointee.stage.pointee.input
    for channel in 0..<channelCount { unsafe input[channel] = memory.rows[channel] }
    return unsafe fillTaps(instance, list, frameCount)
  }

  /// The most frames that a unit may pull at once.
  private static let mostFrames = 1 << 22

  /// The frame that a unit asks for; nil where it names none.
  private static func frame(_ timeStamp: UnsafePointer<AudioTimeStamp>?) -> Int? {
    guard let timeStamp = unsafe timeStamp, let time = unsafe timeStamp.pointee.validSampleTime,
      time.magnitude < 0x1p50
    else { return nil }
    return Int(time.rounded())
  }
}

/// The input callback of an offline unit: the reference is an `OfflineInput`. Context: control.
let offlineInputCallback: AURenderCallback = { refCon, _, timeStamp, _, frameCount, list in
  guard let refCon = unsafe refCon, let list = unsafe list else { return kAudio_ParamError }
  let input = unsafe Unmanaged<OfflineInput>.fromOpaque(refCon).takeUnretainedValue()
  return unsafe input.fill(timeStamp, list, Int(frameCount))
}
