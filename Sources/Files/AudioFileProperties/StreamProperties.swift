// The properties of a stream: a file's, as far as they are known by now.
// SPDX-License-Identifier: Apache-2.0

package import AudioFilePackets
package import CAudioToolbox

/// The properties of AudioFileStream.h.
package enum StreamProperties {
  private static let announced: [AudioFileStreamPropertyID] = [
    kAudioFileStreamProperty_FileFormat, kAudioFileStreamProperty_DataFormat,
    kAudioFileStreamProperty_FormatList, kAudioFileStreamProperty_MagicCookieData,
    kAudioFileStreamProperty_ChannelLayout, kAudioFileStreamProperty_PacketTableInfo,
    kAudioFileStreamProperty_AudioDataByteCount, kAudioFileStreamProperty_AudioDataPacketCount,
    kAudioFileStreamProperty_MaximumPacketSize, kAudioFileStreamProperty_PacketSizeUpperBound,
    kAudioFileStreamProperty_DataOffset, kAudioFileStreamProperty_BitRate,
    kAudioFileStreamProperty_AverageBytesPerPacket, kAudioFileStreamProperty_RestrictsRandomAccess,
    kAudioFileStreamProperty_InfoDictionary,
  ]

  /// The properties that are known when the sound is reached; that packets will come is the last of
  /// them.
  package static func known(
    _ stream: PacketStream, _ file: PacketFile
  ) -> [AudioFileStreamPropertyID] {
    announced.filter { property in
      if property == kAudioFileStreamProperty_InfoDictionary { return !stream.info.entries.isEmpty }
      return (try? size(property, stream)).map { $0 > 0 } ?? false
    } + [kAudioFileStreamProperty_ReadyToProducePackets]
  }

  /// The size of a value in bytes.
  package static func size(
    _ property: AudioFileStreamPropertyID, _ stream: PacketStream
  ) throws(AudioFileFailure) -> Int {
    switch property {
    case kAudioFileStreamProperty_PacketToFrame, kAudioFileStreamProperty_FrameToPacket,
      kAudioFileStreamProperty_PacketToByte, kAudioFileStreamProperty_ByteToPacket:
      return 24
    case kAudioFileStreamProperty_PacketToRollDistance,
      kAudioFileStreamProperty_PreviousIndependentPacket,
      kAudioFileStreamProperty_NextIndependentPacket,
      kAudioFileStreamProperty_PacketToDependencyInfo:
      return 16
    case kAudioFileStreamProperty_InfoDictionary:
      guard stream.file != nil else { throw .notYet }
      return 8
    default: return try value(property, stream).count
    }
  }

  /// Returns a value that needs no argument of the caller.
  package static func value(
    _ property: AudioFileStreamPropertyID, _ stream: PacketStream
  ) throws(AudioFileFailure) -> [UInt8] {
    if property == kAudioFileStreamProperty_ReadyToProducePackets {
      return FileProperties.bytes(stream.file == nil ? UInt32(0) : 1)
    }
    guard announced.contains(property) else { throw .property }
    guard let file = stream.file else { throw .notYet }
    let packets = file.knownPackets
    switch property {
    case kAudioFileStreamProperty_AudioDataByteCount:
      guard stream.knowsEnd else { throw .unknown }
      return FileProperties.bytes(UInt64(file.byteCount()))
    case kAudioFileStreamProperty_AudioDataPacketCount:
      guard packets.areAll else { throw .unknown }
      return FileProperties.bytes(UInt64(packets.count))
    case kAudioFileStreamProperty_MaximumPacketSize:
      guard packets.areAll || file.format.mBytesPerPacket > 0 else { throw .unknown }
      return FileProperties.bytes(file.packetSizeBound())
    case kAudioFileStreamProperty_AverageBytesPerPacket:
      guard file.meanPacketSize > 0 else { throw .notYet }
      return FileProperties.bytes(file.meanPacketSize)
    case kAudioFileStreamProperty_BitRate:
      guard file.meanPacketSize > 0 else { throw .notYet }
      return FileProperties.bytes(try file.meanBitRate())
    case kAudioFileStreamProperty_PacketTableInfo, kAudioFileStreamProperty_ChannelLayout:
      do throws(AudioFileFailure) {
        return try FileProperties.value(property, file)
      } catch {
        // It may be behind the sound.
        throw file.type == kAudioFileCAFType ? .unknown : error
      }
    default: return try FileProperties.value(property, file)
    }
  }

  /// Answers a question in place; false when the property is none.
  package static func translate(
    _ property: AudioFileStreamPropertyID, _ stream: PacketStream,
    _ memory: UnsafeMutableRawPointer
  ) throws(AudioFileFailure) -> Bool {
    guard let file = stream.file else { throw .notYet }
    let packets = file.knownPackets
    switch property {
    case kAudioFileStreamProperty_PacketToFrame, kAudioFileStreamProperty_FrameToPacket:
      let frames = Int64(file.format.mFramesPerPacket)
      guard frames > 0, !packets.areAll else { break }
      // All packets have as many frames: none needs to have come.
      var value = unsafe memory.loadUnaligned(as: AudioFramePacketTranslation.self)
      guard value.mPacket >= 0, value.mFrame >= 0 else { throw .packet }
      if property == kAudioFileStreamProperty_PacketToFrame {
        value.mFrame = value.mPacket.multipliedReportingOverflow(by: frames).partialValue
      } else {
        value.mPacket = value.mFrame / frames
        value.mFrameOffsetInPacket = UInt32(value.mFrame % frames)
      }
      unsafe memory.storeBytes(of: value, as: AudioFramePacketTranslation.self)
      return true
    case kAudioFileStreamProperty_PacketToByte, kAudioFileStreamProperty_ByteToPacket:
      var value = unsafe memory.loadUnaligned(as: AudioBytePacketTranslation.self)
      guard value.mPacket >= 0, value.mByte >= 0 else { throw .packet }
      let isPacket = property == kAudioFileStreamProperty_PacketToByte
      let end = (try? file.byte(ofPacket: max(0, packets.count - 1))) ?? 0
      guard !packets.areAll, isPacket ? value.mPacket >= packets.count : value.mByte > end else {
        break
      }
      // Behind the bytes so far, by the mean size.
      guard packets.count >= 8 else { throw .notYet }
      if isPacket {
        value.mByte = Int64(clamping: Int64(Double(value.mPacket) * file.meanPacketSize))
      } else {
        value.mPacket = Int64(Double(value.mByte) / file.meanPacketSize)
        value.mByteOffsetInPacket = 0
      }
      value.mFlags = kBytePacketTranslationFlag_IsEstimate
      unsafe memory.storeBytes(of: value, as: AudioBytePacketTranslation.self)
      return true
    case kAudioFileStreamProperty_PreviousIndependentPacket,
      kAudioFileStreamProperty_NextIndependentPacket,
      kAudioFileStreamProperty_PacketToDependencyInfo:
      guard packets.areAll else { throw .notYet }
    default: break
    }
    return try unsafe FileProperties.translate(property, file, memory)
  }
}
