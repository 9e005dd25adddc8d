// The functions that add events to tracks.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import MusicSequences

/// Whether an event can be at a time.
func isPlace(_ time: Double) -> Bool { time >= 0 && time < endOfTrack }

/// Adds an event.
private func add(
  _ handle: MusicTrack?, _ time: Double, _ type: MusicEventType, _ data: UnsafeRawPointer?
) -> OSStatus {
  unsafe withTrack(handle) { (_, track) throws(MusicFailure) in
    guard isPlace(time), let data = unsafe EventData(type, from: data) else { throw .parameter }
    guard type != kMusicEventType_ExtendedTempo || track.isTempoTrack else {
      throw MusicFailure(status: kAudioToolboxErr_InvalidEventType)
    }
    track.insert(data, at: time)
  }
}

/// Adds a note.
///
/// - Returns: -50 for values out of range and times that are none.
///
/// Context: control.
@c @implementation
public func MusicTrackNewMIDINoteEvent(
  _ track: MusicTrack?, _ time: MusicTimeStamp, _ message: UnsafePointer<MIDINoteMessage>?
) -> OSStatus {
  unsafe add(track, time, kMusicEventType_MIDINoteMessage, message)
}

/// Adds a message of a channel.
///
/// - Returns: -50 for another message.
///
/// Context: control.
@c @implementation
public func MusicTrackNewMIDIChannelEvent(
  _ track: MusicTrack?, _ time: MusicTimeStamp, _ message: UnsafePointer<MIDIChannelMessage>?
) -> OSStatus {
  unsafe add(track, time, kMusicEventType_MIDIChannelMessage, message)
}

/// Adds bytes to be sent.
///
/// - Returns: -50 for none.
///
/// Context: control.
@c @implementation
public func MusicTrackNewMIDIRawDataEvent(
  _ track: MusicTrack?, _ time: MusicTimeStamp, _ data: UnsafePointer<MIDIRawData>?
) -> OSStatus {
  unsafe add(track, time, kMusicEventType_MIDIRawData, data)
}

/// Adds a note with parameters.
///
/// - Returns: -50 for values out of range.
///
/// Context: control.
@c @implementation
public func MusicTrackNewExtendedNoteEvent(
  _ track: MusicTrack?, _ time: MusicTimeStamp, _ note: UnsafePointer<ExtendedNoteOnEvent>?
) -> OSStatus {
  unsafe add(track, time, kMusicEventType_ExtendedNote, note)
}

/// Adds a value of a unit's parameter.
///
/// - Returns: -50 for NaN.
///
/// Context: control.
@c @implementation
public func MusicTrackNewParameterEvent(
  _ track: MusicTrack?, _ time: MusicTimeStamp, _ parameter: UnsafePointer<ParameterEvent>?
) -> OSStatus {
  unsafe add(track, time, kMusicEventType_Parameter, parameter)
}

/// Adds a tempo.
///
/// - Returns: -10853 for another track than the tempo track; -50 for a tempo that is not above 0.
///
/// Context: control.
@c @implementation
public func MusicTrackNewExtendedTempoEvent(
  _ track: MusicTrack?, _ time: MusicTimeStamp, _ bpm: Float64
) -> OSStatus {
  var event = ExtendedTempoEvent(bpm: bpm)
  return unsafe add(track, time, kMusicEventType_ExtendedTempo, &event)
}

/// Adds a meta event.
///
/// Context: control.
@c @implementation
public func MusicTrackNewMetaEvent(
  _ track: MusicTrack?, _ time: MusicTimeStamp, _ event: UnsafePointer<MIDIMetaEvent>?
) -> OSStatus {
  unsafe add(track, time, kMusicEventType_Meta, event)
}

/// Adds data for the callback of the sequence.
///
/// Context: control.
@c @implementation
public func MusicTrackNewUserEvent(
  _ track: MusicTrack?, _ time: MusicTimeStamp, _ data: UnsafePointer<MusicEventUserData>?
) -> OSStatus {
  unsafe add(track, time, kMusicEventType_User, data)
}

/// Adds a ClassInfo for the track's unit, which the track retains.
///
/// - Returns: -50 without one.
///
/// Context: control.
@c @implementation
public func MusicTrackNewAUPresetEvent(
  _ track: MusicTrack?, _ time: MusicTimeStamp, _ preset: UnsafePointer<AUPresetEvent>?
) -> OSStatus {
  unsafe add(track, time, kMusicEventType_AUPreset, preset)
}
