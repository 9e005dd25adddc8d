// Speed alone, at the same pitch: the unit that Core Audio has under two names.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox

/// Half to twice the speed.
struct PlayingTime: ConverterUnit, ~Copyable {
  static let component = Component(
    "Auricle: Playing Time", subtype: "iptm", manufacturer: "appl",
    summary: "Plays at half to twice the speed and keeps the pitch.", tags: ["Converter", "Time"])
  static var channels: [ChannelRule] { [] }

  struct Parameters: ParameterSet {
    @Parameter(
      kTimePitchParam_Rate, "rate", 0.5...2, default: 1, unit: .rate, curve: .logarithmic)
    var rate: Float
  }

  private let parameters: Parameters
  private var player: TimePitchPlayer

  init(_ setup: UnitSetup<Self>) throws(UnitRefusal) {
    parameters = setup.parameters
    player = try TimePitchPlayer(setup.format, StretchOptions())
  }

  mutating func reset() { player.restart(StretchOptions()) }

  var tailSeconds: Double { player.tailSeconds(rate: parameters.rate, cents: 0) }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    player.render(slice, rate: parameters.$rate, cents: nil)
  }
}

/// Makes one, under either name; the factory function of the components. Context: control.
@c(AuriclePlayingTimeFactory)
public func playingTimeFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(PlayingTime.self, request) { unsafe render(PlayingTime.self, $0, $1) }
}
