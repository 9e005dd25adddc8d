// Controllers of a keyboard, and the parameters that they move.
// SPDX-License-Identifier: Apache-2.0

package import AudioComponents
import AudioTypes
import AudioUnits
import AuricleHost
import CAudioToolbox
package import ChainPresets
import Glibc

/// A controller, or a program that is called: `74`, `2/74` on channel 2 alone, `program 5`.
struct ControllerName: Hashable, Sendable {
  /// Whether it is a program.
  var isProgram = false
  /// From 1; nil for any.
  var channel: Int?
  /// 0 to 127.
  var number: Int

  init(channel: Int?, number: Int, isProgram: Bool = false) {
    self.channel = channel
    self.number = number
    self.isProgram = isProgram
  }

  /// Reads a name.
  ///
  /// - Throws: `.usage` with the valid form.
  init(_ text: String) throws(AuricleError) {
    var words = text.split(separator: " ").map(String.init)
    isProgram = words.count == 2 && words[0].lowercased() == "program"
    if isProgram { words.removeFirst() }
    let parts = (words.first ?? "").split(separator: "/", omittingEmptySubsequences: false)
      .map { Int($0) }
    guard words.count == 1, (1...2).contains(parts.count), let last = parts.last, let number = last,
      (0...127).contains(number)
    else { throw Self.refusal(text) }
    self.number = number
    guard parts.count == 2 else { return }
    guard let first = parts[0], (1...16).contains(first) else { throw Self.refusal(text) }
    channel = first
  }

  private static func refusal(_ text: String) -> AuricleError {
    AuricleError(
      .usage,
      "'\(text)' is no controller or program: write 0 to 127 (74), a channel and 0 to 127 (2/74), "
        + "or a program of 0 to 127 (program 5)")
  }

  /// As it is written.
  var text: String {
    (isProgram ? "program " : "") + (channel.map { "\($0)/" } ?? "") + "\(number)"
  }
}

/// A parameter that a controller moves.
struct ControllerTarget {
  /// The stage, counted from 0.
  let stage: Int
  /// The parameter, with its value at 0, and at 127.
  let from: ResolvedParameter
  let to: ResolvedParameter

  /// Decibels from which on a level is as good as silent.
  private static let silence: Float = -60

  /// Finds a parameter of a stage.
  ///
  /// - Parameter ends: Its values at 0 and at 127, as they are written; nil for its whole range. A level that goes
  ///   down to silence has 0 dB at the top of that range, or its default where that is more.
  /// - Throws: The fault of stage, parameter or values.
  init(
    _ stage: String, _ parameter: String, _ ends: (String, String)?, of chain: ResolvedChain
  ) throws {
    self.stage = try chain.liveStage(stage)
    let parameters = chain.stages[self.stage].allParameters
    let name = Located(parameter)
    let found = try name.writableParameter(among: parameters, source: nil)
    func end(_ text: String) throws(PresetErrors) -> ResolvedParameter {
      try ParameterSetting(name: name, value: Located(text)).resolved(among: parameters)
    }
    from = try end(ends?.0 ?? "\(found.minimum)")
    let isLevel = found.unit == kAudioUnitParameterUnit_Decibels && found.minimum <= Self.silence
    let top = isLevel ? min(found.maximum, max(0, found.defaultValue)) : found.maximum
    to = try end(ends?.1 ?? "\(top)")
  }

  /// The parameter's value at a controller's, which is 0 to 127: in equal ratios where it is shown so. A level omits
  /// its nearly silent part.
  func value(at position: UInt8) -> ResolvedParameter {
    let part = Float(position) / 127
    var made = from
    if from.parameter.unit == kAudioUnitParameterUnit_Decibels, to.value > Self.silence {
      made.value = max(from.value, Self.silence)
    }
    if from.parameter.isLogarithmic, from.value > 0, to.value > 0 {
      made.value = from.value * pow(to.value / from.value, part)
    } else {
      made.value += (to.value - made.value) * part
    }
    if from.parameter.isIndexed { made.value = made.value.rounded() }
    if position == 0 { made.value = from.value }
    if position == 127 { made.value = to.value }
    return made
  }
}

/// The controllers of a chain and their parameters, and the programs that call presets.
package struct ControllerMap {
  /// The targets of controllers.
  var controllers: [ControllerName: ControllerTarget] = [:]
  /// Presets, by the programs that call them.
  var programs: [ControllerName: String] = [:]

  /// Moves nothing.
  init() {}

  /// Reads the controllers of a preset.
  ///
  /// - Throws: The fault of the first that cannot be used.
  init(_ plan: LivePlan) throws {
    for entry in plan.controllers { try add(entry, of: plan.resolved) }
  }

  /// Reads one controller of a preset.
  private mutating func add(_ entry: ParameterSetting, of chain: ResolvedChain) throws {
    let name = try ControllerName(entry.name.value)
    if name.isProgram {
      programs[name] = entry.value.value
      return
    }
    let words = try LiveCommand.words(entry.value.value)
    guard words.count == 2 || words.count == 4 else {
      throw AuricleError(
        .badData,
        "a controller in 'midi' of the preset takes STAGE PARAMETER, or STAGE PARAMETER FROM TO, "
          + "not '\(entry.value.value)'")
    }
    let ends = words.count == 4 ? (words[2], words[3]) : nil
    controllers[name] = try ControllerTarget(words[0], words[1], ends, of: chain)
  }

  /// All faults of a preset's controllers: of their targets, and of the presets that programs call.
  ///
  /// Context: control. Opens units where their parameters are not known.
  package static func problems(
    of preset: ChainPreset, _ registry: AudioComponentRegistry, _ presets: PresetLibrary
  ) throws(PresetErrors) -> [PresetDiagnostic] {
    guard !preset.controllers.isEmpty else { return [] }
    let plan = try LivePlan(preset, registry, playsNotes: true)
    var map = ControllerMap()
    return preset.controllers.compactMap { entry in
      do {
        try map.add(entry, of: plan.resolved)
        let isProgram = try ControllerName(entry.name.value).isProgram
        if isProgram { _ = try presets.path(of: entry.value.value) }
        return nil
      } catch {
        let isNamed = (try? ControllerName(entry.name.value)) != nil
        return PresetDiagnostic(
          "'midi': \(PresetFailure.sentence(error))",
          at: isNamed ? entry.value.position ?? entry.name.position : entry.name.position,
          in: preset.source)
      }
    }
  }
}
