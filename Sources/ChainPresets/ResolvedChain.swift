// A preset joined to what is installed: components, parameter ids and values, ready to be loaded.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
public import AudioGraph
public import AudioTypes
public import AudioUnits
public import CAudioToolbox

/// A parameter of a unit and the value it is set to.
public struct ResolvedParameter: Sendable {
  /// What the unit tells of the parameter.
  public let parameter: UnitParameter
  /// The value, in the parameter's own unit and within its range.
  public let value: Float

  /// The parameter's number.
  public var id: AudioUnitParameterID { parameter.id }
  /// The scope it belongs to.
  public var scope: AudioUnitScope { parameter.scope }
  /// The element of the scope it belongs to.
  public var element: AudioUnitElement { parameter.element }
}

/// One of the presets that come with a unit.
public struct ResolvedPreset: Sendable, Hashable {
  /// Its number in the unit's list, or `nil` when it is loaded by its URI.
  public let number: Int?
  /// Its name, or its URI when it has none.
  public let name: String
  /// The URI of an LV2 preset.
  public let uri: String?
}

/// One unit of a chain: the component that is there for it, and its settings.
public struct ResolvedStage: Sendable {
  /// The component.
  public let component: AudioComponent
  /// What to call the stage in reports and errors.
  public let label: String
  /// The unit's own preset that is chosen first.
  public let preset: ResolvedPreset?
  /// The parameters to set, in the order written.
  public let parameters: [ResolvedParameter]
  /// All parameters of the unit.
  public let allParameters: [UnitParameter]
  /// Whether the signal passes by the unit.
  public let isBypassed: Bool
  /// How much of the unit is heard, 0 to 1.
  public let mix: Double

  /// Opens an instance; it is neither set nor initialized.
  ///
  /// Context: control.
  public func makeUnit() throws(AuricleError) -> AudioUnit { try component.instantiate() }

  /// Chooses the preset and then sets the parameters of an instance.
  ///
  /// - Throws: What the unit refused.
  ///
  /// Context: control.
  public func configure(_ unit: AudioUnit) throws(AuricleError) {
    if let number = preset?.number {
      try unit.selectPreset(number: number)
    } else if let uri = preset?.uri {
      try unit.selectPreset(uri: uri)
    }
    for setting in parameters {
      try unit.setParameter(
        setting.id, setting.value, scope: setting.scope, element: setting.element)
    }
  }
}

/// A whole chain, ready to be built.
public struct ResolvedChain: Sendable {
  /// The preset it was made from.
  public let preset: ChainPreset
  /// The units in the order of the signal.
  public let stages: [ResolvedStage]

  /// What happens at the end of the chain.
  public var output: OutputSettings { preset.output }

  /// The stages as a chain is made of them, made anew at each call.
  ///
  /// Context: control.
  public var chainStages: [ChainStage] {
    stages.map { stage in
      ChainStage(
        label: stage.label, mix: Float(stage.mix), isBypassed: stage.isBypassed,
        makeUnit: { () throws(AuricleError) in try stage.makeUnit() },
        configure: { (unit) throws(AuricleError) in try stage.configure(unit) })
    }
  }
}
