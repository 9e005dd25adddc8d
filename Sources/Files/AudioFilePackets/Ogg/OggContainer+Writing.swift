// Ogg, written: headers when the cookie is known, then pages.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

extension OggContainer {
  static func begin(_ file: PacketFile) throws(AudioFileFailure) {
    file.format.mBytesPerPacket = 0
    file.table = PacketTable()
    file.soundOffset = 0
    if file.comments.isEmpty { file.comments = VorbisComments().bytes }
  }

  static func stores(_ property: AudioFilePropertyID, _ file: PacketFile) -> Bool {
    switch property {
    case kAudioFilePropertyMagicCookieData: file.ogg.pages == nil && file.soundByteCount == 0
    case kAudioFilePropertyPacketTableInfo: file.ogg.pages != nil || file.soundByteCount == 0
    case kAudioFilePropertyInfoDictionary: true
    default: false
    }
  }

  static func storeCookie(_ file: PacketFile) throws(AudioFileFailure) {
    guard file.ogg.pages == nil, try sound(file) != nil else { throw .dataFormat }
  }

  /// The description of packets in the cookie; nil where it is of another format.
  private static func sound(_ file: PacketFile) throws(AudioFileFailure) -> OggSound? {
    switch file.format.mFormatID {
    case kAudioFormatOpus:
      if file.cookie.isEmpty {
        // One or two channels need no other header.
        guard let count = UInt8(exactly: file.format.mChannelsPerFrame), count <= 2 else {
          return nil
        }
        let priming = UInt16(clamping: file.trim?.mPrimingFrames ?? 312)
        file.cookie = OpusHead(channels: count, priming: priming, sourceRate: 48000).bytes
      }
      return OpusHead(file.cookie).map { _ in .opus }
    case kAuricleAudioFormatVorbis: return VorbisSetup(cookie: file.cookie).map { .vorbis($0) }
    default:
      guard file.cookie.code(at: 4) == UInt32(code: "dfLa"), file.cookie.count >= 50 else {
        return nil
      }
      return .flac(file.format.mFramesPerPacket)
    }
  }

  /// The packets in front of the sound: each list begins a page.
  private static func headers(_ file: PacketFile) -> [[[UInt8]]] {
    switch file.format.mFormatID {
    case kAudioFormatOpus:
      return [[file.cookie], [Array("OpusTags".utf8) + file.comments]]
    case kAuricleAudioFormatVorbis:
      var headers = VorbisSetup(cookie: file.cookie)?.headers ?? [[], [], []]
      headers[1] = [3] + Array("vorbis".utf8) + file.comments + [1]
      return [[headers[0]], [headers[1], headers[2]]]
    default:
      let first: [UInt8] =
        [0x7F] + Array("FLAC".utf8) + [1, 0, 0, 1] + Array("fLaC".utf8) + [0, 0, 0, 34]
        + file.cookie[16..<50]
      let size = [UInt8](code: UInt32(file.comments.count) | 0x8400_0000)
      return [[first], [size + file.comments]]
    }
  }

  private static func headerPages(_ file: PacketFile, serial: UInt32) -> [[UInt8]] {
    var pages: [[UInt8]] = []
    for packets in headers(file) {
      pages += OggPages.pages(
        packets, serial: serial, sequence: UInt32(pages.count), granule: 0,
        flags: pages.isEmpty ? OggPage.first : 0)
    }
    return pages
  }

  /// Writes the headers, as soon as there is sound.
  private static func start(_ file: PacketFile) throws(AudioFileFailure) {
    guard file.ogg.pages == nil else { return }
    guard let sound = try sound(file) else { throw .dataFormat }
    // The same file whenever it is made from the same.
    let serial = OggPage.checksum(file.cookie) ^ 0x4175_7269
    let pages = headerPages(file, serial: serial)
    var place: Int64 = 0
    for page in pages {
      try file.bytes.write(page, at: place)
      place += Int64(page.count)
    }
    file.soundOffset = place
    file.ogg.serial = serial
    file.ogg.sound = sound
    file.ogg.pages = OggPages(
      serial: serial, place: place, sequence: UInt32(pages.count),
      rate: Int64(file.format.mSampleRate))
  }

