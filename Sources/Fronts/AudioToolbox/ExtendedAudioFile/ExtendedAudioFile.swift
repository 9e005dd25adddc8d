// The functions of ExtendedAudioFile.h that open, make, read, write and close.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFormats
public import CAudioToolbox
import ExtendedAudioFiles

/// Opens a sound file to read.
///
/// - Returns: As `AudioFileOpenURL`.
///
/// Context: control.
@c @implementation
public func ExtAudioFileOpenURL(
  _ url: CFURLRef?, _ outFile: UnsafeMutablePointer<ExtAudioFileRef?>?
) -> OSStatus {
  guard let outFile = unsafe outFile else { return kAudio_ParamError }
  unsafe outFile.pointee = nil
  var fileID: AudioFileHandle?
  let status = unsafe AudioFileOpenURL(url, kAudioFileReadPermission, 0, &fileID)
  guard status == noErr else { return status }
  return unsafe open(fileID, isOwned: true, isWriting: false, outFile)
}

/// Reads or writes a file that stays its opener's.
///
/// - Returns: `prm?` to write one that was opened to read; -38 for a handle that is not open.
///
/// Context: control.
@c @implementation
public func ExtAudioFileWrapAudioFileID(
  _ fileID: AudioFileHandle?, _ forWriting: Bool,
  _ outFile: UnsafeMutablePointer<ExtAudioFileRef?>?
) -> OSStatus {
  guard let outFile = unsafe outFile else { return kAudio_ParamError }
  unsafe outFile.pointee = nil
  return unsafe open(fileID, isOwned: false, isWriting: forWriting, outFile)
}

/// Makes a sound file, and keeps the layout of its channels where it has a place for it.
///
/// - Returns: As `AudioFileCreateWithURL`; -66564 for a layout of other channels than the format's.
///
/// Context: control.
@c @implementation
public func ExtAudioFileCreateWithURL(
  _ url: CFURLRef?, _ type: AudioFileTypeID,
  _ format: UnsafePointer<AudioStreamBasicDescription>?,
  _ layout: UnsafePointer<AudioChannelLayout>?, _ flags: UInt32,
  _ outFile: UnsafeMutablePointer<ExtAudioFileRef?>?
) -> OSStatus {
  guard let outFile = unsafe outFile, let format = unsafe format else { return kAudio_ParamError }
  unsafe outFile.pointee = nil
  let channels = unsafe ChannelLayout(layout)
  guard unsafe layout == nil || channels != nil else { return kAudio_ParamError }
  if let channels {
    // Before anything of an old file is lost.
    guard unsafe channels.channelCount == Int(format.pointee.mChannelsPerFrame) else {
      return kExtAudioFileError_InvalidChannelMap
    }
  }
  var fileID: AudioFileHandle?
  let status = unsafe AudioFileCreateWithURL(
    url, type, format, flags, &fileID)
  guard status == noErr else { return status }
  let opened = unsafe open(fileID, isOwned: true, isWriting: true, outFile)
  guard opened == noErr, let channels else { return opened }
  let set = unsafe ExtendedFiles.call(outFile.pointee) { (_, file) throws(AudioFileFailure) in
    try file.setFileLayout(channels)
  }
  if set != noErr { unsafe _ = ExtAudioFileDispose(outFile.pointee) }
  return set
}

private func open(
  _ fileID: AudioFileHandle?, isOwned: Bool, isWriting: Bool,
  _ outFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
  guard let fileID = unsafe fileID else { return kAudio_ParamError }
  let status = OpenedFile.status { () throws(AudioFileFailure) in
    let file = try unsafe ExtendedFile(
      HandledFile(fileID, isOwned: isOwned), isWriting: isWriting
    ) { (source, destination, manufacturer) throws(AudioFileFailure) in
      try HandledConverter(from: source, to: destination, manufacturer: manufacturer)
    }
    unsafe outFile.pointee = ExtendedFiles.keep(OpenExtendedFile(file, fileID))
  }
  if status != noErr, isOwned { unsafe _ = AudioFileClose(fileID) }
  return status
}

/// Writes the rest, and closes a file; one that was wrapped stays open.
///
/// - Returns: The failure of a thread that wrote for a render thread, or of the end of the sound.
///
/// Context: control; nobody uses the handle any more.
@c @implementation
public func ExtAudioFileDispose(_ file: ExtAudioFileRef?) -> OSStatus {
  guard let open = unsafe ExtendedFiles.remove(file) else { return kAudio_ParamError }
  var status = OpenedFile.status { () throws(AudioFileFailure) in try open.writer?.stop() }
  open.writer = nil
  let closed = OpenedFile.status { () throws(AudioFileFailure) in
    try open.extended.locked { (file) throws(AudioFileFailure) in try file.close() }
  }
  if status == noErr { status = closed }
  return status
}

