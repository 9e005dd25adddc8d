// The live sound that pages play: one that runs, or one that is started here.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Foundation
import Glibc
import HostSystem
import Synchronization

/// A connection to a running `auricle live`.
final class LiveLink: Sendable {
  /// One parameter of a stage.
  private struct Parameter: Sendable {
    var name: String
    var text: String
  }

  private struct Stage: Sendable {
    /// Its number from 1, by which commands name it: labels may be alike.
    var number: String
    var label: String
    /// The name of its unit, as the sound itself says; its label while it is bypassed.
    var unit: String
    var isBypassed: Bool
    var parameters: [Parameter]
  }

  /// The stages as the sound lists them, and a line with the unit and the values of each; nil for one that is bypassed.
  private struct Reading: Equatable, Sendable {
    var list = ""
    var values: [String?] = []
  }

  private struct State {
    var name = "none"
    var socket: String?
    var command: ProgramCommand?
    var fault: StudioFault?
    var stages: [Stage] = []
    var stats: [String: String] = [:]
    var maps: [String] = []
    var learning: (stage: String, parameter: String)?
    var isBypassed = false
    var gain = 0.0
    var preset: String?
    /// Counts attachments: what belongs to an earlier one ends.
    var generation = 0
    /// Whether values are to be read again.
    var isStale = true
    /// The answer from which the stages were made.
    var reading = Reading()
    /// Rings for the thread that follows this sound.
    let bell = WakeUp()
  }

  private let state = Mutex(State())
  private let client = Mutex<ControlClient?>(nil)
  private let shelf: UnitShelf
  /// Whether pages receive what changes.
  private let hasListeners: @Sendable () -> Bool
  private let onChange: @Sendable () -> Void

  init(
    _ shelf: UnitShelf, hasListeners: @escaping @Sendable () -> Bool,
    onChange: @escaping @Sendable () -> Void
  ) {
    self.shelf = shelf
    (self.hasListeners, self.onChange) = (hasListeners, onChange)
  }

  // MARK: Begin and end

  /// Attaches to a socket. Returns at once; the connection is made by a thread.
  func attach(_ socket: String) throws {
    guard socket.hasPrefix("/"), socket.utf8.count < 108 else {
      throw StudioFault(.usage, "the socket is a path from the root, up to 107 bytes")
    }
    let generation = begin(socket, nil, preset: nil)
    WorkThreads.start { [self] in follow(generation, socket) }
  }

  /// Starts live sound, and attaches to it as soon as its socket is there.
  ///
  /// - Parameter words: The command line behind the program's name, without the socket.
  func start(_ program: String, _ words: [String], socket: String, preset: String?) throws {
    let isActive = state.withLock {
      $0.command != nil && ["starting", "running"].contains($0.name)
    }
    guard !isActive else { throw StudioFault(.conflict, "live sound runs already: stop it first") }
    let command = ProgramCommand()
    let generation = begin(socket, command, preset: preset)
    WorkThreads.start { [self] in
      let end = command.run(program, words + ["--control", "unix:\(socket)"])
      finish(generation, end.code == 0 || command.wasStopped ? nil : end.fault)
    }
    WorkThreads.start { [self] in follow(generation, socket) }
  }

  private func begin(_ socket: String, _ command: ProgramCommand?, preset: String?) -> Int {
    let generation = state.withLock { state in
      let next = state.generation + 1
      state.bell.signal()
      state = State()
      (state.name, state.socket, state.command) = ("starting", socket, command)
      (state.generation, state.preset) = (next, preset)
      return next
    }
    client.withLock { $0 = nil }
    onChange()
    return generation
  }

  /// Ends live sound that was started here, and lets go of another.
  func stop() {
    let command = state.withLock { state in
      state.generation += 1
      state.name = state.name == "none" ? "none" : "ended"
      state.bell.signal()
      defer { state.command = nil }
      return state.command
    }
    command?.stop()
    client.withLock { $0 = nil }
    onChange()
  }

