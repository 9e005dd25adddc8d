// Edits of a chain: each is about one field, so that the edits of two pages are both kept.
// SPDX-License-Identifier: Apache-2.0

import ChainPresets
import HostSystem

/// Applies operations to a chain.
struct ChainEditor {
  var state: ChainState
  var numbers: StageNumbers
  /// Stages and branches that were made.
  var created: [String] = []
  /// The stage in solo; nil for none.
  var solo: String?
  /// The step in words, for undo.
  var label = ""
  /// The path of a file that a page names.
  ///
  /// - Throws: `.forbidden` for one outside of the folders.
  let locate: (_ file: String) throws -> String
  /// The text of a value for a parameter of a unit, as the server spells it.
  ///
  /// - Throws: `.usage` for a value that the parameter does not take.
  let spell: (_ unit: String, _ parameter: String, _ value: JSONValue) throws -> JSONValue

  /// Applies one operation.
  ///
  /// - Throws: `.usage` for one that is malformed, `.conflict` for a stage that is gone.
  mutating func apply(_ operation: JSONValue) throws {
    let name = operation["op"]?.text ?? ""
    switch name {
    case "set", "reset": try set(operation, isReset: name == "reset")
    case "add", "addParallel", "duplicate", "move", "remove", "addBranch", "removeBranch":
      try arrange(name, operation)
    case "field": try changeField(operation)
    case "stageField": try changeStage(operation)
    case "branchField": try changeBranch(operation)
    case "sidechain": try changeSideChains(operation)
    case "outputField": try changeOutput(operation)
    case "solo":
      let stage = operation["stage"]?.text
      if let stage, state.stage(stage) == nil { throw Self.gone(stage) }
      solo = stage
    default: throw StudioFault(.usage, "there is no operation '\(name)'")
    }
  }

  // MARK: Words of operations

  static func gone(_ id: String) -> StudioFault {
    StudioFault(
      .conflict, "the stage or branch \(id) is not in the chain any more",
      place: .members([("stage", .string(id))]))
  }

  private func word(_ operation: JSONValue, _ key: String) throws -> String {
    guard let text = operation[key]?.text, !text.isEmpty else {
      throw StudioFault(.usage, "the operation \(operation["op"]?.text ?? "") has no '\(key)'")
    }
    return text
  }

  /// A text of one line that a preset can hold; nil for null and an empty one.
  private func line(_ value: JSONValue?, _ what: String) throws -> String? {
    guard let value, value != .null, value != "" else { return nil }
    guard let text = value.text, text.count <= 1000,
      !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else { throw StudioFault(.usage, "\(what) is a text of one line, up to 1000 characters") }
    return text
  }

  private func number(
    _ value: JSONValue?, _ range: ClosedRange<Double>, _ what: String
  ) throws -> JSONValue {
    guard let number = value?.number, range.contains(number) else {
      throw StudioFault(
        .usage,
        "\(what) is a number from \(ChainText.number(range.lowerBound)) to "
          + ChainText.number(range.upperBound))
    }
    return JSONValue(number)
  }

  private mutating func changeStage(
    _ id: String, _ body: (inout ChainStage) throws -> Void
  ) throws {
    guard try state.change(id, body) else { throw Self.gone(id) }
  }

  private mutating func changeUnit(_ id: String, _ body: (inout UnitStage) throws -> Void) throws {
    try changeStage(id) { stage in
      guard case .unit(var unit) = stage.kind else {
        throw StudioFault(.usage, "\(id) is no unit", place: .members([("stage", .string(id))]))
      }
      try body(&unit)
      stage.kind = .unit(unit)
    }
  }

  // MARK: Parameters

  private mutating func set(_ operation: JSONValue, isReset: Bool) throws {
    let stage = try word(operation, "stage")
    if isReset, operation["parameter"] == nil {
      label = "Reset all"
      return try changeUnit(stage) { $0.parameters = [] }
    }
    let parameter = try word(operation, "parameter")
    let value = operation["value"]
    label = isReset || value == nil ? "Reset \(parameter)" : "Set \(parameter)"
    let spell = spell
    try changeUnit(stage) { unit in
      let wanted = SettingNames.comparable(parameter)
      let index = unit.parameters.firstIndex { SettingNames.comparable($0.name) == wanted }
      guard !isReset, let value else {
        if let index { unit.parameters.remove(at: index) }
        return
      }
      let text: JSONValue
      do { text = try spell(unit.unit, parameter, value) } catch {
        var fault = StudioFault(error)
        fault.place = .members([
          ("stage", .string(stage)), ("key", .string("parameters.\(parameter)")),
        ])
        throw fault
      }
      if let index {
        unit.parameters[index].value = text
      } else {
        unit.parameters.append(UnitStage.Setting(name: parameter, value: text))
      }
      // A curve over time would win.
      if case .object(let members)? = unit.automation {
        let others = members.filter { SettingNames.comparable($0.key) != wanted }
        unit.automation = others.isEmpty ? nil : .object(others)
      }
    }
  }

