// What can be asked of an open file: sizes, whether it can be set, values.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioTypes
import CAudioToolbox

/// The properties of AudioFileProperties.h on an open file.
enum FileProperties {
  /// Whether a value may be of any size, and the caller's memory larger than it.
  static func isVariable(_ property: AudioFilePropertyID) -> Bool {
    [
      kAudioFilePropertyMagicCookieData, kAudioFilePropertyChannelLayout,
      kAudioFilePropertyMarkerList, kAudioFilePropertyRegionList, kAudioFilePropertyFormatList,
      kAudioFilePropertyChunkIDs, kAudioFilePropertyID3Tag,
    ].contains(property)
  }

  /// The size of a value in bytes.
  ///
  /// - Throws: As reading it.
  static func size(
    _ property: AudioFilePropertyID, _ file: PacketFile
  ) throws(AudioFileFailure) -> Int {
    switch property {
    case kAudioFilePropertyInfoDictionary, kAudioFilePropertyDataFormatName: return 8
    case kAudioFilePropertyAlbumArtwork: throw .property
    case kAudioFilePropertyMarkerList: return MarkRecords.markerListSize(try file.marks())
    case kAudioFilePropertyRegionList: return MarkRecords.regionListSize(try file.marks())
    case kAudioFilePropertyPacketToFrame, kAudioFilePropertyFrameToPacket:
      return MemoryLayout<AudioFramePacketTranslation>.size
    case kAudioFilePropertyPacketToByte, kAudioFilePropertyByteToPacket:
      return MemoryLayout<AudioBytePacketTranslation>.size
    case kAudioFilePropertyPacketRangeByteCountUpperBound:
      return MemoryLayout<AudioPacketRangeByteCountTranslation>.size
    case kAudioFilePropertyPacketToRollDistance, kAudioFilePropertyPreviousIndependentPacket,
      kAudioFilePropertyNextIndependentPacket, kAudioFilePropertyPacketToDependencyInfo:
      return 16
    case kAudioFilePropertyReserveDuration:
      guard file.stores(property) else { throw .property }
      return 8
    default: return try value(property, file).count
    }
  }

  /// Whether a property can be set now.
  static func isWritable(_ property: AudioFilePropertyID, _ file: PacketFile) -> Bool {
    guard file.isWritable else { return false }
    switch property {
    case kAudioFilePropertyDeferSizeUpdates, kAudioFilePropertyAudioDataByteCount,
      kAudioFilePropertyAudioDataPacketCount:
      return true
    case kAudioFilePropertyDataFormat: return file.byteCount() == 0
    default: return file.stores(property)
    }
  }

  /// A value that does not depend on what the caller asks for with it.
  static func value(
    _ property: AudioFilePropertyID, _ file: PacketFile
  ) throws(AudioFileFailure) -> [UInt8] {
    switch property {
    case kAudioFilePropertyFileFormat: return bytes(file.type)
    case kAudioFilePropertyDataFormat: return bytes(file.format)
    case kAudioFilePropertyFormatList: return formatList(file)
    case kAudioFilePropertyIsOptimized: return bytes(file.isOptimized ? UInt32(1) : 0)
    case kAudioFilePropertyMagicCookieData:
      guard !file.cookie.isEmpty || file.stores(property) else { throw .property }
      return file.cookie
    case kAudioFilePropertyAudioDataByteCount: return bytes(UInt64(file.byteCount()))
    case kAudioFilePropertyAudioDataPacketCount: return bytes(UInt64(try file.packetCount()))
    case kAudioFilePropertyMaximumPacketSize: return bytes(try file.largestPacket())
    case kAudioFilePropertyPacketSizeUpperBound: return bytes(file.packetSizeBound())
    case kAudioFilePropertyDataOffset: return bytes(file.soundOffset)
    case kAudioFilePropertyChannelLayout:
      guard let layout = file.layout else { throw .property }
      return layout
    case kAudioFilePropertyDeferSizeUpdates: return bytes(file.writesSizesAtOnce ? UInt32(0) : 1)
    case kAudioFilePropertyChunkIDs:
      guard file.hasChunks else { throw .property }
      return file.chunkCodes.flatMap { bytes($0) }
    case kAudioFilePropertyPacketTableInfo:
      guard let trim = file.trim else { throw .property }
      return bytes(trim)
    case kAudioFilePropertyRestrictsRandomAccess:
      return bytes(file.rollDistance > 0 ? UInt32(1) : 0)
    case kAudioFilePropertyEstimatedDuration: return bytes(try file.duration())
    case kAudioFilePropertyBitRate: return bytes(try bitRate(file))
    case kAudioFilePropertyID3Tag:
      guard let tag = try file.tag() else { throw .property }
      return tag
    case kAudioFilePropertyID3TagOffset:
      guard let offset = file.tagOffset else { throw .property }
      return bytes(offset)
    case kAudioFilePropertySourceBitDepth: return bytes(try sourceBitDepth(file))
    case kAudioFilePropertyAudioTrackCount: return bytes(UInt32(1))
    default: throw .property
    }
  }

