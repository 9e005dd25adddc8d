// The properties of converters that have a codec inside.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioConverters
import AudioFormats
import AudioTypes
import CAudioToolbox

private let encoderProperties: Set<AudioConverterPropertyID> = [
  kAudioConverterCodecQuality, kAudioConverterEncodeBitRate,
  kAudioConverterEncodeAdjustableSampleRate, kAudioCodecPropertyBitRateControlMode,
  kAudioCodecPropertySoundQualityForVBR, kAudioCodecPropertyBitRateForVBR,
  kAudioCodecPropertyDelayMode,
]

/// Whether a property of the codec inside can be set.
func isPacketWritable(_ property: AudioConverterPropertyID, _ open: OpenConverter) -> Bool {
  guard let codec = open.packets else { return false }
  return codec.isEncoding
    ? encoderProperties.contains(property)
    : property == kAudioConverterDecompressionMagicCookie || property == kAudioConverterPrimeInfo
}

/// The value of a property of the codec inside; nil where the converter of samples answers.
func packetValue(
  of property: AudioConverterPropertyID, _ open: OpenConverter, _ supplied: UInt32?
) -> PropertyAnswer? {
  guard let codec = open.packets else { return nil }
  switch property {
  case kAudioConverterCurrentInputStreamDescription: return .of(codec.source)
  case kAudioConverterCurrentOutputStreamDescription: return .of(codec.destination)
  case kAudioConverterPropertyFormatList where codec.isEncoding:
    let format = codec.destination
    return .list([
      AudioFormatListItem(
        mASBD: format,
        mChannelLayoutTag: FormatCompletion.usualTag(
          channelCount: format.mChannelsPerFrame, of: format.mFormatID))
    ])
  case kAudioConverterPropertyCalculateInputBufferSize,
    kAudioConverterPropertyCalculateOutputBufferSize:
    return calculated(property, codec, supplied ?? 0)
  default: break
  }
  if let encoder = codec.encoder { return encoderValue(of: property, codec, encoder) }
  switch property {
  case kAudioConverterPropertyMinimumInputBufferSize,
    kAudioConverterPropertyMaximumInputBufferSize, kAudioConverterPropertyMaximumInputPacketSize:
    return .of(UInt32(PacketSizes.largest(codec.source)))
  case kAudioConverterDecompressionMagicCookie:
    return codec.cookie.isEmpty
      ? .failure(kAudioConverterErr_PropertyNotSupported) : .value(codec.cookie)
  case kAudioConverterPrimeInfo: return .of(codec.trim)
  case kAudioCodecPropertyPacketFrameSize: return .of(codec.source.mFramesPerPacket)
  default: return nil
  }
}

/// The value of a property of an encoder.
private func encoderValue(
  of property: AudioConverterPropertyID, _ codec: PacketConverter, _ encoder: PacketEncoder
) -> PropertyAnswer? {
  let format = encoder.format
  let known = KnownCodec.with(id: format.mFormatID)
  switch property {
  case kAudioConverterPropertyMinimumInputBufferSize:
    return .of(codec.source.mBytesPerFrame * max(1, format.mFramesPerPacket))
  case kAudioConverterPropertyMaximumInputBufferSize: return .of(codec.source.mBytesPerPacket)
  case kAudioConverterPropertyMinimumOutputBufferSize,
    kAudioConverterPropertyMaximumOutputPacketSize, kAudioCodecPropertyMaximumPacketByteSize:
    return .of(UInt32(encoder.largestPacket))
  case kAudioConverterCompressionMagicCookie:
    let cookie = encoder.cookie
    return cookie.isEmpty ? .failure(kAudioConverterErr_PropertyNotSupported) : .value(cookie)
  case kAudioConverterPrimeInfo:
    return .of(
      AudioConverterPrimeInfo(
        leadingFrames: UInt32(encoder.leadFrames),
        trailingFrames: UInt32(codec.isFinished ? encoder.trailFrames : 0)))
  case kAudioConverterCodecQuality, kAudioCodecPropertySoundQualityForVBR:
    return .of(codec.encoderSettings.quality)
  case kAudioConverterEncodeBitRate, kAudioCodecPropertyBitRateForVBR: return .of(encoder.bitRate)
  case kAudioCodecPropertyDelayMode where format.mFormatID == kAudioFormatMPEG4AAC:
    return .of(EncoderSettings.delayMode)
  case kAudioCodecPropertyBitRateControlMode: return .of(codec.encoderSettings.mode.rawValue)
  case kAudioCodecPropertyPacketFrameSize: return .of(format.mFramesPerPacket)
  case kAudioConverterEncodeAdjustableSampleRate: return .of(format.mSampleRate)
  case kAudioConverterApplicableEncodeBitRates, kAudioConverterAvailableEncodeBitRates:
    let isApplicable = property == kAudioConverterApplicableEncodeBitRates
    return .list(
      CodecRanges.values(
        known?.bitRates(
          sampleRate: isApplicable ? format.mSampleRate : 0,
          channelCount: format.mChannelsPerFrame
        ).map(Double.init) ?? []))
  case kAudioConverterApplicableEncodeSampleRates, kAudioConverterAvailableEncodeSampleRates:
    return .list(CodecRanges.sampleRates(known))
  case kAudioConverterAvailableEncodeChannelLayoutTags:
    return .list(CodecRanges.layoutTags(known, channelCount: codec.source.mChannelsPerFrame))
  default: return nil
  }
}

