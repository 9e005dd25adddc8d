// Commands to a live chain: parameters, presets, what is passed over, figures.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioHardware
import AudioTypes
import AudioUnits
import AuricleHost
import ChainPresets
import Glibc
import Synchronization
import UnitChains

extension LiveRun {
  /// Answers a line: `ok`, perhaps with what was asked for, or `error` and a sentence.
  func answer(_ line: String) -> String {
    do {
      let command = try LiveCommand(line: line)
      let said = try perform(command)
      return said.isEmpty ? "ok" : "ok \(said)"
    } catch let error as AuricleError {
      return "error \(error.message)"
    } catch let error as PresetErrors {
      let sentence = error.diagnostics.first?.message ?? "the preset cannot be used"
      return "error \(sentence)"
    } catch {
      return "error \(error)"
    }
  }

  /// Does a command; what it tells.
  func perform(_ command: LiveCommand) throws -> String {
    var said = ""
    switch command {
    case .set(let name, let parameter, let value):
      try set(try stage(name), parameter, value, seconds: 0)
    case .ramp(let name, let parameter, let value, let seconds):
      try set(try stage(name), parameter, value, seconds: seconds)
    case .get(let name, let parameter): said = try value(try stage(name), parameter)
    case .bypass(let isOn): render.isBypassed.store(isOn, ordering: .relaxed)
    case .bypassStage(let name, let isOn):
      var resolved = newest.resolved
      let index = try stage(name)
      guard resolved.stages[index].isBypassed != isOn else { break }
      resolved.stages[index].isBypassed = isOn
      try take(resolved)
    case .preset(let name):
      try take(.preset(name))
      presetName = name
    case .gain(let decibels): render.playedGain = Float(pow(10, decibels / 20))
    case .map(let name, let stage, let parameter, let ends):
      try map(name, to: stage, parameter, ends)
      endLesson(stage, parameter)
    case .unmap(let name): try unmap(name)
    case .learn(let stage, let parameter): try learn(stage, parameter)
    case .maps: said = mapText
    case .panic: keyboards?.silence()
    case .list: said = list()
    case .stats: said = stats()
    case .quit: hasQuit = true
    }
    onChange(command)
    return said
  }

  private func stage(_ name: String) throws(AuricleError) -> Int {
    try newest.resolved.liveStage(name)
  }

  private func set(
    _ index: Int, _ parameter: String, _ value: String, seconds: Double
  ) throws {
    let stage = newest.resolved.stages[index]
    let setting = ParameterSetting(name: Located(parameter), value: Located(value))
    let found = try setting.resolved(among: stage.allParameters)
    let units = newest.units[index]
    ramps.removeAll { $0.stage == index && $0.parameter.id == found.id }
    let from = try units.first?.parameter(found.id, scope: found.scope, element: found.element)
    let ramp = LiveRamp(
      stage: index, parameter: found.parameter, units: units, from: from ?? found.value,
      to: found.value, start: SystemClock().now(), seconds: seconds)
    if seconds > 0 { ramps.append(ramp) } else { _ = ramp.move(SystemClock().now()) }
    // A chain that is made anew has it, too.
    newest.remember(found, stage: index)
  }

  private func value(_ index: Int, _ parameter: String) throws -> String {
    let stage = newest.resolved.stages[index]
    let found = try Located(parameter).readableParameter(among: stage.allParameters)
    guard let unit = newest.units[index].first else {
      throw AuricleError(.usage, "\(stage.label) is passed over, and has no values")
    }
    let value = try unit.parameter(found.id, scope: found.scope, element: found.element)
    return found.text(for: value)
  }

  private func list() -> String {
    newest.resolved.stages.enumerated().map { index, stage in
      let names = stage.allParameters.map { LiveCommand.quoted($0.name) }.joined(separator: " ")
      return "\(index + 1) \(LiveCommand.quoted(stage.label)) \(names)"
    }.joined(separator: "; ")
  }

  private func stats() -> String {
    let engine = session.engine
    let slices = max(1, render.sliceCount.load(ordering: .relaxed))
    let period = Double(engine.periodFrames) / engine.sampleRate * 1e9
    let mean = Double(render.renderTime.load(ordering: .relaxed)) / Double(slices)
    let longest = Double(render.longestRender.load(ordering: .relaxed))
    func share(_ time: Double) -> String { "\((time / period * 10_000).rounded() / 10_000)" }
    var words = [
      "slices=\(slices)", "overruns=\(engine.overruns)",
      "failed=\(render.failedSlices.load(ordering: .relaxed))", "load=\(share(mean))",
      "longest=\(share(longest))", "rate=\(Int(engine.sampleRate))",
      "period=\(engine.periodFrames)", "latency=\(newest.chain.latencyFrames)",
      "roundtrip=\(engine.roundTripFrames ?? 0)",
    ]
    for clock in newest.clocks {
      let time = Double(clock.takeTotal()) / Double(slices)
      words.append("stage\(clock.stage + 1)=\(share(time))")
    }
    return words.joined(separator: " ")
  }
}

extension ResolvedChain {
  /// The stage of a number from 1, or of a label.
  ///
  /// - Throws: `.usage` with the stages that there are.
  func liveStage(_ name: String) throws(AuricleError) -> Int {
    if let number = Int(name), stages.indices.contains(number - 1) { return number - 1 }
    let wanted = name.lowercased()
    let found = stages.indices.filter {
      stages[$0].label.lowercased() == wanted || stages[$0].component.name.lowercased() == wanted
    }
    if let first = found.first, found.count == 1 { return first }
    guard !stages.isEmpty else { throw AuricleError(.usage, "the chain has no stage") }
    let labels = stages.enumerated().map { "\($0.offset + 1) \($0.element.label)" }
    throw AuricleError(
      .usage,
      "\(found.isEmpty ? "no stage is called" : "several stages are called") '\(name)': "
        + labels.joined(separator: ", "))
  }
}
