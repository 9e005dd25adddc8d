// The description of the packets of a new MP4 file: 'stsd'.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

extension MP4SampleEntry {
  /// The box 'stsd' of a file: format, and the cookie in the form that its kind has here.
  static func description(_ file: PacketFile) throws(AudioFileFailure) -> MP4Node {
    let format = file.format
    let (code, inner) = try entry(file)
    var writer = ByteWriter(bigEndian: true)
    for value in [0, 0, 0, 1, 0, 0, 0, 0] { writer.put(UInt16(value)) }
    writer.put(UInt16(clamping: format.mChannelsPerFrame))
    let depth = file.sourceBitDepth > 16 ? UInt16(clamping: file.sourceBitDepth) : 16
    writer.put(format.mFormatID == kAudioFormatAppleLossless ? losslessDepth(format) : depth)
    writer.put(UInt32(0))
    // Rates that do not fit are in the description inside.
    let rate = format.mSampleRate.rounded()
    writer.put(rate < 65536 ? UInt32(rate) << 16 : 0)
    let entry = MP4Node(code: code, writer.bytes, inner)
    return .full("stsd") { writer in
      writer.put(UInt32(1))
      writer.put(bytes: entry.bytes)
    }
  }

  private static func losslessDepth(_ format: AudioStreamBasicDescription) -> UInt16 {
    (1...4).contains(format.mFormatFlags) ? [16, 20, 24, 32][Int(format.mFormatFlags) - 1] : 16
  }

  /// The code of the entry, and the box in it.
  private static func entry(
    _ file: PacketFile
  ) throws(AudioFileFailure) -> (UInt32, [MP4Node]) {
    let format = file.format
    switch format.mFormatID {
    case kAudioFormatMPEGLayer3:
      return (UInt32(code: "mp4a"), [descriptor(AACConfig.descriptor(kind: 0x6B, []))])
    case kAudioFormatAppleLossless:
      let config = plainLossless(file.cookie)
      guard config.count >= 24 else { throw .dataFormat }
      return (UInt32(code: "alac"), [.full("alac") { $0.put(bytes: config) }])
    case kAudioFormatFLAC:
      guard file.cookie.code(at: 4) == UInt32(code: "dfLa") else { throw .dataFormat }
      return (UInt32(code: "fLaC"), [MP4Node("dfLa", Array(file.cookie.dropFirst(8)))])
    case kAudioFormatOpus:
      guard let body = OpusHead(file.cookie)?.boxBody else { throw .dataFormat }
      return (UInt32(code: "Opus"), [MP4Node("dOps", body)])
    case kAudioFormatAC3, kAudioFormatEnhancedAC3:
      let first = try (file.table?.count ?? 0) > 0 ? file.packetBytes(0) : []
      return try AC3Container.description(first, isEnhanced: format.mFormatID != kAudioFormatAC3)
    case kAudioFormatAMR, kAudioFormatAMR_WB:
      let isWide = format.mFormatID == kAudioFormatAMR_WB
      // The encoder's maker, its version, all modes, any change of them, one frame a packet.
      let body: [UInt8] = Array("auri".utf8) + [0, isWide ? 0x83 : 0x81, 0xFF, 0, 1]
      return (UInt32(code: isWide ? "sawb" : "samr"), [MP4Node("damr", body)])
    default:
      guard let cookie = AACConfig.descriptor(cookie: file.cookie) ?? AACConfig(format)?.cookie
      else { throw .dataFormat }
      return (UInt32(code: "mp4a"), [descriptor(cookie)])
    }
  }

  private static func descriptor(_ cookie: [UInt8]) -> MP4Node {
    .full("esds") { $0.put(bytes: cookie) }
  }

  /// The description of Apple Lossless without the boxes that some files keep it in.
  static func plainLossless(_ cookie: [UInt8]) -> [UInt8] {
    var config = cookie[...]
    for code: StaticString in ["frma", "alac"] where Array(config).code(at: 4) == UInt32(code: code)
    {
      config = config.dropFirst(12)
    }
    return Array(config)
  }
}

extension AC3Container {
  /// The entry of MP4 for packets that begin as one does.
  static func description(
    _ packet: [UInt8], isEnhanced: Bool
  ) throws(AudioFileFailure) -> (UInt32, [MP4Node]) {
    let code = UInt32(code: isEnhanced ? "ec-3" : "ac-3")
    let name: StaticString = isEnhanced ? "dec3" : "dac3"
    // Nothing is known of a sound without packets.
    guard packet.count >= headerSize else {
      return (code, [MP4Node(name, [0, 0, 0] + (isEnhanced ? [0, 0] : []))])
    }
    var bits: UInt64 = 0
    var count = 0
    func put(_ value: UInt8, _ width: Int) {
      bits = bits << UInt64(width) | UInt64(value) & (1 << UInt64(width) - 1)
      count += width
    }
    let version = packet[5] >> 3
    if isEnhanced {
      let code = packet[4] >> 6
      let frames = 256 * (code < 3 ? [1, 2, 3, 6][Int(packet[4] >> 4 & 3)] : 6)
      let rate = code < 3 ? [48000, 44100, 32000][Int(code)] : 24000
      let kilobits = packet.count * 8 * rate / frames / 1000
      put(UInt8(kilobits >> 8 & 0x1F), 5)
      put(UInt8(kilobits & 0xFF), 8)
      put(0, 3)
      put(code, 2)
      put(version, 5)
      put(0, 5)
      put(packet[4] >> 1, 3)
      put(packet[4], 1)
      put(0, 8)
    } else {
      let mode = packet[6] >> 5
      put(packet[4] >> 6, 2)
      put(version, 5)
      put(packet[5], 3)
      put(mode, 3)
      put(AC3Header(packet)?.hasLowChannel == true ? 1 : 0, 1)
      put((packet[4] & 0x3F) / 2, 5)
      put(0, 5)
    }
    let bytes = (0..<(count / 8)).map {
      UInt8(truncatingIfNeeded: bits >> UInt64(count - 8 - 8 * $0))
    }
    return (code, [MP4Node(name, bytes)])
  }
}
