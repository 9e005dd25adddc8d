// MP4 and its kind, written: the sound first, the header in front of it where there is room, otherwise behind.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

extension MP4Container {
  /// The box 'ftyp' of a type: its own brand, and those whose rules the file keeps.
  private static func brands(_ type: AudioFileTypeID) -> MP4Node {
    let (own, version, others): (StaticString, UInt32, [StaticString]) =
      switch type {
      case kAudioFileM4AType: ("M4A ", 0, ["M4A ", "mp42", "isom"])
      case kAudioFileM4BType: ("M4B ", 0, ["M4B ", "mp42", "isom"])
      case kAudioFile3GPType: ("3gp6", 0x100, ["3gp6", "isom"])
      case kAudioFile3GP2Type: ("3g2a", 0x10000, ["3g2a", "isom"])
      default: ("mp42", 0, ["mp42", "isom"])
      }
    var body = [UInt8](code: UInt32(code: own)) + [UInt8](code: version)
    for other in others { body += [UInt8](code: UInt32(code: other)) }
    return MP4Node("ftyp", body)
  }

  static func begin(_ file: PacketFile) throws(AudioFileFailure) {
    guard (1...Double(UInt32.max)).contains(file.format.mSampleRate),
      file.format.mFramesPerPacket > 0, file.format.mChannelsPerFrame <= 255
    else { throw .dataFormat }
    file.format.mBytesPerPacket = 0
    file.table = PacketTable()
    let head = brands(file.type).bytes
    var start = Int64(head.count) + 16
    if file.reservedByteCount > 0 { start += file.reservedByteCount + 8 }
    if file.alignsSound { start = (start + 8 + 4095) / 4096 * 4096 }
    let room = start - 16 - Int64(head.count)
    try file.bytes.resize(to: 0)
    try file.bytes.write(head, at: 0)
    if room > 0 {
      let filler = MP4Movie.filler(room)
      try file.bytes.write(filler, at: Int64(head.count))
    }
    let tree = MP4Track.movie(file)
    file.movie = MP4Movie(
      tree: tree, track: 1, place: Int64(head.count), room: room, mediaStart: start)
    // A file that is never closed has media that go to the end.
    try file.bytes.write(MP4Movie.filler(8) + [0, 0, 0, 0] + Array("mdat".utf8), at: start - 16)
    file.soundOffset = start
    file.soundByteCount = 0
    file.isDirty = true
  }

  static func finish(_ file: PacketFile) throws(AudioFileFailure) {
    guard var movie = file.movie else { return }
    try MP4Track.update(&movie, file)
    try movie.write(file.bytes)
    file.movie = movie
  }

  static func tableSize(_ file: PacketFile) throws(AudioFileFailure) -> Int {
    guard var movie = file.movie else { return 0 }
    try MP4Track.update(&movie, file)
    return movie.tree.bytes.count
  }

  /// Brings the header in front of the media, with room to grow up to a page.
  static func optimize(_ file: PacketFile) throws(AudioFileFailure) {
    guard var movie = file.movie, movie.isBehind else { return }
    try MP4Track.update(&movie, file)
    let size = Int64(movie.tree.bytes.count)
    let start = movie.place + movie.room
    // Offsets become wider where the move moves them beyond 4 GiB: tables that are made anew have
    // the width.
    var offset = size + 8 - movie.room
    if let media = movie.mediaStart, file.alignsSound {
      offset = (media + offset + 4095) / 4096 * 4096 - media
    }
    guard movie.tail + offset < 1 << 32 || movie.tail >= 1 << 32 else { throw .tooLong }
    try file.bytes.move(from: start, to: start + offset, count: movie.tail - start)
    movie.shift(by: offset)
    movie.room += offset
    movie.mediaStart? += offset
    movie.tail += offset
    file.table?.shift(by: offset)
    file.soundOffset += offset
    try movie.write(file.bytes)
    file.movie = movie
  }

  static func setInfo(_ file: PacketFile, _ info: SoundInfo) throws(AudioFileFailure) {
    guard var movie = file.movie else { throw .property }
    try MP4Texts.setInfo(&movie.tree, info)
    file.movie = movie
    file.isDirty = true
  }

  static func stores(_ property: AudioFilePropertyID, _ file: PacketFile) -> Bool {
    switch property {
    case kAudioFilePropertyMagicCookieData, kAudioFilePropertyPacketTableInfo: true
    // iTunes' items have no place in files for telephones.
    case kAudioFilePropertyInfoDictionary:
      file.type != kAudioFile3GPType && file.type != kAudioFile3GP2Type
    case kAudioFilePropertyReserveDuration: file.soundByteCount == 0
    default: false
    }
  }

  static func storeCookie(_ file: PacketFile) throws(AudioFileFailure) {
    guard file.movie != nil else { throw .chunk }
    _ = try MP4SampleEntry.description(file)
    file.movie?.hasNewPackets = true
    file.isDirty = true
  }
}
