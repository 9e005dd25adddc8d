// The values that a preset of a unit sets: known only to the unit itself, which a child opens.
// SPDX-License-Identifier: Apache-2.0

import AuricleHost
import HostSystem
import Synchronization

/// Values of units with their presets, asked for once.
final class StageValues: Sendable {
  private let program: String
  private let scratch: ScratchSounds
  private let known = Mutex<[String: [UInt32: Float]]>([:])

  init(program: String, scratch: ScratchSounds) {
    (self.program, self.scratch) = (program, scratch)
  }

  /// The values that a preset sets, by the numbers of parameters.
  ///
  /// - Throws: Why the unit or its preset cannot be opened.
  func values(_ unit: String, preset: String) throws -> [UInt32: Float] {
    let key = "\(unit)\n\(preset)"
    if let found = known.withLock({ $0[key] }) { return found }
    var state = ChainState()
    state.entries = [
      ChainStage(id: "s1", kind: .unit(UnitStage(unit: unit, preset: preset)))
    ]
    let path = try scratch.write(ChainText(state).text, ".yaml")
    let answer = try ProgramCommand.json(program, [StudioServer.valuesWord, path])
    let values = (answer.members ?? []).compactMap { member -> (UInt32, Float)? in
      guard let id = UInt32(member.key), let value = member.value.number else { return nil }
      return (id, Float(value))
    }
    let found = Dictionary(values, uniquingKeysWith: { $1 })
    known.withLock { $0[key] = found }
    return found
  }
}
