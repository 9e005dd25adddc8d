// The boxes of a track of sound: made for a new file, and updated with the packets that it has now.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// Makes and changes the sound's part of 'moov'.
enum MP4Track {
  /// The header of a new file, without tables.
  static func movie(_ file: PacketFile) -> MP4Node {
    let scale = UInt32(file.format.mSampleRate.rounded())
    let matrix: [UInt32] = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000]
    let movieHead = MP4Node.full("mvhd") { writer in
      for value in [0, 0, scale, 0, 0x10000] { writer.put(UInt32(value)) }
      writer.put(UInt32(0x0100_0000))
      writer.put(UInt64(0))
      for value in matrix { writer.put(value) }
      writer.put(bytes: [UInt8](repeating: 0, count: 24))
      writer.put(UInt32(2))
    }
    let trackHead = MP4Node.full("tkhd", flags: 7) { writer in
      for value in [0, 0, 1, 0, 0, 0, 0, 0, 0x0100_0000] { writer.put(UInt32(value)) }
      for value in matrix { writer.put(value) }
      writer.put(UInt64(0))
    }
    let mediaHead = MP4Node.full("mdhd") { writer in
      for value in [0, 0, scale, 0, 0x55C4_0000] { writer.put(UInt32(value)) }
    }
    let handler = MP4Node.full("hdlr") { writer in
      writer.put(UInt32(0))
      writer.put(bytes: "soun".utf8)
      writer.put(bytes: [UInt8](repeating: 0, count: 12))
      writer.put(bytes: "SoundHandler\0".utf8)
    }
    let reference = MP4Node.full("dref") { writer in
      writer.put(UInt32(1))
      writer.put(bytes: MP4Node.full("url ", flags: 1).bytes)
    }
    let information = MP4Node(
      "minf", [],
      [
        .full("smhd") { $0.put(UInt32(0)) }, MP4Node("dinf", reference.bytes), MP4Node("stbl"),
      ])
    let media = MP4Node("mdia", [], [mediaHead, handler, information])
    return MP4Node("moov", [], [movieHead, MP4Node("trak", [], [trackHead, media])])
  }

  /// Writes the present packets, durations and trim of the file into the header.
  static func update(_ movie: inout MP4Movie, _ file: PacketFile) throws(AudioFileFailure) {
    var track = movie.tree.children[movie.track]
    let isNew = track["mdia", "minf", "stbl", "stsd"] == nil
    if isNew || movie.hasNewPackets {
      let scale = MP4Container.scale(track["mdia", "mdhd"]?.body ?? [])
      var tables = track["mdia", "minf", "stbl"] ?? MP4Node("stbl")
      if isNew || isOwn(track) {
        tables["stsd"] = try MP4SampleEntry.description(file)
      }
      for code: StaticString in ["stz2", "stco", "co64", "stss", "sbgp", "sgpd"] {
        tables[code] = nil
      }
      for table in try MP4TrackTables.tables(file, scale: Int64(scale)) {
        tables.children.removeAll { $0.code == table.code }
        tables.children.append(table)
      }
      track["mdia", "minf", "stbl"] = tables
    }
    try setDurations(&track, &movie.tree, file)
    movie.tree.children[movie.track] = track
    movie.hasNewPackets = false
    if file.trim != nil, file.container.stores(kAudioFilePropertyInfoDictionary, file) {
      try MP4Texts.setGapless(&movie.tree, file.presentTrim())
    }
  }

  /// Whether the track is of this library's making: its description can be made anew.
  private static func isOwn(_ track: MP4Node) -> Bool {
    track["mdia", "hdlr"]?.body.suffix(13) == Array("SoundHandler\0".utf8)[...]
  }

  private static func setDurations(
    _ track: inout MP4Node, _ tree: inout MP4Node, _ file: PacketFile
  ) throws(AudioFileFailure) {
    let rate = max(1, file.format.mSampleRate)
    let trim = try file.presentTrim()
    let total = trim.mNumberValidFrames + Int64(trim.mPrimingFrames)
    func ticks(_ frames: Int64, _ header: MP4Node?) -> Int64 {
      let scale = Double(MP4Container.scale(header?.body ?? []))
      return scale == rate ? frames : Int64((Double(frames) * scale / rate).rounded())
    }
    let shown = ticks(trim.mNumberValidFrames, tree["mvhd"])
    let long = ticks(total, track["mdia", "mdhd"])
    track["mdia", "mdhd"]?.setDuration(at: 12, long)
    track["tkhd"]?.setDuration(at: 16, shown)
    // Other tracks may be longer.
    let others = tree.children.filter { $0.code == UInt32(code: "trak") }.count > 1
    if !others { tree["mvhd"]?.setDuration(at: 12, shown) }
    guard file.trim != nil, trim.mPrimingFrames > 0 || trim.mRemainderFrames > 0 else { return }
    let start = ticks(Int64(trim.mPrimingFrames), track["mdia", "mdhd"])
    let isLong = shown > Int64(UInt32.max)
    track["edts"] = MP4Node(
      "edts", [],
      [
        .full("elst", version: isLong ? 1 : 0) { writer in
          writer.put(UInt32(1))
          if isLong {
            writer.put(shown)
            writer.put(start)
          } else {
            writer.put(UInt32(shown))
            writer.put(Int32(clamping: start))
          }
          writer.put(UInt32(0x10000))
        }
      ])
    // The edit list is read before the media.
    if let edit = track.children.firstIndex(where: { $0.code == UInt32(code: "edts") }) {
      let node = track.children.remove(at: edit)
      track.children.insert(node, at: min(1, track.children.count))
    }
  }
}

extension MP4Node {
  /// Sets the duration in the header of a film, a track or its media, and makes it long where needed.
  ///
  /// - Parameter offset: The distance behind the version in the short form.
  fileprivate mutating func setDuration(at offset: Int, _ ticks: Int64) {
    guard body.count >= offset + 8 else { return }
    if body[0] == 0, ticks > Int64(UInt32.max) {
      // Two times and the duration get as wide again.
      let (created, changed) = (Array(body[4..<8]), Array(body[8..<12]))
      let zeros: [UInt8] = [0, 0, 0, 0]
      let middle = Array(body[12..<(4 + offset)])
      body =
        [1] + Array(body[1..<4]) + zeros + created + zeros + changed + middle + zeros
        + Array(body[(4 + offset)...])
    }
    var writer = ByteWriter(bigEndian: true)
    let isLong = body[0] == 1
    if isLong { writer.put(ticks) } else { writer.put(UInt32(clamping: ticks)) }
    let place = 4 + offset + (isLong ? 8 : 0)
    guard place + writer.bytes.count <= body.count else { return }
    body.replaceSubrange(place..<(place + writer.bytes.count), with: writer.bytes)
  }
}
