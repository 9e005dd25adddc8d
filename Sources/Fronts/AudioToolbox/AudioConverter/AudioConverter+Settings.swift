// The settings of a converter's parts as an array of dictionaries.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioConverters
import AudioFormats
import AudioTypes
import CAudioToolbox
import CodecSettings

/// The parts of a converter that have settings: an encoder, and a filter between two rates.
func settingLists(_ open: OpenConverter) -> [SettingList] {
  var parts: [SettingList] = []
  if let codec = open.packets, let encoder = codec.encoder {
    let format = encoder.format
    let rates =
      KnownCodec.with(id: format.mFormatID)?.bitRates(
        sampleRate: format.mSampleRate, channelCount: format.mChannelsPerFrame) ?? []
    let part = SettingList.encoder(
      "\(KnownFormat.with(id: format.mFormatID)?.name ?? "Codec") Encoder", bitRates: rates,
      bitRate: encoder.bitRate, mode: codec.encoderSettings.mode.rawValue,
      quality: (kAudioConverterCodecQuality, codec.encoderSettings.quality))
    if !part.settings.isEmpty { parts.append(part) }
  }
  if open.converter.ratio != 1 {
    let settings = open.converter.settings
    parts.append(
      .sampleRateConverter(complexity: settings.complexity.rawValue, quality: settings.quality))
  }
  return parts
}

/// Sets the values that a program changed in the dictionaries, one property after the other.
func setSettings(
  _ open: OpenConverter, _ value: PropertySpecifier,
  _ set: (AudioConverterPropertyID, PropertySpecifier) throws(AuricleError) -> OSStatus
) throws(AuricleError) -> OSStatus {
  guard value.byteCount == 8, let address = value.value(UInt.self) else {
    return kAudioConverterErr_BadPropertySizeError
  }
  guard let array = unsafe UnsafeRawPointer(bitPattern: address),
    let changes = unsafe SettingList.changes(of: settingLists(open), in: array)
  else { return kAudio_ParamError }
  for (code, number) in changes {
    let status = try unsafe withUnsafeBytes(of: number) { (bytes) throws(AuricleError) in
      guard let value = unsafe PropertySpecifier(bytes.baseAddress, 4) else {
        return kAudio_ParamError
      }
      return try set(code, value)
    }
    guard status == noErr else { return status }
  }
  return noErr
}
