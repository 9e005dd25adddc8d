// The functions of sequences: making them, their tracks, types, times.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import MusicSequences

/// Makes a sequence without tracks, at 120 beats a minute.
///
/// Context: control.
@c @implementation
public func NewMusicSequence(_ outSequence: UnsafeMutablePointer<MusicSequence?>?) -> OSStatus {
  _ = musicIsShown
  return withMusic { (objects) throws(MusicFailure) in
    let made = KeptSequence()
    try unsafe store(MusicSequence(bitPattern: made.handle), outSequence)
    objects.sequences[made.handle] = made
    _ = unsafe objects.keep(made.model.tempoTrack)
  }
}

/// Disposes of a sequence, its tracks, and the graph that was made for it. Players of it stop.
///
/// - Returns: -10863 inside of a callback of a player of it.
///
/// Context: control.
@c @implementation
public func DisposeMusicSequence(_ sequence: MusicSequence?) -> OSStatus {
  var graph: UInt = 0
  guard letGo(of: UInt(bitPattern: sequence)) else {
    return kAudioToolboxErr_CannotDoInCurrentContext
  }
  let status = withMusic { (objects) throws(MusicFailure) in
    let gone = try unsafe objects.sequence(sequence)
    for track in gone.model.tracks { objects.forget(track) }
    objects.forget(gone.model.tempoTrack)
    objects.sequences[gone.handle] = nil
    if gone.ownsGraph { graph = gone.graph }
  }
  if graph != 0 { unsafe DisposeAUGraph(AUGraph(bitPattern: graph)) }
  return status
}

/// Adds a track.
///
/// Context: control.
@c @implementation
public func MusicSequenceNewTrack(
  _ sequence: MusicSequence?, _ outTrack: UnsafeMutablePointer<MusicTrack?>?
) -> OSStatus {
  unsafe withSequence(sequence) { (objects, kept) throws(MusicFailure) in
    guard let outTrack = unsafe outTrack else { throw .parameter }
    unsafe outTrack.pointee = unsafe objects.keep(kept.model.newTrack())
  }
}

/// Disposes of a track with its events; iterators of it are of no use any more.
///
/// - Returns: -10858 for a track of another sequence, and for the tempo track.
///
/// Context: control.
@c @implementation
public func MusicSequenceDisposeTrack(
  _ sequence: MusicSequence?, _ track: MusicTrack?
) -> OSStatus {
  unsafe withSequence(sequence) { (objects, kept) throws(MusicFailure) in
    let gone = try unsafe objects.track(track)
    guard kept.model.remove(gone) else {
      throw MusicFailure(status: kAudioToolboxErr_TrackNotFound)
    }
    objects.forget(gone)
  }
}

/// The number of tracks, without the tempo track.
///
/// Context: control.
@c @implementation
public func MusicSequenceGetTrackCount(
  _ sequence: MusicSequence?, _ outCount: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    try unsafe store(UInt32(objects.sequence(sequence).model.tracks.count), outCount)
  }
}

/// A track by its index.
///
/// - Returns: -10859 where there is none.
///
/// Context: control.
@c @implementation
public func MusicSequenceGetIndTrack(
  _ sequence: MusicSequence?, _ index: UInt32, _ outTrack: UnsafeMutablePointer<MusicTrack?>?
) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    let tracks = try unsafe objects.sequence(sequence).model.tracks
    guard Int(index) < tracks.count else {
      throw MusicFailure(status: kAudioToolboxErr_TrackIndexError)
    }
    try unsafe store(
      MusicTrack(bitPattern: MusicObjects.handle(of: tracks[Int(index)])), outTrack)
  }
}

/// The index of a track.
///
/// - Returns: -10858 for a track of another sequence, and for the tempo track.
///
/// Context: control.
@c @implementation
public func MusicSequenceGetTrackIndex(
  _ sequence: MusicSequence?, _ track: MusicTrack?, _ outIndex: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    let kept = try unsafe objects.sequence(sequence)
    guard let index = kept.model.index(of: try unsafe objects.track(track)) else {
      throw MusicFailure(status: kAudioToolboxErr_TrackNotFound)
    }
    try unsafe store(UInt32(index), outIndex)
  }
}

