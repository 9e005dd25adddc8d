// The high-pass unit: 12 dB per octave with resonance, steady under any automation.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox

/// Resonance is the gain at the cutoff frequency: 0 dB leaves that frequency as it is, −3.01 dB is
/// the Butterworth response.
struct HighPassFilter: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: High-Pass Filter", subtype: "hpas", manufacturer: "appl",
    summary: "A high-pass of 12 dB per octave with resonance.",
    tags: ["Effects", "Filter"])

  struct Parameters: ParameterSet {
    @Parameter(
      kHipassParam_CutoffFrequency, "cutoff frequency", 10...22050, default: 6900, unit: .hertz,
      curve: .logarithmic, options: .upToNyquist)
    var cutoff: Float
    @Parameter(kHipassParam_Resonance, "resonance", -20...40, default: 0, unit: .decibels)
    var resonance: Float
  }

  typealias State = CookbookFilters
  static var properties: [CustomProperty<Self>] { CustomProperty<Self>.filterDesigns }
  static let skipsSilence = true

  private let parameters: Parameters
  private var filter: ResonantFilter

  init(_ setup: UnitSetup<Self>) {
    parameters = setup.parameters
    filter = ResonantFilter(
      .highPass, sampleRate: setup.sampleRate, channelCount: setup.channelCount,
      design: setup.state.design)
  }

  @_noLocks mutating func reset() { filter.reset() }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    let (cutoff, resonance) = (parameters.cutoff, parameters.resonance)
    // Scheduled values hold from their frame on; the others glide.
    if slice.hasScheduledValues {
      filter.jump(
        cutoff: parameters.$cutoff.isScheduled(in: slice) ? cutoff : nil,
        resonance: parameters.$resonance.isScheduled(in: slice) ? resonance : nil, hertz: cutoff)
    }
    filter.process(slice, cutoff: cutoff, resonance: resonance)
  }

  var tailSeconds: Double {
    filter.tailSeconds(cutoff: parameters.cutoff, resonance: parameters.resonance)
  }

  static func frequencyResponse(
    _ parameters: Parameters, _ state: State, frequency: Double, sampleRate: Double
  ) -> Double? {
    ResonantFilter.magnitude(
      .highPass, cutoff: parameters.cutoff, resonance: parameters.resonance, frequency: frequency,
      sampleRate: sampleRate, design: state.design)
  }
}

/// Makes one high-pass unit; the factory function of the component. Context: control.
@c(AuricleHighPassFilterFactory)
public func highPassFilterFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(HighPassFilter.self, request) { unsafe render(HighPassFilter.self, $0, $1) }
}
