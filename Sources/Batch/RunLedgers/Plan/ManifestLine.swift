// Lines of manifests of data sets: JSON lines with NeMo's and Lhotse's names, and Kaldi's wav.scp.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import HostSystem
import ResultSettings

/// Reads lines of manifests.
enum ManifestLine {
  /// A kind of manifest.
  enum Kind {
    /// A JSON object a line.
    case lines
    /// A name and a path a line, as in Kaldi's `wav.scp`.
    case kaldi

    /// The kind of a list by its name and its first bytes; nil for plain paths.
    init?(name: String, beginning: ArraySlice<UInt8>) {
      if Path.fileExtension(of: name) == "scp" {
        self = .kaldi
        return
      }
      let line = beginning.prefix { $0 != 0x0A }
      guard line.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "{") else {
        return nil
      }
      // A path may begin with a brace as well.
      guard
        ["jsonl", "json", "ndjson"].contains(Path.fileExtension(of: name))
          || JSONValue(Array(line))?.members != nil
      else { return nil }
      self = .lines
    }
  }

  /// The file that a line names; nil for a line without any text.
  static func entry(_ text: String, _ kind: Kind, of list: String) -> ListReader.Entry? {
    guard text.utf8.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return nil }
    switch kind {
    case .lines: return json(text, list)
    case .kaldi: return kaldi(text, list)
    }
  }

  private static func fault(_ text: String, _ what: String, _ list: String) -> ListReader.Entry {
    let shown = text.count > 60 ? text.prefix(60) + "…" : text[...]
    var entry = ListReader.Entry(path: list)
    entry.problem = AuricleError(.badData, "the line \(shown) of \(list) \(what)")
    return entry
  }

  private static func kaldi(_ text: String, _ list: String) -> ListReader.Entry? {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    let line = text.utf8.drop(while: isSpace)
    guard let end = line.firstIndex(where: isSpace) else {
      return fault(text, "has no path after its name", list)
    }
    let name = String(line[..<end]) ?? ""
    var path = String(line[end...].drop(while: isSpace)) ?? ""
    while let last = path.utf8.last, isSpace(last) { path.removeLast() }
    guard path.utf8.last != UInt8(ascii: "|") else {
      return fault(
        text, "is a command, which is not run: write its sound to files and name those", list)
    }
    var entry = ListReader.Entry(path: found(path, list))
    entry.fields = .members([("id", .string(name))])
    return entry
  }

  /// Names of fields that hold a path, and of fields with a separate meaning.
  private static let pathNames = ["audio_filepath", "audio_file", "path", "audio", "wav"]
  private static let knownNames = ["audio_filepath", "sources", "recording"]

  private static func json(_ text: String, _ list: String) -> ListReader.Entry? {
    guard let line = JSONValue(Array(text.utf8)), let members = line.members else {
      return fault(text, "is no JSON object", list)
    }
    // A cut of Lhotse has its recording inside.
    let recording = line["recording"] ?? line
    let source = recording["sources"]?.elements?.first
    if let kind = source?["type"]?.text, kind != "file" {
      return fault(text, "names a source of the type \(kind): only files are read", list)
    }
    guard
      let path = pathNames.lazy.compactMap({ line[$0]?.text }).first ?? source?["source"]?.text,
      !path.isEmpty
    else {
      return fault(
        text, "names no file (audio_filepath, as in NeMo, or sources, as in Lhotse)", list)
    }
    var entry = ListReader.Entry(path: found(path, list))
    // A line with an offset, or a cut of Lhotse, is about a part of its recording.
    let offset = line["recording"] == nil ? line["offset"] : line["start"] ?? line["offset"]
    let isPart = offset != nil || line["recording"] != nil
    entry.seconds = line["duration"]?.number.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    if let offset {
      let length = line["duration"]
      guard let start = offset.number, length == nil || length?.number != nil,
        let segment = SoundSegment(start: start, seconds: length?.number)
      else {
        return fault(
          text, "names a part of a file by an offset or a duration that is no time", list)
      }
      let isWhole = start == 0 && length != nil && length == recording["duration"]
      if line["recording"] == nil || !isWhole { entry.segment = segment }
    }
    var rest = members.filter {
      !knownNames.contains($0.key) && (isPart || $0.key != "duration")
    }
    if let id = line["recording"]?["id"] { rest.append(JSONValue.Member("recording_id", id)) }
    entry.fields = rest.isEmpty ? nil : .object(rest)
    return entry
  }

  /// A path as it is written where that exists, else below the folder of the manifest, as in NeMo.
  private static func found(_ path: String, _ list: String) -> String {
    guard !Path.isFromRoot(path), list != "-", FileIdentity.of(path) == nil else { return path }
    let folder = Path.folder(of: list)
    guard folder != "." else { return path }
    let beside = Path.joining(folder, path)
    return FileIdentity.of(beside) == nil ? path : beside
  }
}
