// The installed units as pages find them, with favourites.
// SPDX-License-Identifier: Apache-2.0

import AuricleHost
import Foundation
import HostSystem
import Synchronization

/// The installed units, listed once, and each described once.
final class UnitShelf: Sendable {
  private struct State {
    var lines: [ComponentLine] = []
    var problems: [String] = []
    var byName: [String: ComponentLine] = [:]
    /// Names that no unit has.
    var missing: Set<String> = []
    var isListed = false
    var reports: [String: (report: UnitReport, problem: String?)] = [:]
    var all: (favourites: Set<String>, text: [UInt8])?
  }

  private let installation: AuricleInstallation
  private let state = Mutex(State())
  private let listing = Mutex(())

  init(_ installation: AuricleInstallation) { self.installation = installation }

  /// Lists installed units, the first time. Context: a thread that may block.
  func list() {
    listing.withLock { _ in
      guard !state.withLock({ $0.isListed }) else { return }
      let found = try? installation.components()
      state.withLock { state in
        state.lines = found?.components ?? []
        state.problems = found?.problems ?? []
        var names: [String: Int] = [:]
        for line in state.lines { names[line.name, default: 0] += 1 }
        for line in state.lines {
          state.byName[Self.identity(line)] = line
          if let uri = line.uri { state.byName[uri] = line }
          if names[line.name] == 1 { state.byName[line.name] = line }
        }
        state.isListed = true
      }
    }
  }

  static func identity(_ line: ComponentLine) -> String {
    "\(line.type):\(line.subtype):\(line.manufacturer)"
  }

  /// The installed unit that a preset means; nil for none.
  func line(_ unit: String) -> ComponentLine? {
    list()
    let (known, isMissing) = state.withLock { ($0.byName[unit], $0.missing.contains(unit)) }
    if known != nil || isMissing { return known }
    guard let line = try? installation.component(named: unit) else {
      state.withLock { _ = $0.missing.insert(unit) }
      return nil
    }
    state.withLock { $0.byName[unit] = line }
    return line
  }

  /// The title and the component of a unit as it is written.
  func title(_ unit: String) -> (title: String, component: String?) {
    let found = line(unit)
    return (found?.name ?? unit, found.map(Self.identity))
  }

  /// Describes a unit; the second time at once.
  ///
  /// - Throws: `.notFound` where it is not installed.
  func shapes(_ unit: String) throws -> (shapes: ParameterShapes, problem: String?) {
    let key = line(unit).map(Self.identity) ?? unit
    if let known = state.withLock({ $0.reports[key] }) {
      return (ParameterShapes(known.report), known.problem)
    }
    let found = try installation.describe(unit)
    state.withLock { $0.reports[key] = found }
    return (ParameterShapes(found.report), found.problem)
  }

  // MARK: Lists

  private static let kinds = [
    "aufx": "effect", "aumu": "instrument", "aumf": "music effect", "augn": "generator",
    "aumi": "MIDI processor", "aumx": "mixer", "aufc": "converter", "aupn": "panner",
    "auol": "offline effect", "auou": "output",
  ]

  /// The name of a type.
  static func kind(_ type: String) -> String { kinds[type] ?? "other" }

  /// The maker and the title of a name `Maker: Unit`.
  static func split(_ name: String) -> (maker: String, title: String) {
    guard let colon = name.range(of: ": ") else { return ("", name) }
    return (String(name[..<colon.lowerBound]), String(name[colon.upperBound...]))
  }

  private static func json(_ line: ComponentLine, isFavourite: Bool) -> JSONValue {
    let (maker, title) = split(line.name)
    return .members([
      ("unit", .string(identity(line))), ("name", .string(line.name)), ("maker", .string(maker)),
      ("title", .string(title)), ("type", .string(line.type)), ("kind", .string(kind(line.type))),
      ("format", .string(line.source)), ("version", .string(line.version)),
      ("tags", .array(line.tags.map(JSONValue.string))),
      ("uri", line.uri.map(JSONValue.string) ?? .null), ("favourite", .boolean(isFavourite)),
    ])
  }

