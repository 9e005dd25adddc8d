// Opens and runs a unit in a child process, to describe it.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import Glibc
import UnitChains
import Workers

/// Describes a unit in lines of JSON: one before it is opened, one when it is open, one when it has run.
///
/// A unit that crashes ends only this process.
enum UnitInspection {
  /// Describes a unit; returns the exit code.
  static func run(_ name: String, results: Int32) -> Int32 {
    // This process does not outlive the parent's time limit.
    alarm(150)
    var title = ""
    do {
      let host = HostPlaces()
      let registry = host.makeRegistry(refusesBlocked: false, opensForPrograms: true)
      let component = try registry.resolve(name)
      WorkerSandbox.enterForReport(readablePaths: host.readablePaths(for: [component]))
      title = component.name + ": "
      try inspect(component, results)
      return 0
    } catch let error as AuricleError {
      // The parent names the unit itself.
      let text =
        error.message.hasPrefix(title) ? error.message.dropFirst(title.count) : error.message[...]
      write(InspectFailure(error: String(text)), to: results)
      return error.category.rawValue
    } catch { return AuricleError.Category.software.rawValue }
  }

  private static func write(_ value: some Encodable, to results: Int32) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard let data = try? encoder.encode(value) else { return }
    _ = ScratchFolder.write((Array(data) + Array("\n".utf8))[...], to: results)
  }

  private static func inspect(_ component: AudioComponent, _ results: Int32) throws {
    var report = UnitReport(component)
    write(report, to: results)
    do {
      let unit = try component.instantiate()
      try report.describe(unit)
    }
    write(report, to: results)
    // A unit with several inputs does not fit into a chain of effects.
    let joins =
      component.description.componentType == kAudioUnitType_FormatConverter
      && report.inputBuses.count > 1
    // A MIDI processor need not have any sound, and an offline unit wants all of its input first.
    let refusal = ChainStage.refusal(of: component.description)
    let isApart =
      joins || refusal != nil || component.description.componentType == kAudioUnitType_OfflineEffect
      || report.outputBuses.isEmpty
    report.behavior = isApart ? try initialize(component) : try run(component)
    if let refusal { report.behavior?.notes.append("is not taken by chains: " + refusal) }
    write(report, to: results)
  }

  /// Initialises a unit with the formats it comes with.
  private static func initialize(
    _ component: AudioComponent
  ) throws(AuricleError) -> UnitReport.Behavior {
    let unit = try component.instantiate()
    try unit.initialize()
    let format = try? unit.streamFormat(scope: kAudioUnitScope_Output, element: 0)
    let rate = format?.sampleRate ?? 48_000
    return UnitReport.Behavior(
      sampleRate: rate, latencyFrames: Int((unit.latency * rate).rounded()),
      latencySeconds: unit.latency, tailSeconds: unit.tailTime, notes: [])
  }

  /// Runs a unit for a moment: many report their latency only then.
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
      // Quiet noise: a unit may not start to work on silence.
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