  private func finish(_ generation: Int, _ fault: StudioFault?) {
    let isOwn = state.withLock { state in
      guard state.generation == generation else { return false }
      (state.name, state.command) = ("ended", nil)
      state.fault = fault ?? state.fault
      state.bell.signal()
      return true
    }
    if isOwn {
      client.withLock { $0 = nil }
      onChange()
    }
  }

  // MARK: Following

  private func isCurrent(_ generation: Int) -> Bool {
    state.withLock { $0.generation == generation && ["starting", "running"].contains($0.name) }
  }

  /// Connects, and reads values and figures until the sound ends.
  private func follow(_ generation: Int, _ socket: String) {
    let bell = state.withLock { $0.generation == generation ? $0.bell : nil }
    guard let bell, connect(generation, socket, bell) else { return }
    while isCurrent(generation) {
      guard readAgain(generation) else { return }
      onChange()
      // The sound reports nothing by itself: it is asked five times a second while pages see the answers.
      bell.wait(milliseconds: hasListeners() ? 200 : -1)
    }
  }

  /// Connects as soon as the socket is there; whether it did.
  private func connect(_ generation: Int, _ socket: String, _ bell: WakeUp) -> Bool {
    // A program that starts makes its socket when its devices and units are there.
    let deadline = ContinuousClock.now + .seconds(state.withLock { $0.command != nil } ? 60 : 3)
    let folder = FolderWatch(Path.folder(of: socket))
    while isCurrent(generation) {
      do throws(StudioFault) {
        let made = try ControlClient(socket)
        client.withLock { $0 = made }
        return true
      } catch {
        let left = (deadline - ContinuousClock.now) / .milliseconds(1)
        guard left > 0 else {
          finish(generation, error)
          return false
        }
        // Nothing reports that a socket which is there already is listened to: that is a moment later.
        folder.wait(
          or: bell, milliseconds: FileIdentity.exists(socket) ? 10 : Int32(left.rounded(.up)))
      }
    }
    return false
  }

  /// Reads values and figures; false where that ended the connection.
  private func readAgain(_ generation: Int) -> Bool {
    do {
      try read(generation)
      return true
    } catch {
      // The exit of a program that was started here has the reason.
      let isStartedHere = state.withLock { $0.generation == generation && $0.command != nil }
      if !isStartedHere { finish(generation, StudioFault(error)) }
      return false
    }
  }

  /// Follows the sound again: a page has come, for whom it is asked.
  func wake() { state.withLock { $0.bell.signal() } }

  /// The label of a stage by its number.
  func title(of stage: String) -> String {
    state.withLock { $0.stages.first { $0.number == stage }?.label } ?? stage
  }

  /// The sound as it is now, which is asked for it where no page is there that follows it.
  var current: JSONValue {
    let (generation, isRunning) = state.withLock { ($0.generation, $0.name == "running") }
    if isRunning, !hasListeners() { _ = readAgain(generation) }
    return json
  }

  private func ask(_ words: [String]) throws -> String {
    try client.withLock { client in
      guard let client else { throw StudioFault(.conflict, "no live sound is attached") }
      return try client.ask(words)
    }
  }

  private func read(_ generation: Int) throws {
    let stats = try ask(["stats"])
    let maps = try ask(["maps"])
    // Controllers, windows and other programs move values, too.
    let reading = try readValues()
    let isStale = state.withLock { state in
      defer { (state.isStale, state.reading) = (false, reading) }
      return state.isStale || state.stages.isEmpty || state.reading != reading
    }
    let stages = isStale ? readStages(reading) : nil
    state.withLock { state in
      guard state.generation == generation, ["starting", "running"].contains(state.name) else {
        return
      }
      state.name = "running"
      state.stats = Dictionary(
        stats.split(separator: " ").compactMap { word in
          let pair = word.split(separator: "=", maxSplits: 1).map(String.init)
          return pair.count == 2 ? (pair[0], pair[1]) : nil
        }, uniquingKeysWith: { $1 })
      let list = maps.isEmpty ? [] : maps.components(separatedBy: "; ")
      if let learning = state.learning, list != state.maps,
        list.contains(where: { ControlClient.words($0).contains(learning.parameter) })
      {
        state.learning = nil
      }
      state.maps = list
      if let stages { state.stages = stages }
    }
  }

