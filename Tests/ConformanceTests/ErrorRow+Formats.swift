// Situations of formats, and their codes.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

extension ErrorRow {
  /// A format of a rate and a width.
  private static func format(_ rate: Double, _ channels: Int) -> AudioStreamBasicDescription {
    AudioStreamFormat(sampleRate: rate, channelCount: channels).asbd
  }

  static let formats: [ErrorRow] = [
    .init(
      kAudioUnitErr_Initialized, "another format while initialised",
      Subject.fed.filter { $0 != .output }
    ) {
      try $0.start()
      return $0.set(kAudioUnitProperty_StreamFormat, format(96_000, 2), kAudioUnitScope_Input)
    },
    .init(0, "the same format while initialised") {
      try $0.start()
      let present = $0.get(
        kAudioUnitProperty_StreamFormat, AudioStreamBasicDescription.self, kAudioUnitScope_Output)
      guard let value = present.value else { return present.status }
      return $0.set(kAudioUnitProperty_StreamFormat, value, kAudioUnitScope_Output)
    },
    .init(kAudioUnitErr_FormatNotSupported, "a compressed format") {
      var packed = format(44_100, 2)
      packed.mFormatID = kAudioFormatMPEG4AAC
      return $0.set(kAudioUnitProperty_StreamFormat, packed, kAudioUnitScope_Input)
    },
    .init(kAudioUnitErr_FormatNotSupported, "no channels") {
      var none = format(44_100, 2)
      none.mChannelsPerFrame = 0
      return $0.set(kAudioUnitProperty_StreamFormat, none, kAudioUnitScope_Output)
    },
    .init(kAudioUnitErr_FormatNotSupported, "a rate that is no number") {
      $0.set(kAudioUnitProperty_StreamFormat, format(.nan, 2), kAudioUnitScope_Output)
    },
    .init(
      kAudioUnitErr_FormatNotSupported, "an input of another width",
      [
        .plainC, .calling, .callingMusicEffect, .callingOutput,
      ]
    ) {
      same(
        $0.set(kAudioUnitProperty_StreamFormat, format(44_100, 1), kAudioUnitScope_Input), 0)
      return unsafe AudioUnitInitialize($0.handle)
    },
    .init(kAudioUnitErr_FormatNotSupported, "an input of another rate", Subject.effects) {
      same(
        $0.set(kAudioUnitProperty_StreamFormat, format(96_000, 2), kAudioUnitScope_Input), 0)
      return unsafe AudioUnitInitialize($0.handle)
    },
    .init(
      kAudioUnitErr_FormatNotSupported, "lists to be processed from one rate to another",
      [.converter]
    ) {
      same($0.set(kAudioUnitProperty_SampleRate, 48_000.0, kAudioUnitScope_Output), 0)
      same(unsafe AudioUnitInitialize($0.handle), 0)
      $0.buffers.setFrameCount(64)
      var flags: AudioUnitRenderActionFlags = 0
      var stamp = AudioTimeStamp(sampleTime: 0)
      return unsafe AudioUnitProcess($0.handle, &flags, &stamp, 64, $0.buffers.list)
    },
    .init(kAudioUnitErr_InvalidPropertyValue, "a format of ten bytes") {
      $0.setBytes(
        kAudioUnitProperty_StreamFormat, [UInt8](repeating: 0, count: 10), kAudioUnitScope_Input)
    },
    .init(kAudioUnitErr_InvalidElement, "the format of an output that is not there") {
      $0.set(kAudioUnitProperty_StreamFormat, format(44_100, 2), kAudioUnitScope_Output, 77)
    },
  ]
}
