// A chain as pages see it, and as it is kept on the disk.
// SPDX-License-Identifier: Apache-2.0

import ChainPresets
import HostSystem

extension ChainDocument {
  /// The chain as pages see it.
  ///
  /// - Parameters:
  ///   - shelf: The units: their titles, and the names of their parameters.
  ///   - reference: A path as pages name it; nil for one outside of the folders.
  func json(
    _ shelf: UnitShelf, reference: (String) -> String?
  ) -> JSONValue {
    .members([
      ("id", .string(id)), ("revision", JSONValue(revision)), ("name", .string(state.name)),
      ("description", .string(state.description)), ("author", .string(state.author)),
      ("license", .string(state.license)),
      ("version", state.version.map { JSONValue($0) } ?? .null),
      ("tags", .array(state.tags.map(JSONValue.string))),
      ("inputLoudness", state.inputLoudness.map { JSONValue($0) } ?? .null),
      ("entries", .array(state.entries.map { Self.json($0, shelf) })),
      ("output", .object(state.output)),
      ("render", state.others.first { $0.key == "render" }?.value ?? .array([])),
      ("others", .object(state.others.filter { $0.key != "render" })),
      ("file", path.flatMap(reference).map(JSONValue.string) ?? .null),
      ("preset", preset.map(JSONValue.string) ?? .null), ("isSaved", .boolean(isSaved)),
      ("canUndo", .boolean(!undo.isEmpty)), ("canRedo", .boolean(!redo.isEmpty)),
      ("undo", undo.last.map { .string($0.label) } ?? .null),
      ("redo", redo.last.map { .string($0.label) } ?? .null), ("setting", .string(setting)),
      ("hasB", .boolean(otherSetting != nil)), ("solo", solo.map(JSONValue.string) ?? .null),
    ])
  }

  private static func json(_ stage: ChainStage, _ shelf: UnitShelf) -> JSONValue {
    let name = stage.name.map(JSONValue.string) ?? .null
    let isBypassed = JSONValue.boolean(stage.bypass.boolean ?? false)
    var more: [JSONValue.Member] = []
    if stage.bypass.boolean == nil { more.append(JSONValue.Member("bypass", stage.bypass)) }
    switch stage.kind {
    case .unit(let unit):
      let (text, component) = shelf.title(unit.unit)
      let shapes = component == nil ? nil : try? shelf.shapes(unit.unit).shapes
      if unit.mix.number == nil { more.append(JSONValue.Member("mix", unit.mix)) }
      if let automation = unit.automation {
        more.append(JSONValue.Member("automation", automation))
      }
      return .members([
        ("id", .string(stage.id)), ("kind", "unit"), ("unit", .string(unit.unit)), ("name", name),
        ("title", .string(text)), ("component", component.map(JSONValue.string) ?? .null),
        ("preset", unit.preset.map(JSONValue.string) ?? .null),
        (
          "parameters",
          .array(unit.parameters.map { json($0, shapes) })
        ), ("bypass", isBypassed), ("mix", unit.mix.number.map { JSONValue($0) } ?? 1),
        ("sidechain", .array(unit.sideChains.map(sideChain))),
        ("output", unit.output.map(JSONValue.string) ?? .null), ("more", .object(more)),
      ])
    case .parallel(let branches):
      return .members([
        ("id", .string(stage.id)), ("kind", "parallel"), ("name", name), ("bypass", isBypassed),
        (
          "branches",
          .array(
            branches.map { branch in
              .members([
                ("id", .string(branch.id)), ("name", branch.name.map(JSONValue.string) ?? .null),
                ("gain", branch.gain.number.map { JSONValue($0) } ?? 0),
                ("pan", JSONValue(branch.pan)),
                ("entries", .array(branch.entries.map { json($0, shelf) })),
                (
                  "more",
                  branch.gain.number == nil ? .members([("gain", branch.gain)]) : .object([])
                ),
              ])
            })
        ), ("more", .object(more)),
      ])
    case .noise(let members):
      return .members([
        ("id", .string(stage.id)), ("kind", "noise"), ("name", name), ("bypass", isBypassed),
        ("more", .object(members + more)),
      ])
    }
  }

