// What the window of a unit asks of a live chain: which unit it is, its values by their numbers, messages of LV2.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import AuricleHost
import CAudioToolbox
import ChainPresets
import Foundation
import HostSystem
import PluginWindows
import UnitChains

extension LiveRun {
  /// Answers a command of a window.
  func window(_ words: [String]) throws -> String {
    let subject = words[1]
    switch words[0] {
    case "unit":
      let index = try stageOfUnit(subject)
      let stage = newest.resolved.stages[index]
      return "\(index + 1) \(LiveCommand.quoted(stage.component.uniqueName))"
    case "values": return try values(try stage(subject))
    case "put":
      try put(try stage(subject), words[2], words[3])
      return ""
    case "number": return try number(of: words[2], try stage(subject))
    case "uri": return try uri(of: words[2], try stage(subject))
    case "message":
      try send(Array(words[2...]), to: try stage(subject))
      return ""
    default: return try messages(of: try stage(subject))
    }
  }

  /// The stage of a number, of a label, or of the unit of a name, identifier or triple.
  private func stageOfUnit(_ name: String) throws(AuricleError) -> Int {
    let stages = newest.resolved.stages
    let found = stages.indices.filter { index in
      let component = stages[index].component
      return [component.uniqueName, component.description.triple, component.location.identifier]
        .contains(name)
    }
    if let first = found.first, found.count == 1 { return first }
    return try newest.resolved.liveStage(name)
  }

  private func firstUnit(_ index: Int) throws(AuricleError) -> AudioUnit {
    guard let unit = newest.units[index].first else {
      throw AuricleError(
        .usage, "\(newest.resolved.stages[index].label) is bypassed, and has no values")
    }
    return unit
  }

  /// The unit of a stage, and its parameters as `ID=VALUE`.
  private func values(_ index: Int) throws -> String {
    let stage = newest.resolved.stages[index]
    let unit = try firstUnit(index)
    let values = stage.allParameters.filter {
      $0.scope == kAudioUnitScope_Global && $0.element == 0 && $0.id != .max
    }.compactMap { parameter in
      (try? unit.parameter(parameter.id)).map { "\(parameter.id)=\($0)" }
    }
    return ([LiveCommand.quoted(stage.component.uniqueName)] + values).joined(separator: " ")
  }

  /// Sets a parameter by its number to a value within its range.
  private func put(_ index: Int, _ id: String, _ text: String) throws {
    let stage = newest.resolved.stages[index]
    guard let id = UInt32(id), let value = Float(text), value.isFinite,
      let parameter = stage.allParameters.first(where: {
        $0.id == id && $0.scope == kAudioUnitScope_Global && $0.element == 0 && $0.isWritable
      })
    else {
      throw AuricleError(
        .usage, "\(stage.label) has no parameter \(id) that can be put to \(text)")
    }
    let low = min(parameter.minimum, parameter.maximum)
    let high = max(parameter.minimum, parameter.maximum)
    let inside = min(max(value, low), high)
    ramps.removeAll { $0.stage == index && $0.parameter.id == id }
    for unit in newest.units[index] { try unit.setParameter(id, inside) }
    // A chain that is made anew has it, too.
    let setting = ParameterSetting(name: Located("\(id)"), value: Located("\(inside)"))
    if let found = try? setting.resolved(among: stage.allParameters) {
      newest.remember(found, stage: index)
      change(.set(stage: "\(index + 1)", parameter: "\(id)", value: "\(inside)"))
    }
  }

  /// Sends a message: its port, its type, and its bytes in base 64.
  private func send(_ words: [String], to index: Int) throws {
    guard let port = UInt32(words[0]), let type = UInt32(words[1]),
      let bytes = Data(base64Encoded: words[2])
    else {
      throw AuricleError(.usage, "a message has a port, a type, and bytes in base 64")
    }
    for unit in newest.units[index] {
      try unit.sendToPlugIn([UInt8](bytes), type: type, port: port)
    }
  }

  private func number(of uri: String, _ index: Int) throws -> String {
    let number = try firstUnit(index).plugInNumber(of: uri)
    for unit in newest.units[index].dropFirst() { _ = unit.plugInNumber(of: uri) }
    return "\(number)"
  }

  private func uri(of text: String, _ index: Int) throws -> String {
    guard let number = UInt32(text) else {
      throw AuricleError(.usage, "the number of a URI is a whole number, not \(text)")
    }
    return try firstUnit(index).plugInURI(of: number) ?? ""
  }

  /// The messages of the plug-in since the last call, each as port, type and bytes in base 64.
  private func messages(of index: Int) throws -> String {
    let unit = try firstUnit(index)
    var texts: [String] = []
    while texts.count < 64, let message = unit.nextPlugInMessage() {
      texts.append("\(message.port) \(message.type) \(Base64.text(message.bytes))")
    }
    return texts.joined(separator: "; ")
  }
}
