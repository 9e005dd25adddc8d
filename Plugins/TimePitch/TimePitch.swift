// Time pitch: sound played faster or slower at the same pitch, or higher or lower at the same speed.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox

/// Rate and pitch.
struct TimePitch: ConverterUnit, ~Copyable {
  static let component = Component(
    "Auricle: Time Pitch", subtype: "tmpt", manufacturer: "appl",
    summary: "Changes speed and pitch apart from each other.", tags: ["Converter", "Time", "Pitch"])
  static var channels: [ChannelRule] { [] }

  struct Parameters: ParameterSet {
    @Parameter(
      kTimePitchParam_Rate, "rate", 0.0625...8, default: 1, unit: .rate, curve: .logarithmic)
    var rate: Float
    @Parameter(kTimePitchParam_Pitch, "pitch", -2400...2400, default: 0, unit: .cents)
    var pitch: Float
    @Parameter(
      PitchParameter.formants, "formants", default: .shifted, options: .notWhileRendering)
    var formants: Formants

    /// The ways of the library that they choose.
    var options: StretchOptions { StretchOptions(keepsFormants: formants == .kept) }
  }

  private let parameters: Parameters
  private var player: TimePitchPlayer

  init(_ setup: UnitSetup<Self>) throws(UnitRefusal) {
    parameters = setup.parameters
    player = try TimePitchPlayer(setup.format, setup.parameters.options)
  }

  mutating func reset() { player.restart(parameters.options) }

  var tailSeconds: Double {
    player.tailSeconds(rate: parameters.rate, cents: parameters.pitch)
  }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    player.render(slice, rate: parameters.$rate, cents: parameters.$pitch)
  }
}

/// Rate and pitch over a wider range, with a choice of windows and phases, taken at initialise and reset.
struct NewTimePitch: ConverterUnit, ~Copyable {
  static let component = Component(
    "Auricle: New Time Pitch", subtype: "nutp", manufacturer: "appl",
    summary: "Changes speed and pitch apart from each other, with a choice of windows.",
    tags: ["Converter", "Time", "Pitch"])
  static var channels: [ChannelRule] { [] }

  struct Parameters: ParameterSet {
    @Parameter(
      kNewTimePitchParam_Rate, "rate", 0.03125...32, default: 1, unit: .rate, curve: .logarithmic)
    var rate: Float
    @Parameter(kNewTimePitchParam_Pitch, "pitch", -2400...2400, default: 0, unit: .cents)
    var pitch: Float
    @Parameter(
      kNewTimePitchParam_Overlap, "overlap", 3...32, default: 8, options: .notWhileRendering)
    var overlap: Float
    @Parameter(
      kNewTimePitchParam_EnablePeakLocking, "peak locking", default: true,
      options: .notWhileRendering)
    var locksPeaks: Bool
    @Parameter(
      kNewTimePitchParam_EnableTransientPreservation, "transient preservation", default: true,
      options: .notWhileRendering)
    var keepsTransients: Bool
    @Parameter(
      PitchParameter.formants, "formants", default: .shifted, options: .notWhileRendering)
    var formants: Formants
  }

  private let parameters: Parameters
  private var player: TimePitchPlayer

  init(_ setup: UnitSetup<Self>) throws(UnitRefusal) {
    parameters = setup.parameters
    player = try TimePitchPlayer(setup.format, Self.options(setup.parameters))
  }

  private static func options(_ parameters: Parameters) -> StretchOptions {
    StretchOptions(
      locksPeaks: parameters.locksPeaks, overlap: parameters.overlap,
      keepsFormants: parameters.formants == .kept,
      keepsTransients: parameters.keepsTransients)
  }

  mutating func reset() { player.restart(Self.options(parameters)) }

  var tailSeconds: Double {
    player.tailSeconds(rate: parameters.rate, cents: parameters.pitch)
  }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    player.render(slice, rate: parameters.$rate, cents: parameters.$pitch)
  }
}

/// Makes one time pitch; the factory function of the component. Context: control.
@c(AuricleTimePitchFactory)
public func timePitchFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(TimePitch.self, request) { unsafe render(TimePitch.self, $0, $1) }
}

/// Makes one new time pitch; the factory function of the component. Context: control.
@c(AuricleNewTimePitchFactory)
public func newTimePitchFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(NewTimePitch.self, request) { unsafe render(NewTimePitch.self, $0, $1) }
}
