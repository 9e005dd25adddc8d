// Commands to a live chain: parameters, presets, bypasses, figures.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import AuricleHost
import ChainPresets
import DeviceSound
import Glibc
import RealtimeSupport
import Synchronization
import UnitChains
import WatchedProcesses

extension LiveRun {
  /// Answers a line: `ok`, perhaps with the requested values, or `error` and a sentence.
  func answer(_ line: String) -> String {
    do {
      let words = try LiveCommand.words(line)
      let said: String
      do { said = try perform(try LiveCommand(words: words)) } catch {
        guard let whole = try newest.resolved.completed(words), whole != words else { throw error }
        said = try perform(try LiveCommand(words: whole))
      }
      return said.isEmpty ? "ok" : "ok \(said)"
    } catch { return "error \(PresetFailure.sentence(error))" }
  }

  /// Does a command, and returns its answer.
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
      try consume(resolved)
    case .gain(let decibels): render.playedGain = Float(pow(10, decibels / 20))
    case .map(let name, let stage, let parameter, let ends):
      try map(name, to: stage, parameter, ends)
      endLesson(stage, parameter)
    case .unmap(let name): try unmap(name)
    case .learn(let stage, let parameter): try learn(stage, parameter)
    case .maps: said = mapText
    case .list: said = list()
    case .stats: said = stats()
    case .window(let words): said = try window(words)
    case .unquoted(let words): throw LiveCommand.unmatched(words)
    // The parent does the rest.
    case .preset, .panic, .quit, .help: break
    }
    change(command)
    return said
  }

  func stage(_ name: String) throws(AuricleError) -> Int {
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
      to: found.value, start: RenderClock.nanoseconds(), seconds: seconds)
    if seconds > 0 { ramps.append(ramp) } else { _ = ramp.move(RenderClock.nanoseconds()) }
    // A chain that is made anew has it, too.
    newest.remember(found, stage: index)
  }

  private func value(_ index: Int, _ parameter: String) throws -> String {
    let stage = newest.resolved.stages[index]
    let found = try Located(parameter).readableParameter(among: stage.allParameters)
    guard let unit = newest.units[index].first else {
      throw AuricleError(.usage, "\(stage.label) is bypassed, and has no values")
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

  /// The figures that this process has.
  private func stats() -> String {
    let slices = max(1, render.sliceCount.load(ordering: .relaxed))
    let period = Double(setup.task.frameCapacity) / setup.task.sampleRate * 1e9
    let mean = Double(render.renderTime.load(ordering: .relaxed)) / Double(slices)
    let longest = Double(render.longestRender.load(ordering: .relaxed))
    func share(_ time: Double) -> String { "\((time / period * 10_000).rounded() / 10_000)" }
    var words = [
      "slices=\(slices)", "failed=\(render.failedSlices.load(ordering: .relaxed))",
      "load=\(share(mean))", "longest=\(share(longest))",
      "latency=\(newest.chain.latencyFrames)",
    ]
    for clock in newest.clocks {
      let time = Double(clock.drainTotal()) / Double(slices)
      words.append("stage\(clock.stage + 1)=\(share(time))")
    }
    words += isolation?.figures ?? []
    return words.joined(separator: " ")
  }

  /// Reports a change to the parent, which makes it again in a process that comes after this.
  func change(_ command: LiveCommand) {
    guard let line = command.stateLine?.line else { return }
    _ = ParentSocket.send(LiveFrame.changed, Array(line.utf8))
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
