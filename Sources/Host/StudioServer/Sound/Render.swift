// Whole files that are rendered ahead, by the command that writes results.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Foundation
import Glibc
import HostSystem
import Synchronization

/// A file through a chain, rendered as `auricle process` does.
final class Render: Sendable {
  /// The state of a rendering.
  struct State {
    var name = "waiting"
    var progress = 0.0
    var fault: StudioFault?
    var sound: FloatSound?
    var before: JSONValue?
    var after: JSONValue?
    var meters: JSONValue?
  }

  let id: String
  let chain: String
  let revision: Int
  let reference: String
  let input: String
  /// The preset, and the content it was written from.
  let text: ChainText
  let content: ChainState
  let state = Mutex(State())
  private let command = ProgramCommand()

  init(
    id: String, document: ChainDocument, content: ChainState, text: ChainText, reference: String,
    input: String
  ) {
    (self.id, chain, revision) = (id, document.id, document.revision)
    (self.content, self.text, self.reference, self.input) = (content, text, reference, input)
  }

  /// Ends it.
  func stop() { command.end() }

  var json: JSONValue {
    let state = state.withLock { $0 }
    let gains = EqualGain(before: state.before, after: state.after)
    return .members([
      ("id", .string(id)), ("chain", .string(chain)), ("revision", JSONValue(revision)),
      ("file", .string(reference)), ("state", .string(state.name)),
      ("progress", JSONValue(state.progress)), ("error", state.fault?.json ?? .null),
      ("frames", state.sound.map { JSONValue($0.frameCount) } ?? .null),
      ("channels", state.sound.map { JSONValue($0.channelCount) } ?? .null),
      ("sampleRate", state.sound.map { JSONValue($0.sampleRate) } ?? .null),
      ("seconds", state.sound.map { JSONValue($0.seconds) } ?? .null),
      ("before", state.before ?? .null), ("after", state.after ?? .null),
      (
        "equalGain",
        .members([("before", JSONValue(gains.before)), ("after", JSONValue(gains.after))])
      ),
    ])
  }

  /// Renders, measures, and calls `onChange` on the way. Context: a thread that may block.
  func run(_ scratch: ScratchSounds, _ program: String, onChange: @escaping () -> Void) {
    do {
      let preset = try scratch.write(text.text, ".yaml")
      let output = scratch.newPath(".wav")
      state.withLock { $0.name = "working" }
      onChange()
      var failure: StudioFault?
      let end = command.run(
        program,
        [
          "process", "--preset", preset, "--output-file", output, "--container", "wav",
          "--encoding", "float32", "--format", "json", "--jobs", "1", "--", input,
        ]
      ) { line in
        guard let event = JSONValue(text: line) else { return }
        if event["event"]?.text == "progress", let part = event["fraction"]?.number {
          self.state.withLock { $0.progress = part }
          onChange()
        } else if event["event"]?.text == "file", event["status"]?.text != "done" {
          failure = self.fault(event)
        }
      }
      if let failure { throw failure }
      guard end.code == 0 else { throw fault(end.fault) }
      let sound = try FloatSound(output)
      let levels = Self.levels(of: [try scratch.input(input).path, output], program)
      state.withLock { state in
        (state.name, state.progress, state.sound) = ("done", 1, sound)
        (state.before, state.after) = (levels.first ?? nil, levels.last ?? nil)
      }
    } catch {
      let fault = StudioFault(error)
      state.withLock { ($0.name, $0.fault) = ("failed", fault) }
    }
    onChange()
  }

  /// The failure of a file, with the stage of the unit to blame.
  private func fault(_ event: JSONValue) -> StudioFault {
    let unit = event["unit"]?.text
    var members: [(String, JSONValue?)] = [("unit", unit.map(JSONValue.string))]
    if let unit, let stage = StageFinder.stage(of: unit, in: content) {
      members.append(("stage", .string(stage)))
    }
    let code = event["code"]?.integer.flatMap { Int32(exactly: $0) } ?? 70
    return StudioFault(
      StudioFault.kind(of: AuricleError.Category(rawValue: code) ?? .software),
      event["error"]?.text ?? "the file could not be rendered",
      place: unit == nil ? nil : .members(members))
  }

  /// A failure of the preset, with the place that its line is about.
  private func fault(_ fault: StudioFault) -> StudioFault {
    StageFinder.placed(fault, text, content)
  }

  /// Loudness and true peak of files.
  static func levels(of paths: [String], _ program: String) -> [JSONValue?] {
    let found = try? ProgramCommand.json(
      program, ["measure", "--no-config", "--format", "json", "--"] + paths)
    return paths.indices.map { index in
      guard let list = found?.elements, list.indices.contains(index) else { return nil }
      return .members([
        ("loudness", list[index]["integratedLoudness"] ?? .null),
        ("truePeak", list[index]["truePeakDecibels"] ?? .null),
      ])
    }
  }
}

/// The gains in dB by which two sounds are equally loud: never above 0, so that nothing clips.
struct EqualGain {
  var before = 0.0
  var after = 0.0

  init(before: JSONValue?, after: JSONValue?) {
    guard let one = before?["loudness"]?.number, let other = after?["loudness"]?.number,
      one.isFinite, other.isFinite
    else { return }
    let least = min(one, other)
    (self.before, self.after) = (Self.rounded(least - one), Self.rounded(least - other))
  }

  private static func rounded(_ gain: Double) -> Double { (gain * 100).rounded() / 100 }
}

/// Finds the stage that a message is about.
enum StageFinder {
  /// The stage of a unit as workers name it: `Maker: Unit (type:subtype:manufacturer)`, or by its label.
  static func stage(of unit: String, in content: ChainState) -> String? {
    let triple = unit.split(separator: "(").last.map { $0.prefix { $0 != ")" } }.map(String.init)
    let name = unit.range(of: " (").map { String(unit[..<$0.lowerBound]) } ?? unit
    func isMeant(_ stage: (id: String, name: String?, unit: UnitStage)) -> Bool {
      stage.unit.unit == triple || stage.unit.unit == name || stage.unit.unit == unit
        || stage.name.map { !$0.isEmpty && unit.hasPrefix($0) } ?? false
        || name.hasSuffix(": " + stage.unit.unit)
    }
    let found = content.units.filter(isMeant)
    if let first = found.first { return first.id }
    return content.units.count == 1 ? content.units[0].id : nil
  }

  /// A fault whose sentence begins with `file:line:column`, at the stage of that line.
  static func placed(_ fault: StudioFault, _ text: ChainText, _ content: ChainState) -> StudioFault
  {
    var fault = fault
    let parts = fault.message.split(separator: ":", maxSplits: 4).map(String.init)
    if parts.count == 5, let line = Int(parts[1]), let column = Int(parts[2]) {
      fault.message = String(parts[4].drop { $0 == " " })
      var members = text.place(ofLine: line)?.json.members ?? []
      members.append(JSONValue.Member("line", JSONValue(line)))
      members.append(JSONValue.Member("column", JSONValue(column)))
      fault.place = .object(members)
    } else if fault.place == nil,
      let stage = content.units.first(where: { unit in
        unit.name.map { !$0.isEmpty && fault.message.contains($0) } ?? false
          || fault.message.contains(unit.unit.unit)
      })
    {
      fault.place = .members([("stage", .string(stage.id))])
    }
    return fault
  }
}
