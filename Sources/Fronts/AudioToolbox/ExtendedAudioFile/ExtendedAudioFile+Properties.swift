// The functions of ExtendedAudioFile.h that read and set properties.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileProperties
import AudioFormats
public import CAudioToolbox
import ExtendedAudioFiles

/// Returns the size of a property in bytes, and whether it can be set.
///
/// - Returns: -66561 for an unknown property, or one that the file does not have.
///
/// Context: control.
@c @implementation
public func ExtAudioFileGetPropertyInfo(
  _ file: ExtAudioFileRef?, _ property: ExtAudioFilePropertyID,
  _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  unsafe ExtendedFiles.call(file) { (open, file) throws(AudioFileFailure) in
    unsafe outSize?.pointee = UInt32(try size(of: property, open, file))
    unsafe outWritable?.pointee = isWritable(property, file)
  }
}

/// Reads a property. Objects are the caller's to release; converter and file stay this file's.
///
/// - Returns: -66562 for memory that is smaller than the value.
///
/// Context: control.
@c @implementation
public func ExtAudioFileGetProperty(
  _ file: ExtAudioFileRef?, _ property: ExtAudioFilePropertyID,
  _ ioSize: UnsafeMutablePointer<UInt32>?, _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let ioSize = unsafe ioSize, let outData = unsafe outData else { return kAudio_ParamError }
  return unsafe ExtendedFiles.call(file) { (open, file) throws(AudioFileFailure) in
    let room = Int(unsafe ioSize.pointee)
    guard room >= (try size(of: property, open, file)) else {
      throw AudioFileFailure(kExtAudioFileError_InvalidPropertySize)
    }
    let bytes = try value(of: property, open, file)
    unsafe outData.copyMemory(from: bytes, byteCount: bytes.count)
    unsafe ioSize.pointee = UInt32(bytes.count)
  }
}

/// Sets a property.
///
/// - Returns: -66561 for one that is only read, -66562 for a value of another size, and the errors of
///   `ExtendedFile`.
///
/// Context: control.
@c @implementation
public func ExtAudioFileSetProperty(
  _ file: ExtAudioFileRef?, _ property: ExtAudioFilePropertyID, _ size: UInt32,
  _ data: UnsafeRawPointer?
) -> OSStatus {
  guard let supplied = unsafe PropertySpecifier(data, size) else { return kAudio_ParamError }
  return unsafe ExtendedFiles.call(file) { (open, file) throws(AudioFileFailure) in
    func number<Number: BitwiseCopyable>(_ type: Number.Type) throws(AudioFileFailure) -> Number {
      guard supplied.byteCount == MemoryLayout<Number>.size, let number = supplied.value(type)
      else {
        throw AudioFileFailure(kExtAudioFileError_InvalidPropertySize)
      }
      return number
    }
    func layout() throws(AudioFileFailure) -> ChannelLayout {
      guard let layout = supplied.layout else {
        throw AudioFileFailure(kExtAudioFileError_InvalidPropertySize)
      }
      return layout
    }
    switch property {
    case kExtAudioFileProperty_ClientDataFormat:
      guard open.writer == nil else { throw .init(kExtAudioFileError_InvalidOperationOrder) }
      try file.setClientFormat(try number(AudioStreamBasicDescription.self))
    case kExtAudioFileProperty_ClientChannelLayout: try file.setClientLayout(try layout())
    case kExtAudioFileProperty_FileChannelLayout: try file.setFileLayout(try layout())
    case kExtAudioFileProperty_CodecManufacturer:
      file.codecManufacturer = try number(UInt32.self)
    case kExtAudioFileProperty_FileLengthFrames: try file.setFrameCount(try number(Int64.self))
    case kExtAudioFileProperty_ConverterConfig:
      // No bytes at all say the same as NULL.
      try configure(file, supplied.byteCount == 0 ? 0 : try number(UInt.self))
    case kExtAudioFileProperty_IOBufferSizeBytes:
      try file.setBufferSize(Int(try number(UInt32.self)))
    case kExtAudioFileProperty_IOBuffer:
      unsafe file.setBuffer(UnsafeMutableRawPointer(bitPattern: try number(UInt.self)))
    case kExtAudioFileProperty_PacketTable:
      try file.setPacketTable(try number(AudioFilePacketTableInfo.self))
    default: throw AudioFileFailure(kExtAudioFileError_InvalidProperty)
    }
  }
}

