// Ogg with Opus, Vorbis or FLAC: the first stream of sound.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// Pages of packets; the last page contains the end of the sound.
enum OggContainer: Container {
  static let types: [AudioFileTypeID] = [kAuricleAudioFileOggType]
  /// A page is never longer.
  private static let largestPage: Int64 = 65_307

  static func type(of head: [UInt8]) -> AudioFileTypeID? {
    OggPage(head).map { _ in kAuricleAudioFileOggType }
  }

  static var canSync: Bool { true }

  static func sync(_ bytes: BufferedStore, from place: Int64) throws(AudioFileFailure) -> Int64? {
    var place = place
    for _ in 0..<256 {
      let block = try bytes.bytes(at: place, count: 1 << 10)
      for offset in block.indices where block[offset] == 0x4F {
        let head = try bytes.bytes(at: place + Int64(offset), count: OggPage.headSize)
        if OggPage(head) != nil { return place + Int64(offset) }
      }
      guard block.count == 1 << 10 else { return nil }
      place += Int64(block.count)
    }
    return nil
  }

  static func read(_ file: PacketFile) throws(AudioFileFailure) {
    let end = try file.bytes.byteCount
    guard try chainEnd(file.bytes, from: 0) == nil else { throw .dataFormat }
    var place: Int64 = 0
    // Streams begin one behind the other; the first that is known is read.
    while true {
      let head = try file.bytes.bytes(at: place, count: OggPage.headSize)
      guard let page = OggPage(head), page.flags & OggPage.first != 0 else { throw .dataFormat }
      var walker = OggWalker(serial: page.serial, at: place)
      guard let first = try packet(&walker, file.bytes, end: end) else { throw .broken }
      if let sound = try describe(first, &walker, file, end: end) {
        return try begin(file, sound, walker)
      }
      place = walker.place
    }
  }

  private static func begin(
    _ file: PacketFile, _ sound: OggSound, _ walker: OggWalker
  ) throws(AudioFileFailure) {
    file.soundOffset = walker.place
    file.soundByteCount = try file.bytes.byteCount - walker.place
    file.table = PacketTable()
    file.table?.isComplete = false
    let channels = file.format.mChannelsPerFrame
    let largest: UInt32 =
      switch sound {
      case .opus: 1277 * 3 * channels
      case .vorbis: 8192 * channels
      case .flac: 65535 * 4 * channels
      }
    file.ogg.serial = walker.serial
    file.scanner = OggScanner(sound, walker.inSound, largestSize: largest)
    guard !file.bytes.isArriving else { return }
    try OggLength.read(file, sound, walker)
  }

  /// Returns the end of the streams behind which others begin, also behind a tag; nil for a file whose streams
  /// all begin at its front.
  static func chainEnd(
    _ bytes: BufferedStore, from start: Int64
  ) throws(AudioFileFailure) -> Int64? {
    guard !bytes.isArriving else { return nil }
    var place = start
    var hasBody = false
    while true {
      guard let page = OggPage(try bytes.bytes(at: place, count: OggPage.headSize)) else {
        guard hasBody, let next = try TagPlaces.end(bytes, at: place), next > place else { break }
        place = next
        continue
      }
      if page.flags & OggPage.first != 0, hasBody { return place }
      hasBody = hasBody || page.flags & OggPage.first == 0
      let body = place + Int64(OggPage.headSize)
      let segments = try bytes.bytes(at: body, count: page.segmentCount)
      place = body + Int64(page.segmentCount) + segments.reduce(0) { $0 + Int64($1) }
    }
    return nil
  }

  /// The bytes of the next packet, of a header.
  private static func packet(
    _ walker: inout OggWalker, _ bytes: BufferedStore, end: Int64
  ) throws(AudioFileFailure) -> [UInt8]? {
    guard let pieces = try walker.next(bytes, end: end) else { return nil }
    var packet: [UInt8] = []
    for piece in pieces {
      packet += try bytes.bytes(at: piece.start, count: piece.count)
      guard packet.count < 1 << 28 else { throw .broken }
    }
    return packet
  }

  /// Reads the headers of a stream into a file's format and cookie; nil for a kind that is none of sound.
  private static func describe(
    _ first: [UInt8], _ walker: inout OggWalker, _ file: PacketFile, end: Int64
  ) throws(AudioFileFailure) -> OggSound? {
    func next() throws(AudioFileFailure) -> [UInt8] {
      guard let packet = try packet(&walker, file.bytes, end: end) else { throw .broken }
      return packet
    }
    if let head = OpusHead(first) {
      file.comments = Array(try next().dropFirst(8))
      file.cookie = first
      file.layout = head.layoutTag.map(ChannelLayoutBytes.tag)
      // Most streams have packets of one length: the first ones show it.
      let frames = try opusFrames(walker, file.bytes, end: end)
      file.format = head.format(frames: frames)
      return .opus
    }
    if first.starts(with: [1] + Array("vorbis".utf8)) {
      let headers = [first, try next(), try next()]
      guard let setup = VorbisSetup(headers: headers) else { throw .broken }
      file.comments = Array(headers[1].dropFirst(7))
      file.cookie = setup.cookie
      file.format = setup.format
      file.layout = VorbisSetup.layoutTag(setup.channelCount).map(ChannelLayoutBytes.tag)
      return .vorbis(setup)
    }
    guard first.starts(with: [0x7F] + Array("FLAC".utf8)), first.count >= 51 else { return nil }
    try FLACContainer.describe(Array(first[17...]), file)
    while true {
      let block = try next()
      guard let kind = block.first else { throw .broken }
      if kind & 0x7F == 4 { file.comments = Array(block.dropFirst(4)) }
      if kind & 0x80 != 0 { break }
    }
    return .flac(file.format.mFramesPerPacket)
  }

  private static func opusFrames(
    _ walker: OggWalker, _ bytes: BufferedStore, end: Int64
  ) throws(AudioFileFailure) -> UInt32 {
    var walker = walker
    var frames: UInt32 = 0
    for _ in 0..<4 {
      guard let first = try walker.next(bytes, end: end)?.first else { break }
      let these =
        OpusHead.frames(of: try bytes.bytes(at: first.start, count: min(2, first.count))) ?? 0
      if frames == 0 { frames = these }
      guard these == frames else { return 0 }
    }
    return frames == 0 ? 960 : frames
  }

  static func info(_ file: PacketFile) throws(AudioFileFailure) -> SoundInfo {
    var info = SoundInfo()
    info.entries = VorbisComments(file.comments).texts
    return info
  }

  /// The pages of a stream near the end of a file, in their order.
  static func lastPages(
    _ bytes: BufferedStore, serial: UInt32, from start: Int64
  ) throws(AudioFileFailure) -> [(place: Int64, page: OggPage)] {
    let end = try bytes.byteCount
    var pages: [(place: Int64, page: OggPage)] = []
    // Two pages, however long, are within this.
    guard var place = try sync(bytes, from: max(start, end - 2 * largestPage - 1)) else {
      return []
    }
    while place < end {
      let head = try bytes.bytes(at: place, count: OggPage.headSize)
      guard let page = OggPage(head) else {
        guard let next = try sync(bytes, from: place + 1) else { break }
        place = next
        continue
      }
      if page.serial == serial, page.granule >= 0 { pages.append((place, page)) }
      let segments = try bytes.bytes(
        at: place + Int64(OggPage.headSize), count: page.segmentCount)
      place += Int64(OggPage.headSize + page.segmentCount)
      place += segments.reduce(0) { $0 + Int64($1) }
    }
    return pages
  }
}
