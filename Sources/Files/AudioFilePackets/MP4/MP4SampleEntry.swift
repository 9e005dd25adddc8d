// The content of an MP4 file's track: format and cookie.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// The first entry of 'stsd'.
enum MP4SampleEntry {
  /// Reads the entry into a file's format and cookie.
  static func read(
    _ boxes: MP4Boxes, _ tables: MP4Box, _ file: PacketFile
  ) throws(AudioFileFailure) {
    guard let box = try boxes.box(["stsd"], in: tables),
      let entry = try boxes.boxes(from: box.body + 8, to: box.end).first
    else { throw .broken }
    let fields = try boxes.bytes.bytes(at: entry.body, count: 64)
    guard fields.count >= 28 else { throw .broken }
    var reader = ByteReader(fields, bigEndian: true)
    reader.seek(8)
    let version = reader.u16()
    reader.skip(6)
    var format = AudioStreamBasicDescription()
    format.mChannelsPerFrame = UInt32(reader.u16())
    reader.seek(24)
    format.mSampleRate = Double(reader.u32()) / 65536
    if version == 2 {
      reader.seek(32)
      format.mSampleRate = reader.double()
      format.mChannelsPerFrame = reader.u32()
    }
    guard (1...255).contains(format.mChannelsPerFrame), format.mSampleRate.isFinite,
      (1...3_000_000).contains(format.mSampleRate)
    else { throw .broken }
    let head: Int64 = version == 1 ? 44 : version == 2 ? 64 : 28
    let inner = try boxes.boxes(from: entry.body + head, to: entry.end)
    file.format = format
    if let linear = try linear(entry.code, fields, boxes, inner, format) {
      file.format = linear
      file.layout = try layout(boxes, inner)
      return
    }
    try describe(entry.code, boxes, inner, file)
    guard file.format.mFramesPerPacket > 0 else { throw .broken }
  }

  /// The format of samples that are stored as they are; nil for those of another kind.
  private static func linear(
    _ code: UInt32, _ fields: [UInt8], _ boxes: MP4Boxes, _ inner: [MP4Box],
    _ format: AudioStreamBasicDescription
  ) throws(AudioFileFailure) -> AudioStreamBasicDescription? {
    var entry = MP4LinearEntry(code: code, format: format)
    entry.bits = fields.code(at: 16) & 0xFFFF
    if fields[9] == 2 {
      (entry.bits, entry.flags, entry.packetSize) =
        (fields.code(at: 48), fields.code(at: 52), fields.code(at: 56))
    }
    entry.configuration = try boxes.body(
      inner.first { $0.code == UInt32(code: "pcmC") }, skipping: 4)
    let wave = inner.first { $0.code == UInt32(code: "wave") }
    if let wave { entry.order = try boxes.body(boxes.box(["enda"], in: wave)) }
    return entry.described
  }

  /// The layout of channels as QuickTime stores it; nil where there is none.
  private static func layout(
    _ boxes: MP4Boxes, _ inner: [MP4Box]
  ) throws(AudioFileFailure) -> [UInt8]? {
    let stored = try boxes.body(inner.first { $0.code == UInt32(code: "chan") }, skipping: 4)
    let layout = ChannelLayoutBytes.swapped(stored)
    return ChannelLayoutBytes.isValid(layout) ? ChannelLayoutBytes.trimmed(layout) : nil
  }

