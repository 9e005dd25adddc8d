// Parts of a chain: a stage in solo, the way to a stage, and the units that a worker opens.
// SPDX-License-Identifier: Apache-2.0

import ChainPresets
import HostSystem

extension ChainState {
  /// The chain with one stage alone in the way: all others are passed by, and its branch has none beside it.
  func soloed(_ id: String?) -> ChainState {
    guard let id, stage(id) != nil else { return self }
    var part = self
    part.entries = Self.soloed(id, entries)
    // Side chains from branches that are left out: what they would hear is the input, as all units are passed by.
    let names = part.names
    part.changeSideChains { entry in
      guard let from = entry["from"]?.text, from != PresetKeys.inputWord, !names.contains(from)
      else { return entry }
      return .object(
        (entry.members ?? []).compactMap { member in
          switch member.key {
          case "from": JSONValue.Member("from", .string(PresetKeys.inputWord))
          case "output": nil
          default: member
          }
        })
    }
    return part
  }

  private static func soloed(_ id: String, _ list: [ChainStage]) -> [ChainStage] {
    list.flatMap { stage -> [ChainStage] in
      var stage = stage
      if case .parallel(let branches) = stage.kind,
        let branch = branches.first(where: { contains(id, $0.entries) })
      {
        return soloed(id, branch.entries)
      }
      stage.bypass = .boolean(stage.id != id)
      return [stage]
    }
  }

  /// The chain up to a stage, whose output is then the signal behind that stage; nil where there is none.
  ///
  /// The gain of its branch is no part of that. Other branches are there, all but silent, where their stages feed a side
  /// chain on the way.
  func cut(behind id: String) -> ChainState? {
    guard let entries = Self.cut(behind: id, entries) else { return nil }
    var part = self
    part.entries = entries
    return part
  }

  private static func cut(behind id: String, _ list: [ChainStage]) -> [ChainStage]? {
    for (index, stage) in list.enumerated() {
      if stage.id == id { return Array(list[...index]) }
      guard case .parallel(let branches) = stage.kind,
        let place = branches.firstIndex(where: { contains(id, $0.entries) }),
        let way = cut(behind: id, branches[place].entries)
      else { continue }
      let before = Array(list[..<index])
      let others = branches.indices.filter { $0 != place }.flatMap { names(branches[$0].entries) }
      guard sources(way).contains(where: Set(others).contains) else { return before + way }
      var sum = stage
      sum.bypass = false
      sum.kind = .parallel(
        branches.enumerated().map { number, branch in
          var branch = branch
          branch.gain = number == place ? 0 : JSONValue(BranchEntry.gainRange.lowerBound)
          if number == place { (branch.pan, branch.entries) = (0, way) }
          return branch
        })
      return before + [sum]
    }
    return nil
  }

  private static func contains(_ id: String, _ list: [ChainStage]) -> Bool {
    var part = ChainState()
    part.entries = list
    return part.stage(id) != nil
  }

  // MARK: Side chains

  /// The names of all stages.
  private var names: Set<String> { Set(Self.names(entries)) }

  private static func names(_ list: [ChainStage]) -> [String] {
    var part = ChainState()
    part.entries = list
    var found: [String] = []
    part.forEachStage { if let name = $0.name { found.append(name) } }
    return found
  }

  /// The names of the stages that feed side chains.
  private static func sources(_ list: [ChainStage]) -> [String] {
    var part = ChainState()
    part.entries = list
    return part.units.flatMap { $0.unit.sideChains.compactMap { $0["from"]?.text } }
  }

  private mutating func changeSideChains(_ body: (JSONValue) -> JSONValue) {
    for (id, _, unit) in units where !unit.sideChains.isEmpty {
      _ = change(id) { stage in
        guard case .unit(var unit) = stage.kind else { return }
        unit.sideChains = unit.sideChains.map(body)
        stage.kind = .unit(unit)
      }
    }
  }

  // MARK: Workers

  /// The units that a worker opens, in the order in which it counts them; nil where that cannot be known from here:
  /// chance decides about a stage, or the side chain of one is the sound of a later one.
  var openedUnits: [UnitStage]? {
    var (opened, known): ([UnitStage], Set<String>) = ([], [PresetKeys.inputWord])
    func visit(_ list: [ChainStage]) -> Bool {
      for stage in list {
        guard let isBypassed = stage.bypass.boolean else { return false }
        switch stage.kind {
        case .unit(let unit):
          guard let mix = unit.mix.number,
            unit.sideChains.compactMap({ $0["from"]?.text }).allSatisfy(known.contains)
          else { return false }
          if !isBypassed, mix > 0 { opened.append(unit) }
        case .parallel(let branches):
          if !isBypassed, !branches.allSatisfy({ visit($0.entries) }) { return false }
        case .noise: break
        }
        if let name = stage.name { known.insert(name) }
      }
      return true
    }
    return visit(entries) ? opened : nil
  }
}
