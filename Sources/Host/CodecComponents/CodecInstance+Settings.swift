// The settings of a codec as a dictionary.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioConverters
import AudioFormats
import CAudioToolbox
import CodecSettings

extension CodecInstance {
  /// The choices of an encoder.
  private var settingList: SettingList {
    let format = packetFormat
    return .encoder(
      "\(KnownFormat.with(id: id)?.name ?? "Codec") Encoder",
      bitRates: known?.bitRates(
        sampleRate: format.mSampleRate, channelCount: format.mChannelsPerFrame) ?? [],
      bitRate: converter?.encoder?.bitRate ?? settings.bitRate, mode: settings.mode.rawValue,
      quality: (kAudioCodecPropertyQualitySetting, settings.quality))
  }

  /// The dictionary of these settings, as the address that a property has.
  func makeSettings() -> UInt { unsafe UInt(bitPattern: settingList.makeDictionary()) }

  /// Sets the values that a program changed in the dictionary of settings.
  func setSettings(_ bytes: [UInt8]) -> OSStatus {
    guard let address = bytes.value(UInt.self) else { return kAudioCodecBadPropertySizeError }
    guard let dictionary = unsafe UnsafeRawPointer(bitPattern: address),
      let changes = unsafe settingList.changes(in: dictionary)
    else { return kAudio_ParamError }
    for (code, number) in changes {
      let status = setNumber(code, number)
      guard status == noErr else { return status }
    }
    return noErr
  }
}