  // MARK: Arrangement

  private mutating func arrange(_ name: String, _ operation: JSONValue) throws {
    switch name {
    case "add":
      let unit = try word(operation, "unit")
      label = "Add \(unit)"
      try insert(ChainStage(id: numbers.next("s"), kind: .unit(UnitStage(unit: unit))), operation)
    case "addParallel":
      label = "Add branches"
      let count = operation["branches"]?.integer ?? 2
      guard (1...ParallelEntry.maximumBranchCount).contains(count) else {
        throw StudioFault(
          .usage, "branches takes 1 to \(ParallelEntry.maximumBranchCount), not \(count)")
      }
      let branches = (0..<count).map { _ in ChainBranch(id: numbers.next("b")) }
      try insert(ChainStage(id: numbers.next("s"), kind: .parallel(branches)), operation)
    case "duplicate":
      let id = try word(operation, "stage")
      label = "Duplicate"
      guard let stage = state.stage(id) else { throw Self.gone(id) }
      let copy = renamed(stage)
      try insertBehind(copy, id)
    case "move":
      let id = try word(operation, "stage")
      label = "Move"
      let before = state
      guard let stage = state.remove(id) else { throw Self.gone(id) }
      do { try insert(stage, operation, isNew: false) } catch {
        state = before
        throw error
      }
    case "remove":
      let id = try word(operation, "stage")
      label = "Remove"
      guard state.remove(id) != nil else { throw Self.gone(id) }
      if solo == id { solo = nil }
    default: try arrangeBranches(name, operation)
    }
  }

  private mutating func arrangeBranches(_ name: String, _ operation: JSONValue) throws {
    if name == "addBranch" {
      label = "Add a branch"
      let branch = ChainBranch(id: numbers.next("b"))
      try changeStage(try word(operation, "stage")) { stage in
        guard case .parallel(var branches) = stage.kind else {
          throw StudioFault(.usage, "\(stage.id) has no branches")
        }
        let index = operation["index"]?.integer ?? branches.count
        branches.insert(branch, at: min(max(index, 0), branches.count))
        guard branches.count <= ParallelEntry.maximumBranchCount else {
          throw StudioFault(
            .usage, "an entry has at most \(ParallelEntry.maximumBranchCount) branches")
        }
        stage.kind = .parallel(branches)
      }
      created.append(branch.id)
      return
    }
    label = "Remove a branch"
    let id = try word(operation, "branch")
    var owner: String?
    state.forEachStage { stage in
      if case .parallel(let branches) = stage.kind, branches.contains(where: { $0.id == id }) {
        owner = stage.id
      }
    }
    guard let owner else { throw Self.gone(id) }
    try changeStage(owner) { stage in
      guard case .parallel(var branches) = stage.kind else { return }
      guard branches.count > 1 else {
        throw StudioFault(.usage, "the last branch stays: remove the entry with its branches")
      }
      branches.removeAll { $0.id == id }
      stage.kind = .parallel(branches)
    }
  }

  private mutating func insert(
    _ stage: ChainStage, _ operation: JSONValue, isNew: Bool = true
  ) throws {
    let branch = operation["into"]?.text
    let index = operation["index"]?.integer
    let isFound = state.changeList(of: branch) { list in
      list.insert(stage, at: min(max(index ?? list.count, 0), list.count))
    }
    guard isFound else { throw Self.gone(branch ?? "") }
    if isNew { created.append(stage.id) }
  }

  private mutating func insertBehind(_ stage: ChainStage, _ id: String) throws {
    var isDone = false
    func place(_ list: inout [ChainStage]) {
      guard !isDone, let index = list.firstIndex(where: { $0.id == id }) else { return }
      list.insert(stage, at: index + 1)
      isDone = true
    }
    var branches: [String] = []
    state.forEachStage { found in
      if case .parallel(let list) = found.kind { branches += list.map(\.id) }
    }
    place(&state.entries)
    for branch in branches where !isDone { _ = state.changeBranch(branch) { place(&$0.entries) } }
    created.append(stage.id)
  }

  /// A copy with new identifiers and labels, since side chains go by labels.
  private mutating func renamed(_ stage: ChainStage) -> ChainStage {
    var copy = stage
    copy.id = numbers.next("s")
    copy.name = stage.name.map { "\($0) copy" }
    if case .parallel(let branches) = stage.kind {
      copy.kind = .parallel(
        branches.map { branch in
          var branch = branch
          branch.id = numbers.next("b")
          branch.name = branch.name.map { "\($0) copy" }
          branch.entries = branch.entries.map { renamed($0) }
          return branch
        })
    }
    return copy
  }
}

// MARK: Fields

