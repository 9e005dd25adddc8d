// One region of a file player, from its scheduling to the report of its end.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// A region and how far it was read. Reached under the feeder's mutex.
@safe final class FileRegion {
  typealias RegionPointer = UnsafeMutablePointer<ScheduledAudioFileRegion>

  let pointer: RegionPointer
  /// Identifier of its slices; not 0.
  let number: UInt32
  /// Frame of the player's time at which it begins; nil to follow the one before.
  let time: Double?
  var reader: RegionReader?
  /// Frames that were handed over.
  var offset = 0
  var buffersUnderWay = 0
  /// Whether there is no more to read.
  var isRead = false
  /// Whether the render thread has played of it.
  var hasBegun = false
  /// Whether its buffers were recalled, for a region that plays before it.
  var isRecalled = false
  var status: OSStatus = 0

  init(_ region: ScheduledAudioFileRegion, number: UInt32) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: region)
    self.number = number
    let stamp = unsafe region.mTimeStamp
    time = stamp.mFlags & kAudioTimeStampSampleTimeValid != 0 ? stamp.mSampleTime : nil
  }

  /// Opens its file for a sample rate; false, with the status and nothing to read, where that fails.
  func open(sampleRate: Double) -> Bool {
    status = OSStatus(kAudioUnitErr_InvalidFile)
    if let functions = FileFunctions.found {
      reader = unsafe RegionReader(
        functions, pointer.pointee, sampleRate: sampleRate, status: &status)
    }
    if reader == nil { isRead = true }
    return reader != nil
  }

  /// Rewinds it after its buffers came back unplayed: it is to be read from its beginning.
  func rewind() {
    reader = nil
    offset = 0
    isRead = false
    status = 0
  }
}
