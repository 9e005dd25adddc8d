// Tags through TagLib: read from a file, and written into one that is finished.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
import AudioTypes
import CTagging
import Glibc

extension AudioContainer {
  /// The place at which TagLib finds the tags of files of this kind; nil where it has no part in them.
  var tagPlace: AuricleTagPlace? {
    switch self {
    case .flac: AuricleTagPlaceFLAC
    case .ogg: AuricleTagPlaceVorbis
    case .opus: AuricleTagPlaceOpus
    case .mp3: AuricleTagPlaceMPEG
    case .m4a: AuricleTagPlaceMP4
    default: nil
    }
  }
}

extension AudioFileFormat {
  /// The place at which TagLib finds the tags of such files; nil where it has no part in them.
  var tagPlace: AuricleTagPlace? {
    container == .ogg && encoding == .opus ? AuricleTagPlaceOpus : container.tagPlace
  }
}

extension AuricleTagPlace {
  /// Whether texts are comments of Vorbis there.
  var holdsVorbisComments: Bool {
    [AuricleTagPlaceFLAC, AuricleTagPlaceVorbis, AuricleTagPlaceOpus].contains(self)
  }
}

extension AudioContainer {
  /// Whether marks become chapters, which have a beginning and a name alone.
  var holdsChapters: Bool { tagPlace != nil || self == .mka }

  /// Whether files of this kind have an ID3 tag in a chunk.
  var storesID3: Bool { [.wav, .wavex, .rf64, .aiff].contains(self) }
}

/// Owner of a collection of tags.
@safe final class FileTags {
  let tags: OpaquePointer

  /// An empty collection; nil when memory is short.
  init?() {
    guard let tags = unsafe AuricleTagsMake() else { return nil }
    unsafe self.tags = tags
  }

  deinit {
    unsafe AuricleTagsFree(tags)
  }

  /// Reads the tags of an open file; false when there is nothing to be read.
  func read(_ descriptor: Int32, _ place: AuricleTagPlace) -> Bool {
    unsafe AuricleTagsReadFile(tags, descriptor, place)
  }

  /// Reads an ID3 tag.
  func read(id3 bytes: [UInt8]) -> Bool {
    unsafe AuricleTagsReadID3(tags, bytes, bytes.count)
  }

  /// Writes them into an open file; false when that fails.
  func write(_ descriptor: Int32, _ place: AuricleTagPlace) -> Bool {
    unsafe AuricleTagsWriteFile(tags, descriptor, place)
  }

