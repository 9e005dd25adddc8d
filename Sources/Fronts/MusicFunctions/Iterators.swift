// The functions of iterators: from event to event, and changes of the one at hand.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import MusicSequences

/// Makes an iterator at the first event of a track.
///
/// Context: control.
@c @implementation
public func NewMusicEventIterator(
  _ track: MusicTrack?, _ outIterator: UnsafeMutablePointer<MusicEventIterator?>?
) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    let made = TrackIterator(try unsafe objects.track(track))
    let handle = MusicObjects.handle(of: made)
    try unsafe store(MusicEventIterator(bitPattern: handle), outIterator)
    objects.iterators[handle] = made
  }
}

/// Disposes of an iterator.
///
/// Context: control.
@c @implementation
public func DisposeMusicEventIterator(_ iterator: MusicEventIterator?) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    guard objects.iterators.removeValue(forKey: UInt(bitPattern: iterator)) != nil else {
      throw .parameter
    }
  }
}

/// Goes to the first event at a time or after it.
///
/// - Returns: -50 for a time below 0.
///
/// Context: control.
@c @implementation
public func MusicEventIteratorSeek(
  _ iterator: MusicEventIterator?, _ time: MusicTimeStamp
) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    let found = try unsafe objects.iterator(iterator)
    guard time >= 0 else { throw .parameter }
    found.seek(time)
  }
}

/// Goes to the next event, or behind the last.
///
/// - Returns: -10857 behind the last.
///
/// Context: control.
@c @implementation
public func MusicEventIteratorNextEvent(_ iterator: MusicEventIterator?) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    guard try unsafe objects.iterator(iterator).next() else {
      throw MusicFailure(status: kAudioToolboxErr_EndOfTrack)
    }
  }
}

/// Goes to the event before.
///
/// - Returns: -10856 at the first, where it stays.
///
/// Context: control.
@c @implementation
public func MusicEventIteratorPreviousEvent(_ iterator: MusicEventIterator?) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    guard try unsafe objects.iterator(iterator).previous() else {
      throw MusicFailure(status: kAudioToolboxErr_StartOfTrack)
    }
  }
}

/// Returns the current event; each result pointer may be null.
///
/// - Returns: -10857 behind the last.
///
/// Context: control.
@c @implementation
public func MusicEventIteratorGetEventInfo(
  _ iterator: MusicEventIterator?, _ outTime: UnsafeMutablePointer<MusicTimeStamp>?,
  _ outType: UnsafeMutablePointer<MusicEventType>?,
  _ outData: UnsafeMutablePointer<UnsafeRawPointer?>?, _ outDataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    guard let event = try unsafe objects.iterator(iterator).current else {
      throw MusicFailure(status: kAudioToolboxErr_EndOfTrack)
    }
    unsafe outTime?.pointee = event.beat
    unsafe outType?.pointee = event.data.type
    unsafe outData?.pointee = unsafe UnsafeRawPointer(event.data.pointer)
    unsafe outDataSize?.pointee = UInt32(event.data.byteCount)
  }
}

/// A body that changes the music that plays.
private func edit(
  _ iterator: MusicEventIterator?, _ body: (TrackIterator) throws(MusicFailure) -> Bool
) -> OSStatus {
  var changed: UInt = 0
  let status = withMusic { (objects) throws(MusicFailure) in
    let found = try unsafe objects.iterator(iterator)
    guard try body(found) else { throw MusicFailure(status: kAudioToolboxErr_EndOfTrack) }
    changed = found.track.flatMap { objects.keeper(of: $0) }?.handle ?? 0
  }
  if status == noErr { sequenceChanged(changed) }
  return status
}

/// Makes the current event another one at the same time.
///
/// - Returns: -10857 behind the last; -10853 for an unknown type, or one that the track does not
///   have; -50 for data without sense.
///
/// Context: control.
@c @implementation
public func MusicEventIteratorSetEventInfo(
  _ iterator: MusicEventIterator?, _ type: MusicEventType, _ data: UnsafeRawPointer?
) -> OSStatus {
  unsafe edit(iterator) { (found) throws(MusicFailure) in
    guard found.current != nil else { return false }
    guard (kMusicEventType_ExtendedNote...kMusicEventType_AUPreset).contains(type),
      type != kMusicEventType_ExtendedTempo || found.track?.isTempoTrack == true
    else { throw MusicFailure(status: kAudioToolboxErr_InvalidEventType) }
    guard let data = unsafe EventData(type, from: data) else { throw .parameter }
    return found.replace(with: data)
  }
}

/// Moves the current event to another time; the iterator stays with it.
///
/// - Returns: -10857 behind the last; -50 for an impossible time.
///
/// Context: control.
@c @implementation
public func MusicEventIteratorSetEventTime(
  _ iterator: MusicEventIterator?, _ time: MusicTimeStamp
) -> OSStatus {
  unsafe edit(iterator) { (found) throws(MusicFailure) in
    guard isPlace(time) else { throw .parameter }
    return found.move(to: time)
  }
}

/// Removes the current event; the next is the current one then.
///
/// - Returns: -10857 behind the last.
///
/// Context: control.
@c @implementation
public func MusicEventIteratorDeleteEvent(_ iterator: MusicEventIterator?) -> OSStatus {
  unsafe edit(iterator) { (found) throws(MusicFailure) in found.delete() }
}

/// Whether there is an event before the current one.
///
/// Context: control.
@c @implementation
public func MusicEventIteratorHasPreviousEvent(
  _ iterator: MusicEventIterator?, _ outHasPrevious: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    try unsafe store(objects.iterator(iterator).hasPrevious, outHasPrevious)
  }
}

/// Whether there is an event after the current one.
///
/// Context: control.
@c @implementation
public func MusicEventIteratorHasNextEvent(
  _ iterator: MusicEventIterator?, _ outHasNext: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    try unsafe store(objects.iterator(iterator).hasNext, outHasNext)
  }
}

/// Whether there is a current event.
///
/// Context: control.
@c @implementation
public func MusicEventIteratorHasCurrentEvent(
  _ iterator: MusicEventIterator?, _ outHasCurrent: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    try unsafe store(objects.iterator(iterator).current != nil, outHasCurrent)
  }
}
