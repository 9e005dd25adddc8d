// The high-pass unit: 12 dB per octave with resonance, steady under any automation.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
public import CAudioToolbox

/// What a host sees of the unit.
///
/// Resonance is the gain at the cutoff frequency: 0 dB leaves that frequency as it is, −3.01 dB is
/// the Butterworth response.
private let definition = UnitDefinition(
  parameters: [
    ParameterDefinition(
      id: kHipassParam_CutoffFrequency, name: "cutoff frequency",
      unit: kAudioUnitParameterUnit_Hertz, range: 10...22050, defaultValue: 6900,
      maximumIsNyquist: true, isLogarithmic: true),
    ParameterDefinition(
      id: kHipassParam_Resonance, name: "resonance", unit: kAudioUnitParameterUnit_Decibels,
      range: -20...40, defaultValue: 0),
  ],
  skipsSilence: true,
  frequencyResponse: {
    ResonantFilterCore.magnitude(of: $0, atFrequency: $1, isHighPass: true)
  })

/// The DSP state of a high-pass.
public struct HighPassKernel: UnitKernel, ~Copyable {
  private var core: ResonantFilterCore

  /// Allocates the filters. Context: control.
  public init(_ format: RenderFormat) { core = ResonantFilterCore(format, isHighPass: true) }

  /// Forgets the past. Context: control or render.
  @_noLocks public mutating func reset() { core.reset() }

  /// Filters one slice in place. Context: render.
  @_noLocks public mutating func process(_ slice: borrowing RenderSlice) { core.process(slice) }

  /// Seconds of ringing with the present parameters. Context: control.
  public var tailSeconds: Double { core.tailSeconds }
}

/// Makes one high-pass unit; the factory function of the component. Context: control.
@c(AuricleHighPassFilterFactory)
public func highPassFilterFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  unsafe makeAudioUnit(HighPassKernel.self, definition, description) { state, slice in
    unsafe runKernel(HighPassKernel.self, state, slice)
  }
}
