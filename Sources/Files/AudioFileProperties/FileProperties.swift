// The properties of an open file: sizes, whether it can be set, values.
// SPDX-License-Identifier: Apache-2.0

package import AudioFilePackets
package import CAudioToolbox

/// The properties of AudioFileProperties.h on an open file.
package enum FileProperties {
  /// Whether a value may be of any size, and the caller's memory larger than it.
  package static func isVariable(_ property: AudioFilePropertyID) -> Bool {
    [
      kAudioFilePropertyMagicCookieData, kAudioFilePropertyChannelLayout,
      kAudioFilePropertyMarkerList, kAudioFilePropertyRegionList, kAudioFilePropertyFormatList,
      kAudioFilePropertyChunkIDs, kAudioFilePropertyID3Tag,
    ].contains(property)
  }

  /// The size of a value in bytes.
  ///
  /// - Throws: As reading it.
  package static func size(
    _ property: AudioFilePropertyID, _ file: PacketFile
  ) throws(AudioFileFailure) -> Int {
    switch property {
    case kAudioFilePropertyInfoDictionary, kAudioFilePropertyDataFormatName: return 8
    case kAudioFilePropertyAlbumArtwork: throw .property
    case kAudioFilePropertyMarkerList: return size(ofMarkers: try file.marks())
    case kAudioFilePropertyRegionList: return size(ofRegions: try file.marks())
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

  /// The size of the record of all markers in bytes.
  package static func size(ofMarkers marks: SoundMarks) -> Int {
    8 + marks.marks.count * (unsafe MemoryLayout<AudioFileMarker>.stride)
  }

  /// The size of the record of all regions in bytes: each has 24 in front of its markers.
  package static func size(ofRegions marks: SoundMarks) -> Int {
    marks.regions.reduce(8) {
      $0 + 24 + $1.marks.count * (unsafe MemoryLayout<AudioFileMarker>.stride)
    }
  }

  /// Whether a property can be set now.
  package static func isWritable(_ property: AudioFilePropertyID, _ file: PacketFile) -> Bool {
    if property == kAudioFilePropertyUseAudioTrack { return true }
    guard file.isWritable else { return false }
    switch property {
    case kAudioFilePropertyDeferSizeUpdates, kAudioFilePropertyAudioDataByteCount,
      kAudioFilePropertyAudioDataPacketCount:
      return true
    case kAudioFilePropertyDataFormat: return file.byteCount() == 0
    default: return file.stores(property)
    }
  }

  /// Returns a value that needs no argument of the caller.
  package static func value(
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
    case kAudioFilePropertyDataOffset: return bytes(file.origin + file.soundOffset)
    case kAudioFilePropertyChannelLayout:
      guard let layout = file.layout else { throw .property }
      return layout
    case kAudioFilePropertyDeferSizeUpdates: return bytes(file.writesSizesAtOnce ? UInt32(0) : 1)
    case kAudioFilePropertyChunkIDs:
      guard file.hasChunks else { throw .property }
      return file.chunkCodes.flatMap { bytes($0) }
    case kAudioFilePropertyPacketTableInfo:
      guard let trim = try file.packetTrim() else { throw .property }
      return bytes(trim)
    case kAudioFilePropertyRestrictsRandomAccess:
      return bytes(file.rollDistance > 0 ? UInt32(1) : 0)
    case kAudioFilePropertyEstimatedDuration: return bytes(try file.duration())
    case kAudioFilePropertyBitRate: return bytes(try file.bitRate())
    case kAudioFilePropertyID3Tag:
      guard let tag = try file.tag() else { throw .property }
      return tag
    case kAudioFilePropertyID3TagOffset:
      guard let offset = file.tagOffset else { throw .property }
      return bytes(offset)
    case kAudioFilePropertySourceBitDepth: return bytes(try sourceBitDepth(file))
    case kAudioFilePropertyAudioTrackCount: return bytes(UInt32(file.trackCount))
    case kAudioFilePropertyUseAudioTrack: return bytes(UInt32(file.track))
    default: throw .property
    }
  }

  /// The bytes of a plain value.
  package static func bytes<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
    unsafe withUnsafeBytes(of: value) { unsafe [UInt8]($0) }
  }

  /// The formats, richest first, each with the tag of the layout where there is one: 48 bytes.
  private static func formatList(_ file: PacketFile) -> [UInt8] {
    var tag = kAudioChannelLayoutTag_Unknown | file.format.mChannelsPerFrame
    if let layout = file.layout {
      tag = layout[..<4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    } else if file.format.mChannelsPerFrame <= 2 {
      tag =
        file.format.mChannelsPerFrame == 1
        ? kAudioChannelLayoutTag_Mono : kAudioChannelLayoutTag_Stereo
    }
    let plain = bytes(file.format) + bytes(tag) + [0, 0, 0, 0]
    guard let full = file.fullFormat else { return plain }
    let isSame = full.mChannelsPerFrame == file.format.mChannelsPerFrame
    return bytes(full) + bytes(isSame ? tag : kAudioChannelLayoutTag_Stereo) + [0, 0, 0, 0] + plain
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
}