  /// A parameter that is set, with the name and the text that its unit has for it.
  private static func json(
    _ setting: UnitStage.Setting, _ shapes: ParameterShapes?
  ) -> JSONValue {
    let parameter = shapes?.parameter(named: setting.name)
    let text = setting.value.text
    let value = shapes.flatMap { shapes in text.flatMap { shapes.value(setting.name, $0) } }
    return .members([
      ("name", .string(setting.name)), ("value", setting.value),
      ("key", .string(parameter.flatMap { shapes?.key(of: $0) } ?? setting.name)),
      (
        "text",
        .string(
          value.flatMap { value in parameter.flatMap { shapes?.text(of: $0, value) } }
            ?? text ?? setting.value.compactText)
      ),
    ])
  }

  private static func sideChain(_ entry: JSONValue) -> JSONValue {
    let file = entry["file"]?.text
    let from = entry["from"]?.text
    let decibels = entry["gain"]?.text.flatMap { Double($0.split(separator: " ").first ?? "") }
    return .members([
      ("source", .string(file ?? from ?? "input")),
      ("from", .string(file != nil ? "file" : from == "input" ? "input" : "stage")),
      ("bus", entry["bus"] ?? .null), ("output", entry["output"] ?? .null),
      ("gain", (entry["gain"]?.number ?? decibels).map { JSONValue($0) } ?? 0),
      ("loop", entry["loop"] ?? false),
    ])
  }

  // MARK: On the disk

  /// The chain as it is kept while it is not saved.
  var kept: JSONValue {
    .members([
      ("id", .string(id)), ("revision", JSONValue(revision)),
      ("text", .string(ChainText(state).text)),
      ("stages", .array(ids(of: state))), ("last", JSONValue(numbers.last)),
      ("other", otherSetting.map { .string(ChainText($0).text) }),
      ("otherStages", otherSetting.map { .array(ids(of: $0)) }), ("setting", .string(setting)),
      ("path", path.map(JSONValue.string)), ("preset", preset.map(JSONValue.string)),
      ("folder", folder.map(JSONValue.string)), ("isSaved", .boolean(isSaved)),
      ("stampBytes", savedStamp.map { JSONValue($0.byteCount) }),
      ("stampTime", savedStamp.map { .integer($0.modified) }),
    ])
  }

  private func ids(of state: ChainState) -> [JSONValue] {
    var names: [JSONValue] = []
    state.forEachStage { stage in
      names.append(.string(stage.id))
      if case .parallel(let branches) = stage.kind { names += branches.map { .string($0.id) } }
    }
    return names
  }

  /// A chain from the disk; nil for what cannot be read.
  init?(kept json: JSONValue) {
    guard let id = json["id"]?.text, let text = json["text"]?.text,
      let state = Self.state(text, json["stages"]?.elements)
    else { return nil }
    self.init(id: id, state: state, numbers: StageNumbers(last: json["last"]?.integer ?? 1_000_000))
    revision = (json["revision"]?.integer ?? 1) + 1
    otherSetting = json["other"]?.text.flatMap { Self.state($0, json["otherStages"]?.elements) }
    setting = json["setting"]?.text ?? "A"
    (path, preset, folder) = (json["path"]?.text, json["preset"]?.text, json["folder"]?.text)
    if json["isSaved"]?.boolean == true { savedState = state }
    if let count = json["stampBytes"]?.integer, let time = json["stampTime"]?.integer {
      savedStamp = FileStamp(byteCount: count, modified: Int64(time))
    }
  }

  private static func state(_ text: String, _ ids: [JSONValue]?) -> ChainState? {
    guard let preset = try? ChainPreset(text: text, name: "chain") else { return nil }
    var numbers = StageNumbers()
    var state = ChainState(preset, numbers: &numbers)
    var names = (ids ?? []).compactMap(\.text)[...]
    state.rename { names.popFirst() }
    return state
  }
}

extension ChainState {
  /// Gives stages and branches the names they had, in the order of the signal.
  mutating func rename(_ next: () -> String?) {
    func visit(_ list: inout [ChainStage]) {
      for index in list.indices {
        if let name = next() { list[index].id = name }
        guard case .parallel(var branches) = list[index].kind else { continue }
        for place in branches.indices { if let name = next() { branches[place].id = name } }
        for place in branches.indices { visit(&branches[place].entries) }
        list[index].kind = .parallel(branches)
      }
    }
    visit(&entries)
  }
}