extension ChainEditor {
  private mutating func changeField(_ operation: JSONValue) throws {
    let field = try word(operation, "field")
    let value = operation["value"]
    label = "Change \(field)"
    switch field {
    case "name":
      guard let text = try line(value, "the name") else {
        throw StudioFault(.usage, "the name of the chain is empty")
      }
      state.name = text
    case "description":
      guard (value?.text ?? "").count <= 10_000 else {
        throw StudioFault(.usage, "the description has at most 10000 characters")
      }
      state.description = value?.text ?? ""
    case "author": state.author = try line(value, "the author") ?? ""
    case "license": state.license = try line(value, "the license") ?? ""
    case "version":
      if let value {
        guard let number = value.integer, number >= 1 else {
          throw StudioFault(.usage, "the version is a whole number from 1 on")
        }
        state.version = number
      } else {
        state.version = nil
      }
    case "tags":
      state.tags = try (value?.elements ?? []).prefix(100).compactMap { try line($0, "a tag") }
    case "inputLoudness":
      state.inputLoudness = try value.map {
        try number($0, -70...0, "the loudness of inputs").number ?? -23
      }
    default: throw StudioFault(.usage, "a chain has no field '\(field)'")
    }
  }

  private mutating func changeStage(_ operation: JSONValue) throws {
    let field = try word(operation, "field")
    let value = operation["value"]
    let stage = try word(operation, "stage")
    label = "Change \(field)"
    let text = ["name", "preset", "output"].contains(field) ? try line(value, field) : nil
    switch field {
    case "name": try changeStage(stage) { $0.name = text }
    case "bypass":
      guard let isBypassed = value?.boolean else {
        throw StudioFault(.usage, "bypass is true or false")
      }
      label = isBypassed ? "Bypass" : "Use again"
      try changeStage(stage) { $0.bypass = .boolean(isBypassed) }
    case "preset": try changeUnit(stage) { $0.preset = text }
    case "output": try changeUnit(stage) { $0.output = text }
    case "mix":
      let mix = try number(value, 0...1, "the mix")
      try changeUnit(stage) { $0.mix = mix }
    default: throw StudioFault(.usage, "a stage has no field '\(field)'")
    }
  }

  private mutating func changeBranch(_ operation: JSONValue) throws {
    let field = try word(operation, "field")
    let branch = try word(operation, "branch")
    let value = operation["value"]
    label = "Change \(field)"
    let isFound: Bool
    switch field {
    case "name":
      let text = try line(value, "the name")
      isFound = state.changeBranch(branch) { $0.name = text }
    case "gain":
      let gain = try number(value, BranchEntry.gainRange, "the gain of a branch")
      isFound = state.changeBranch(branch) { $0.gain = gain }
    case "pan":
      let pan = try number(value, -1...1, "the pan").number ?? 0
      isFound = state.changeBranch(branch) { $0.pan = pan }
    default: throw StudioFault(.usage, "a branch has no field '\(field)'")
    }
    guard isFound else { throw Self.gone(branch) }
  }

  private mutating func changeSideChains(_ operation: JSONValue) throws {
    label = "Change the side chain"
    let list = try (operation["value"]?.elements ?? []).map { entry -> JSONValue in
      let source = try line(entry["source"], "the source of a side chain") ?? "input"
      let isFile = entry["from"]?.text == "file"
      let gain = try number(
        entry["gain"] ?? 0, SideChainEntry.gainRange, "the gain of a side chain")
      func bus(_ key: String) throws -> JSONValue? {
        guard let value = entry[key] else { return nil }
        if let number = value.integer { return .string("\(number)") }
        return try line(value, "a bus").map(JSONValue.string)
      }
      return .members([
        (
          isFile ? "file" : "from",
          .string(
            isFile ? try locate(source) : entry["from"]?.text == "input" ? "input" : source)
        ),
        ("bus", try bus("bus")), ("output", isFile ? nil : try bus("output")),
        ("gain", .string("\(ChainText.number(gain.number ?? 0)) dB")),
        ("loop", isFile ? .boolean(entry["loop"]?.boolean ?? false) : nil),
      ])
    }
    try changeUnit(try word(operation, "stage")) { $0.sideChains = list }
  }

  private mutating func changeOutput(_ operation: JSONValue) throws {
    let field = try word(operation, "field")
    label = "Change \(field)"
    guard PresetKeys.output.contains(field) else {
      throw StudioFault(
        .usage,
        "the output has no '\(field)'; there are \(PresetKeys.output.joined(separator: ", "))")
    }
    state.output.removeAll { $0.key == field }
    guard let value = operation["value"], value != "" else { return }
    state.output.append(JSONValue.Member(field, value))
    // What a preset does not take is refused here, where it was written.
    let check = ChainText(
      {
        var plain = ChainState()
        plain.output = state.output
        return plain
      }())
    _ = try ChainPreset(text: check.text, name: "output")
  }
}
