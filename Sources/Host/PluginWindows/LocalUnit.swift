// A unit of this process that renders silence, so that its meters and messages go on.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import ChainPresets
import Foundation
import HostSystem
import LV2Units
import PropertyLists
import RealtimeSupport
import UnitChains
import UnitPresets

/// A unit of this process.
@safe final class LocalUnit: WindowedUnit {
  let sampleRate = 48_000.0
  /// The units that one window moves: two where the unit has one channel.
  private let units: [AudioUnit]
  /// Nil for a unit that no chain can have.
  private let chain: UnitChain?
  private let parameters: [UnitParameter]
  private let samples: UnsafeMutablePointer<Float>
  private var renderedUntil = RenderClock.nanoseconds()
  private static let (frames, channels) = (512, 2)
  private static let (clapState, vst3Component, vst3Controller) =
    ("clap-state", "vst3-component", "vst3-controller")

  /// Opens a unit with its settings.
  ///
  /// - Throws: What the unit refuses.
  init(_ stage: ResolvedStage) throws(AuricleError) {
    unsafe samples = .allocate(capacity: 2 * Self.channels * Self.frames)
    unsafe samples.initialize(repeating: 0, count: 2 * Self.channels * Self.frames)
    let description = stage.component.description
    let isApart = [kAudioUnitType_MIDIProcessor, kAudioUnitType_OfflineEffect].contains(
      description.componentType)
    if isApart || ChainStage.refusal(of: description) != nil {
      let unit = try stage.makeUnit()
      try stage.configure(unit)
      try unit.initialize()
      (units, chain) = ([unit], nil)
    } else {
      let place = ChainStage(
        label: stage.label, makeUnit: { () throws(AuricleError) in try stage.makeUnit() },
        configure: { unit throws(AuricleError) in try stage.configure(unit) })
      let made = try UnitChain(
        stages: [place], sampleRate: sampleRate, channelCount: Self.channels,
        maximumFrames: Self.frames)
      (units, chain) = (made.stages.first?.units ?? [], made)
    }
    guard let unit = units.first else {
      throw AuricleError(.software, "\(stage.label) could not be opened")
    }
    parameters = try unit.parameters().filter { $0.id != .max }
  }

  deinit { unsafe samples.deallocate() }

  func values() throws(AuricleError) -> [(id: UInt32, value: Float)] {
    var values: [(id: UInt32, value: Float)] = []
    for parameter in parameters {
      if let value = try? units[0].parameter(parameter.id) { values.append((parameter.id, value)) }
    }
    return values
  }

  func put(_ id: UInt32, _ value: Float) throws(AuricleError) {
    guard let parameter = parameters.first(where: { $0.id == id && $0.isWritable }), value.isFinite
    else { return }
    let low = min(parameter.minimum, parameter.maximum)
    let high = max(parameter.minimum, parameter.maximum)
    for unit in units { try unit.setParameter(id, min(max(value, low), high)) }
  }

  func number(of uri: String) -> UInt32 { units[0].plugInNumber(of: uri) }

  func uri(of number: UInt32) -> String? { units[0].plugInURI(of: number) }

  func send(_ text: String, type: UInt32, port: UInt32) throws(AuricleError) {
    guard let bytes = Data(base64Encoded: text) else { return }
    for unit in units { try unit.sendToPlugIn([UInt8](bytes), type: type, port: port) }
  }

  func messages() -> [String] {
    var texts: [String] = []
    while texts.count < 256, let message = units[0].nextPlugInMessage() {
      texts.append("\(message.port) \(message.type) \(Base64.text(message.bytes))")
    }
    return texts
  }

  func state() -> (first: [UInt8], second: [UInt8])? {
    guard let entries = try? UnitPreset(of: units[0]).entries else { return nil }
    if let bytes = entries[Self.clapState]?.dataValue { return (bytes, []) }
    guard let bytes = entries[Self.vst3Component]?.dataValue else { return nil }
    return (bytes, entries[Self.vst3Controller]?.dataValue ?? [])
  }

  func restore(_ text: String) throws(AuricleError) {
    guard let bytes = Data(base64Encoded: text) else { return }
    for unit in units {
      var entries = try UnitPreset(of: unit).entries
      entries[Self.clapState] = .data([UInt8](bytes))
      try UnitPreset(.dictionary(entries)).apply(to: unit)
    }
  }

  func advance() throws(AuricleError) {
    guard let chain else { return }
    let now = RenderClock.nanoseconds()
    let length = UInt64(Double(Self.frames) / sampleRate * 1e9)
    // After a pause of the machine nothing is made up for.
    if now > renderedUntil, now - renderedUntil > 8 * length { renderedUntil = now - length }
    let channels = unsafe (0..<2 * Self.channels).map { unsafe samples + $0 * Self.frames }
    var input = unsafe Array(channels[..<Self.channels])
    var output = unsafe Array(channels[Self.channels...])
    while renderedUntil + length <= now {
      renderedUntil += length
      try unsafe chain.render(input: &input, output: &output, frameCount: Self.frames)
    }
  }

  /// Writes the unit's state as a preset.
  func save(to path: String, overwrite: Bool) throws(AuricleError) {
    let file = Path.lastComponent(path)
    let name = file.hasSuffix(".aupreset") ? String(file.dropLast(9)) : file
    try UnitPreset(of: units[0], name: name).write(to: path, overwrite: overwrite)
  }
}
