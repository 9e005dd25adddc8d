// Answers to properties of formats, codecs and tags.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioFileSyntax
import AudioFormats
import CAudioToolbox

/// The formats that sound can be converted from, and those it can be converted to.
private var decodableFormats: [AudioFormatID] {
  [kAudioFormatLinearPCM] + KnownCodec.decodable.map(\.id)
}
private var encodableFormats: [AudioFormatID] {
  [kAudioFormatLinearPCM] + KnownCodec.encodable.map(\.id)
}

/// Any number of channels, in a list of numbers.
private let anyNumber: UInt32 = 0xFFFF_FFFF

private func isUnknown(_ id: AudioFormatID) -> Bool {
  id != kAudioFormatLinearPCM && KnownFormat.with(id: id) == nil
}

/// Answers questions about formats; nil for other properties.
func formatAnswer(
  to property: AudioFormatPropertyID, _ specifier: PropertySpecifier,
  _ supplied: UnsafeRawBufferPointer?
) -> PropertyAnswer? {
  switch property {
  case kAudioFormatProperty_FormatInfo:
    return unsafe formatInfo(specifier, supplied)
  case kAudioFormatProperty_EncodeFormatIDs: return .list(encodableFormats)
  case kAudioFormatProperty_DecodeFormatIDs: return .list(decodableFormats)
  case kAudioFormatProperty_FormatName, kAudioFormatProperty_FormatIsVBR,
    kAudioFormatProperty_FormatIsExternallyFramed,
    kAudioFormatProperty_FormatEmploysDependentPackets:
    return streamAnswer(to: property, specifier)
  case kAudioFormatProperty_FormatList, kAudioFormatProperty_OutputFormatList,
    kAudioFormatProperty_FirstPlayableFormatFromList:
    return listAnswer(to: property, specifier)
  case kAudioFormatProperty_FormatIsEncrypted:
    guard let id = specifier.value(UInt32.self) else { return badSpecifier }
    // 'drms' and 'AUDB': the packets of stores.
    return .of(id == 0x6472_6D73 || id == kAudioFormatAudible ? 1 : 0 as UInt32)
  case kAudioFormatProperty_Encoders, kAudioFormatProperty_Decoders:
    guard let id = specifier.value(UInt32.self) else { return badSpecifier }
    return .list(codecs(of: id, areEncoders: property == kAudioFormatProperty_Encoders))
  case kAudioFormatProperty_AvailableEncodeBitRates,
    kAudioFormatProperty_AvailableEncodeSampleRates:
    guard let id = specifier.value(UInt32.self) else { return badSpecifier }
    guard let codec = KnownCodec.with(id: id), codec.isEncodable else {
      return .failure(
        isUnknown(id)
          ? kAudioFormatUnknownFormatError
          : id == kAudioFormatLinearPCM
            ? kAudioFormatUnsupportedPropertyError : kAudioFormatUnsupportedDataFormatError)
    }
    return property == kAudioFormatProperty_AvailableEncodeSampleRates
      ? .list(CodecRanges.sampleRates(codec))
      : .list(
        CodecRanges.values(codec.bitRates(sampleRate: 0, channelCount: 0).map(Double.init)))
  case kAudioFormatProperty_AvailableEncodeChannelLayoutTags,
    kAudioFormatProperty_AvailableEncodeNumberChannels,
    kAudioFormatProperty_AvailableDecodeNumberChannels:
    return channelsAnswer(to: property, specifier)
  case kAudioFormatProperty_ASBDFromMPEGPacket:
    return MPEGPacket.format(specifier.bytes).map(PropertyAnswer.of) ?? unknownFormat
  case kAudioFormatProperty_ASBDFromESDS:
    return ElementaryStream(specifier.bytes)?.formats.last.map { .of($0.format) } ?? unknownFormat
  case kAudioFormatProperty_ChannelLayoutFromESDS:
    return ElementaryStream(specifier.bytes)?.formats.last.map {
      .value(ChannelLayout(tag: $0.tag).bytes)
    } ?? unknownFormat
  case kAudioFormatProperty_ID3TagSize:
    return ID3Tag.byteCount(specifier.bytes).map { .of(UInt32(clamping: $0)) } ?? unknownFormat
  case kAudioFormatProperty_ID3TagToDictionary:
    return ID3Tag.texts(specifier.bytes).map(PropertyAnswer.texts) ?? unknownFormat
  case kAudioFormatProperty_HardwareCodecCapabilities:
    return .of(0 as UInt32)
  default: return nil
  }
}

private let badSpecifier = PropertyAnswer.failure(kAudioFormatBadSpecifierSizeError)
private let unknownFormat = PropertyAnswer.failure(kAudioFormatUnknownFormatError)