  /// Reads the stages and their values as numbers.
  private func readValues() throws -> Reading {
    let list = try ask(["list"])
    let numbers = Self.parts(list).map { ControlClient.words($0).first ?? "" }
    return Reading(list: list, values: numbers.map { try? ask(["values", $0]) })
  }

  /// The stages of a reading, with the texts of their values.
  private func readStages(_ reading: Reading) -> [Stage] {
    zip(Self.parts(reading.list), reading.values).compactMap { text, values in
      let words = ControlClient.words(text)
      guard words.count >= 2 else { return nil }
      return Stage(
        number: words[0], label: words[1],
        unit: values.flatMap { ControlClient.words($0).first } ?? words[1],
        isBypassed: values == nil,
        parameters: words.dropFirst(2).map { name in
          Parameter(name: name, text: (try? ask(["get", words[0], name])) ?? "")
        })
    }
  }

  /// Parts between semicolons that stand in no quotation marks.
  private static func parts(_ line: String) -> [String] {
    var parts = [""]
    var (isQuoted, isEscaped) = (false, false)
    for character in line {
      if character == ";", !isQuoted {
        parts.append("")
        continue
      }
      if isQuoted, character == "\\", !isEscaped {
        isEscaped = true
      } else {
        if character == "\"", !isEscaped { isQuoted.toggle() }
        isEscaped = false
      }
      parts[parts.count - 1].append(character)
    }
    return parts
  }

  // MARK: Commands

  /// Does what a page asks for.
  ///
  /// - Throws: The sentence of the live sound where it cannot be done.
  func perform(_ request: JSONValue) throws {
    guard let member = request.members?.first else {
      throw StudioFault(.usage, "the command of live sound is missing")
    }
    let value = member.value
    func word(_ key: String) throws -> String {
      if let text = value[key]?.text { return text }
      if let number = value[key]?.number { return ChainText.number(number) }
      if let isOn = value[key]?.boolean { return isOn ? "true" : "false" }
      throw StudioFault(.usage, "\(member.key) has no '\(key)'")
    }
    switch member.key {
    case "set": _ = try ask(["set", word("stage"), word("parameter"), word("value")])
    case "ramp":
      _ = try ask(["ramp", word("stage"), word("parameter"), word("value"), word("seconds")])
    case "bypass":
      guard let isOn = value.boolean else { throw StudioFault(.usage, "bypass is true or false") }
      _ = try ask(["bypass", isOn ? "on" : "off"])
      state.withLock { $0.isBypassed = isOn }
    case "bypassStage":
      let (stage, isOn) = (try word("stage"), value["on"]?.boolean ?? true)
      _ = try ask(["bypass", stage, isOn ? "on" : "off"])
    case "preset":
      guard let name = value.text, !name.isEmpty else {
        throw StudioFault(.usage, "the name of the preset is missing")
      }
      _ = try ask(["preset", name])
      state.withLock { ($0.preset, $0.stages) = (name, []) }
    case "gain":
      guard let gain = value.number else { throw StudioFault(.usage, "gain is a number of dB") }
      _ = try ask(["gain", ChainText.number(gain)])
      state.withLock { $0.gain = gain }
    case "learn":
      let (stage, parameter) = (try word("stage"), try word("parameter"))
      _ = try ask(["learn", stage, parameter])
      state.withLock { $0.learning = (stage, parameter) }
    case "unmap": _ = try ask(["unmap", value.text ?? ""])
    case "map":
      _ = try ask(["map", word("controller"), word("stage"), word("parameter")])
    case "panic": _ = try ask(["panic"])
    default: throw StudioFault(.usage, "live sound has no command '\(member.key)'")
    }
    state.withLock { $0.isStale = true }
    refresh()
    onChange()
  }

