// The description of a plug-in and its ports, from data files.
// SPDX-License-Identifier: Apache-2.0

/// A named value of a control port.
package struct LV2ScalePoint: Equatable, Sendable {
  /// The value.
  package var value: Float
  /// Its name.
  package var label: String
}

/// The unit of a control port's value.
package struct LV2Unit: Equatable, Sendable {
  /// A kAudioUnitParameterUnit_… code.
  var code: UInt32
  /// Text of the unit if its code has none.
  package var name: String?
}

/// One port.
package struct LV2Port: Equatable, Sendable {
  /// The type of a port.
  package enum Kind: Equatable, Sendable { case audio, control, cv, atom, event, unknown }

  /// The designation of a port, if a host must know it.
  package enum Role: Equatable, Sendable { case ordinary, latency, enabled, freeWheeling }

  /// Its index.
  package var index: Int
  /// The stable name.
  package var symbol: String
  /// The name shown to a person.
  package var name: String
  /// Its type.
  package var kind: Kind
  /// Whether the plug-in reads it.
  package var isInput: Bool
  /// Class URIs, to describe an unknown port.
  package var classes: [String] = []
  /// Its designation, if a host must know it.
  package var role = Role.ordinary
  /// Whether it may be left unconnected.
  package var isOptional = false
  var isSideChain = false
  /// URI of its group.
  package var group: String?

  // Control ports. Ranges are as written; see `isScaledBySampleRate`.
  /// The minimum; nil when the data has none.
  package var minimum: Float?
  /// The maximum; nil when the data has none.
  package var maximum: Float?
  /// The default; nil when the data has none.
  package var defaultValue: Float?
  /// Whether range and default are multiplied by the sample rate.
  package var isScaledBySampleRate = false
  /// Whether it is a switch.
  package var isToggled = false
  /// Whether values are whole numbers.
  package var isInteger = false
  /// Whether only the named values are meant.
  package var isEnumeration = false
  /// Whether equal ratios are equal steps.
  package var isLogarithmic = false
  var isHidden = false
  var isExpensive = false
  /// Whether it is a trigger: it returns to the default after a run.
  package var isTrigger = false
  /// Whether it should not be automated, or changes are audible as clicks.
  var isNotAutomatic = false
  /// Whether the plug-in must never see a value out of the range.
  package var hasStrictBounds = false
  /// Its unit.
  package var unit: LV2Unit?
  /// The values that have names.
  package var scalePoints: [LV2ScalePoint] = []

  /// The URI of its designation: a channel of a layout, or a control such as the tempo.
  package var designation: String?
  /// The URIs of its properties, as written.
  package var properties: [String] = []

  // Atom and event ports.
  /// The least size of its buffer in bytes.
  package var minimumSize = 0
  /// Whether it carries MIDI.
  package var supportsMIDI = false
  /// Whether it carries patch messages.
  package var supportsPatch = false
  /// Whether it carries positions.
  package var supportsTime = false
}

/// A group of ports.
package struct LV2PortGroup: Equatable, Sendable {
  /// The URI.
  package var uri: String
  /// The name shown to a person.
  package var name: String
  /// Whether it is a side chain of another group.
  var isSideChain: Bool
  /// Class URIs, which define the layout of its channels.
  package var classes: [String] = []
}

/// A preset that the data offers.
package struct LV2Preset: Equatable, Sendable {
  /// The URI.
  package var uri: String
  /// Its name.
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
  /// The shared object with its code.
  package var binaryPath: String
  /// Features it cannot do without.
  package var requiredFeatures: [String]
  /// Optional features.
  package var optionalFeatures: [String]
  /// Its ports, in the order of their indexes.
  package var ports: [LV2Port]
  var groups: [LV2PortGroup]
  var mainInputGroup: String?
  var mainOutputGroup: String?
  /// The presets that the data offers.
  package var presets: [LV2Preset]
  /// Properties of patch messages.
  package var properties: [LV2PatchProperty] = []
  /// Options that can be read and set at run time.
  package var options: [String] = []
  /// Options that the plug-in requires at instantiation.
  package var requiredOptions: [String] = []
  /// Whether there is a user interface, which is not shown.
  package var hasUserInterface = false
  /// Whether the plug-in's code may report programs.
  package var mayHavePrograms = false

  /// Features that need blocks of one size.
  package static let fixedBlockFeatures: Set<String> = [
    LV2Names.bufSize + "fixedBlockLength", LV2Names.bufSize + "powerOf2BlockLength",
    LV2Names.bufSize + "coarseBlockLength",
  ]

  /// Whether a feature is required or optional.
  package func supports(_ feature: String) -> Bool {
    requiredFeatures.contains(feature) || optionalFeatures.contains(feature)
  }

  /// Whether the plug-in prefers that runs are not split at parameter changes, as the feature says.
  package var prefersUncutBlocks: Bool {
    prefersWholeBlocks && optionalFeatures.contains(LV2Names.bufSize + "coarseBlockLength")
  }

  /// Whether the plug-in prefers blocks of one size.
  package var prefersWholeBlocks: Bool {
    !requiredFeatures.contains(where: LV2PluginDescription.fixedBlockFeatures.contains)
      && optionalFeatures.contains(where: LV2PluginDescription.fixedBlockFeatures.contains)
  }

  /// Whether the plug-in reads the block length and prefers fixed blocks: it may support powers of two only.
  package var mindsBlockLengths: Bool {
    prefersUncutBlocks && requiredFeatures.contains(LV2Names.bufSize + "boundedBlockLength")
  }

  /// Whether the plug-in needs its default state before it runs.
  package var loadsDefaultState: Bool {
    supports(LV2Names.state + "loadDefaultState")
  }
}