  /// The tags as an ID3 tag; empty when that fails.
  var id3: [UInt8] {
    var count = 0
    guard let bytes = unsafe AuricleTagsMakeID3(tags, &count) else { return [] }
    defer { unsafe free(bytes) }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Moves the contents of the tags into metadata.
  func copy(
    to metadata: inout AudioFileMetadata, _ place: AuricleTagPlace?, sampleRate: Double
  ) {
    var chapters: [String: String] = [:]
    for index in unsafe 0..<AuricleTagsTextCount(tags) {
      let key = unsafe String(cString: AuricleTagsKey(tags, index))
      let value = unsafe String(cString: AuricleTagsValue(tags, index))
      if key.hasPrefix("CHAPTER"), key.dropFirst(7).first?.isNumber == true {
        chapters[key] = value
      } else {
        metadata.addTag(key, value)
        let spelling = unsafe String(cString: AuricleTagsSpelling(tags, index))
        if !spelling.isEmpty, spelling != key { metadata.spellings[key] = spelling }
      }
    }
    for index in unsafe 0..<AuricleTagsPartCount(tags) {
      var count = 0
      let name = unsafe String(cString: AuricleTagsPartName(tags, index))
      guard let bytes = unsafe AuricleTagsPartBytes(tags, index, &count),
        !AudioFileMetadata.isStale(name)
      else { continue }
      metadata.tagParts.append(
        unsafe TagPart(
          isFrame: AuricleTagsPartIsFrame(tags, index), name: name,
          bytes: [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))))
    }
    metadata.adoptTags(place)
    for index in unsafe 0..<AuricleTagsPictureCount(tags) {
      var count = 0
      guard let bytes = unsafe AuricleTagsPictureBytes(tags, index, &count) else { continue }
      metadata.pictures.append(
        unsafe AudioPicture(
          kind: Int(AuricleTagsPictureKind(tags, index)),
          mimeType: String(cString: AuricleTagsPictureType(tags, index)),
          text: String(cString: AuricleTagsPictureText(tags, index)),
          bytes: [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))))
    }
    for index in unsafe 0..<AuricleTagsUnreadCount(tags) {
      metadata.noteUnread(unsafe String(cString: AuricleTagsUnread(tags, index)))
    }
    var marks = Self.marks(chapters)
    for index in unsafe 0..<AuricleTagsChapterCount(tags) {
      marks.append(
        unsafe Chapter(
          seconds: Double(AuricleTagsChapterStart(tags, index)) / 1000,
          name: String(cString: AuricleTagsChapterName(tags, index)),
          address: String(cString: AuricleTagsChapterAddress(tags, index))))
    }
    guard metadata.cuePoints.isEmpty else { return }
    metadata.hasChapters = !marks.isEmpty
    for chapter in marks.sorted(by: { $0.seconds < $1.seconds }) {
      let frame = (chapter.seconds * sampleRate).rounded()
      guard frame <= Double(UInt32.max) else { continue }
      var point = AudioCuePoint(
        identifier: Int32(metadata.cuePoints.count + 1), frame: UInt32(frame), name: chapter.name)
      point.address = chapter.address
      metadata.cuePoints.append(point)
    }
  }

  /// A chapter as a tag has it.
  private struct Chapter {
    var seconds: Double
    var name: String
    var address: String
  }

  /// Chapters as comments: `CHAPTER001=00:01:02.500`, `CHAPTER001NAME=…`, `CHAPTER001URL=…`.
  private static func marks(_ chapters: [String: String]) -> [Chapter] {
    chapters.sorted { $0.key < $1.key }.compactMap { key, value in
      let parts = value.split(separator: ":").map { Double($0) }
      guard !key.hasSuffix("NAME"), !key.hasSuffix("URL"), (1...3).contains(parts.count) else {
        return nil
      }
      var seconds = 0.0
      for part in parts {
        guard let part, part.isFinite, part >= 0 else { return nil }
        seconds = seconds * 60 + part
      }
      return Chapter(
        seconds: seconds, name: chapters[key + "NAME"] ?? "", address: chapters[key + "URL"] ?? "")
    }
  }

  /// Adopts everything that tags of a place can hold; the last chapter goes to the end of the
  /// sound.
  func add(
    _ metadata: AudioFileMetadata, _ place: AuricleTagPlace?, sampleRate: Double,
    frameCount: Int = 0
  ) {
    let comments = place?.holdsVorbisComments == true
    let hasLanguage = place == AuricleTagPlaceMP4 && metadata.trackLanguage != nil
    for (key, values) in metadata.allTags {
      // The sound track has it already.
      if hasLanguage, key == AudioFileMetadata.languageKey { continue }
      let isDescription = key == "COMMENT" && comments && metadata.commentIsDescription
      let name = isDescription ? AudioFileMetadata.descriptionKey : key
      let spelling = metadata.spellings[name] ?? ""
      for value in values { unsafe AuricleTagsAddText(tags, name, value, spelling) }
    }
    for part in metadata.tagParts {
      unsafe AuricleTagsAddPart(
        tags, part.isFrame, part.name, part.bytes, part.bytes.count)
    }
    for picture in metadata.pictures {
      unsafe AuricleTagsAddPicture(
        tags, Int32(picture.kind), picture.mimeType, picture.text, picture.bytes,
        picture.bytes.count)
    }
    let marks = metadata.cuePoints.sorted { $0.frame < $1.frame }
    for (index, mark) in marks.enumerated() {
      let milliseconds = Self.milliseconds(mark.frame, sampleRate)
      switch place {
      case .some(AuricleTagPlaceMPEG):
        let end =
          index + 1 < marks.count
          ? marks[index + 1].frame : max(mark.frame, UInt32(clamping: frameCount))
        unsafe AuricleTagsAddChapter(
          tags, UInt32(clamping: milliseconds),
          UInt32(clamping: Self.milliseconds(end, sampleRate)),
          mark.name, mark.address)
      case .some(let place) where place.holdsVorbisComments:
        guard index < 999 else { return }
        let key = "CHAPTER" + Self.padded(index + 1, 3)
        let time =
          "\(Self.padded(milliseconds / 3_600_000, 2)):\(Self.padded(milliseconds / 60_000 % 60, 2))"
          + ":\(Self.padded(milliseconds / 1000 % 60, 2)).\(Self.padded(milliseconds % 1000, 3))"
        unsafe AuricleTagsAddText(tags, key, time, "")
        if !mark.name.isEmpty { unsafe AuricleTagsAddText(tags, key + "NAME", mark.name, "") }
        if !mark.address.isEmpty { unsafe AuricleTagsAddText(tags, key + "URL", mark.address, "") }
      default: break
      }
    }
  }

  private static func milliseconds(_ frame: UInt32, _ sampleRate: Double) -> Int {
    Int((Double(frame) / sampleRate * 1000).rounded())
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}

