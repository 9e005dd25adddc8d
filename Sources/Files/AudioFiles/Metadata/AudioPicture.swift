// A picture that belongs to a file, and texts of any name.
// SPDX-License-Identifier: Apache-2.0

import CTagging

/// A picture in an audio file.
public struct AudioPicture: Sendable, Equatable {
  /// The subject, as ID3 and FLAC number it: 3 is the front cover.
  public var kind: Int
  /// The MIME type: `image/jpeg`, `image/png`.
  public var mimeType: String
  /// The title; may be empty.
  public var text: String
  /// The picture as it is in the file.
  public var bytes: [UInt8]

  /// Wraps a picture.
  public init(kind: Int = 3, mimeType: String, text: String = "", bytes: [UInt8]) {
    self.kind = kind
    self.mimeType = mimeType
    self.text = text
    self.bytes = bytes
  }
}

extension AudioFileMetadata {
  /// Leaves out pictures that files of a kind cannot hold; whether there were such.
  mutating func dropLargePictures(_ container: AudioContainer) -> Bool {
    // The size of a block of FLAC, with the texts in it, has 24 bits.
    let most = container == .flac ? (1 << 24) - 4096 : Int.max
    let count = pictures.count
    pictures.removeAll { $0.bytes.count > most }
    return pictures.count < count
  }
}

extension AudioFileMetadata.TextKey {
  /// The key that tags have for the text; nil where it is no matter of tags.
  var tagKey: String? {
    switch self {
    case .title: "TITLE"
    case .copyright: "COPYRIGHT"
    case .artist: "ARTIST"
    case .comment: "COMMENT"
    case .date: "DATE"
    case .album: "ALBUM"
    case .license: "LICENSE"
    case .trackNumber: "TRACKNUMBER"
    case .genre: "GENRE"
    case .software: nil
    }
  }
}

extension AudioFileMetadata {
  /// Whether a text describes the storage or the loudness of the input: it is not true of a result
  /// any more, and not carried over.
  static func isStale(_ key: String) -> Bool {
    let exact: Set<String> = [
      "ENCODER", "ENCODING", "ENCODERSETTINGS", "ENCODER SETTINGS", "SOFTWARE", "LENGTH",
      "ITUNSMPB",
      "ITUNNORM", "MD5", "DURATION", "MAJOR_BRAND",
      "MINOR_VERSION", "COMPATIBLE_BRANDS", "HANDLER_NAME", "VENDOR_ID", "TIMECODE",
      "CREATION_TIME", "ENCODEDBY", "ENCODED-BY", "RVA2", "RVAD", "XRVA", "RGAD", "MLLT", "ASPI",
      "SEEK", "TSIZ",
    ]
    let beginnings = [
      "REPLAYGAIN_", "R128_", "ITUNES_CDDB", "ACCURATERIP", "MP3GAIN_", "_STATISTICS", "BPS",
      "NUMBER_OF_",
    ]
    // Programs keep numbers in comments as well.
    let key = key.hasPrefix("COMMENT:") ? String(key.dropFirst(8)) : key
    return exact.contains(key) || beginnings.contains { key.hasPrefix($0) }
  }

  /// All texts by the keys of tags: texts of any name, with the usual ones from `texts`.
  var allTags: [(key: String, values: [String])] {
    var all = tags
    for key in TextKey.allCases {
      guard let tagKey = key.tagKey else { continue }
      let text = texts[key] ?? ""
      if text != all[tagKey].map(Self.joined) ?? "" { all[tagKey] = text.isEmpty ? nil : [text] }
    }
    if commentIsDescription { all[Self.descriptionKey] = nil }
    return all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Several values as one text.
  static func joined(_ values: [String]) -> String { values.joined(separator: "; ") }

  /// Adds a text of any name: the usual ones to `texts`, marks to the marks.
  mutating func addTag(_ key: String, _ value: String) {
    guard !value.isEmpty, !Self.isStale(key) else { return }
    // The sound track may have had it.
    if key == Self.languageKey, tags[key]?.contains(value) == true { return }
    tags[key, default: []].append(value)
  }

  /// The key of a comment in Vorbis and FLAC, besides `COMMENT`.
  static let descriptionKey = "DESCRIPTION"

  /// Whether the comment was read from a description, and goes by that name where it came from.
  var commentIsDescription: Bool {
    guard tags["COMMENT"] == nil, let description = tags[Self.descriptionKey] else { return false }
    return texts[.comment] == Self.joined(description)
  }

  /// Puts the usual texts where they belong, once all tags are there.
  mutating func adoptTags(_ place: AuricleTagPlace?) {
    if place?.holdsVorbisComments == true, tags["COMMENT"] == nil,
      let description = tags[Self.descriptionKey]
    {
      texts[.comment] = Self.joined(description)
    }
    for key in TextKey.allCases {
      guard let tagKey = key.tagKey else { continue }
      if let values = tags[tagKey] {
        texts[key] = Self.joined(values)
      } else if place == AuricleTagPlaceMPEG {
        // The file library calls the owner of a file (`TOWN`) its track number.
        texts[key] = nil
      }
    }
  }
}
