// iTunes' metadata in MP4 files: titles, and how much an encoder added.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The items of 'ilst'.
enum MP4Texts {
  private static let keys: [UInt32: String] = [
    0xA96E_616D: "title", 0xA941_5254: "artist", 0xA961_6C62: "album", 0xA977_7274: "composer",
    0xA967_656E: "genre", 0xA964_6179: "year", 0xA963_6D74: "comments",
    0xA974_6F6F: "encoding application", UInt32(code: "cprt"): "copyright",
  ]

  private static func items(
    _ boxes: MP4Boxes, _ movie: MP4Box
  ) throws(AudioFileFailure) -> [MP4Box] {
    guard let list = try boxes.box(["udta", "meta", "ilst"], in: movie) else { return [] }
    return try boxes.boxes(from: list.body, to: list.end)
  }

  /// What stands in an item: behind a kind and a language.
  private static func data(_ boxes: MP4Boxes, _ item: MP4Box) throws(AudioFileFailure) -> [UInt8] {
    try boxes.body(boxes.box(["data"], in: item), skipping: 8)
  }

  /// The text that tells what an encoder added, in hexadecimal numbers; nil without one.
  static func gaplessText(_ boxes: MP4Boxes, _ movie: MP4Box) throws(AudioFileFailure) -> String? {
    for item in try items(boxes, movie) where item.code == UInt32(code: "----") {
      let name = try boxes.body(boxes.box(["name"], in: item), skipping: 4)
      guard name == Array("iTunSMPB".utf8) else { continue }
      return StoredText.text(try data(boxes, item))
    }
    return nil
  }

  static func info(_ file: PacketFile) throws(AudioFileFailure) -> SoundInfo {
    let boxes = MP4Boxes(bytes: file.bytes)
    var info = SoundInfo()
    let top = try boxes.boxes(from: 0, to: try file.bytes.byteCount)
    guard let movie = top.first(where: { $0.code == UInt32(code: "moov") }) else { return info }
    for item in try items(boxes, movie) {
      if let key = keys[item.code] {
        let text = StoredText.text(try data(boxes, item))
        if !text.isEmpty { info[key] = text }
      } else if item.code == UInt32(code: "trkn") {
        var reader = ByteReader(try data(boxes, item), bigEndian: true)
        reader.skip(2)
        let (number, count) = (reader.u16(), reader.u16())
        if number > 0 { info["track number"] = count > 0 ? "\(number)/\(count)" : "\(number)" }
      } else if item.code == UInt32(code: "tmpo") {
        var reader = ByteReader(try data(boxes, item), bigEndian: true)
        let tempo = reader.u16()
        if tempo > 0 { info["tempo"] = "\(tempo)" }
      }
    }
    return info
  }
}