/// Completes the format at the value's destination, with the cookie that is the specifier.
private func formatInfo(
  _ specifier: PropertySpecifier, _ supplied: UnsafeRawBufferPointer?
) -> PropertyAnswer {
  let size = MemoryLayout<AudioStreamBasicDescription>.size
  guard let supplied = unsafe supplied else { return .of(AudioStreamBasicDescription()) }
  guard supplied.count >= size else { return .failure(kAudioFormatBadPropertySizeError) }
  let format = unsafe supplied.loadUnaligned(as: AudioStreamBasicDescription.self)
  return FormatCompletion.complete(format, cookie: specifier.bytes).map(PropertyAnswer.of)
    ?? unknownFormat
}

/// Answers questions about a stream's format.
private func streamAnswer(
  to property: AudioFormatPropertyID, _ specifier: PropertySpecifier
) -> PropertyAnswer {
  guard let format = specifier.value(AudioStreamBasicDescription.self) else { return badSpecifier }
  guard let whole = FormatCompletion.complete(format) else { return unknownFormat }
  let known = KnownFormat.with(id: format.mFormatID)
  switch property {
  case kAudioFormatProperty_FormatName:
    return FormatNames.name(of: format).map(PropertyAnswer.text) ?? unknownFormat
  case kAudioFormatProperty_FormatIsVBR:
    return .of(known != nil && whole.mBytesPerPacket == 0 ? 1 : 0 as UInt32)
  case kAudioFormatProperty_FormatIsExternallyFramed:
    return .of(known?.isExternallyFramed == true ? 1 : 0 as UInt32)
  default:
    return .of(known?.hasDependentPackets == true ? 1 : 0 as UInt32)
  }
}

/// Answers the formats that a stream can be read as.
private func listAnswer(
  to property: AudioFormatPropertyID, _ specifier: PropertySpecifier
) -> PropertyAnswer {
  if property == kAudioFormatProperty_FirstPlayableFormatFromList {
    let size = MemoryLayout<AudioFormatListItem>.stride
    guard specifier.byteCount >= size, specifier.byteCount % size == 0 else { return badSpecifier }
    let first = (0..<specifier.byteCount / size).first { index in
      let item = specifier.value(AudioFormatListItem.self, at: index * size)
      return item.map { decodableFormats.contains($0.mASBD.mFormatID) } ?? false
    }
    return first.map { .of(UInt32($0)) } ?? .failure(kAudioFormatUnsupportedDataFormatError)
  }
  guard let format = specifier.value(AudioStreamBasicDescription.self),
    let cookie = specifier.cookie
  else { return badSpecifier }
  guard let list = FormatCompletion.list(format, cookie: cookie) else { return unknownFormat }
  guard
    property == kAudioFormatProperty_FormatList || decodableFormats.contains(format.mFormatID)
  else { return .failure(kAudioFormatUnsupportedDataFormatError) }
  return .list(
    list.filter {
      property == kAudioFormatProperty_FormatList || decodableFormats.contains($0.mASBD.mFormatID)
    })
}

/// Answers which numbers and layouts of channels a codec accepts.
private func channelsAnswer(
  to property: AudioFormatPropertyID, _ specifier: PropertySpecifier
) -> PropertyAnswer {
  guard let format = specifier.value(AudioStreamBasicDescription.self) else { return badSpecifier }
  let isDecoder = property == kAudioFormatProperty_AvailableDecodeNumberChannels
  guard (isDecoder ? decodableFormats : encodableFormats).contains(format.mFormatID) else {
    return isUnknown(format.mFormatID)
      ? unknownFormat : .failure(kAudioFormatUnsupportedDataFormatError)
  }
  if let codec = KnownCodec.with(id: format.mFormatID) {
    switch property {
    case kAudioFormatProperty_AvailableDecodeNumberChannels:
      return .list(codec.decodedChannelCounts)
    case kAudioFormatProperty_AvailableEncodeNumberChannels: return .list(codec.channelCounts)
    default:
      return .list(CodecRanges.layoutTags(codec, channelCount: format.mChannelsPerFrame))
    }
  }
  guard property == kAudioFormatProperty_AvailableEncodeChannelLayoutTags else {
    return .list([anyNumber])
  }
  let count = format.mChannelsPerFrame
  return .list(count == 0 ? LayoutTags.all : LayoutTags.tags(channelCount: count))
}

/// The codecs of a format: one, or none.
private func codecs(of id: AudioFormatID, areEncoders: Bool) -> [AudioClassDescription] {
  guard let codec = KnownCodec.with(id: id), areEncoders ? codec.isEncodable : codec.isDecodable
  else { return [] }
  return [
    AudioClassDescription(
      mType: areEncoders ? kAudioEncoderComponentType : kAudioDecoderComponentType,
      mSubType: id, mManufacturer: kAudioUnitManufacturer_Apple)
  ]
}
