// The functions of tracks: their destinations, their properties, and edits of stretches.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import MusicSequences

/// The sequence of a track.
///
/// Context: control.
@c @implementation
public func MusicTrackGetSequence(
  _ track: MusicTrack?, _ outSequence: UnsafeMutablePointer<MusicSequence?>?
) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    let found = try unsafe objects.track(track)
    guard let kept = objects.keeper(of: found) else { throw .parameter }
    try unsafe store(MusicSequence(bitPattern: kept.handle), outSequence)
  }
}

// MARK: Edits

/// Checks a stretch, and the time where something shall go.
private func check(_ start: Double, _ end: Double, _ place: Double = 0) throws(MusicFailure) {
  guard SequenceTrack.isStretch(start, end), place >= 0, place < endOfTrack else {
    throw .parameter
  }
}

/// Moves events by beats.
///
/// - Returns: -50 where one would be before the start, and nothing is moved.
///
/// Context: control.
@c @implementation
public func MusicTrackMoveEvents(
  _ track: MusicTrack?, _ start: MusicTimeStamp, _ end: MusicTimeStamp, _ moveTime: MusicTimeStamp
) -> OSStatus {
  unsafe withTrack(track) { (_, track) throws(MusicFailure) in
    try check(start, end)
    guard track.moveEvents(start, end, by: moveTime) else { throw .parameter }
  }
}

/// Makes a track of the same sequence with copies of events, the first beat of the stretch as its first.
///
/// Context: control.
@c @implementation
public func NewMusicTrackFrom(
  _ source: MusicTrack?, _ start: MusicTimeStamp, _ end: MusicTimeStamp,
  _ outTrack: UnsafeMutablePointer<MusicTrack?>?
) -> OSStatus {
  unsafe withTrack(source) { (objects, track) throws(MusicFailure) in
    try check(start, end)
    guard let outTrack = unsafe outTrack, let kept = objects.keeper(of: track) else {
      throw .parameter
    }
    let made = kept.model.newTrack()
    made.insertCopies(of: track, start, end, at: 0, opening: false)
    unsafe outTrack.pointee = unsafe objects.keep(made)
  }
}

/// Removes events, and leaves the gap.
///
/// Context: control.
@c @implementation
public func MusicTrackClear(
  _ track: MusicTrack?, _ start: MusicTimeStamp, _ end: MusicTimeStamp
) -> OSStatus {
  unsafe withTrack(track) { (_, track) throws(MusicFailure) in
    try check(start, end)
    track.clear(start, end, closing: false)
  }
}

/// Removes events, and closes the gap.
///
/// Context: control.
@c @implementation
public func MusicTrackCut(
  _ track: MusicTrack?, _ start: MusicTimeStamp, _ end: MusicTimeStamp
) -> OSStatus {
  unsafe withTrack(track) { (_, track) throws(MusicFailure) in
    try check(start, end)
    track.clear(start, end, closing: true)
  }
}

/// Copies events into a gap that is opened for them.
///
/// Context: control.
@c @implementation
public func MusicTrackCopyInsert(
  _ source: MusicTrack?, _ start: MusicTimeStamp, _ end: MusicTimeStamp,
  _ destination: MusicTrack?, _ insertTime: MusicTimeStamp
) -> OSStatus {
  unsafe copy(source, start, end, destination, insertTime, opening: true)
}

/// Copies events among existing ones.
///
/// Context: control.
@c @implementation
public func MusicTrackMerge(
  _ source: MusicTrack?, _ start: MusicTimeStamp, _ end: MusicTimeStamp,
  _ destination: MusicTrack?, _ insertTime: MusicTimeStamp
) -> OSStatus {
  unsafe copy(source, start, end, destination, insertTime, opening: false)
}

private func copy(
  _ source: MusicTrack?, _ start: Double, _ end: Double, _ destination: MusicTrack?,
  _ place: Double, opening: Bool
) -> OSStatus {
  unsafe withTrack(destination) { (objects, track) throws(MusicFailure) in
    let source = try unsafe objects.track(source)
    try check(start, end, place)
    track.insertCopies(of: source, start, end, at: place, opening: opening)
  }
}

// MARK: Properties

/// Bytes of a property's value; nil for an unknown property.
private func size(_ property: UInt32, _ track: SequenceTrack) -> UInt32? {
  switch property {
  case UInt32(kSequenceTrackProperty_LoopInfo): 16
  case UInt32(kSequenceTrackProperty_OffsetTime), UInt32(kSequenceTrackProperty_TrackLength): 8
  case UInt32(kSequenceTrackProperty_MuteStatus), UInt32(kSequenceTrackProperty_SoloStatus): 1
  case UInt32(kSequenceTrackProperty_AutomatedParameters): 4
  case UInt32(kSequenceTrackProperty_TimeResolution): track.isTempoTrack ? 2 : nil
  default: nil
  }
}

