// Time pitch of whole inputs.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox

/// Rate and pitch of a whole input: as much comes out as it lasts at its rate.
struct OfflineTimePitch: OfflineUnit, ~Copyable {
  static let component = Component(
    "Auricle: Time Pitch (offline)", subtype: "tmpt", manufacturer: "appl",
    summary: "Changes speed and pitch of a whole sound apart from each other.",
    tags: ["Offline", "Time", "Pitch"])
  static let preflight = OfflinePreflight.notRequired
  static let processesInPlace = false
  static let pullsInputs = true

  typealias Parameters = TimePitch.Parameters

  static func outputFrames(_ inputFrames: UInt64, _ parameters: Parameters) -> UInt64 {
    UInt64(exactly: (Double(inputFrames) / Double(parameters.rate)).rounded(.up)) ?? .max
  }

  private let parameters: Parameters
  private var player: TimePitchPlayer

  init(_ setup: UnitSetup<Self>) throws(UnitRefusal) {
    parameters = setup.parameters
    player = try TimePitchPlayer(setup.format, setup.parameters.options)
  }

  mutating func reset() { player.restart(parameters.options) }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    if slice.isPreflight { return slice.clearOutput() }
    if slice.passPosition == 0 { player.rewind() }
    let whole = slice.wholeInputFrames
    player.render(
      slice, rate: parameters.$rate, cents: parameters.$pitch, from: 0,
      to: whole > 0 ? Double(whole) : .infinity)
  }
}

/// Makes one time pitch for whole inputs; the factory function of the component. Context: control.
@c(AuricleOfflineTimePitchFactory)
public func offlineTimePitchFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(OfflineTimePitch.self, request) { unsafe render(OfflineTimePitch.self, $0, $1) }
}
