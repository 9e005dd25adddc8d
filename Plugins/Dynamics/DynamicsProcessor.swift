// The dynamics processor: soft compressor and downward expander, linked channels, meters.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox

/// The parameters of the unit.
///
/// Core Audio documents no range for the expansion threshold; here it is −120…0 dB, and −120 dB,
/// the default, turns the expander off.
struct DynamicsParameters: ParameterSet {
  @Parameter(
    kDynamicsProcessorParam_Threshold, "threshold", -40...20, default: -20, unit: .decibels)
  var threshold: Float
  @Parameter(kDynamicsProcessorParam_HeadRoom, "headroom", 0.1...40, default: 5, unit: .decibels)
  var headroom: Float
  @Parameter(
    kDynamicsProcessorParam_ExpansionRatio, "expansion ratio", 1...50, default: 2, unit: .rate,
    curve: .logarithmic)
  var expansionRatio: Float
  @Parameter(
    kDynamicsProcessorParam_ExpansionThreshold, "expansion threshold", -120...0, default: -120,
    unit: .decibels)
  var expansionThreshold: Float
  @Parameter(
    kDynamicsProcessorParam_AttackTime, "attack time", 0.0001...0.2, default: 0.001,
    unit: .seconds, curve: .logarithmic)
  var attackTime: Float
  @Parameter(
    kDynamicsProcessorParam_ReleaseTime, "release time", 0.01...3, default: 0.05, unit: .seconds,
    curve: .logarithmic)
  var releaseTime: Float
  @Parameter(
    kDynamicsProcessorParam_OverallGain, "overall gain", -40...40, default: 0, unit: .decibels)
  var overallGain: Float
  @Meter(
    kDynamicsProcessorParam_CompressionAmount, "compression amount", 0...120, unit: .decibels,
    plot: (updatesPerSecond: 30, seconds: 5))
  var compressionAmount: Float
  @Meter(
    kDynamicsProcessorParam_InputAmplitude, "input amplitude", -120...40, unit: .decibels)
  var inputAmplitude: Float
  @Meter(
    kDynamicsProcessorParam_OutputAmplitude, "output amplitude", -120...40, unit: .decibels)
  var outputAmplitude: Float
}

/// The look-ahead of the unit; none unless a host sets it.
struct LookAhead: UnitModel {
  /// The longest.
  static let most = 0.05
  /// Seconds.
  var seconds = 0.0
  init() {}
  init(restoring state: UnitState, version: Int32) {
    let saved = state.real("look-ahead") ?? 0
    seconds = saved.isFinite ? min(max(saved, 0), Self.most) : 0
  }
  func save(to state: UnitState) { state.set("look-ahead", real: seconds) }
}

extension DynamicsProcessor {
  static var component: Component {
    Component(
      "Auricle: Dynamics Processor", subtype: "dcmp", manufacturer: "appl",
      summary: "A soft compressor and a downward expander with linked channels.",
      tags: ["Effects", "Dynamics"])
  }

  /// The second input bus is a side chain: fed, it alone is measured.
  static var inputs: [BusDefinition] {
    [
      BusDefinition(name: "Input"),
      BusDefinition(name: "Side Chain", isOptional: true, allowedChannelCounts: Array(1...64)),
    ]
  }

  static var skipsSilence: Bool { true }

  static var properties: [CustomProperty<DynamicsProcessor>] {
    [
      .number(
        kAuricleProperty_LookAhead, get: { $0.state.seconds },
        set: { (access, seconds) throws(UnitRefusal) in try lookAhead(seconds, access) })
    ]
      + CustomProperty<DynamicsProcessor>.settings([
        .number(
          "look-ahead", name: "look ahead", 0...LookAhead.most, initial: 0,
          unit: kAudioUnitParameterUnit_Seconds, get: { $0.state.seconds },
          set: { (access, seconds) throws(UnitRefusal) in try lookAhead(seconds, access) })
      ])
  }

  private static func lookAhead(
    _ seconds: Double, _ access: UnitAccess<DynamicsProcessor>
  ) throws(UnitRefusal) {
    guard seconds >= 0, seconds <= LookAhead.most else {
      throw UnitRefusal(
        status: kAudioUnitErr_InvalidPropertyValue,
        reason: "the look-ahead is from 0 to \(LookAhead.most) seconds")
    }
    var state = access.state
    state.seconds = seconds
    try access.setState(state)
  }
}

/// Makes one dynamics processor; the factory function of the component. Context: control.
@c(AuricleDynamicsProcessorFactory)
public func dynamicsProcessorFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(DynamicsProcessor.self, request) {
    unsafe render(DynamicsProcessor.self, $0, $1)
  }
}