/// The value of a property; without memory for it, its size.
///
/// - Returns: -10879 for an unknown property, -10851 for too little room, -50.
///
/// Context: control.
@c @implementation
public func MusicTrackGetProperty(
  _ track: MusicTrack?, _ propertyID: UInt32, _ data: UnsafeMutableRawPointer?,
  _ ioLength: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    let track = try unsafe objects.track(track)
    guard let ioLength = unsafe ioLength else { throw .parameter }
    guard let size = size(propertyID, track) else {
      throw MusicFailure(status: kAudioUnitErr_InvalidProperty)
    }
    if let data = unsafe data {
      // Each property has one size: programs on a Mac leave it out, and write 0.
      guard unsafe ioLength.pointee == 0 || ioLength.pointee >= size else {
        throw MusicFailure(status: kAudioUnitErr_InvalidPropertyValue)
      }
      switch propertyID {
      case UInt32(kSequenceTrackProperty_LoopInfo):
        unsafe data.storeBytes(of: track.loop, as: MusicTrackLoopInfo.self)
      case UInt32(kSequenceTrackProperty_OffsetTime):
        unsafe data.storeBytes(of: track.offset, as: Double.self)
      case UInt32(kSequenceTrackProperty_TrackLength):
        unsafe data.storeBytes(of: track.length, as: Double.self)
      case UInt32(kSequenceTrackProperty_MuteStatus):
        unsafe data.storeBytes(of: track.isMuted ? 1 : 0, as: UInt8.self)
      case UInt32(kSequenceTrackProperty_SoloStatus):
        unsafe data.storeBytes(of: track.isSolo ? 1 : 0, as: UInt8.self)
      case UInt32(kSequenceTrackProperty_AutomatedParameters):
        unsafe data.storeBytes(of: track.automates, as: UInt32.self)
      default:
        unsafe data.storeBytes(of: track.sequence?.resolution ?? 0, as: Int16.self)
      }
    }
    unsafe ioLength.pointee = size
  }
}

/// Sets a property; it counts at once, also while the track plays.
///
/// - Returns: -10879 for an unknown property, -10865 for the resolution, -10851 for a wrong size or
///   a value without sense, -50.
///
/// Context: control.
@c @implementation
public func MusicTrackSetProperty(
  _ track: MusicTrack?, _ propertyID: UInt32, _ data: UnsafeMutableRawPointer?, _ length: UInt32
) -> OSStatus {
  unsafe withTrack(track) { (_, track) throws(MusicFailure) in
    guard let data = unsafe data else { throw .parameter }
    guard let size = size(propertyID, track) else {
      throw MusicFailure(status: kAudioUnitErr_InvalidProperty)
    }
    guard propertyID != UInt32(kSequenceTrackProperty_TimeResolution) else {
      throw MusicFailure(status: kAudioUnitErr_PropertyNotWritable)
    }
    guard length == size || length == 0 else {
      throw MusicFailure(status: kAudioUnitErr_InvalidPropertyValue)
    }
    try unsafe set(propertyID, track, data)
  }
}

private func set(
  _ property: UInt32, _ track: SequenceTrack, _ data: UnsafeMutableRawPointer
) throws(MusicFailure) {
  let wrong = MusicFailure(status: kAudioUnitErr_InvalidPropertyValue)
  func beats() throws(MusicFailure) -> Double {
    let value = unsafe data.loadUnaligned(as: Double.self)
    guard value >= 0, value < endOfTrack else { throw wrong }
    return value
  }
  switch property {
  case UInt32(kSequenceTrackProperty_LoopInfo):
    let loop = unsafe data.loadUnaligned(as: MusicTrackLoopInfo.self)
    guard loop.loopDuration >= 0, loop.loopDuration < endOfTrack, loop.numberOfLoops >= 0 else {
      throw wrong
    }
    track.loop = loop
  case UInt32(kSequenceTrackProperty_OffsetTime):
    let value = unsafe data.loadUnaligned(as: Double.self)
    guard abs(value) < endOfTrack else { throw wrong }
    track.offset = value
  case UInt32(kSequenceTrackProperty_TrackLength): track.wantedLength = try beats()
  case UInt32(kSequenceTrackProperty_MuteStatus):
    track.isMuted = unsafe data.load(as: UInt8.self) != 0
  case UInt32(kSequenceTrackProperty_SoloStatus):
    track.isSolo = unsafe data.load(as: UInt8.self) != 0
  default: track.automates = unsafe data.loadUnaligned(as: UInt32.self)
  }
}
