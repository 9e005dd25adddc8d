// Metadata from the tags and the chunks of a file that is read.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
import CTagging

extension AudioFileMetadata {
  /// The same with the tags and the further chunks of a file that is read.
  func addingTags(_ stream: FileStream, _ format: AudioFileFormat) -> AudioFileMetadata {
    var whole = self
    guard let tags = FileTags() else { return whole }
    if let place = format.tagPlace {
      if tags.read(stream.descriptor, place) {
        tags.copy(to: &whole, place, sampleRate: format.sampleRate)
      }
      if place == AuricleTagPlaceFLAC { whole.noteBlocks(ofFLAC: stream) }
      if place == AuricleTagPlaceMP4 {
        whole.adoptTableTexts(ofFilm: stream)
        whole.adoptTags(place)
      }
    } else if let chunks = FileChunks(stream, format.container) {
      // The file library believes the declared number of marks of a chunk, with any content; without one, the
      // chapters of a tag are the marks.
      if chunks.isLittleEndian { whole.cuePoints = chunks["cue "].map(Self.marks) ?? [] }
      if let id3 = chunks.id3, tags.read(id3: id3) {
        tags.copy(to: &whole, nil, sampleRate: format.sampleRate)
      }
      if format.container == .aiff { whole.adoptTexts(ofAIFF: chunks) }
      if format.container == .caf { whole.adopt(ofCAF: stream) }
      for (key, value) in chunks.infoTexts where !whole.allTags.contains(where: { $0.key == key }) {
        whole.addTag(key, value)
      }
      whole.adoptTags(nil)
      if format.container == .aiff { AIFFMarks.read(chunks, into: &whole) }
      if let texts = chunks.markTexts { whole.addMarkTexts(texts) }
      whole.productionXML = chunks["iXML"] ?? []
      if format.container != .caf { whole.unknownChunks = chunks.unknown }
      for kind in AudioFileMetadata.FurtherChunk.allCases
      where ![.aiff, .caf].contains(format.container) {
        whole.furtherChunks[kind] = chunks[kind.rawValue]
      }
    }
    if format.tagPlace != AuricleTagPlaceMPEG {
      whole.adoptSurroundings(of: stream, sampleRate: format.sampleRate)
      whole.adoptTags(format.tagPlace)
    }
    return whole
  }

  /// Reads texts of AIFF again: the file library appends bytes of memory to them, or reads the last
  /// one of several.
  private mutating func adoptTexts(ofAIFF chunks: FileChunks) {
    func texts(_ name: String, after count: Int = 0) -> [String] {
      chunks.chunks.filter { $0.name == name }
        .map { decodedText(Array($0.bytes.dropFirst(count).prefix { $0 != 0 })) }
        .filter { !$0.isEmpty }
    }
    // The library writes the name of a program; others store their data there.
    let isOwn = chunks["APPL"]?.starts(with: "m3ga".utf8) == true
    self.texts[.software] = isOwn ? texts("APPL", after: 4).first : nil
    let notes = texts("ANNO")
    // Comments that belong to a mark are read with the marks.
    let comments = chunks.chunks.filter { $0.name == "COMT" }.flatMap {
      AIFFComments($0.bytes).texts
    }
    let all = notes + comments.filter { $0.mark == 0 }.map(\.text)
    if all.count > 1 || notes.isEmpty, !all.isEmpty {
      self.texts[.comment] = all.joined(separator: "\n")
    }
  }
}
