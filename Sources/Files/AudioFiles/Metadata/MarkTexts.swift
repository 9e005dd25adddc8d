// Names, notes and lengths of marks in WAV: the `adtl` list, which the file library reads in part.
// SPDX-License-Identifier: Apache-2.0

extension AudioFileMetadata {
  /// Adds the texts of marks in an `adtl` list.
  mutating func addMarkTexts(_ list: [UInt8]) {
    var position = 4
    var places: [UInt32: Int] = [:]
    var regionTexts: [Int: [String]] = [:]
    for (index, mark) in cuePoints.enumerated() {
      places[UInt32(bitPattern: mark.identifier)] = index
    }
    while position + 8 <= list.count {
      let size = Int(Self.word(list, position + 4))
      let start = position + 8
      guard size >= 4, start + size <= list.count else { return }
      if let index = places[Self.word(list, start)] {
        // In front of the text of a region are its length, purpose, country, language and code page.
        let isRegion = list[position..<position + 4].elementsEqual("ltxt".utf8)
        let text = list[(start + (isRegion ? min(size, 20) : 4))..<(start + size)].prefix {
          $0 != 0
        }
        switch String(decoding: list[position..<position + 4], as: UTF8.self) {
        case "labl": cuePoints[index].name = Self.text(text)
        case "note": cuePoints[index].note = Self.text(text)
        case "ltxt" where size >= 8:
          cuePoints[index].length = Self.word(list, start + 4)
          if !text.isEmpty { regionTexts[index, default: []].append(Self.text(text)) }
        case "file": noteUnread("files of marks")
        default: break
        }
      }
      position = start + size + (size & 1)
    }
    for (index, texts) in regionTexts {
      let notes = [cuePoints[index].note].filter { !$0.isEmpty } + texts
      cuePoints[index].note = notes.joined(separator: "\n")
    }
  }

  /// The `adtl` list of the marks; nil when none has a name, a note or a length.
  var markTexts: [UInt8]? {
    var list = Array("adtl".utf8)
    for mark in cuePoints {
      let identifier = Self.bytes(UInt32(bitPattern: mark.identifier))
      for (name, text) in [("labl", mark.name), ("note", mark.note)] where !text.isEmpty {
        Self.add(name, identifier + Array(text.utf8) + [0], to: &list)
      }
      if mark.length > 0 {
        let rest = Array("rgn ".utf8) + [UInt8](repeating: 0, count: 8)
        Self.add("ltxt", identifier + Self.bytes(mark.length) + rest, to: &list)
      }
    }
    return list.count > 4 ? list : nil
  }

  /// The marks of a `cue` chunk, which the file library does not read from RF64.
  static func marks(_ chunk: [UInt8]) -> [AudioCuePoint] {
    guard chunk.count >= 4 else { return [] }
    let count = min(Int(Self.word(chunk, 0)), (chunk.count - 4) / 24, 10_000)
    return (0..<count).map { index in
      let start = 4 + 24 * index
      var mark = AudioCuePoint(
        identifier: Int32(bitPattern: Self.word(chunk, start)), frame: Self.word(chunk, start + 20))
      mark.position = Self.word(chunk, start + 4)
      return mark
    }
  }

  /// The marks as a `cue` chunk.
  var markChunk: [UInt8] {
    var chunk = Self.bytes(UInt32(cuePoints.count))
    for mark in cuePoints {
      chunk += Self.bytes(UInt32(bitPattern: mark.identifier))
      chunk += Self.bytes(mark.position)
      chunk += Array("data".utf8)
      chunk += [UInt8](repeating: 0, count: 8)
      chunk += Self.bytes(mark.frame)
    }
    return chunk
  }

  private static func add(_ name: String, _ bytes: [UInt8], to list: inout [UInt8]) {
    list += Array(name.utf8) + Self.bytes(UInt32(bytes.count)) + bytes
    if bytes.count & 1 == 1 { list.append(0) }
  }

  private static func bytes(_ word: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) }
  }

  private static func word(_ list: [UInt8], _ index: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(list[index + $1]) << (8 * UInt32($1)) }
  }

  /// A text in UTF-8, or in Latin-1 where it is not.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    if let valid = String(validating: bytes, as: UTF8.self) { return valid }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
