// Texts of CAF, whose information chunk holds texts of any name.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileParsing

extension AudioFileMetadata {
  /// Names of texts in CAF, and the keys that tags have for them; nil for those about the storage of the sound.
  private static let cafKeys: [String: String?] = [
    "comments": "COMMENT", "track number": "TRACKNUMBER", "year": "DATE", "recorded date": "DATE",
    "tempo": "BPM", "key signature": "INITIALKEY", "sub title": "SUBTITLE",
    "encoding application": nil, "source encoder": nil, "nominal bit rate": nil,
    "channel layout": nil,
    "approximate duration in seconds": nil,
  ]

  /// The key in tags of a text in CAF; nil for texts about the storage of the sound.
  private static func tagKey(ofCAF name: String) -> String? {
    cafKeys[name.lowercased()] ?? name.uppercased()
  }

  /// The name in CAF of a text by its key in tags.
  private func cafName(of key: String) -> String {
    if let spelled = spellings[key] { return spelled }
    let usual = ["COMMENT": "comments", "TRACKNUMBER": "track number", "DATE": "year"]
    return usual[key] ?? Self.cafKeys.first { $0.value == key }?.key ?? key.lowercased()
  }

  /// The keys of texts for whose name in CAF there is another text.
  var keysWithoutNameInCAF: [String] {
    var names: Set<String> = []
    return allTags.map(\.key).filter { !names.insert(cafName(of: $0)).inserted }
  }

  /// Reads the texts that the file library does not know, the marks, and the codes of other chunks.
  mutating func adopt(ofCAF stream: FileStream) {
    guard let file = try? PacketFile.open(StoredBytes(stream)) else { return }
    for (name, text) in (try? file.storedInfo())?.entries ?? [] {
      guard let key = Self.tagKey(ofCAF: name), !allTags.contains(where: { $0.key == key }) else {
        continue
      }
      addTag(key, text)
      if tags[key] != nil, name != key, name != name.lowercased() { spellings[key] = name }
    }
    adoptMarks(of: file)
    unknownChunks = file.chunkCodes.map(UnknownChunks.text).filter(UnknownChunks.isUnknownInCAF)
  }

  /// Adds texts and marks to a complete file; returns the names of things without a place.
  func append(toCAF stream: FileStream) -> [String] {
    var dropped = appendMarks(toCAF: stream)
    if !appendTexts(toCAF: stream) { dropped.append("further texts") }
    return dropped
  }

  /// Adds the texts that are not in the file; false where that fails.
  private func appendTexts(toCAF stream: FileStream) -> Bool {
    let known = Set(TextKey.allCases.compactMap(\.tagKey))
    // The file library, or the copy of the packets, wrote the usual ones.
    guard allTags.contains(where: { !known.contains($0.key) }) else { return true }
    do throws(AudioFileFailure) {
      let file = try PacketFile.open(StreamStore(stream), isWritable: true)
      var info = try file.storedInfo()
      let present = Set(info.entries.compactMap { Self.tagKey(ofCAF: $0.key) })
      let nameless = keysWithoutNameInCAF
      for (key, values) in allTags where !present.contains(key) && !nameless.contains(key) {
        info[cafName(of: key)] = values.first
      }
      try file.setInfo(info)
      try file.flush()
    } catch { return false }
    return true
  }
}
