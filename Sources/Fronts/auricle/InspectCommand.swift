// `auricle inspect-unit`, hidden: opens and runs a unit in a process of its own, for `auricle info`.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioComponents
import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation

/// Tells about a unit as lines of JSON: one when it is open, one more when it has run.
///
/// A unit that crashes takes this process along and nothing else.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect-unit", abstract: "Describe a unit for another process.",
    shouldDisplay: false)

  @Argument(help: "The unit.")
  var component: String

  func run() throws {
    // Nothing outlives the parent's patience, and a crash leaves no core file.
    alarm(150)
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)

    var name = ""
    do {
      let registry = Host().makeRegistry(refusesBlocked: false, opensForPrograms: true)
      let component = try registry.resolve(component)
      name = component.name + ": "
      try inspect(component)
    } catch let error as AuricleError {
      // The other process names the unit itself.
      let text =
        error.message.hasPrefix(name) ? error.message.dropFirst(name.count) : error.message[...]
      try JSONResult.writeLine(InspectFailure(error: String(text)))
      _exit(error.category.rawValue)
    }
    // Destructors of plug-ins have nothing to add.
    _exit(0)
  }

  private func inspect(_ component: AudioComponent) throws {
    var report = UnitReport(component)
    try JSONResult.writeLine(report)
    do {
      let unit = try component.instantiate()
      try report.describe(unit)
    }
    try JSONResult.writeLine(report)
    // What joins several inputs has no place in a chain of effects.
    let joins =
      component.description.componentType == kAudioUnitType_FormatConverter
      && report.inputBuses.count > 1
    report.behavior = joins ? try Self.initialize(component) : try Self.run(component)
    try JSONResult.writeLine(report)
  }

  /// Initialises a unit with the formats it comes with.
  private static func initialize(
    _ component: AudioComponent
  ) throws(AuricleError) -> UnitReport.Behavior {
    let unit = try component.instantiate()
    try unit.initialize()
    let rate = try unit.streamFormat(scope: kAudioUnitScope_Output, element: 0).sampleRate
    return UnitReport.Behavior(
      sampleRate: rate, latencyFrames: Int((unit.latency * rate).rounded()),
      latencySeconds: unit.latency, tailSeconds: unit.tailTime, notes: [])
  }

  /// Runs a unit for a moment: many know their delay only then.
  private static func run(_ component: AudioComponent) throws(AuricleError) -> UnitReport.Behavior {
    let rate = 48_000.0
    let frames = 1024
    let stage = ChainStage(label: component.name) { () throws(AuricleError) in
      try component.instantiate()
    }
    let chain = try UnitChain(
      stages: [stage], sampleRate: rate, channelCount: 2, maximumFrames: frames)
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 4 * frames)
    unsafe samples.initialize(repeating: 0, count: 4 * frames)
    defer { unsafe samples.deallocate() }
    var input = unsafe [samples, samples + frames]
    var output = unsafe [samples + 2 * frames, samples + 3 * frames]
    for _ in 0..<8 {
      // Quiet noise: what only hears silence may not start to work.
      var state: UInt32 = 22_222
      for index in 0..<2 * frames {
        state = state &* 1_664_525 &+ 1_013_904_223
        unsafe samples[index] = Float(Int32(bitPattern: state)) / 2_147_483_648 * 0.05
      }
      try unsafe chain.render(input: &input, output: &output, frameCount: frames)
    }
    let latency = chain.latencyFrames
    return UnitReport.Behavior(
      sampleRate: rate, latencyFrames: latency, latencySeconds: Double(latency) / rate,
      tailSeconds: chain.tailSeconds, notes: chain.notes)
  }
}