  /// Reads the values again at once.
  private func refresh() {
    let generation = state.withLock { $0.generation }
    try? read(generation)
  }

  // MARK: JSON

  var json: JSONValue {
    let state = state.withLock { $0 }
    let stats = state.stats.sorted { $0.key < $1.key }.map { key, value in
      (key, Optional(Self.figure(key, value)))
    }
    return .members([
      ("state", .string(state.name)), ("socket", state.socket.map(JSONValue.string) ?? .null),
      ("startedHere", .boolean(state.command != nil)),
      ("preset", state.preset.map(JSONValue.string) ?? .null),
      ("error", state.fault?.json ?? .null), ("bypass", .boolean(state.isBypassed)),
      ("gain", JSONValue(state.gain)),
      (
        "stages",
        .array(
          state.stages.map { json($0, $0.unit) })
      ),
      ("stats", .members(stats + [("gaps", gaps(state)), ("blame", blame(state))])),
      (
        "maps",
        .array(
          state.maps.map { line in
            let words = ControlClient.words(line)
            return .members([
              ("text", .string(line)),
              (
                "controller",
                words.first.map { .string($0.hasSuffix(":") ? String($0.dropLast()) : $0) }
              ),
              ("stage", words.count > 1 ? .string(words[1]) : nil),
              ("parameter", words.count > 2 ? .string(words[2]) : nil),
            ])
          })
      ),
      (
        "learning",
        state.learning.map {
          .members([("stage", .string($0.stage)), ("parameter", .string($0.parameter))])
        } ?? .null
      ),
    ])
  }

  /// A figure as pages see it: a number, those of two channels, or a text.
  private static func figure(_ key: String, _ text: String) -> JSONValue {
    func number(_ text: some StringProtocol) -> JSONValue? {
      Double(text).flatMap { $0.isFinite ? JSONValue($0) : nil }
    }
    // Silence is no number of JSON.
    if key == "peak" { return .array(text.split(separator: ",").map { number($0) ?? .null }) }
    return number(text) ?? .string(text)
  }

  private func gaps(_ state: State) -> JSONValue? {
    let counts = ["overruns", "silent"].compactMap { state.stats[$0].flatMap(Int.init) }
    return counts.isEmpty ? nil : JSONValue(counts.max() ?? 0)
  }

  /// The stage that took the largest part of a period, where there were gaps.
  private func blame(_ state: State) -> JSONValue? {
    guard case .integer(let count)? = gaps(state), count > 0 else { return .null }
    let shares = state.stages.indices.compactMap { index in
      state.stats["stage\(index + 1)"].flatMap(Double.init).map { (index, $0) }
    }
    return shares.max { $0.1 < $1.1 }.map { .string(state.stages[$0.0].label) } ?? .null
  }

  private func json(_ stage: Stage, _ unit: String) -> JSONValue {
    let shapes = shelf.line(unit) == nil ? nil : try? shelf.shapes(unit).shapes
    return .members([
      ("stage", .string(stage.number)), ("title", .string(stage.label)),
      ("bypass", .boolean(stage.isBypassed)),
      (
        "parameters",
        .array(
          stage.parameters.map { parameter in
            let known = shapes?.parameter(named: parameter.name)
            var members: [(String, JSONValue?)] = [
              ("name", .string(parameter.name)), ("text", .string(parameter.text)),
            ]
            if let shapes, let known {
              members =
                (shapes.json(known).members ?? []).map { ($0.key, $0.value) }
                + [("text", .string(parameter.text))]
            }
            if let shapes, known != nil, let value = shapes.value(parameter.name, parameter.text) {
              members.append(("value", JSONValue(Double(value))))
            } else if let value = Self.number(parameter.text) {
              members.append(("value", JSONValue(value)))
            }
            return .members(members)
          })
      ),
    ])
  }

  private static func number(_ text: String) -> Double? {
    if text == "true" { return 1 }
    if text == "false" { return 0 }
    return Double(text.split(separator: " ").first.map { $0.split(separator: ":")[0] } ?? "")
  }
}
