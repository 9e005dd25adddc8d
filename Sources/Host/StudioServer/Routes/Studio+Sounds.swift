// Routes to sounds: before and after, waveforms, spectrograms, loops.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

extension Studio {
  func addSounds(_ router: inout Router) {
    router.add("GET", "sound/before") { [self] question, _ in try before(question) }
    router.add("GET", "sound/levels") { [self] question, _ in
      let path = try folders.path(question.required("file"))
      return .json(Render.levels(of: [path], program).first.flatMap { $0 } ?? .object([]))
    }
    router.add("POST", "renders") { [self] question, _ in
      let body = try question.json()
      let document = try chains.document(body["chain"]?.text ?? "")
      let reference = body["file"]?.text ?? ""
      let path = try folders.path(reference)
      let render = renders.begin(
        document, setting: body["setting"]?.text, reference: reference, input: path)
      return .json(render.json, status: 202)
    }
    router.add("GET", "renders/*") { [self] _, words in .json(try renders.render(words[0]).json) }
    router.add("DELETE", "renders/*") { [self] _, words in
      try renders.remove(words[0])
      return .json(.object([]))
    }
    router.add("GET", "renders/*/sound") { [self] question, words in
      try Answer.file(
        renders.sound(words[0]).path, type: "audio/wav", range: question.headers["range"])
    }
    router.add("GET", "renders/*/raw") { [self] question, words in
      let sound = try renders.sound(words[0])
      let from = try question.integer("from", in: 0...Int.max / 2) ?? 0
      let count = try question.integer("count", in: 0...4_000_000) ?? 480_000
      return Self.raw(sound.frames(from..<(from + count)), sound, from: from)
    }
    router.add("GET", "peaks") { [self] question, _ in
      let columns = try question.integer("columns", in: 1...10_000) ?? 1000
      return .json(try views(question).peaks(columns))
    }
    router.add("GET", "spectrogram") { [self] question, _ in
      let width = try question.integer("width", in: 1...4096) ?? 1000
      let height = try question.integer("height", in: 1...512) ?? 256
      return .bytes(
        try views(question).spectrogram(width: width, height: height), type: "image/png",
        headers: [("Cache-Control", "no-cache")])
    }
  }

  /// A sound as it comes to the chain, or a part of it.
  private func before(_ question: Question) throws -> Answer {
    let sound = try scratch.input(folders.path(question.required("file")))
    let (from, to) = (try question.seconds("from"), try question.seconds("to"))
    guard from != nil || to != nil else {
      return try Answer.file(sound.path, type: "audio/wav", range: question.headers["range"])
    }
    let range = try SoundViews(sound, from: from, to: to).range
    guard range.count * sound.channelCount <= 64 << 20 else {
      throw StudioFault(.usage, "the part is too long: ask for the whole file by ranges of bytes")
    }
    let path = scratch.newPath(".wav")
    defer { unsafe unlink(path) }
    try scratch.store(
      FloatSound.wave(
        sound.frames(range), channelCount: sound.channelCount, sampleRate: sound.sampleRate),
      at: path)
    return try Answer.file(path, type: "audio/wav", range: question.headers["range"])
  }

  private func views(_ question: Question) throws -> SoundViews {
    let sound: FloatSound
    if let id = question.query["render"], !id.isEmpty {
      sound = try renders.sound(id)
    } else {
      sound = try scratch.input(folders.path(question.required("file")))
    }
    return try SoundViews(sound, from: question.seconds("from"), to: question.seconds("to"))
  }

  private static func raw(
    _ samples: [Float], _ sound: FloatSound, from: Int, more: [(String, String)] = []
  ) -> Answer {
    .bytes(
      FloatSound.bytes(of: samples), type: "application/octet-stream",
      headers: [
        ("X-Channels", "\(sound.channelCount)"),
        ("X-Sample-Rate", ChainText.number(sound.sampleRate)),
        ("X-From", "\(from)"), ("Cache-Control", "no-store"),
      ] + more)
  }

  // MARK: Loops

  /// The longest loop in seconds.
  private static let longestLoop = 120.0
  /// The shortest loop in frames.
  private static let shortestLoop = 16

  func addLoops(_ router: inout Router) {
    router.add("POST", "loops") { [self] question, _ in
      let body = try question.json()
      let document = try chains.document(body["chain"]?.text ?? "")
      let reference = body["file"]?.text ?? ""
      let sound = try scratch.input(folders.path(reference))
      let from = body["from"]?.number ?? 0
      let to = body["to"]?.number ?? min(sound.seconds, from + 10)
      let range = try SoundViews(sound, from: from, to: to).range
      guard range.count >= Self.shortestLoop, to - from <= Self.longestLoop else {
        throw StudioFault(
          .usage,
          "a loop has from \(Self.shortestLoop) frames to \(Int(Self.longestLoop)) seconds of the file"
        )
      }
      let loop = try loops.add(
        document,
        { id in
          Loop(
            id: id, chain: document.id, setting: body["setting"]?.text, input: sound, range: range,
            reference: reference)
        }, readable: folders.paths)
      var members = loop.json.members ?? []
      members.append(
        JSONValue.Member(
          "before", .members([("loudness", loop.loudness.map { JSONValue($0) } ?? .null)])))
      return .json(.object(members), status: 201)
    }
    router.add("DELETE", "loops/*") { [self] _, words in
      try loops.close(words[0])
      return .json(.object([]))
    }
    router.add("GET", "loops/*") { [self] _, words in .json(try loop(words[0]).json) }
    router.add("GET", "loops/*/sound") { [self] question, words in
      let loop = try loop(words[0])
      let from = try question.integer("from", in: 0...max(loop.range.count - 1, 0)) ?? 0
      let count = try question.integer("count", in: 0...loop.range.count) ?? loop.range.count
      let (samples, revision) = try loop.frames(from: from, count: count, within: 5)
      let whole = loop.whole.flatMap { LoopLevels.loudness($0, loop.input) }
      let gain = EqualGain(
        before: loop.loudness.map { .members([("loudness", JSONValue($0))]) },
        after: whole.map { .members([("loudness", JSONValue($0))]) })
      return Self.raw(
        samples, loop.input, from: from,
        more: [
          ("X-Revision", "\(revision)"), ("X-Loudness", whole.map { "\($0)" } ?? ""),
          ("X-Equal-Gain", "\(gain.after)"), ("X-Equal-Gain-Before", "\(gain.before)"),
        ])
    }
  }

  private func loop(_ id: String) throws -> Loop {
    guard let loop = loops.loop(id) else { throw StudioFault(.notFound, "there is no loop \(id)") }
    return loop
  }
}