extension AudioFileMetadata {
  /// Only the roles of the channels.
  var channelsAlone: AudioFileMetadata {
    var metadata = AudioFileMetadata()
    metadata.channelMap = channelMap
    metadata.isAmbisonic = isAmbisonic
    return metadata
  }

  /// Texts that only tags of any name can hold.
  private func otherTags(than keys: Set<TextKey>) -> [String] {
    let used = Set(keys.compactMap(\.tagKey))
    return allTags.filter { !used.contains($0.key) || $0.values.count > 1 }.map(\.key)
  }

  /// Kinds of tags for which a file has no place at all.
  func droppedTags(_ container: AudioContainer) -> [String] {
    var dropped: [String] = []
    if container.tagPlace == nil, !container.storesID3 {
      if !pictures.isEmpty { dropped.append("pictures") }
      let known = Set(TextKey.allCases.compactMap(\.tagKey))
      if container != .mka, container != .caf {
        dropped += allTags.map(\.key).filter { !known.contains($0) }.map { spellings[$0] ?? $0 }
      }
    }
    if !productionXML.isEmpty, ![.wav, .wavex, .rf64].contains(container) {
      dropped.append("iXML")
    }
    if ![.wav, .wavex, .rf64].contains(container) { dropped += furtherNames }
    if isAmbisonic, container != .wavex { dropped.append("ambisonics") }
    dropped += droppedParts(container)
    if let trackTitle, trackTitle != texts[.title], container != .mka {
      dropped.append("title of the sound track")
    }
    return dropped + droppedDetails(container)
  }

  /// Parts of tags and marks that a file has no place for, though it holds the tag or the mark.
  private func droppedDetails(_ container: AudioContainer) -> [String] {
    var dropped: [String] = []
    let holdsAddresses = container == .mp3 || container.tagPlace?.holdsVorbisComments == true
    if !holdsAddresses, cuePoints.contains(where: { !$0.address.isEmpty }) {
      dropped.append("addresses of marks")
    }
    if container.holdsChapters {
      if cuePoints.contains(where: { $0.length > 0 }) { dropped.append("lengths of marks") }
      if cuePoints.contains(where: { !$0.note.isEmpty }) { dropped.append("notes to marks") }
    }
    // Comments of Vorbis and of Matroska have names in capitals.
    if container.tagPlace?.holdsVorbisComments == true || container == .mka {
      for (key, name) in spellings.sorted(by: { $0.key < $1.key }) where tags[key] != nil {
        dropped.append("the lower case of \(name)")
      }
    }
    if container == .mka || container == .caf {
      dropped += allTags.filter { $0.values.count > 1 }.map { "further values of \($0.key)" }
    }
    if container == .caf { dropped += keysWithoutNameInCAF }
    if container == .mka {
      dropped += allTags.map(\.key).filter { $0.contains(" ") }.map { "the spaces of \($0)" }
    }
    return container == .m4a ? dropped + droppedByItems : dropped
  }

