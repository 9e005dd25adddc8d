// The functions of AudioFile.h that ask for properties of an open file, and set them.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileProperties
import AudioFormats
import AudioTypes
public import CAudioToolbox

/// Returns the size of a property's value, and whether it can be set now.
///
/// - Returns: `pty?` for a property that the container does not have, or that the file does not hold.
///
/// Context: control.
@c @implementation
public func AudioFileGetPropertyInfo(
  _ file: AudioFileHandle?, _ property: AudioFilePropertyID,
  _ outByteCount: UnsafeMutablePointer<UInt32>?, _ outIsWritable: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  unsafe OpenedFile.call(file) { (file) throws(AudioFileFailure) in
    let isWritable = FileProperties.isWritable(property, file)
    do throws(AudioFileFailure) {
      unsafe outByteCount?.pointee = UInt32(clamping: try FileProperties.size(property, file))
    } catch {
      // A property that is not there yet can be set.
      guard isWritable, error == .property else { throw error }
      unsafe outByteCount?.pointee = 0
    }
    unsafe outIsWritable?.pointee = isWritable ? 1 : 0
  }
}

/// Copies the value of a property. Objects in it are the caller's to release.
///
/// - Returns: `!siz` when the memory has not the size of the value (for lists, cookies and layouts: is smaller); `pty?`
///   as above.
///
/// Context: control.
@c @implementation
public func AudioFileGetProperty(
  _ file: AudioFileHandle?, _ property: AudioFilePropertyID,
  _ ioByteCount: UnsafeMutablePointer<UInt32>?, _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let ioByteCount = unsafe ioByteCount, let outData = unsafe outData else {
    return kAudio_ParamError
  }
  return unsafe OpenedFile.call(file) { (file) throws(AudioFileFailure) in
    let room = Int(unsafe ioByteCount.pointee)
    let size = try FileProperties.size(property, file)
    guard FileProperties.isVariable(property) ? room >= size : room == size else { throw .size }
    unsafe ioByteCount.pointee = UInt32(size)
    switch property {
    case kAudioFilePropertyInfoDictionary:
      let info = unsafe try FileProperties.infoDictionary(file)
      unsafe outData.storeBytes(of: UInt(bitPattern: info), as: UInt.self)
    case kAudioFilePropertyDataFormatName:
      guard let text = FormatNames.name(of: file.format) else { throw .property }
      let name = unsafe makeCFString(text)
      unsafe outData.storeBytes(of: UInt(bitPattern: name), as: UInt.self)
    case kAudioFilePropertyMarkerList:
      unsafe MarkRecords.writeMarkers(try file.marks(), to: outData)
    case kAudioFilePropertyRegionList:
      unsafe MarkRecords.writeRegions(try file.marks(), to: outData)
    default:
      if try unsafe FileProperties.translate(property, file, outData) { return }
      let bytes = try FileProperties.value(property, file)
      unsafe outData.copyMemory(from: bytes, byteCount: bytes.count)
    }
  }
}

/// Sets a property.
///
/// - Returns: `prm?` for a file that was opened to read; `pty?`, `chk?` for properties that the container cannot hold;
///   `!siz`;
///   -50 for a packet table that does not sum up to all frames; `op??` for a longer sound, or too late.
///
/// Context: control.
@c @implementation
public func AudioFileSetProperty(
  _ file: AudioFileHandle?, _ property: AudioFilePropertyID, _ byteCount: UInt32,
  _ data: UnsafeRawPointer?
) -> OSStatus {
  guard let data = unsafe data else { return kAudio_ParamError }
  if property == kAudioFilePropertyUseAudioTrack {
    guard byteCount == 4 else { return kAudioFileBadPropertySizeError }
    return unsafe OpenedFile.choose(track: data.loadUnaligned(as: UInt32.self), of: file)
  }
  return unsafe OpenedFile.call(file) { (file) throws(AudioFileFailure) in
    let size = Int(byteCount)
    func value<Value: BitwiseCopyable>(_ type: Value.Type) throws(AudioFileFailure) -> Value {
      guard size == MemoryLayout<Value>.size else { throw .size }
      return unsafe data.loadUnaligned(as: type)
    }
    func bytes() -> [UInt8] { unsafe [UInt8](UnsafeRawBufferPointer(start: data, count: size)) }
    guard file.isWritable else { throw .permission }
    switch property {
    case kAudioFilePropertyDataFormat:
      try file.setFormat(try value(AudioStreamBasicDescription.self))
    case kAudioFilePropertyMagicCookieData: try file.setCookie(bytes())
    case kAudioFilePropertyAudioDataByteCount:
      try file.cut(toByteCount: Int64(clamping: try value(UInt64.self)))
    case kAudioFilePropertyAudioDataPacketCount:
      try file.cut(toPacketCount: Int64(clamping: try value(UInt64.self)))
    case kAudioFilePropertyChannelLayout: try file.setLayout(bytes())
    case kAudioFilePropertyDeferSizeUpdates:
      file.writesSizesAtOnce = try value(UInt32.self) == 0
      if file.writesSizesAtOnce { try file.flush() }
    case kAudioFilePropertyMarkerList:
      try file.setMarks(unsafe MarkRecords.markers(data, size), regions: false)
    case kAudioFilePropertyRegionList:
      try file.setMarks(unsafe MarkRecords.regions(data, size), regions: true)
    case kAudioFilePropertyPacketTableInfo:
      try file.setTrim(try value(AudioFilePacketTableInfo.self))
    case kAudioFilePropertyReserveDuration: try file.reserve(seconds: try value(Double.self))
    case kAudioFilePropertyID3Tag: try file.setTag(bytes())
    case kAudioFilePropertyInfoDictionary:
      guard size == 8 else { throw .size }
      let dictionary = unsafe data.loadUnaligned(as: CFDictionaryRef?.self)
      try file.setInfo(unsafe FileProperties.info(dictionary))
    default: throw .property
    }
  }
}

extension FileProperties {
  /// The strings of a dictionary; the duration follows from the sound and is left out.
  fileprivate static func info(
    _ dictionary: CFDictionaryRef?
  ) throws(AudioFileFailure) -> SoundInfo {
    guard let dictionary = unsafe dictionary,
      unsafe CFGetTypeID(UnsafeRawPointer(dictionary)) == CFDictionaryGetTypeID()
    else { throw .parameter }
    let count = unsafe Int(CFDictionaryGetCount(dictionary))
    var keys = unsafe [UnsafeRawPointer?](repeating: nil, count: count)
    var values = unsafe keys
    unsafe CFDictionaryGetKeysAndValues(dictionary, &keys, &values)
    var info = SoundInfo()
    for index in 0..<count {
      guard let key = unsafe keys[index], let value = unsafe values[index],
        unsafe CFGetTypeID(key) == CFStringGetTypeID(),
        unsafe CFGetTypeID(value) == CFStringGetTypeID(),
        let name = unsafe String(cfString: CFStringRef(key)),
        let text = unsafe String(cfString: CFStringRef(value))
      else { throw .parameter }
      if name != kAFInfoDictionary_ApproximateDurationInSeconds {
        info.entries.append((name, text))
      }
    }
    info.entries.sort { $0.key < $1.key }
    return info
  }
}
