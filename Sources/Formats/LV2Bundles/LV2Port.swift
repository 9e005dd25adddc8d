// What the data of a plug-in says about its ports.
// SPDX-License-Identifier: Apache-2.0

/// A named value of a control port.
package struct LV2ScalePoint: Equatable, Sendable {
  /// The value.
  package var value: Float
  /// What it is called.
  package var label: String
}

/// What a control port's value is measured in.
package struct LV2Unit: Equatable, Sendable {
  /// A kAudioUnitParameterUnit_… code.
  var code: UInt32
  /// Text of the unit when the code has none of its own.
  package var name: String?
}

/// One port.
package struct LV2Port: Equatable, Sendable {
  /// What flows through a port.
  package enum Kind: Equatable, Sendable { case audio, control, cv, atom, event, unknown }

  /// What a port has been designated for, as far as a host must know.
  package enum Role: Equatable, Sendable { case ordinary, latency, enabled, freeWheeling }

  /// Its index, as the plug-in counts.
  package var index: Int
  /// The name that never changes.
  package var symbol: String
  /// The name shown to a person.
  package var name: String
  /// What flows through it.
  package var kind: Kind
  /// Whether the plug-in reads it.
  package var isInput: Bool
  /// Class URIs, for saying what an unknown port is.
  package var classes: [String] = []
  /// What it has been designated for.
  package var role = Role.ordinary
  /// Whether it may be left unconnected.
  package var isOptional = false
  var isSideChain = false
  /// URI of its group.
  var group: String?

  // Control ports. Ranges are as written; see `isScaledBySampleRate`.
  /// The least value; nil when the data has none.
  package var minimum: Float?
  /// The greatest value; nil when the data has none.
  package var maximum: Float?
  /// What it begins with; nil when the data has none.
  package var defaultValue: Float?
  /// Whether range and default are multiplied by the sample rate.
  package var isScaledBySampleRate = false
  /// Whether it is a switch.
  package var isToggled = false
  /// Whether values are whole numbers.
  package var isInteger = false
  /// Whether only the named values are meant.
  package var isEnumeration = false
  var isLogarithmic = false
  var isHidden = false
  var isExpensive = false
  /// Whether the value is a push: it goes back to the default once a run has seen it.
  package var isTrigger = false
  /// Whether changes are not meant to be automated, or are heard as clicks.
  var isNotAutomatic = false
  /// Whether the plug-in must never see a value out of the range.
  package var hasStrictBounds = false
  /// What it is measured in.
  package var unit: LV2Unit?
  /// The values that have names.
  package var scalePoints: [LV2ScalePoint] = []

  /// What it is designated for, a URI: a channel of a layout, or a control such as the tempo.
  package var designation: String?

  // Atom and event ports.
  /// Bytes that its buffer must have at least.
  package var minimumSize = 0
  /// Whether MIDI goes through it.
  package var supportsMIDI = false
  /// Whether messages about properties go through it.
  package var supportsPatch = false
  /// Whether positions in time go through it.
  package var supportsTime = false
}

/// A group of ports.
package struct LV2PortGroup: Equatable, Sendable {
  /// The URI.
  package var uri: String
  /// The name shown to a person.
  package var name: String
  /// Whether its ports listen to a signal that steers the processing of another group.
  var isSideChain: Bool
  /// Class URIs, which tell the layout of its channels.
  package var classes: [String] = []
}

/// A preset that the data offers.
package struct LV2Preset: Equatable, Sendable {
  /// The URI.
  package var uri: String
  /// What it is called.
  package var label: String

  /// Makes a preset.
  package init(uri: String, label: String) {
    self.uri = uri
    self.label = label
  }
}

/// Everything the data says about one plug-in.
package struct LV2PluginDescription: Equatable, Sendable {
  /// The URI.
  package var uri: String
  /// The name shown to a person.
  package var name: String
  /// The folder of the bundle.
  package var bundlePath: String
  /// The shared object that holds its code.
  package var binaryPath: String
  /// Features it cannot do without.
  package var requiredFeatures: [String]
  /// Features taken when offered.
  package var optionalFeatures: [String]
  /// Its ports, in the order of their indexes.
  package var ports: [LV2Port]
  var groups: [LV2PortGroup]
  var mainInputGroup: String?
  var mainOutputGroup: String?
  /// The presets that the data offers.
  package var presets: [LV2Preset]
  /// What is set and told by messages rather than by ports.
  package var properties: [LV2PatchProperty] = []
  /// Options the plug-in can be asked for and told while it lives.
  package var options: [String] = []
  /// Options the plug-in must be told when it is made.
  package var requiredOptions: [String] = []
  /// Whether there is an interface for a person, which is not shown.
  package var hasUserInterface = false
  /// Whether the plug-in's own code may tell of programs.
  package var mayHavePrograms = false

  /// Features that need blocks of one size.
  package static let fixedBlockFeatures: Set<String> = [
    LV2Names.bufSize + "fixedBlockLength", LV2Names.bufSize + "powerOf2BlockLength",
    LV2Names.bufSize + "coarseBlockLength",
  ]

  /// Whether a feature is taken, by need or when offered.
  package func takes(_ feature: String) -> Bool {
    requiredFeatures.contains(feature) || optionalFeatures.contains(feature)
  }

  /// Whether the plug-in wants no run to be cut where a parameter changes: what the feature is for.
  package var prefersUncutBlocks: Bool {
    prefersWholeBlocks && optionalFeatures.contains(LV2Names.bufSize + "coarseBlockLength")
  }

  /// Whether the plug-in would rather have blocks of one size, and does without where it must.
  package var prefersWholeBlocks: Bool {
    !requiredFeatures.contains(where: LV2PluginDescription.fixedBlockFeatures.contains)
      && optionalFeatures.contains(where: LV2PluginDescription.fixedBlockFeatures.contains)
  }

  /// Whether the plug-in asks how long blocks are, and would rather have them of one size: it may know no
  /// lengths but powers of two.
  package var mindsBlockLengths: Bool {
    prefersUncutBlocks && requiredFeatures.contains(LV2Names.bufSize + "boundedBlockLength")
  }

  /// Whether the plug-in wants the state in its data file before it runs.
  package var loadsDefaultState: Bool {
    takes(LV2Names.state + "loadDefaultState")
  }
}
