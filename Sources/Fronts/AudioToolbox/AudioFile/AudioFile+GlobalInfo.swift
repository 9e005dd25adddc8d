// The functions of AudioFile.h that need no file: which types and formats there are.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileProperties
import AudioTypes
public import CAudioToolbox

/// Returns the size of the result of `AudioFileGetGlobalInfo`.
///
/// Context: control.
@c @implementation
public func AudioFileGetGlobalInfoSize(
  _ property: AudioFilePropertyID, _ specifierSize: UInt32, _ specifier: UnsafeMutableRawPointer?,
  _ outByteCount: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  guard let outByteCount = unsafe outByteCount else { return kAudio_ParamError }
  return OpenedFile.status { () throws(AudioFileFailure) in
    switch try unsafe GlobalInfo(property, specifierSize, specifier) {
    case .bytes(let bytes): unsafe outByteCount.pointee = UInt32(bytes.count)
    case .text, .texts: unsafe outByteCount.pointee = 8
    }
  }
}

/// Copies a list of types or formats, or their names. Objects are the caller's to release.
///
/// - Returns: `pty?` for an unknown property, `typ?` for an unknown type. `fmt?` for a format that
///   a container cannot be written with, `!siz` for a specifier or a memory of another size.
///
/// Context: control.
@c @implementation
public func AudioFileGetGlobalInfo(
  _ property: AudioFilePropertyID, _ specifierSize: UInt32, _ specifier: UnsafeMutableRawPointer?,
  _ ioByteCount: UnsafeMutablePointer<UInt32>?, _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let ioByteCount = unsafe ioByteCount, let outData = unsafe outData else {
    return kAudio_ParamError
  }
  return OpenedFile.status { () throws(AudioFileFailure) in
    let room = Int(unsafe ioByteCount.pointee)
    var object: UInt = 0
    switch try unsafe GlobalInfo(property, specifierSize, specifier) {
    case .bytes(let bytes):
      guard room >= bytes.count else { throw .size }
      unsafe outData.copyMemory(from: bytes, byteCount: bytes.count)
      unsafe ioByteCount.pointee = UInt32(bytes.count)
      return
    case .text(let text):
      guard room >= 8 else { throw .size }
      object = unsafe UInt(bitPattern: makeCFString(text))
    case .texts(let texts):
      guard room >= 8 else { throw .size }
      object = unsafe UInt(bitPattern: makeCFArray(texts))
    }
    unsafe outData.storeBytes(of: object, as: UInt.self)
    unsafe ioByteCount.pointee = 8
  }
}

/// Properties without a file.
private enum GlobalInfo {
  case bytes([UInt8])
  case text(String)
  case texts([String])

  init(
    _ property: AudioFilePropertyID, _ size: UInt32, _ specifier: UnsafeMutableRawPointer?
  ) throws(AudioFileFailure) {
    func value<Value: BitwiseCopyable>(_ type: Value.Type) throws(AudioFileFailure) -> Value {
      guard let specifier = unsafe specifier else { throw .parameter }
      guard size == MemoryLayout<Value>.size else { throw .size }
      return unsafe specifier.loadUnaligned(as: type)
    }
    func fileType() throws(AudioFileFailure) -> FileType { try .of(try value(UInt32.self)) }
    func text() throws(AudioFileFailure) -> String {
      guard let specifier = unsafe specifier, size == 8,
        let text = unsafe String(cfString: specifier.loadUnaligned(as: CFStringRef?.self))
      else { throw .parameter }
      return text
    }
    switch property {
    case kAudioFileGlobalInfo_ReadableTypes: self = .codes(Containers.readableTypes)
    case kAudioFileGlobalInfo_WritableTypes: self = .codes(Containers.writableTypes)
    case kAudioFileGlobalInfo_FileTypeName: self = .text(try fileType().name)
    case kAudioFileGlobalInfo_AvailableFormatIDs:
      let formats = FormatTables.formats(of: try fileType().type)
      guard !formats.isEmpty else { throw .fileType }
      self = .codes(formats)
    case kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat:
      let pair = try value(AudioFileTypeAndFormatID.self)
      self = .bytes(
        try FormatTables.descriptions(of: pair.mFormatID, in: pair.mFileType).flatMap {
          FileProperties.bytes($0)
        })
    case kAudioFileGlobalInfo_AllExtensions: self = .all(\.extensions)
    case kAudioFileGlobalInfo_AllUTIs: self = .all(\.uniformTypes)
    case kAudioFileGlobalInfo_AllMIMETypes: self = .all(\.mimeTypes)
    case kAudioFileGlobalInfo_AllHFSTypeCodes: self = .codes(FileType.all.flatMap(\.systemCodes))
    case kAudioFileGlobalInfo_ExtensionsForType: self = .texts(try fileType().extensions)
    case kAudioFileGlobalInfo_UTIsForType: self = .texts(try fileType().uniformTypes)
    case kAudioFileGlobalInfo_MIMETypesForType: self = .texts(try fileType().mimeTypes)
    case kAudioFileGlobalInfo_HFSTypeCodesForType: self = .codes(try fileType().systemCodes)
    case kAudioFileGlobalInfo_TypesForExtension:
      self = .types(\.extensions, try text().lowercased())
    case kAudioFileGlobalInfo_TypesForMIMEType: self = .types(\.mimeTypes, try text().lowercased())
    case kAudioFileGlobalInfo_TypesForUTI: self = .types(\.uniformTypes, try text())
    case kAudioFileGlobalInfo_TypesForHFSTypeCode:
      let code = try value(UInt32.self)
      self = .codes(FileType.all.filter { $0.systemCodes.contains(code) }.map(\.type))
    default: throw .property
    }
  }

  private static func codes(_ codes: [UInt32]) -> GlobalInfo {
    .bytes(codes.flatMap { FileProperties.bytes($0) })
  }

  private static func all(_ texts: KeyPath<FileType, [String]>) -> GlobalInfo {
    var seen: Set<String> = []
    return .texts(FileType.all.flatMap { $0[keyPath: texts] }.filter { seen.insert($0).inserted })
  }

  private static func types(
    _ texts: KeyPath<FileType, [String]>, _ wanted: String
  ) -> GlobalInfo {
    codes(FileType.all.filter { $0[keyPath: texts].contains(wanted) }.map(\.type))
  }
}
