// The functions that read sequences from MIDI files and write them.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox
import Glibc
import HostSystem
import MIDIFiles
import MacSystem
import MusicSequences

private func isReadable(_ type: MusicSequenceFileTypeID) -> Bool {
  type == kMusicSequenceFile_AnyType || type == kMusicSequenceFile_MIDIType
}

/// Adds the tracks of a file that was read.
private func load(
  _ sequence: MusicSequence?, _ flags: MusicSequenceLoadFlags,
  _ read: () throws(AuricleError) -> MIDIFile
) -> OSStatus {
  // Read before the lock is acquired: files are slow.
  let file: MIDIFile
  do throws(AuricleError) {
    file = try read()
  } catch {
    return error.category == .badData ? kAudioFileInvalidFileError : kAudio_FileNotFoundError
  }
  return unsafe withSequence(sequence) { (objects, kept) throws(MusicFailure) in
    kept.model.load(file, splitsChannels: flags & kMusicSequenceLoadSMF_ChannelsToTracks != 0)
    for track in kept.model.tracks { unsafe _ = objects.keep(track) }
  }
}

/// Whether a handle is that of a sequence.
private func isSequence(_ sequence: MusicSequence?) -> Bool {
  withMusic { (objects) throws(MusicFailure) in _ = try unsafe objects.sequence(sequence) } == noErr
}

/// Adds the tracks of a MIDI file.
///
/// - Returns: -43 for a file that cannot be read, `dta?` for another kind of file, `typ?` for a
///   type that is not read.
///
/// Context: control.
@c @implementation
public func MusicSequenceFileLoad(
  _ sequence: MusicSequence?, _ url: CFURLRef?, _ type: MusicSequenceFileTypeID,
  _ flags: MusicSequenceLoadFlags
) -> OSStatus {
  guard unsafe isSequence(sequence), unsafe url != nil else { return kAudio_ParamError }
  guard isReadable(type) else { return kAudioFileUnsupportedFileTypeError }
  guard let path = unsafe filePath(of: url) else { return kAudio_BadFilePathError }
  return unsafe load(sequence, flags) { () throws(AuricleError) in
    try MIDIFile(path: String(decoding: path.dropLast(), as: UTF8.self))
  }
}

/// Adds the tracks of the bytes of a MIDI file.
///
/// - Returns: As `MusicSequenceFileLoad`.
///
/// Context: control.
@c @implementation
public func MusicSequenceFileLoadData(
  _ sequence: MusicSequence?, _ data: CFDataRef?, _ type: MusicSequenceFileTypeID,
  _ flags: MusicSequenceLoadFlags
) -> OSStatus {
  guard unsafe isSequence(sequence), let data = unsafe data else { return kAudio_ParamError }
  guard isReadable(type) else { return kAudioFileUnsupportedFileTypeError }
  let bytes = unsafe [UInt8](
    UnsafeRawBufferPointer(start: CFDataGetBytePtr(data), count: CFDataGetLength(data)))
  return unsafe load(sequence, flags) { () throws(AuricleError) in
    try MIDIFile(bytes, name: "the data")
  }
}

/// The older name of `MusicSequenceFileLoadData`.
///
/// Context: control.
@c @implementation
public func MusicSequenceLoadSMFDataWithFlags(
  _ sequence: MusicSequence?, _ data: CFDataRef?, _ flags: MusicSequenceLoadFlags
) -> OSStatus {
  unsafe MusicSequenceFileLoadData(sequence, data, kMusicSequenceFile_MIDIType, flags)
}

