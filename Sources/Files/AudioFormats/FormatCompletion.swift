// The fields of a format that follow from others, or from its cookie.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
package import CAudioToolbox

/// The knowledge of format services about formats, without a codec.
package enum FormatCompletion {
  /// A format with the fields that follow from others filled in; nil for an unknown identifier, and
  /// for a cookie of another format.
  ///
  /// A rate or a number of channels of 0 that no cookie contains stays 0. Of a stream in layers it
  /// is the base.
  package static func complete(
    _ format: AudioStreamBasicDescription, cookie: [UInt8] = []
  ) -> AudioStreamBasicDescription? {
    if format.mFormatID == kAudioFormatLinearPCM { return completeLinear(format) }
    guard let known = KnownFormat.with(id: format.mFormatID) else { return nil }
    if !cookie.isEmpty, format.mFormatID == kAudioFormatAppleLossless {
      return lossless(cookie)
    }
    if !cookie.isEmpty, isAAC(format.mFormatID) {
      return ElementaryStream(cookie)?.formats.last?.format
    }
    var format = format
    if format.mFormatID == kAudioFormatMPEGLayer3, (1..<32_000).contains(format.mSampleRate) {
      format.mFramesPerPacket = 576
    } else if format.mFormatID == kAudioFormatOpus, format.mFramesPerPacket == 0 {
      format.mFramesPerPacket = known.framesPerPacket
    } else if known.framesPerPacket > 0 {
      format.mFramesPerPacket = known.framesPerPacket
    }
    if format.mFormatID == kAudioFormatQDesign || format.mFormatID == kAudioFormatQDesign2 {
      format.mFramesPerPacket = known.framesPerPacket &* format.mChannelsPerFrame
    }
    format.mBytesPerPacket =
      known.bytesPerChannel > 0
      ? known.bytesPerChannel &* format.mChannelsPerFrame
      : known.isExternallyFramed ? 0 : format.mBytesPerPacket
    let isByFrames = known.framesPerPacket == 1
    format.mBytesPerFrame = isByFrames ? format.mBytesPerPacket : 0
    format.mBitsPerChannel = isByFrames ? known.bytesPerChannel * 8 : 0
    format.mReserved = 0
    return format
  }

  /// Whether a format is one of the AAC family, whose cookie is that of an elementary stream.
  package static func isAAC(_ id: AudioFormatID) -> Bool {
    id >> 8 == 0x61_6163 || id == kAudioFormatMPEGD_USAC
  }

  /// The formats that a stream can be read as, the richest first, with the tags of their layouts.
  package static func list(
    _ format: AudioStreamBasicDescription, cookie: [UInt8]
  ) -> [AudioFormatListItem]? {
    if !cookie.isEmpty, isAAC(format.mFormatID) {
      return ElementaryStream(cookie)?.formats.map {
        AudioFormatListItem(mASBD: $0.format, mChannelLayoutTag: $0.tag)
      }
    }
    return complete(format, cookie: cookie).map {
      [
        AudioFormatListItem(
          mASBD: $0,
          mChannelLayoutTag: usualTag(channelCount: $0.mChannelsPerFrame, of: $0.mFormatID))
      ]
    }
  }

  /// The layout of a number of channels without a description.
  package static func usualTag(
    channelCount: UInt32, of id: AudioFormatID
  ) -> AudioChannelLayoutTag {
    switch channelCount {
    case 1: return kAudioChannelLayoutTag_Mono
    case 2: return kAudioChannelLayoutTag_Stereo
    case 3...8 where isAAC(id) || id == kAudioFormatAppleLossless:
      return ElementaryStream.losslessTags[Int(channelCount)]
    default: return kAudioChannelLayoutTag_DiscreteInOrder | channelCount & 0xFFFF
    }
  }

  private static func completeLinear(
    _ format: AudioStreamBasicDescription
  ) -> AudioStreamBasicDescription {
    var format = format
    let isPlanar = format.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
    let samples = isPlanar ? 1 : format.mChannelsPerFrame
    format.mFramesPerPacket = 1
    if format.mBytesPerFrame == 0 { format.mBytesPerFrame = format.mBytesPerPacket }
    if format.mBytesPerFrame == 0 {
      format.mBytesPerFrame = (format.mBitsPerChannel &+ 7) / 8 &* samples
    } else if format.mBitsPerChannel == 0, samples > 0 {
      format.mBitsPerChannel = format.mBytesPerFrame / samples &* 8
    }
    format.mBytesPerPacket = format.mBytesPerFrame
    format.mReserved = 0
    return format
  }

  /// The format of an Apple lossless stream with this cookie; nil for bytes that are none.
  private static func lossless(_ cookie: [UInt8]) -> AudioStreamBasicDescription? {
    // The wrapper of QuickTime files: 'frma' and 'alac' atoms of 12 bytes.
    var bytes = cookie[...]
    for name in ["frma", "alac"] where bytes.count >= 12 {
      if bytes.dropFirst(4).prefix(4).elementsEqual(name.utf8) { bytes = bytes.dropFirst(12) }
    }
    let config = Array(bytes)
    guard config.count >= 24 else { return nil }
    let number = { (place: Int) in
      config[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    let flags: [UInt8: UInt32] = [16: 1, 20: 2, 24: 3, 32: 4]
    guard let flag = flags[config[5]], config[9] > 0, number(0) > 0 else { return nil }
    var format = AudioStreamBasicDescription()
    format.mFormatID = kAudioFormatAppleLossless
    format.mFormatFlags = flag
    format.mSampleRate = Double(number(20))
    format.mFramesPerPacket = number(0)
    format.mChannelsPerFrame = UInt32(config[9])
    return format
  }
}
