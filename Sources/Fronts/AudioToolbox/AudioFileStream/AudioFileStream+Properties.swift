// The functions of AudioFileStream.h that ask for properties.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileProperties
public import CAudioToolbox

/// Returns the size of a property's value; none can be set.
///
/// - Returns: `pty?` for an unknown property; `more` before the sound is reached; `unk?` for data
///   that does not precede it.
///
/// Context: control.
@c @implementation
public func AudioFileStreamGetPropertyInfo(
  _ stream: AudioFileStreamHandle?, _ property: AudioFileStreamPropertyID,
  _ outByteCount: UnsafeMutablePointer<UInt32>?, _ outIsWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  unsafe OpenedStream.call(stream) { (opened) throws(AudioFileFailure) in
    let size = try StreamProperties.size(property, opened.stream)
    unsafe outByteCount?.pointee = UInt32(clamping: size)
    unsafe outIsWritable?.pointee = false
  }
}

/// Copies the value of a property. Objects in it are the caller's to release.
///
/// - Returns: `!siz` when the memory has not the size of the value (for lists, cookies and layouts: is smaller);
///   otherwise as above.
///
/// Context: control.
@c @implementation
public func AudioFileStreamGetProperty(
  _ stream: AudioFileStreamHandle?, _ property: AudioFileStreamPropertyID,
  _ ioByteCount: UnsafeMutablePointer<UInt32>?, _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let ioByteCount = unsafe ioByteCount, let outData = unsafe outData else {
    return kAudio_ParamError
  }
  return unsafe OpenedStream.call(stream) { (opened) throws(AudioFileFailure) in
    let room = Int(unsafe ioByteCount.pointee)
    let size = try StreamProperties.size(property, opened.stream)
    guard FileProperties.isVariable(property) ? room >= size : room == size else { throw .size }
    switch property {
    case kAudioFileStreamProperty_InfoDictionary:
      let info = unsafe FileProperties.dictionary(opened.stream.info)
      unsafe outData.storeBytes(of: UInt(bitPattern: info), as: UInt.self)
    case kAudioFileStreamProperty_ReadyToProducePackets:
      unsafe outData.storeBytes(of: opened.stream.file == nil ? 0 : 1, as: UInt32.self)
    default:
      if try unsafe StreamProperties.translate(property, opened.stream, outData) { break }
      let bytes = try StreamProperties.value(property, opened.stream)
      unsafe outData.copyMemory(from: bytes, byteCount: bytes.count)
    }
    unsafe ioByteCount.pointee = UInt32(size)
  }
}

/// Sets no property: none can be.
///
/// - Returns: `pty?`.
///
/// Context: control.
@c @implementation
public func AudioFileStreamSetProperty(
  _ stream: AudioFileStreamHandle?, _ property: AudioFileStreamPropertyID, _ byteCount: UInt32,
  _ data: UnsafeRawPointer?
) -> OSStatus {
  unsafe OpenedStream.call(stream) { (_) throws(AudioFileFailure) in throw .property }
}
