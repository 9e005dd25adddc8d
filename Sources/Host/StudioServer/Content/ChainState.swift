// A chain while it is edited: what a preset says, with a name for each stage and branch that edits find it by.
// SPDX-License-Identifier: Apache-2.0

import HostSystem

/// The content of a chain: fields that are edited one by one.
struct ChainState: Equatable, Sendable {
  var name = "Untitled"
  var description = ""
  var author = ""
  var license = ""
  var version: Int?
  var tags: [String] = []
  /// The loudness of inputs in LUFS; nil to leave it.
  var inputLoudness: Double?
  var entries: [ChainStage] = []
  /// `output` as a preset has it.
  var output: [JSONValue.Member] = []
  /// Other members of a preset as it has them: `render`, `instruments`, `bus`, `midi`.
  var others: [JSONValue.Member] = []
}

/// One entry of a chain.
struct ChainStage: Equatable, Sendable {
  /// The kind of an entry, with its content.
  enum Kind: Equatable, Sendable {
    case unit(UnitStage)
    case parallel([ChainBranch])
    /// Noise as a preset has it, without its name and bypass.
    case noise([JSONValue.Member])
  }

  /// `s1`, for the life of the chain.
  var id: String
  var name: String?
  /// True, false, or a probability as a preset has it.
  var bypass = JSONValue.boolean(false)
  var kind: Kind
}

/// A unit of a chain with its settings as they are written.
struct UnitStage: Equatable, Sendable {
  /// A parameter that is set, with its value as a preset has it.
  struct Setting: Equatable, Sendable {
    var name: String
    var value: JSONValue
  }

  var unit: String
  var preset: String?
  var parameters: [Setting] = []
  /// 0 to 1, or a random number as a preset has it.
  var mix = JSONValue.integer(1)
  /// Side chains as a preset has them.
  var sideChains: [JSONValue] = []
  var output: String?
  /// `automation` as a preset has it.
  var automation: JSONValue?
}

/// A branch.
struct ChainBranch: Equatable, Sendable {
  /// `b1`, for the life of the chain.
  var id: String
  var name: String?
  /// In dB, or a random number as a preset has it.
  var gain = JSONValue.integer(0)
  var pan = 0.0
  var entries: [ChainStage] = []
}

extension ChainState {
  /// Calls a body with every stage, those of branches among them, in the order of the signal.
  func forEachStage(_ body: (ChainStage) -> Void) {
    func visit(_ stages: [ChainStage]) {
      for stage in stages {
        body(stage)
        if case .parallel(let branches) = stage.kind { branches.forEach { visit($0.entries) } }
      }
    }
    visit(entries)
  }

  /// All stages in the order of the signal: those of branches in front of the entry with the branches.
  var stagesInOrder: [ChainStage] {
    func visit(_ stages: [ChainStage]) -> [ChainStage] {
      stages.flatMap { stage -> [ChainStage] in
        guard case .parallel(let branches) = stage.kind else { return [stage] }
        return branches.flatMap { visit($0.entries) } + [stage]
      }
    }
    return visit(entries)
  }

  /// The chain without the texts about it, which change no sound.
  var withoutTexts: ChainState {
    var plain = self
    (plain.name, plain.description, plain.author) = ("chain", "", "")
    (plain.license, plain.version, plain.tags) = ("", nil, [])
    return plain
  }

  /// All units in order.
  var units: [(id: String, name: String?, unit: UnitStage)] {
    var found: [(id: String, name: String?, unit: UnitStage)] = []
    forEachStage { stage in
      if case .unit(let unit) = stage.kind { found.append((stage.id, stage.name, unit)) }
    }
    return found
  }

  /// A stage by its identifier.
  func stage(_ id: String) -> ChainStage? {
    var found: ChainStage?
    forEachStage { if $0.id == id { found = $0 } }
    return found
  }

  /// Changes a stage; false where there is none.
  mutating func change(
    _ id: String, _ body: (inout ChainStage) throws -> Void
  ) rethrows -> Bool {
    try Self.change(&entries, id, body)
  }

  private static func change(
    _ list: inout [ChainStage], _ id: String, _ body: (inout ChainStage) throws -> Void
  ) rethrows -> Bool {
    for index in list.indices {
      if list[index].id == id {
        try body(&list[index])
        return true
      }
      guard case .parallel(var branches) = list[index].kind else { continue }
      for place in branches.indices {
        if try change(&branches[place].entries, id, body) {
          list[index].kind = .parallel(branches)
          return true
        }
      }
    }
    return false
  }

  /// Changes the list of a branch, or the main one for nil; false where there is no such branch.
  mutating func changeList(
    of branch: String?, _ body: (inout [ChainStage]) throws -> Void
  ) rethrows -> Bool {
    guard let branch else {
      try body(&entries)
      return true
    }
    return try changeBranch(branch) { try body(&$0.entries) }
  }

  /// Changes a branch; false where there is none.
  mutating func changeBranch(
    _ id: String, _ body: (inout ChainBranch) throws -> Void
  ) rethrows -> Bool {
    try Self.changeBranch(&entries, id, body)
  }

  private static func changeBranch(
    _ list: inout [ChainStage], _ id: String, _ body: (inout ChainBranch) throws -> Void
  ) rethrows -> Bool {
    for index in list.indices {
      guard case .parallel(var branches) = list[index].kind else { continue }
      var isFound = false
      for place in branches.indices where !isFound {
        if branches[place].id == id {
          try body(&branches[place])
          isFound = true
        } else {
          isFound = try changeBranch(&branches[place].entries, id, body)
        }
      }
      if isFound {
        list[index].kind = .parallel(branches)
        return true
      }
    }
    return false
  }

  /// Removes a stage and returns it; nil where there is none.
  mutating func remove(_ id: String) -> ChainStage? { Self.remove(&entries, id) }

  private static func remove(_ list: inout [ChainStage], _ id: String) -> ChainStage? {
    if let index = list.firstIndex(where: { $0.id == id }) { return list.remove(at: index) }
    for index in list.indices {
      guard case .parallel(var branches) = list[index].kind else { continue }
      for place in branches.indices {
        if let found = remove(&branches[place].entries, id) {
          list[index].kind = .parallel(branches)
          return found
        }
      }
    }
    return nil
  }
}

/// Numbers for stages and branches that are never given twice.
struct StageNumbers: Equatable, Sendable {
  var last = 0

  /// The next name of a stage or branch: `s1`, `b2`.
  mutating func next(_ letter: String) -> String {
    last += 1
    return "\(letter)\(last)"
  }
}
