// The writable formats of each container.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// The formats that each container is written with.
package enum FormatTables {
  private static let float = kAudioFormatFlagIsFloat
  private static let big = kAudioFormatFlagIsBigEndian
  private static let signed = kAudioFormatFlagIsSignedInteger
  private static let packed = kAudioFormatFlagIsPacked

  /// Flags and bits of linear PCM in a container.
  private static func linear(_ type: AudioFileTypeID) -> [(flags: UInt32, bits: UInt32)] {
    let bigIntegers = [8, 16, 24, 32].map { (big | signed | packed, UInt32($0)) }
    let bigFloats = [32, 64].map { (float | big | packed, UInt32($0)) }
    let littleIntegers = [16, 24, 32].map { (signed | packed, UInt32($0)) }
    let littleFloats = [32, 64].map { (float | packed, UInt32($0)) }
    return switch type {
    case kAudioFileAIFFType: bigIntegers
    case kAudioFileAIFCType: bigIntegers + bigFloats + [(signed | packed, 16)]
    case kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileBW64Type, kAudioFileWave64Type:
      [(packed, 8)] + littleIntegers + littleFloats
    case kAudioFileCAFType: bigIntegers + bigFloats + littleIntegers + littleFloats
    case kAudioFileNextType: bigIntegers + bigFloats
    default: []
    }
  }

  private static let mpeg4 = [
    kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_LD,
    kAudioFormatMPEG4AAC_HE_V2, kAudioFormatMPEG4AAC_ELD,
  ]

  /// The formats that a container can be written with; none for one that is read only.
  package static func formats(of type: AudioFileTypeID) -> [AudioFormatID] {
    switch type {
    case kAudioFileAIFFType: [kAudioFormatLinearPCM]
    case kAudioFileAIFCType:
      [kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw, kAudioFormatAppleIMA4]
    case kAudioFileWAVEType, kAudioFileWave64Type:
      [kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw]
    case kAudioFileRF64Type, kAudioFileBW64Type: [kAudioFormatLinearPCM]
    case kAudioFileNextType: [kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw]
    case kAudioFileCAFType:
      [
        kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw, kAudioFormatAppleIMA4,
        kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_LD,
        kAudioFormatMPEG4AAC_HE_V2, kAudioFormatMPEG4AAC_ELD, kAudioFormatAppleLossless,
        kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3,
        kAudioFormatAC3, kAudioFormatAMR, kAudioFormatAMR_WB, kAudioFormatiLBC,
        kAudioFormatOpus, kAudioFormatFLAC,
        kAudioFormatDVIIntelIMA, kAudioFormatMicrosoftGSM, 0x6D73_0002,
        kAudioFormatQDesign, kAudioFormatQDesign2, kAudioFormatQUALCOMM,
      ]
    case kAudioFileAAC_ADTSType: [kAudioFormatMPEG4AAC]
    case kAudioFileMP3Type: [kAudioFormatMPEGLayer3]
    case kAudioFileMP2Type: [kAudioFormatMPEGLayer2]
    case kAudioFileMP1Type: [kAudioFormatMPEGLayer1]
    case kAudioFileAC3Type: [kAudioFormatAC3, kAudioFormatEnhancedAC3]
    case kAudioFileM4AType, kAudioFileM4BType: mpeg4 + [kAudioFormatAppleLossless]
    case kAudioFileMPEG4Type:
      mpeg4 + [
        kAudioFormatAppleLossless, kAudioFormatAC3, kAudioFormatEnhancedAC3,
        kAudioFormatMPEGLayer3, kAudioFormatFLAC, kAudioFormatOpus,
      ]
    case kAudioFile3GPType, kAudioFile3GP2Type: mpeg4 + [kAudioFormatAMR, kAudioFormatAMR_WB]
    case kAudioFileFLACType: [kAudioFormatFLAC]
    case kAudioFileAMRType: [kAudioFormatAMR, kAudioFormatAMR_WB]
    case kAuricleAudioFileOggType: [kAudioFormatOpus, kAuricleAudioFormatVorbis, kAudioFormatFLAC]
    default: []
    }
  }

  /// Descriptions of a format as a container holds it: format, flags and bits are set, the rest is 0.
  ///
  /// - Throws: `.fileType` for a container that cannot be written, `.dataFormat` for a format that it cannot hold.
  package static func descriptions(
    of format: AudioFormatID, in type: AudioFileTypeID
  ) throws(AudioFileFailure) -> [AudioStreamBasicDescription] {
    let known = formats(of: type)
    guard !known.isEmpty else { throw .fileType }
    guard known.contains(format) else { throw .dataFormat }
    var description = AudioStreamBasicDescription()
    description.mFormatID = format
    if format == kAudioFormatAppleLossless {
      let depths: [UInt32] = [1, 2, 3, 4]
      return depths.map { flags in
        description.mFormatFlags = flags
        return description
      }
    }
    guard format == kAudioFormatLinearPCM else { return [description] }
    return linear(type).map { flags, bits in
      description.mFormatFlags = flags
      description.mBitsPerChannel = bits
      return description
    }
  }

  /// Checks a format for a new file, and fills in fields that follow from the others.
  package static func completed(
    _ wanted: AudioStreamBasicDescription, for type: AudioFileTypeID
  ) throws(AudioFileFailure) -> AudioStreamBasicDescription {
    var format = wanted
    let known = try descriptions(of: format.mFormatID, in: type)
    guard format.mSampleRate.isFinite, (0...3_000_000).contains(format.mSampleRate),
      (1...0xFFFFF).contains(format.mChannelsPerFrame)
    else { throw .dataFormat }
    guard format.mFormatID == kAudioFormatLinearPCM else {
      fillCompressed(&format)
      // Containers of chunks but CAF have no place for the sizes of packets.
      let isTabled = type == kAudioFileCAFType || linear(type).isEmpty
      guard format.mBytesPerPacket > 0 || isTabled else { throw .dataFormat }
      return format
    }
    let bits = format.mBitsPerChannel
    let frame = bits / 8 * format.mChannelsPerFrame
    // Flags that say nothing more of whole bytes: packed, high-aligned; the order of one byte.
    var flags = format.mFormatFlags & (float | big | signed) | packed
    if format.mFormatFlags & float != 0 { flags &= ~signed }
    guard bits % 8 == 0, format.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0,
      format.mFramesPerPacket <= 1,
      format.mBytesPerFrame == frame || format.mBytesPerFrame == 0,
      format.mBytesPerPacket == frame || format.mBytesPerPacket == 0
    else { throw .dataFormat }
    if bits == 8, let only = known.first(where: { $0.mBitsPerChannel == 8 }),
      only.mFormatFlags & signed == flags & signed, flags & float == 0
    {
      flags = only.mFormatFlags
    }
    guard known.contains(where: { $0.mFormatFlags == flags && $0.mBitsPerChannel == bits }) else {
      throw .dataFormat
    }
    format.mFormatFlags = flags
    format.mFramesPerPacket = 1
    format.mBytesPerFrame = frame
    format.mBytesPerPacket = frame
    format.mReserved = 0
    return format
  }

  /// Fills in the packets of a compressed format.
  package static func fillCompressed(_ format: inout AudioStreamBasicDescription) {
    let channels = format.mChannelsPerFrame
    func constant(_ frames: UInt32, _ bytes: UInt32) {
      format.mFramesPerPacket = frames
      format.mBytesPerPacket = bytes
    }
    format.mReserved = 0
    switch format.mFormatID {
    case kAudioFormatULaw, kAudioFormatALaw:
      constant(1, channels)
      format.mBytesPerFrame = channels
      format.mBitsPerChannel = 8
      format.mFormatFlags = 0
      return
    case kAudioFormatAppleIMA4: constant(64, 34 * channels)
    case kAudioFormatMicrosoftGSM: constant(320, 65)
    case kAudioFormatMPEG4AAC where format.mFramesPerPacket == 0: format.mFramesPerPacket = 1024
    case kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2:
      if format.mFramesPerPacket == 0 { format.mFramesPerPacket = 2048 }
    case kAudioFormatAppleLossless where format.mFramesPerPacket == 0:
      format.mFramesPerPacket = 4096
    case kAudioFormatMPEGLayer3 where format.mFramesPerPacket == 0:
      format.mFramesPerPacket = format.mSampleRate < 32000 ? 576 : 1152
    case kAudioFormatMPEGLayer2 where format.mFramesPerPacket == 0: format.mFramesPerPacket = 1152
    case kAudioFormatMPEGLayer1 where format.mFramesPerPacket == 0: format.mFramesPerPacket = 384
    case kAudioFormatAC3 where format.mFramesPerPacket == 0: format.mFramesPerPacket = 1536
    case kAudioFormatEnhancedAC3 where format.mFramesPerPacket == 0:
      format.mFramesPerPacket = 1536
    case kAudioFormatMPEG4AAC_LD, kAudioFormatMPEG4AAC_ELD:
      if format.mFramesPerPacket == 0 { format.mFramesPerPacket = 512 }
    case kAudioFormatOpus where format.mFramesPerPacket == 0: format.mFramesPerPacket = 960
    case kAudioFormatFLAC where format.mFramesPerPacket == 0: format.mFramesPerPacket = 4096
    case kAudioFormatAMR where format.mFramesPerPacket == 0: format.mFramesPerPacket = 160
    case kAudioFormatAMR_WB where format.mFramesPerPacket == 0: format.mFramesPerPacket = 320
    default: break
    }
    format.mBytesPerFrame = 0
    format.mBitsPerChannel = 0
  }

  /// Linear PCM of whole bytes.
  package static func linear(
    rate: Double, channels: UInt32, bits: UInt32, float isFloat: Bool, bigEndian: Bool,
    signed isSigned: Bool = true, frameSize: UInt32? = nil
  ) -> AudioStreamBasicDescription {
    let frame = frameSize ?? (bits + 7) / 8 * channels
    // A sample that does not fill its bytes is in their high bits.
    let isPacked = channels > 0 && UInt64(frame) * 8 == UInt64(bits) * UInt64(channels)
    var flags = isPacked ? packed : kAudioFormatFlagIsAlignedHigh
    if isFloat { flags |= float } else if isSigned { flags |= signed }
    if bigEndian { flags |= big }
    return AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
      mBytesPerPacket: frame, mFramesPerPacket: 1, mBytesPerFrame: frame,
      mChannelsPerFrame: channels, mBitsPerChannel: bits, mReserved: 0)
  }
}
