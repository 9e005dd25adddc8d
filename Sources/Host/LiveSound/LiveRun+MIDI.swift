// Controllers that move parameters of a live chain: those of the preset, and learnt ones.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import ChainPresets
import WatchedProcesses

extension LiveRun {
  /// Uses a map in place of the one before.
  func consume(_ map: ControllerMap) {
    self.map = map
    reportMapped()
  }

  /// Maps a controller to a parameter.
  ///
  /// - Throws: `.usage` for a program; the fault of stage, parameter or values.
  func map(
    _ name: ControllerName, to stage: String, _ parameter: String, _ ends: (String, String)?
  ) throws {
    guard !name.isProgram else {
      throw AuricleError(.usage, "\(name.text) moves no parameter: name a controller, such as 74")
    }
    map.controllers[name] = try ControllerTarget(stage, parameter, ends, of: newest.resolved)
    reportMapped()
  }

  /// Lets a controller go to the units again.
  func unmap(_ name: ControllerName) throws(AuricleError) {
    guard map.controllers.removeValue(forKey: name) != nil else {
      throw AuricleError(.usage, "controller \(name.text) moves nothing")
    }
    reportMapped()
  }

  /// Has the next controller that moves, and moves nothing yet, move a parameter.
  func learn(_ stage: String, _ parameter: String) throws {
    guard setup.playsNotes else {
      throw AuricleError(.usage, "there is no MIDI source to learn from: name one with --midi")
    }
    // An unusable target is reported at once.
    _ = try ControllerTarget(stage, parameter, nil, of: newest.resolved)
    lessons.append((stage, parameter))
    reportMapped()
  }

  /// The controllers and their targets, each in the form of the command `map`.
  var mapText: String {
    map.controllers.sorted { $0.key.text < $1.key.text }.map { name, target in
      let words = [
        newest.resolved.stages[target.stage].label, target.from.parameter.name,
        target.from.parameter.text(for: target.from.value),
        target.to.parameter.text(for: target.to.value),
      ]
      return "\(name.text) \(words.map(LiveCommand.quoted).joined(separator: " "))"
    }.joined(separator: "; ")
  }

  private func reportMapped() {
    let names = Set(map.controllers.keys).union(map.programs.keys).map(\.text)
    _ = ParentSocket.send(
      LiveFrame.mapped, LiveMapping(names: names.sorted(), isLearning: !lessons.isEmpty).bytes)
  }

  /// Moves a controller's parameter: the text has its name, and its value behind the last space.
  func move(_ text: String) {
    guard let space = text.lastIndex(of: " "),
      let name = try? ControllerName(String(text[..<space])),
      let value = UInt8(text[text.index(after: space)...])
    else { return }
    var general = name
    general.channel = nil
    if name.isProgram {
      guard let preset = map.programs[name] ?? map.programs[general] else { return }
      _ = ParentSocket.send(LiveFrame.preset, Array(preset.utf8))
    } else if let target = map.controllers[name] ?? map.controllers[general] {
      move(target, value)
    } else {
      consume(lesson: name)
    }
  }

  private func move(_ target: ControllerTarget, _ position: UInt8) {
    let setting = target.value(at: position)
    ramps.removeAll { $0.stage == target.stage && $0.parameter.id == setting.id }
    for unit in newest.units[target.stage] {
      try? unit.setParameter(
        setting.id, setting.value, scope: setting.scope, element: setting.element)
    }
    newest.remember(setting, stage: target.stage)
    change(
      .set(
        stage: "\(target.stage + 1)",
        parameter: setting.parameter.symbol ?? setting.parameter.name, value: "\(setting.value)"))
  }

  /// Stops waiting for the controller of a parameter that has one now, as after a crash.
  func endLesson(_ stage: String, _ parameter: String) {
    guard
      let place = lessons.firstIndex(where: { $0.stage == stage && $0.parameter == parameter })
    else { return }
    lessons.remove(at: place)
    reportMapped()
  }

  private func consume(lesson name: ControllerName) {
    while let first = lessons.first {
      guard (try? perform(.map(name, first.stage, first.parameter, nil))) != nil else {
        lessons.removeFirst()
        continue
      }
      let words = [first.stage, first.parameter].map(LiveCommand.quoted).joined(separator: " ")
      say(
        "controller \(name.text) moves \(words); in a preset: midi: {\(name.text): '\(words)'}")
      break
    }
    reportMapped()
  }
}