  /// The units that a page asks for.
  func answer(_ question: Question, favourites: Set<String>) throws -> Answer {
    list()
    let offset = try question.integer("offset", in: 0...1_000_000) ?? 0
    let limit = try question.integer("limit", in: 0...100_000)
    let asksAll = question.query.isEmpty
    if asksAll, let known = state.withLock({ $0.all }), known.favourites == favourites {
      return Self.answer(known.text, question)
    }
    let (lines, problems) = state.withLock { ($0.lines, $0.problems) }
    let found = lines.filter { Self.fits($0, question.query, favourites) }
    let end = min(found.count, offset + (limit ?? found.count))
    let shown = offset < end ? found[offset..<end] : []
    let text = JSONValue.members([
      (
        "units",
        .array(shown.map { Self.json($0, isFavourite: favourites.contains(Self.identity($0))) })
      ), ("total", JSONValue(found.count)),
      ("kinds", Self.counts(lines, "kind") { Self.kind($0.type) }),
      ("makers", Self.counts(lines, "maker") { Self.split($0.name).maker }),
      ("formats", Self.counts(lines, "format") { $0.source }),
      ("problems", .array(problems.map(JSONValue.string))),
    ]).compactText
    let bytes = Array(text.utf8)
    if asksAll { state.withLock { $0.all = (favourites, bytes) } }
    return Self.answer(bytes, question)
  }

  private static func answer(_ bytes: [UInt8], _ question: Question) -> Answer {
    let tag = "\"\(ContentMark.text(bytes))\""
    var answer = Answer(body: .bytes(bytes))
    if question.headers["if-none-match"] == tag { answer = Answer(status: 304) }
    answer.headers += [("ETag", tag), ("Cache-Control", "no-cache")]
    return answer
  }

  private static func fits(
    _ line: ComponentLine, _ query: [String: String], _ favourites: Set<String>
  ) -> Bool {
    func isWanted(_ key: String, _ value: String) -> Bool {
      query[key].map { $0.isEmpty || $0 == value } ?? true
    }
    guard isWanted("kind", kind(line.type)), isWanted("maker", split(line.name).maker),
      isWanted("format", line.source),
      query["favourite"] != "1" || favourites.contains(identity(line))
    else { return false }
    let words = (query["search"] ?? "").lowercased().split(separator: " ")
    guard !words.isEmpty else { return true }
    let text = ([line.name, identity(line), line.uri ?? "", kind(line.type)] + line.tags)
      .joined(separator: " ").lowercased()
    return words.allSatisfy { text.contains($0) }
  }

  private static func counts(
    _ lines: [ComponentLine], _ name: String, _ key: (ComponentLine) -> String
  ) -> JSONValue {
    var counts: [String: Int] = [:]
    for line in lines { counts[key(line), default: 0] += 1 }
    return .array(
      counts.sorted { $0.key < $1.key }.map {
        .members([(name, .string($0.key)), ("count", JSONValue($0.value))])
      })
  }

  /// All about a unit.
  func description(_ unit: String, isFavourite: Bool) throws -> JSONValue {
    let (shapes, problem) = try shapes(unit)
    let report = shapes.report
    let line = report.component
    var members = Self.json(line, isFavourite: isFavourite).members ?? []
    let facts = report.plugIn.flatMap { try? JSONEncoder().encode($0) }.flatMap { JSONValue($0) }
    let behavior = report.behavior.flatMap { try? JSONEncoder().encode($0) }
      .flatMap { JSONValue($0) }
    members +=
      (JSONValue.members([
        ("summary", .string(report.summary)), ("wasOpened", .boolean(report.wasOpened)),
        ("problem", problem.map(JSONValue.string) ?? .null),
        ("inputBuses", .array(report.inputBuses.map(Self.json))),
        ("outputBuses", .array(report.outputBuses.map(Self.json))),
        (
          "channelCapabilities",
          report.channelCapabilities.map { list in
            .array(list.map { .array($0.map { JSONValue($0) }) })
          } ?? .null
        ), ("parameters", .array(shapes.parameters.map { shapes.json($0) })),
        ("properties", .array(report.texts.map { ParameterShapes.json($0) })),
        ("presets", .array(report.presets.map(Self.json))), ("facts", facts ?? .null),
        ("behavior", behavior ?? .null),
      ]).members ?? [])
    return .object(members)
  }

  static func json(_ bus: UnitReport.Bus) -> JSONValue {
    .members([
      ("name", .string(bus.name)), ("channels", JSONValue(bus.channels)),
      ("sampleRate", JSONValue(bus.sampleRate)), ("format", .string(bus.format)),
    ])
  }

  static func json(_ preset: UnitReport.Preset) -> JSONValue {
    .members([
      ("number", preset.number.map { JSONValue($0) } ?? .null), ("name", .string(preset.name)),
      ("uri", preset.uri.map(JSONValue.string) ?? .null),
      ("bank", preset.bank.map(JSONValue.string) ?? .null),
      ("source", .string(preset.source ?? "factory")),
      (
        "use",
        .string(preset.uri ?? (preset.number == nil ? preset.path : nil) ?? preset.name)
      ),
    ])
  }
}
