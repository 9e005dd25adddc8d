// Routes to units, favourites, presets and files.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AuricleHost
import ChainPresets
import Glibc
import HostSystem

extension Studio {
  func addFinding(_ router: inout Router) {
    router.add("GET", "units") { [self] question, _ in
      try shelf.answer(question, favourites: Set(favourites.all))
    }
    router.add("GET", "units/info") { [self] question, _ in
      let unit = try question.required("unit")
      let identity = shelf.title(unit).component ?? unit
      return .json(
        try shelf.description(unit, isFavourite: favourites.all.contains(identity)))
    }
    router.add("GET", "favourites") { [self] _, _ in .json(Self.json(favourites.all)) }
    router.add("POST", "favourites", changes: true) { [self] question, _ in
      let body = try question.json()
      guard let unit = body["unit"]?.text, !unit.isEmpty, unit.count < 1000 else {
        throw StudioFault(.usage, "the request has no 'unit'")
      }
      let list = try favourites.set(unit, body["favourite"]?.boolean ?? true)
      hub.publish(
        "favourites",
        .members([("type", "favourites"), ("units", .array(list.map(JSONValue.string)))]))
      return .json(Self.json(list))
    }
    router.add("GET", "presets") { [self] _, _ in .json(presets) }
  }

  private static func json(_ favourites: [String]) -> JSONValue {
    .members([("units", .array(favourites.map(JSONValue.string)))])
  }

  private var presets: JSONValue {
    let own = PresetLibrary.userFolder
    return .members([
      (
        "presets",
        .array(
          installation.host.presets.entries().compactMap { entry in
            guard let preset = entry.preset else { return nil }
            let isOwn = own.map { Path.below($0, entry.path) != nil } ?? false
            return .members([
              ("name", .string(entry.name)), ("title", .string(preset.name)),
              ("description", .string(preset.description)),
              ("tags", .array(preset.tags.map(JSONValue.string))), ("path", .string(entry.path)),
              ("source", isOwn ? "user" : "shipped"),
            ])
          })
      )
    ])
  }

  // MARK: Files

  func addFiles(_ router: inout Router) {
    router.add("GET", "files") { [self] question, _ in .json(try listing(question)) }
    router.add("GET", "files/info") { [self] question, _ in
      .json(try information(question.required("file")))
    }
    router.add("GET", "sound/info") { [self] question, _ in
      .json(try information(question.required("file")))
    }
    router.add("GET", "files/raw") { [self] question, _ in
      let path = try folders.path(question.required("file"))
      guard FileIdentity.of(path)?.kind == .file else {
        throw StudioFault(.notFound, "\(path) is no file")
      }
      let types = [
        "wav": "audio/wav", "flac": "audio/flac", "mp3": "audio/mpeg", "ogg": "audio/ogg",
        "opus": "audio/ogg", "m4a": "audio/mp4", "aiff": "audio/aiff", "aif": "audio/aiff",
        "png": "image/png",
      ]
      // Never as a page: what a file holds is no part of the studio.
      var answer = try Answer.file(
        path, type: types[Path.fileExtension(of: path)] ?? "application/octet-stream",
        range: question.headers["range"])
      answer.headers.append(("Content-Disposition", "attachment"))
      return answer
    }
  }

  private static let soundEndings: Set<String> = [
    "wav", "wave", "w64", "rf64", "bwf", "flac", "aiff", "aif", "aifc", "caf", "ogg", "oga", "opus",
    "mp3", "mp2", "m4a", "m4b", "mp4", "mov", "mkv", "webm", "aac", "ac3", "eac3", "amr", "au",
    "snd", "wma", "ape", "wv", "alac",
  ]

  private func listing(_ question: Question) throws -> JSONValue {
    let number = try question.integer("folder", in: 0...10_000) ?? 0
    let below = question.query["path"] ?? ""
    let reference = below.isEmpty ? "\(number)" : "\(number)/\(below)"
    let folder = try folders.path(reference)
    guard FileIdentity.of(folder)?.kind == .folder else {
      throw StudioFault(.notFound, "\(reference) is no folder")
    }
    let offset = try question.integer("offset", in: 0...10_000_000) ?? 0
    let limit = try question.integer("limit", in: 1...10_000) ?? 500
    let names = FolderListing.names(in: folder).filter { !$0.hasPrefix(".") }
    // Folders first; kinds are looked up once for each name.
    let found = names.compactMap { name -> (name: String, kind: String, stamp: FileStamp)? in
      let path = Path.joining(folder, name)
      guard let real = FileIdentity.realPath(path), folders.contains(real),
        let file = FileIdentity.of(real)
      else { return nil }
      switch file.kind {
      case .folder: return (name, "folder", file.stamp)
      case .file:
        let ending = Path.fileExtension(of: name)
        let kind =
          Self.soundEndings.contains(ending)
          ? "sound" : ["yaml", "yml", "json"].contains(ending) ? "preset" : "other"
        return (name, kind, file.stamp)
      default: return nil
      }
    }.sorted {
      let (one, other) = ($0.kind == "folder", $1.kind == "folder")
      return one == other ? $0.name.localizedLess($1.name) : one
    }
    let end = min(found.count, offset + limit)
    let shown = offset < end ? found[offset..<end] : []
    return .members([
      ("folder", JSONValue(number)), ("path", .string(below)), ("total", JSONValue(found.count)),
      (
        "entries",
        .array(
          shown.map { entry in
            .members([
              ("name", .string(entry.name)), ("ref", .string(reference + "/" + entry.name)),
              ("kind", .string(entry.kind)), ("bytes", JSONValue(entry.stamp.byteCount)),
              ("modified", .integer(entry.stamp.modified / 1_000_000_000)),
            ])
          })
      ),
    ])
  }

  /// The facts in a sound file, read by a separate process.
  private func information(_ reference: String) throws -> JSONValue {
    let path = try folders.path(reference)
    let answer = try ProgramCommand.json(
      program, ["file", "info", "--format", "json", "--", path])
    guard let report = answer.elements?.first else {
      throw StudioFault(.badData, "\(path) is no sound file")
    }
    // Sounds come to pages in the order of WAV.
    let mix = ChannelMix(from: min(max(report["channels"]?.integer ?? 1, 1), 1024), to: 2)
    let stereo = mix.outputs.map { parts in
      JSONValue.array(parts.map { .array([JSONValue($0.input), JSONValue(Double($0.gain))]) })
    }
    return .members([
      ("ref", .string(reference)), ("name", .string(Path.lastComponent(path))),
      ("channels", report["channels"] ?? .null), ("stereo", .array(stereo)),
      ("sampleRate", report["sampleRate"] ?? .null),
      ("frames", report["frames"] ?? .null), ("seconds", report["seconds"] ?? .null),
      ("container", report["fileType"]?["name"] ?? .null),
      ("encoding", report["format"]?["name"] ?? .null), ("tags", report["info"] ?? .object([])),
      ("bitRate", report["bitRate"] ?? .null), ("damage", report["damage"] ?? .null),
    ])
  }
}

extension String {
  /// Whether it comes before another for people: without regard to case, bytes last.
  fileprivate func localizedLess(_ other: String) -> Bool {
    let (one, two) = (lowercased(), other.lowercased())
    return one == two ? self < other : one < two
  }
}
