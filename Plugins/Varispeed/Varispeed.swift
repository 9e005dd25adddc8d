// Varispeed: sound played faster or slower, and higher or lower with it, as tape is; for streams and for whole inputs.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// Varispeed in a stream: its source is asked for as many frames as the speed needs.
struct Varispeed: ConverterUnit, ~Copyable {
  static let component = Component(
    "Auricle: Varispeed", subtype: "vari", manufacturer: "appl",
    summary: "Plays faster or slower, and higher or lower with it, as tape does.",
    tags: ["Converter", "Time", "Pitch"])
  static var channels: [ChannelRule] { [] }

  static func configure(_ definition: inout UnitDefinition) {
    linkViews(&definition)
  }

  typealias Parameters = VarispeedParameters

  private var player: SpeedPlayer
  private let unit: Double
  private let inputRate: Double

  init(_ setup: UnitSetup<Self>) {
    player = SpeedPlayer(setup.format, setup.parameters)
    unit = setup.inputSampleRate / setup.sampleRate
    inputRate = setup.inputSampleRate
  }

  @_noLocks mutating func reset() { player.reset() }

  var tailSeconds: Double { 4 * Double(player.tailFrames) / inputRate }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    let start = max(-9e15, min(9e15, slice.sampleTime * unit))
    player.render(slice, from: Double(Int64(start)), to: .infinity)
  }
}

/// Varispeed of a whole input: as much comes out as it lasts at its speed.
struct OfflineVarispeed: OfflineUnit, ~Copyable {
  static let component = Component(
    "Auricle: Varispeed (offline)", subtype: "vari", manufacturer: "appl",
    summary: "Plays a whole sound faster or slower, and higher or lower with it.",
    tags: ["Offline", "Time", "Pitch"])
  static let preflight = OfflinePreflight.notRequired
  static let processesInPlace = false
  static let pullsInputs = true

  static func configure(_ definition: inout UnitDefinition) {
    linkViews(&definition)
  }

  static func outputFrames(_ inputFrames: UInt64, _ parameters: Parameters) -> UInt64 {
    UInt64(exactly: (Double(inputFrames) / Double(parameters.rate)).rounded(.up)) ?? .max
  }

  typealias Parameters = VarispeedParameters

  private var player: SpeedPlayer

  init(_ setup: UnitSetup<Self>) {
    player = SpeedPlayer(setup.format, setup.parameters)
  }

  @_noLocks mutating func reset() { player.reset() }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    if slice.isPreflight { return slice.clearOutput() }
    if slice.passPosition == 0 { player.reset() }
    let whole = slice.wholeInputFrames
    player.render(slice, from: 0, to: whole > 0 ? Double(whole) : .infinity)
  }
}

/// The cents are those of the rate, and a host is notified that each changes the other.
private func linkViews(_ definition: inout UnitDefinition) {
  for index in definition.parameters.indices {
    let isCents = definition.parameters[index].id == kVarispeedParam_PlaybackCents
    if isCents { definition.parameters[index].centsOf = kVarispeedParam_PlaybackRate }
    definition.parameters[index].dependents = [
      isCents ? kVarispeedParam_PlaybackRate : kVarispeedParam_PlaybackCents
    ]
  }
}

/// Makes one varispeed converter; the factory function of the component. Context: control.
@c(AuricleVarispeedFactory)
public func varispeedFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(Varispeed.self, request) { unsafe render(Varispeed.self, $0, $1) }
}

/// Makes one varispeed for whole inputs; the factory function of the component. Context: control.
@c(AuricleOfflineVarispeedFactory)
public func offlineVarispeedFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(OfflineVarispeed.self, request) { unsafe render(OfflineVarispeed.self, $0, $1) }
}