/// The track that holds the tempos.
///
/// Context: control.
@c @implementation
public func MusicSequenceGetTempoTrack(
  _ sequence: MusicSequence?, _ outTrack: UnsafeMutablePointer<MusicTrack?>?
) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    let track: SequenceTrack = try unsafe objects.sequence(sequence).model.tempoTrack
    try unsafe store(MusicTrack(bitPattern: MusicObjects.handle(of: track)), outTrack)
  }
}

/// Sets the unit of a beat: by the tempos, a second, or a sample.
///
/// - Returns: -10846 for an unknown type, and where there are tempos that a type other than beats
///   has no use for.
///
/// Context: control.
@c @implementation
public func MusicSequenceSetSequenceType(
  _ sequence: MusicSequence?, _ type: MusicSequenceType
) -> OSStatus {
  unsafe withSequence(sequence) { (_, kept) throws(MusicFailure) in
    guard kept.model.setType(type) else {
      throw MusicFailure(status: kAudioToolboxErr_InvalidSequenceType)
    }
  }
}

/// The unit of a beat.
///
/// Context: control.
@c @implementation
public func MusicSequenceGetSequenceType(
  _ sequence: MusicSequence?, _ outType: UnsafeMutablePointer<MusicSequenceType>?
) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    try unsafe store(objects.sequence(sequence).model.type, outType)
  }
}

/// Has all tracks run backwards, the tempos, too.
///
/// Context: control.
@c @implementation
public func MusicSequenceReverse(_ sequence: MusicSequence?) -> OSStatus {
  unsafe withSequence(sequence) { (_, kept) throws(MusicFailure) in kept.model.reverse() }
}

/// When a beat is.
///
/// Context: control.
@c @implementation
public func MusicSequenceGetSecondsForBeats(
  _ sequence: MusicSequence?, _ beats: MusicTimeStamp,
  _ outSeconds: UnsafeMutablePointer<Float64>?
) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    let map = try unsafe objects.sequence(sequence).model.map
    guard beats.isFinite else { throw .parameter }
    try unsafe store(map.seconds(atBeat: beats), outSeconds)
  }
}

/// Which beat there is at a time.
///
/// Context: control.
@c @implementation
public func MusicSequenceGetBeatsForSeconds(
  _ sequence: MusicSequence?, _ seconds: Float64, _ outBeats: UnsafeMutablePointer<MusicTimeStamp>?
) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    let map = try unsafe objects.sequence(sequence).model.map
    guard seconds.isFinite else { throw .parameter }
    try unsafe store(map.beat(atSeconds: seconds), outBeats)
  }
}

/// Has a function called for each user event that is played, on the thread that plays; null for none.
///
/// Context: control.
@c @implementation
public func MusicSequenceSetUserCallback(
  _ sequence: MusicSequence?, _ callback: MusicSequenceUserCallback?,
  _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
  unsafe withSequence(sequence) { (_, kept) throws(MusicFailure) in
    unsafe kept.callback = unsafe callback
    unsafe kept.callbackData = unsafe clientData
  }
}

/// The bar and beat of a time in beats, by the meters of the tempo track.
///
/// - Returns: -50 for a divisor that is 0 or above 65,535.
///
/// Context: control.
@c @implementation
public func MusicSequenceBeatsToBarBeatTime(
  _ sequence: MusicSequence?, _ beats: MusicTimeStamp, _ subbeatDivisor: UInt32,
  _ outBarBeatTime: UnsafeMutablePointer<CABarBeatTime>?
) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    let meters = try unsafe objects.sequence(sequence).model.meters
    guard abs(beats) < endOfTrack, subbeatDivisor > 0,
      let divisor = UInt16(exactly: subbeatDivisor)
    else { throw .parameter }
    try unsafe store(meters.barBeat(atBeat: beats, divisor: divisor), outBarBeatTime)
  }
}

/// The time in beats of a bar and beat.
///
/// - Returns: -50 for bar or beat 0, and for subbeats of nothing.
///
/// Context: control.
@c @implementation
public func MusicSequenceBarBeatTimeToBeats(
  _ sequence: MusicSequence?, _ barBeatTime: UnsafePointer<CABarBeatTime>?,
  _ outBeats: UnsafeMutablePointer<MusicTimeStamp>?
) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    let meters = try unsafe objects.sequence(sequence).model.meters
    guard let place = unsafe barBeatTime?.pointee, let beats = meters.beat(of: place) else {
      throw .parameter
    }
    try unsafe store(beats, outBeats)
  }
}
