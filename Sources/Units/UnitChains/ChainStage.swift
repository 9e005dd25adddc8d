// One place in a linear chain: how to make its unit, and how its output is mixed.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits

/// A stage of a chain. The chain may make several instances of its unit.
public struct ChainStage {
  /// The stage's number in its preset, from 0.
  public var number = 0
  /// The stage's name in messages, for example "unit 2 (Calf Compressor)".
  public var label: String
  /// Opens one instance. Context: control.
  public var makeUnit: () throws(AuricleError) -> AudioUnit
  /// Sets an instance's preset and parameters, after its formats are set and before it is
  /// initialised. Context: control.
  public var configure: (AudioUnit) throws(AuricleError) -> Void
  /// Part of the processed signal in the output, 0 to 1; the rest is the stage's input, delayed by
  /// the unit's latency.
  public var mix: Float
  /// Whether the stage is left out.
  public var isBypassed: Bool
  /// The output bus that is used.
  public var outputBus = 0
  /// Further input buses that get the chain's channels where the unit accepts them.
  var sideBuses: [Int] = []
  /// The parameters that change over time; their frames count the input's.
  public var curves: [ParameterCurve] = []

  /// Describes a stage.
  public init(
    label: String, mix: Float = 1, isBypassed: Bool = false,
    makeUnit: @escaping () throws(AuricleError) -> AudioUnit,
    configure: @escaping (AudioUnit) throws(AuricleError) -> Void = { _ throws(AuricleError) in }
  ) {
    self.label = label
    self.makeUnit = makeUnit
    self.configure = configure
    self.mix = mix
    self.isBypassed = isBypassed
  }
}