/// Reads frames of the client's format.
///
/// - Returns: noErr with no frames at the end of the sound; -66563 for a compressed file without a client's format,
///   -66565 for one that is written; the decoder's error, after the frames before it were returned.
///
/// Context: control.
@c @implementation
public func ExtAudioFileRead(
  _ file: ExtAudioFileRef?, _ ioFrames: UnsafeMutablePointer<UInt32>?,
  _ ioData: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  guard let ioFrames = unsafe ioFrames, let ioData = unsafe ioData else { return kAudio_ParamError }
  return unsafe ExtendedFiles.call(file) { (_, file) throws(AudioFileFailure) in
    let wanted = unsafe ioFrames.pointee
    unsafe ioFrames.pointee = 0
    unsafe ioFrames.pointee = try unsafe file.read(ioData, frameCount: wanted)
  }
}

/// Writes frames of the client's format.
///
/// - Returns: -66565 for a file that is read, and after `ExtAudioFileWriteAsync` with frames.
///
/// Context: control.
@c @implementation
public func ExtAudioFileWrite(
  _ file: ExtAudioFileRef?, _ frames: UInt32, _ data: UnsafePointer<AudioBufferList>?
) -> OSStatus {
  guard let data = unsafe data else { return kAudio_ParamError }
  return unsafe ExtendedFiles.call(file) { (open, file) throws(AudioFileFailure) in
    guard open.writer?.isUsed != true else {
      throw AudioFileFailure(kExtAudioFileError_InvalidOperationOrder)
    }
    // The list is only read.
    try unsafe file.write(UnsafeMutablePointer(mutating: data), frameCount: frames)
  }
}

/// Copies frames of the client's format for a thread that writes them; the first call makes it.
///
/// - Returns: -66569 for more than is ever kept, -66570 where the file is too slow; an earlier error of the thread.
///
/// Context: render; the first call: control.
@c @implementation @_noLocks
public func ExtAudioFileWriteAsync(
  _ file: ExtAudioFileRef?, _ frames: UInt32, _ data: UnsafePointer<AudioBufferList>?
) -> OSStatus {
  guard let record = unsafe ExtendedFiles.record(file) else { return kAudio_ParamError }
  if unsafe record.pointee.asyncEnd == nil {
    // Door out of checked code: the first call, which makes ring and thread.
    let status = unsafe _unsafePerformance { unsafe beginWriting(file) }
    if status != noErr { return status }
  }
  guard let data = unsafe data else { return frames == 0 ? noErr : kAudio_ParamError }
  guard let end = unsafe record.pointee.asyncEnd else { return kAudio_ParamError }
  return unsafe end.assumingMemoryBound(to: AsyncWriteEnd.self).pointee.write(
    data, frameCount: frames)
}

/// Makes ring and thread of a file.
private func beginWriting(_ handle: ExtAudioFileRef?) -> OSStatus {
  unsafe ExtendedFiles.call(handle) { (open, file) throws(AudioFileFailure) in
    let writer = try AsyncWriter(file)
    open.writer = writer
    unsafe handle?.pointee.asyncEnd = UnsafeMutableRawPointer(writer.end)
  }
}

/// Goes to a frame, counted at the file's rate from the first one that is played.
///
/// - Returns: -66568 for a place in front of the sound, for a file that is written, and for a compressed one without a
///   client's format.
///
/// Context: control.
@c @implementation
public func ExtAudioFileSeek(_ file: ExtAudioFileRef?, _ frameOffset: Int64) -> OSStatus {
  unsafe ExtendedFiles.call(file) { (_, file) throws(AudioFileFailure) in
    try file.seek(to: frameOffset)
  }
}

/// Returns the frame that is read or written next, at the file's rate.
///
/// Context: control.
@c @implementation
public func ExtAudioFileTell(
  _ file: ExtAudioFileRef?, _ outFrameOffset: UnsafeMutablePointer<Int64>?
) -> OSStatus {
  guard let outFrameOffset = unsafe outFrameOffset else { return kAudio_ParamError }
  return unsafe ExtendedFiles.call(file) { (_, file) throws(AudioFileFailure) in
    unsafe outFrameOffset.pointee = file.position
  }
}