/// The bytes of a sequence as a MIDI file.
private func encoded(
  _ sequence: MusicSequence?, _ type: MusicSequenceFileTypeID, _ resolution: Int16
) throws(MusicFailure) -> [UInt8] {
  var file: MIDIFile?
  let status = withMusic { (objects) throws(MusicFailure) in
    let model = try unsafe objects.sequence(sequence).model
    guard type == kMusicSequenceFile_MIDIType || type == kMusicSequenceFile_AnyType else {
      throw MusicFailure(status: kAudioFileUnsupportedFileTypeError)
    }
    do throws(AuricleError) {
      file = try model.midiFile(resolution: resolution)
    } catch {
      throw MusicFailure(status: error.status == 0 ? kAudio_ParamError : error.status)
    }
  }
  guard status == noErr, let file else { throw MusicFailure(status: status) }
  do throws(AuricleError) {
    return try file.encoded()
  } catch {
    throw .parameter
  }
}

/// Writes a sequence as a MIDI file of format 1. User, parameter and preset events are not in it.
///
/// - Returns: -54 where the file is there and the flags do not say to erase it; -43 where it cannot be written; -10846
///   for a sequence in samples; `typ?`; -50 for values that no file can hold.
///
/// Context: control.
@c @implementation
public func MusicSequenceFileCreate(
  _ sequence: MusicSequence?, _ url: CFURLRef?, _ type: MusicSequenceFileTypeID,
  _ flags: MusicSequenceFileFlags, _ resolution: Int16
) -> OSStatus {
  guard unsafe isSequence(sequence), unsafe url != nil else { return kAudio_ParamError }
  guard let path = unsafe filePath(of: url) else { return kAudio_BadFilePathError }
  let erases = flags & kMusicSequenceFileFlags_EraseFile != 0
  let name = String(decoding: path.dropLast(), as: UTF8.self)
  if !erases, unsafe access(name, F_OK) == 0 { return kAudio_FilePermissionError }
  do throws(MusicFailure) {
    let bytes = try unsafe encoded(sequence, type, resolution)
    do throws(AuricleError) {
      let file = try AtomicFile(path: name, overwrite: erases)
      guard FileTransfer.writeAll(bytes, to: file.descriptor) == 0 else {
        return kAudio_FileNotFoundError
      }
      try file.commit()
      return noErr
    } catch {
      return kAudio_FileNotFoundError
    }
  } catch {
    return error.status
  }
}

/// The bytes of a MIDI file of a sequence, which the caller releases.
///
/// - Returns: As `MusicSequenceFileCreate`.
///
/// Context: control.
@c @implementation
public func MusicSequenceFileCreateData(
  _ sequence: MusicSequence?, _ type: MusicSequenceFileTypeID, _ flags: MusicSequenceFileFlags,
  _ resolution: Int16, _ outData: UnsafeMutablePointer<CFDataRef?>?
) -> OSStatus {
  guard let outData = unsafe outData else { return kAudio_ParamError }
  do throws(MusicFailure) {
    let bytes = try unsafe encoded(sequence, type, resolution)
    unsafe outData.pointee = unsafe CFDataCreate(nil, bytes, CFIndex(bytes.count))
    return noErr
  } catch {
    return error.status
  }
}

/// The older name of `MusicSequenceFileCreateData`.
///
/// Context: control.
@c @implementation
public func MusicSequenceSaveSMFData(
  _ sequence: MusicSequence?, _ outData: UnsafeMutablePointer<CFDataRef?>?, _ resolution: UInt16
) -> OSStatus {
  unsafe MusicSequenceFileCreateData(
    sequence, kMusicSequenceFile_MIDIType, kMusicSequenceFileFlags_Default,
    Int16(bitPattern: resolution), outData)
}

/// The texts of the file, a dictionary of strings which the caller releases.
///
/// - Returns: Null for another object.
///
/// Context: control.
@c @implementation
public func MusicSequenceGetInfoDictionary(_ sequence: MusicSequence?) -> CFDictionaryRef? {
  var info: [String: String]?
  _ = withMusic { (objects) throws(MusicFailure) in
    info = try unsafe objects.sequence(sequence).model.info
  }
  guard let info else { return nil }
  var objects: [String: UnsafeRawPointer?] = unsafe [:]
  for (key, text) in info {
    unsafe objects[key] = unsafe UnsafeRawPointer(makeCFString(text))
  }
  return unsafe makeCFDictionary(takingOver: objects)
}