/// Hands settings to the converter, and brings the file up to date with it.
private func configure(_ file: ExtendedFile, _ settings: UInt) throws(AudioFileFailure) {
  guard let converter = file.converter else {
    guard settings == 0 else { throw .init(kExtAudioFileError_InvalidOperationOrder) }
    return
  }
  if settings != 0 {
    let bytes = unsafe withUnsafeBytes(of: settings) { unsafe Array($0) }
    let status = converter.set(kAudioConverterPropertySettings, to: bytes)
    guard status == noErr else { throw AudioFileFailure(status) }
  }
  try file.converterChanged()
}

private func isWritable(_ property: ExtAudioFilePropertyID, _ file: ExtendedFile) -> Bool {
  switch property {
  case kExtAudioFileProperty_FileChannelLayout, kExtAudioFileProperty_ClientDataFormat,
    kExtAudioFileProperty_ClientChannelLayout, kExtAudioFileProperty_CodecManufacturer,
    kExtAudioFileProperty_ConverterConfig, kExtAudioFileProperty_IOBufferSizeBytes,
    kExtAudioFileProperty_IOBuffer, kExtAudioFileProperty_PacketTable:
    true
  case kExtAudioFileProperty_FileLengthFrames:
    file.isWriting && file.fileFormat.mFormatID == kAudioFormatLinearPCM
  default: false
  }
}

/// The size of a value, without making objects.
private func size(
  of property: ExtAudioFilePropertyID, _ open: OpenExtendedFile, _ file: ExtendedFile
) throws(AudioFileFailure) -> Int {
  property == kExtAudioFileProperty_ConverterConfig
    ? 8 : try value(of: property, open, file).count
}

private func value(
  of property: ExtAudioFilePropertyID, _ open: OpenExtendedFile, _ file: ExtendedFile
) throws(AudioFileFailure) -> [UInt8] {
  switch property {
  case kExtAudioFileProperty_FileDataFormat: return FileProperties.bytes(file.fileFormat)
  case kExtAudioFileProperty_ClientDataFormat: return FileProperties.bytes(file.clientFormat)
  case kExtAudioFileProperty_FileChannelLayout, kExtAudioFileProperty_ClientChannelLayout:
    let isFile = property == kExtAudioFileProperty_FileChannelLayout
    guard let layout = isFile ? file.fileLayout : file.clientLayout ?? file.sharedLayout else {
      throw AudioFileFailure(kExtAudioFileError_InvalidProperty)
    }
    return layout.bytes
  case kExtAudioFileProperty_CodecManufacturer: return FileProperties.bytes(file.codecManufacturer)
  case kExtAudioFileProperty_AudioConverter:
    let handle = unsafe (file.converter as? HandledConverter)?.handle
    return FileProperties.bytes(UInt(bitPattern: handle))
  case kExtAudioFileProperty_AudioFile:
    return unsafe FileProperties.bytes(UInt(bitPattern: open.fileID))
  case kExtAudioFileProperty_FileMaxPacketSize:
    return FileProperties.bytes(try file.fileMaxPacketSize())
  case kExtAudioFileProperty_ClientMaxPacketSize:
    guard file.clientFormat.mBytesPerPacket > 0 else {
      return FileProperties.bytes(try file.fileMaxPacketSize())
    }
    return FileProperties.bytes(file.clientFormat.mBytesPerPacket)
  case kExtAudioFileProperty_FileLengthFrames: return FileProperties.bytes(try file.frameCount())
  case kExtAudioFileProperty_ConverterConfig:
    let settings = file.converter?.value(of: kAudioConverterPropertySettings)
    return settings?.count == 8 ? settings ?? [] : [UInt8](repeating: 0, count: 8)
  case kExtAudioFileProperty_IOBufferSizeBytes: return FileProperties.bytes(file.bufferSize)
  case kExtAudioFileProperty_IOBuffer:
    return FileProperties.bytes(UInt(bitPattern: unsafe file.bufferMemory))
  case kExtAudioFileProperty_PacketTable:
    guard let table = try file.packetTable() else {
      throw AudioFileFailure(kExtAudioFileError_InvalidProperty)
    }
    return FileProperties.bytes(table)
  default: throw AudioFileFailure(kExtAudioFileError_InvalidProperty)
  }
}