/// The bytes of the input for bytes of the output, or the other way round, in whole packets; where packets differ, as
/// if all were of the largest.
private func calculated(
  _ property: AudioConverterPropertyID, _ codec: PacketConverter, _ supplied: UInt32
) -> PropertyAnswer {
  let packets = codec.isEncoding ? codec.destination : codec.source
  let linear = codec.isEncoding ? codec.source : codec.destination
  let size = Double(codec.encoder?.largestPacket ?? PacketSizes.largest(packets))
  guard packets.mFramesPerPacket > 0, size > 0 else {
    return .failure(kAudioConverterErr_PropertyNotSupported)
  }
  let frames = Double(packets.mFramesPerPacket) * linear.mSampleRate / packets.mSampleRate
  let width = Double(linear.mBytesPerFrame)
  let toPackets = codec.isEncoding == (property == kAudioConverterPropertyCalculateOutputBufferSize)
  let count = toPackets ? Double(supplied) / width / frames : Double(supplied) / size
  let bytes =
    toPackets ? (count - 1e-9).rounded(.up) * size : (count * frames - 1e-9).rounded(.up) * width
  return .of(UInt32(max(0, min(bytes, Double(UInt32.max)))))
}

/// Sets a property of the codec inside; nil where the converter of samples has it.
func setPackets(
  _ property: AudioConverterPropertyID, _ open: OpenConverter, _ value: PropertySpecifier
) throws(AuricleError) -> OSStatus? {
  guard let codec = open.packets else { return nil }
  if codec.isEncoding { return try setEncoder(property, codec, value) }
  switch property {
  case kAudioConverterDecompressionMagicCookie:
    guard value.byteCount > 0 else { return kAudioConverterErr_BadPropertySizeError }
    try codec.setCookie(value.bytes)
    return noErr
  case kAudioConverterPrimeInfo:
    guard value.byteCount == 8, let info = value.value(AudioConverterPrimeInfo.self) else {
      return kAudioConverterErr_BadPropertySizeError
    }
    guard info.leadingFrames < 1 << 24, info.trailingFrames < 1 << 24 else {
      return kAudio_ParamError
    }
    codec.trim = info
    return noErr
  case let id where encoderProperties.contains(id):
    return kAudioConverterErr_PropertyNotSupported
  default: return nil
  }
}

private func setEncoder(
  _ property: AudioConverterPropertyID, _ codec: PacketConverter, _ value: PropertySpecifier
) throws(AuricleError) -> OSStatus? {
  var settings = codec.encoderSettings
  var sampleRate: Double?
  let number = value.byteCount == 4 ? value.value(UInt32.self) : nil
  switch property {
  case kAudioConverterEncodeAdjustableSampleRate:
    guard value.byteCount == 8, let rate = value.value(Double.self) else {
      return kAudioConverterErr_BadPropertySizeError
    }
    sampleRate = rate
  case kAudioConverterPropertyBitDepthHint:
    guard let number else { return kAudioConverterErr_BadPropertySizeError }
    let depth = Int32(bitPattern: number)
    settings.sourceBits = depth > 0 ? UInt32(depth) : 24
    guard settings.sourceBits <= 32 else { return kAudio_ParamError }
  case kAudioConverterDecompressionMagicCookie: return kAudioConverterErr_PropertyNotSupported
  case kAudioCodecPropertyDelayMode where codec.destination.mFormatID != kAudioFormatMPEG4AAC:
    return kAudioConverterErr_PropertyNotSupported
  case let id where encoderProperties.contains(id):
    guard let number else { return kAudioConverterErr_BadPropertySizeError }
    if let status = settings.set(property, number), status != noErr { return status }
  default: return nil
  }
  guard !codec.hasBegun else { return kAudioConverterErr_OperationNotSupported }
  try codec.setEncoder(settings, sampleRate: sampleRate)
  // The converter of samples has a use for the depth as well.
  return property == kAudioConverterPropertyBitDepthHint ? nil : noErr
}