  /// Parts of texts and pictures that the items of MPEG-4 have no place for.
  private var droppedByItems: [String] {
    var dropped: [String] = []
    // A track has two numbers.
    if let number = texts[.trackNumber],
      !number.split(separator: "/").allSatisfy({ UInt16($0) != nil })
    {
      dropped.append(TextKey.trackNumber.rawValue)
    }
    for key in allTags.map(\.key) where key.contains(":") {
      dropped.append("the colon of \(spellings[key] ?? key)")
    }
    // All are front covers, without a title.
    if pictures.contains(where: { $0.kind != 3 || !$0.text.isEmpty }) {
      dropped.append("kinds and descriptions of pictures")
    }
    return dropped
  }

  /// Adds the chunks that the file library does not write to a complete file; returns the names of
  /// things without a place.
  ///
  /// - Parameter isCopy: Whether the sound was copied, so that nothing but the sound is there yet.
  func appendChunks(
    to stream: FileStream, _ format: AudioFileFormat, isCopy: Bool = false
  ) -> [String] {
    let container = format.container
    if container == .caf { return append(toCAF: stream) }
    guard container.storesID3 else { return [] }
    var dropped: [String] = []
    func add(_ name: String, _ bytes: [UInt8], _ kind: String) {
      if !stream.append(chunk: name, bytes, container) { dropped.append(kind) }
    }
    if container == .aiff {
      let marks = AIFFMarks.chunks(self)
      for chunk in marks.chunks {
        add(chunk.name, chunk.bytes, chunk.name == "INST" ? "instrument" : "cue points")
      }
      dropped += marks.dropped
    } else {
      if container == .rf64 || isCopy, !cuePoints.isEmpty { add("cue ", markChunk, "cue points") }
      if let texts = markTexts { add("LIST", texts, "names of marks") }
      if !productionXML.isEmpty { add("iXML", productionXML, "iXML") }
      for kind in FurtherChunk.allCases {
        if let bytes = furtherChunks[kind] { add(kind.rawValue, bytes, kind.name) }
      }
    }
    let needsTag =
      !pictures.isEmpty || !otherTags(than: isCopy ? [] : container.textKeys).isEmpty
      || tagParts.contains(where: \.isFrame)
    if needsTag, let tags = FileTags() {
      tags.add(self, nil, sampleRate: format.sampleRate)
      let bytes = tags.id3
      if !bytes.isEmpty {
        add(container == .aiff ? "ID3 " : "id3 ", bytes, "pictures and further texts")
      }
    }
    return dropped
  }

  /// Whether tags written by TagLib have something to hold.
  var hasTags: Bool {
    !allTags.isEmpty || !pictures.isEmpty || !cuePoints.isEmpty || !tagParts.isEmpty
  }

  /// Writes tags into a complete file and reads them again; returns the wrong ones, as the end of a
  /// sentence.
  func writeTags(
    to stream: FileStream, _ format: AudioFileFormat, frameCount: Int
  ) -> String? {
    guard let place = format.tagPlace, hasTags, let tags = FileTags() else { return nil }
    tags.add(self, place, sampleRate: format.sampleRate, frameCount: frameCount)
    guard tags.write(stream.descriptor, place) else { return "its tags cannot be written" }
    stream.measure()
    guard let again = FileTags(), again.read(stream.descriptor, place) else {
      return "its tags cannot be read back"
    }
    var found = AudioFileMetadata()
    again.copy(to: &found, place, sampleRate: format.sampleRate)
    if found.pictures.map(\.bytes) != pictures.map(\.bytes) {
      return "its pictures were not stored unchanged"
    }
    for key in [TextKey.title, .artist, .album] where found.texts[key] ?? "" != texts[key] ?? "" {
      return "its \(key.rawValue) was not stored unchanged"
    }
    return nil
  }
}