  private static func describe(
    _ code: UInt32, _ boxes: MP4Boxes, _ inner: [MP4Box], _ file: PacketFile
  ) throws(AudioFileFailure) {
    func body(_ code: StaticString, _ skipped: Int64 = 0) throws(AudioFileFailure) -> [UInt8] {
      try boxes.body(inner.first { $0.code == UInt32(code: code) }, skipping: skipped)
    }
    switch code {
    case UInt32(code: "mp4a"):
      var cookie = try body("esds", 4)
      if cookie.isEmpty, let wave = inner.first(where: { $0.code == UInt32(code: "wave") }) {
        // QuickTime's place for it.
        cookie = try boxes.body(boxes.box(["esds"], in: wave), skipping: 4)
      }
      try describeMPEG(cookie, file)
    case UInt32(code: "alac"):
      var stored = try body("alac", 4)
      if stored.isEmpty, let wave = inner.first(where: { $0.code == UInt32(code: "wave") }) {
        stored = try boxes.body(boxes.box(["alac"], in: wave), skipping: 4)
      }
      let cookie = plainLossless(stored)
      guard cookie.count >= 24 else { throw .broken }
      file.cookie = cookie
      file.format.mFormatID = kAudioFormatAppleLossless
      file.format.mFormatFlags = LosslessDepth.flags(UInt32(cookie[5]))
      file.format.mFramesPerPacket = cookie.code(at: 0)
      file.format.mSampleRate = Double(cookie.code(at: 20))
      file.format.mChannelsPerFrame = UInt32(cookie[9])
      file.sourceBitDepth = Int32(cookie[5])
      guard file.format.mSampleRate > 0, file.format.mChannelsPerFrame > 0 else { throw .broken }
    case UInt32(code: "fLaC"):
      guard let box = inner.first(where: { $0.code == UInt32(code: "dfLa") }) else {
        throw .broken
      }
      file.cookie = try boxes.bytes.bytes(at: box.start, count: Int(min(box.end - box.start, 4096)))
      // Behind the box's header, its version and that of the block: the longest block of samples.
      guard file.cookie.count >= 50 else { throw .broken }
      file.format.mFormatID = kAudioFormatFLAC
      file.format.mFramesPerPacket = file.cookie.code(at: 16) & 0xFFFF
    case UInt32(code: "Opus"):
      guard let head = OpusHead(boxBody: try body("dOps")) else { throw .broken }
      file.cookie = head.bytes
      file.layout = head.layoutTag.map(ChannelLayoutBytes.tag)
      file.format = head.format(frames: 960)
    case UInt32(code: "ac-3"):
      file.format.mFormatID = kAudioFormatAC3
      file.format.mFramesPerPacket = 1536
    case UInt32(code: "ec-3"):
      file.format.mFormatID = kAudioFormatEnhancedAC3
      file.format.mFramesPerPacket = 1536
    case UInt32(code: "samr"), UInt32(code: "sawb"):
      let isWide = code == UInt32(code: "sawb")
      file.format.mFormatID = isWide ? kAudioFormatAMR_WB : kAudioFormatAMR
      file.format.mSampleRate = isWide ? 16000 : 8000
      file.format.mFramesPerPacket = isWide ? 320 : 160
    case UInt32(code: ".mp3"), UInt32(code: ".mp2"):
      file.format.mFormatID = kAudioFormatMPEGLayer3
      file.format.mFramesPerPacket = file.format.mSampleRate < 32000 ? 576 : 1152
    default: throw .dataFormat
    }
  }

  /// Corrects the layer, channels and frames of MPEG audio by its first packet: the entry names one kind for all
  /// layers, and two channels whatever they are.
  static func readFirstFrame(_ file: PacketFile) throws(AudioFileFailure) {
    guard file.format.mFormatID == kAudioFormatMPEGLayer3, let start = file.table?.starts.first,
      let header = MPEGAudioHeader(try file.bytes.bytes(at: start, count: MPEGAudioHeader.size))
    else { return }
    file.format.mFormatID =
      [
        kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3,
      ][header.layer - 1]
    file.format.mSampleRate = header.sampleRate
    file.format.mChannelsPerFrame = header.channelCount
    file.format.mFramesPerPacket = header.frameCount
  }

  /// AAC or MP3 by the kind in a descriptor.
  private static func describeMPEG(
    _ cookie: [UInt8], _ file: PacketFile
  ) throws(AudioFileFailure) {
    guard let kind = AACConfig.objectKind(cookie) else { throw .broken }
    switch kind {
    case 0x40, 0x66, 0x67, 0x68:
      file.cookie = cookie
      file.format.mFormatID = kAudioFormatMPEG4AAC
      file.format.mFramesPerPacket = 1024
      if let config = AACConfig(cookie: cookie) {
        file.format.mSampleRate = config.format.mSampleRate
        file.format.mChannelsPerFrame = config.format.mChannelsPerFrame
        file.format.mFormatFlags = config.format.mFormatFlags
        file.fullFormat = config.fullFormat
        file.layout = config.layoutTag.map(ChannelLayoutBytes.tag)
      } else if let stream = ElementaryStream(cookie), stream.channelCount > 0 {
        file.format.mChannelsPerFrame = stream.channelCount
        file.format.mSampleRate = stream.sampleRate
      }
    case 0x69, 0x6B:
      file.format.mFormatID = kAudioFormatMPEGLayer3
      file.format.mFramesPerPacket = file.format.mSampleRate < 32000 ? 576 : 1152
    default: throw .dataFormat
    }
  }
}
