// The properties that both players have: slices, the start, and the time that has been played.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import Synchronization

/// The state that the properties and the kernel of one player share.
///
/// @unchecked Sendable because the queue synchronises its threads without locks.
@safe final class PlayerSchedule: @unchecked Sendable {
  let queue: UnsafeMutablePointer<SliceQueue>

  init() {
    unsafe queue = .allocate(capacity: 1)
    unsafe queue.initialize(to: SliceQueue())
  }

  deinit {
    unsafe queue.pointee.clear()
    unsafe queue.deinitialize(count: 1)
    unsafe queue.deallocate()
  }

  /// The start and the time played.
  var properties: [PropertyDefinition] {
    [
      .setting(kAudioUnitProperty_ScheduleStartTimeStamp, AudioTimeStamp.self) {
        [self] unit, stamp in
        guard let (kind, bits) = Self.start(stamp) else {
          return unit.refuse(
            kAudioUnitErr_InvalidPropertyValue,
            "a start time has a sample time (−1 for now) or a host time (0 for now), and the flag of it"
          )
        }
        unsafe queue.pointee.setStart(kind, bits: bits)
        return 0
      },
      unsafe PropertyDefinition(
        id: kAudioUnitProperty_CurrentPlayTime, size: UInt32(MemoryLayout<AudioTimeStamp>.size),
        read: { [self] _, _, data in
          var stamp = AudioTimeStamp()
          unsafe stamp.mSampleTime = queue.pointee.playTime.load(ordering: .relaxed)
          stamp.mFlags = kAudioTimeStampSampleTimeValid
          unsafe data.storeBytes(of: stamp, as: AudioTimeStamp.self)
          return 0
        }),
    ]
  }

  private static func start(_ stamp: AudioTimeStamp) -> (PlayStart, UInt64)? {
    if stamp.mFlags & kAudioTimeStampSampleTimeValid != 0 {
      guard stamp.mSampleTime.isFinite else { return nil }
      return stamp.mSampleTime == -1 ? (.now, 0) : (.sampleTime, stamp.mSampleTime.bitPattern)
    }
    guard stamp.mFlags & kAudioTimeStampHostTimeValid != 0 else { return nil }
    return stamp.mHostTime == 0 ? (.now, 0) : (.hostTime, stamp.mHostTime)
  }

  /// The property that schedules a slice; it stays in the caller's memory until it is complete.
  var sliceProperty: PropertyDefinition {
    unsafe PropertyDefinition(
      id: kAudioUnitProperty_ScheduleAudioSlice,
      size: UInt32(MemoryLayout<ScheduledAudioSlice>.size),
      read: { _, _, _ in kAudioUnitErr_PropertyNotInUse },
      write: { [self] unit, _, data, size in
        guard let data = unsafe data, unsafe Int(size) == MemoryLayout<ScheduledAudioSlice>.size
        else {
          return kAudioUnitErr_InvalidPropertyValue
        }
        let slice = unsafe UnsafeMutableRawPointer(mutating: data).assumingMemoryBound(
          to: ScheduledAudioSlice.self)
        let frames = unsafe Int(slice.pointee.mNumberFrames)
        guard let list = unsafe slice.pointee.mBufferList, unsafe list.pointee.mNumberBuffers > 0,
          frames > 0, unsafe Self.holds(list, frames)
        else {
          return unit.refuse(
            kAudioUnitErr_InvalidPropertyValue,
            "a slice has frames, and a list of buffers, one a channel, that hold as many floats")
        }
        unsafe queue.pointee.add(slice)
        return 0
      })
  }

  private static func holds(
    _ list: UnsafeMutablePointer<AudioBufferList>, _ frames: Int
  ) -> Bool {
    for index in 0..<(unsafe Int(list.pointee.mNumberBuffers)) {
      let buffer = unsafe (UnsafeRawPointer(list) + 8).load(
        fromByteOffset: index * MemoryLayout<AudioBuffer>.stride, as: AudioBuffer.self)
      guard unsafe buffer.mData != nil, unsafe Int(buffer.mDataByteSize) >= frames * 4 else {
        return false
      }
    }
    return true
  }
}

extension PropertyDefinition {
  /// A property of one value that can be set and not be read.
  static func setting<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ type: Value.Type,
    _ set: @escaping @Sendable (UnitInstance, Value) -> OSStatus
  ) -> PropertyDefinition {
    unsafe PropertyDefinition(
      id: id, size: UInt32(MemoryLayout<Value>.size),
      read: { _, _, _ in kAudioUnitErr_PropertyNotInUse },
      write: { unit, _, data, size in
        guard let data = unsafe data, Int(size) == MemoryLayout<Value>.size else {
          return kAudioUnitErr_InvalidPropertyValue
        }
        return set(unit, unsafe data.loadUnaligned(as: Value.self))
      })
  }
}
