// The sequences, tracks, iterators and players that C code has handles of.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import MusicSequences
import Synchronization

/// A status of Music Player functions.
struct MusicFailure: Error {
  let status: OSStatus

  static var parameter: MusicFailure { MusicFailure(status: kAudio_ParamError) }
}

/// A sequence with the state of its playing.
///
/// @unchecked Sendable because it is used under the lock of `MusicObjects`.
@safe final class KeptSequence: @unchecked Sendable {
  let model = SequenceModel()
  /// The handle of its graph; 0 for none.
  var graph: UInt = 0
  /// Whether the graph was made for it, and goes with it.
  var ownsGraph = false
  var callback: MusicSequenceUserCallback?
  var callbackData: UnsafeMutableRawPointer?

  /// The handle for C code.
  var handle: UInt { unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
}

/// The objects of this process by their handles. A handle is found in a table, never dereferenced.
struct MusicObjects {
  var sequences: [UInt: KeptSequence] = [:]
  var tracks: [UInt: SequenceTrack] = [:]
  var iterators: [UInt: TrackIterator] = [:]

  /// The sequence of a handle.
  func sequence(_ handle: MusicSequence?) throws(MusicFailure) -> KeptSequence {
    guard let found = sequences[UInt(bitPattern: handle)] else { throw .parameter }
    return found
  }

  /// The track of a handle.
  func track(_ handle: MusicTrack?) throws(MusicFailure) -> SequenceTrack {
    guard let found = tracks[UInt(bitPattern: handle)] else { throw .parameter }
    return found
  }

  /// The iterator of a handle, with a track that is there.
  func iterator(_ handle: MusicEventIterator?) throws(MusicFailure) -> TrackIterator {
    guard let found = iterators[UInt(bitPattern: handle)], found.track != nil else {
      throw .parameter
    }
    return found
  }

  /// The sequence that holds a track.
  func keeper(of track: SequenceTrack) -> KeptSequence? {
    guard let model = track.sequence else { return nil }
    return sequences.values.first { $0.model === model }
  }

  /// Keeps a track, and answers its handle.
  mutating func keep(_ track: SequenceTrack) -> MusicTrack? {
    let handle = MusicObjects.handle(of: track)
    tracks[handle] = track
    return unsafe MusicTrack(bitPattern: handle)
  }

  /// Forgets a track, and the iterators of it.
  mutating func forget(_ track: SequenceTrack) {
    tracks[MusicObjects.handle(of: track)] = nil
  }

  /// The handle of an object.
  static func handle(of object: AnyObject) -> UInt {
    unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  /// All of this process.
  static let all = Mutex(MusicObjects())
}

/// Calls a body with all objects, and converts errors to a status. Not from render code.
func withMusic(_ body: (inout MusicObjects) throws(MusicFailure) -> Void) -> OSStatus {
  MusicObjects.all.withLock { objects -> OSStatus in
    do throws(MusicFailure) {
      try body(&objects)
      return noErr
    } catch {
      return error.status
    }
  }
}

/// The same for a body that changes the playing of a track's sequence.
func withTrack(
  _ handle: MusicTrack?, _ body: (inout MusicObjects, SequenceTrack) throws(MusicFailure) -> Void
) -> OSStatus {
  var changed: UInt = 0
  let status = withMusic { (objects) throws(MusicFailure) in
    let track = try unsafe objects.track(handle)
    try body(&objects, track)
    changed = objects.keeper(of: track)?.handle ?? 0
  }
  if status == noErr { sequenceChanged(changed) }
  return status
}

/// The same for a body that changes a sequence.
func withSequence(
  _ handle: MusicSequence?, _ body: (inout MusicObjects, KeptSequence) throws(MusicFailure) -> Void
) -> OSStatus {
  let status = withMusic { (objects) throws(MusicFailure) in
    try body(&objects, try unsafe objects.sequence(handle))
  }
  if status == noErr { sequenceChanged(UInt(bitPattern: handle)) }
  return status
}

/// Writes a value where a program wants it.
func store<Value>(
  _ value: Value, _ result: UnsafeMutablePointer<Value>?
) throws(MusicFailure) {
  guard let result = unsafe result else { throw .parameter }
  unsafe result.pointee = value
}