  /// Adds a packet.
  ///
  /// - Returns: Its frames.
  static func append(
    _ file: PacketFile, _ packet: [UInt8]
  ) throws(AudioFileFailure) -> UInt32 {
    try start(file)
    let frames: UInt32
    switch file.ogg.sound {
    case .opus: frames = OpusHead.frames(of: packet) ?? 0
    case .vorbis(let setup):
      frames = OggScanner.vorbisFrames(setup, packet, &file.ogg.lastBlock)
    case .flac(let constant) where constant > 0: frames = constant
    default: frames = FLACFrameHeader(Array(packet.prefix(16)))?.frames ?? 0
    }
    try file.ogg.pages?.append(packet, frames: Int64(frames), to: file.bytes)
    file.ogg.isUnsettled = true
    return frames
  }

  static func finish(_ file: PacketFile) throws(AudioFileFailure) {
    if file.ogg.pages == nil, file.table?.count == 0, file.soundByteCount == 0 { try start(file) }
    guard let pages = file.ogg.pages else { return }
    if let trim = file.trim, let head = OpusHead(file.cookie), head.priming != trim.mPrimingFrames,
      let priming = UInt16(exactly: trim.mPrimingFrames)
    {
      // The header contains it; it has as many bytes as before.
      file.cookie[10] = UInt8(priming & 0xFF)
      file.cookie[11] = UInt8(priming >> 8)
      try rewriteHeaders(file)
    }
    let dropped = Int64(file.trim?.mRemainderFrames ?? 0)
    let end = try pages.finish(dropping: dropped, to: file.bytes)
    try file.bytes.resize(to: end)
    file.soundByteCount = end - file.soundOffset
  }

  /// Finds out where the packets are that were written.
  static func settle(_ file: PacketFile) throws(AudioFileFailure) {
    guard let sound = file.ogg.sound, file.ogg.isUnsettled else { return }
    try finish(file)
    file.ogg.isUnsettled = false
    let walker = OggWalker(serial: file.ogg.serial, at: file.soundOffset)
    file.scanner = OggScanner(sound, walker, largestSize: file.table?.largest ?? 0)
    file.table = PacketTable()
    file.table?.isComplete = false
    file.scannedEnd = 0
    _ = try file.completeTable()
  }

  static func setInfo(_ file: PacketFile, _ info: SoundInfo) throws(AudioFileFailure) {
    var comments = VorbisComments(file.comments)
    comments.set(info.entries)
    let old = file.comments
    file.comments = comments.bytes
    // Before the sound it is written with the headers.
    guard file.soundOffset > 0 else { return }
    do throws(AudioFileFailure) {
      try rewriteHeaders(file)
    } catch {
      file.comments = old
      throw error
    }
  }

  /// Writes the headers of a file that has sound, and moves the sound where they become longer or shorter.
  private static func rewriteHeaders(_ file: PacketFile) throws(AudioFileFailure) {
    let pages = headerPages(file, serial: file.ogg.serial)
    let first = try file.bytes.bytes(at: file.soundOffset, count: OggPage.headSize)
    // The pages of the sound keep their numbers.
    let count = OggPage(first)?.sequence ?? file.ogg.pages?.sequence
    guard count == UInt32(pages.count) || file.soundByteCount == 0 else { throw .unsupported }
    let head = Array(pages.joined())
    let offset = Int64(head.count) - file.soundOffset
    let end = try file.bytes.byteCount
    try file.bytes.move(
      from: file.soundOffset, to: Int64(head.count), count: end - file.soundOffset)
    try file.bytes.write(head, at: 0)
    try file.bytes.resize(to: end + offset)
    file.soundOffset += offset
    file.ogg.pages?.place += offset
    file.ogg.isUnsettled = file.ogg.pages != nil
    if file.ogg.pages == nil {
      // Found again where they are now.
      let again = try PacketFile.open(file.bytes, hint: file.type)
      (file.table, file.scanner, file.scannedEnd) = (again.table, again.scanner, 0)
    }
    file.isDirty = true
  }
}