  /// The bytes of a plain value.
  static func bytes<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
    unsafe withUnsafeBytes(of: value) { unsafe [UInt8]($0) }
  }

  /// One format, with the tag of the layout where there is one: 48 bytes.
  private static func formatList(_ file: PacketFile) -> [UInt8] {
    var tag = kAudioChannelLayoutTag_Unknown | file.format.mChannelsPerFrame
    if let layout = file.layout {
      tag = layout[..<4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    } else if file.format.mChannelsPerFrame <= 2 {
      tag =
        file.format.mChannelsPerFrame == 1
        ? kAudioChannelLayoutTag_Mono : kAudioChannelLayoutTag_Stereo
    }
    return bytes(file.format) + bytes(tag) + [0, 0, 0, 0]
  }

  private static func bitRate(_ file: PacketFile) throws(AudioFileFailure) -> UInt32 {
    let format = file.format
    if format.mBytesPerPacket > 0, format.mFramesPerPacket > 0 {
      return UInt32(
        clamping: Int64(
          Double(format.mBytesPerPacket) * 8 * format.mSampleRate / Double(format.mFramesPerPacket))
      )
    }
    let seconds = Double(try file.totalFrameCount()) / max(1, format.mSampleRate)
    return seconds > 0 ? UInt32(clamping: Int64(Double(file.byteCount()) * 8 / seconds)) : 0
  }

  private static func sourceBitDepth(_ file: PacketFile) throws(AudioFileFailure) -> Int32 {
    let format = file.format
    if format.mFormatID == kAudioFormatLinearPCM {
      let bits = Int32(format.mBitsPerChannel)
      return format.mFormatFlags & kAudioFormatFlagIsFloat != 0 ? -bits : bits
    }
    if format.mFormatID == kAudioFormatAppleLossless, (1...4).contains(format.mFormatFlags) {
      return [16, 20, 24, 32][Int(format.mFormatFlags) - 1]
    }
    guard file.sourceBitDepth != 0 else { throw .property }
    return file.sourceBitDepth
  }

  /// What the file says of itself, with its duration, as a dictionary of strings; +1.
  static func infoDictionary(_ file: PacketFile) throws(AudioFileFailure) -> CFDictionaryRef? {
    var info = try file.storedInfo()
    let seconds = try file.duration()
    if seconds > 0 {
      info[kAFInfoDictionary_ApproximateDurationInSeconds] = durationText(seconds)
    }
    var objects: [String: UnsafeRawPointer?] = unsafe [:]
    for (key, text) in info.entries {
      unsafe objects[key] = unsafe UnsafeRawPointer(makeCFString(text))
    }
    return unsafe makeCFDictionary(takingOver: objects)
  }

  /// Seconds with three digits, without zeros at the end.
  static func durationText(_ seconds: Double) -> String {
    let thousandths = Int64((seconds * 1000).rounded())
    let fraction = String(String(1000 + thousandths % 1000).dropFirst())
    var text = "\(thousandths / 1000).\(fraction)"
    while text.hasSuffix("0") { text.removeLast() }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
