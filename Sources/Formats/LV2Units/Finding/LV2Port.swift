// What the data of a plug-in says about its ports.
// SPDX-License-Identifier: Apache-2.0

/// A named value of a control port.
struct LV2ScalePoint: Equatable, Sendable {
  var value: Float
  var label: String
}

/// What a control port's value is measured in.
struct LV2Unit: Equatable, Sendable {
  /// A kAudioUnitParameterUnit_… code.
  var code: UInt32
  /// Text of the unit when the code has none of its own.
  var name: String?
}

/// One port.
struct LV2Port: Equatable, Sendable {
  /// What flows through a port.
  enum Kind: Equatable, Sendable { case audio, control, cv, atom, event, unknown }

  /// What a port has been designated for, as far as a host must know.
  enum Role: Equatable, Sendable { case ordinary, latency, enabled, freeWheeling }

  var index: Int
  var symbol: String
  var name: String
  var kind: Kind
  var isInput: Bool
  /// Class URIs, for saying what an unknown port is.
  var classes: [String] = []
  var role = Role.ordinary
  var isOptional = false
  var isSideChain = false
  /// URI of its group.
  var group: String?

  // Control ports. Ranges are as written; see `isScaledBySampleRate`.
  var minimum: Float?
  var maximum: Float?
  var defaultValue: Float?
  var isScaledBySampleRate = false
  var isToggled = false
  var isInteger = false
  var isEnumeration = false
  var isLogarithmic = false
  var isHidden = false
  var isExpensive = false
  /// Whether the value is a push: it goes back to the default once a run has seen it.
  var isTrigger = false
  /// Whether changes are not meant to be automated, or are heard as clicks.
  var isNotAutomatic = false
  /// Whether the plug-in must never see a value out of the range.
  var hasStrictBounds = false
  var unit: LV2Unit?
  var scalePoints: [LV2ScalePoint] = []

  /// What it is designated for, a URI: a channel of a layout, or a control such as the tempo.
  var designation: String?

  // Atom and event ports.
  var minimumSize = 0
  var supportsMIDI = false
  var supportsPatch = false
  var supportsTime = false
}

/// A group of ports.
struct LV2PortGroup: Equatable, Sendable {
  var uri: String
  var name: String
  /// Whether its ports listen to a signal that steers the processing of another group.
  var isSideChain: Bool
  /// Class URIs, which tell the layout of its channels.
  var classes: [String] = []
}

/// A preset that the data offers.
struct LV2Preset: Equatable, Sendable {
  var uri: String
  var label: String
}

/// Everything the data says about one plug-in.
struct LV2PluginDescription: Equatable, Sendable {
  var uri: String
  var name: String
  var bundlePath: String
  var binaryPath: String
  var requiredFeatures: [String]
  /// Features taken when offered.
  var optionalFeatures: [String]
  var ports: [LV2Port]
  var groups: [LV2PortGroup]
  var mainInputGroup: String?
  var mainOutputGroup: String?
  var presets: [LV2Preset]
  /// What is set and told by messages rather than by ports.
  var properties: [LV2PatchProperty] = []
  /// Options the plug-in can be asked for and told while it lives.
  var options: [String] = []
  /// Options the plug-in must be told when it is made.
  var requiredOptions: [String] = []
  /// Whether there is an interface for a person, which is not shown.
  var hasUserInterface = false
  /// Whether the plug-in's own code may tell of programs.
  var mayHavePrograms = false

  /// Whether a feature is taken, by need or when offered.
  func takes(_ feature: String) -> Bool {
    requiredFeatures.contains(feature) || optionalFeatures.contains(feature)
  }

  /// Whether the plug-in wants no run to be cut where a parameter changes: what the feature is for.
  var prefersUncutBlocks: Bool {
    prefersWholeBlocks && optionalFeatures.contains(LV2Names.bufSize + "coarseBlockLength")
  }

  /// Whether the plug-in would rather have blocks of one size, and does without where it must.
  var prefersWholeBlocks: Bool {
    !requiredFeatures.contains(where: LV2FeatureSet.fixedBlockFeatures.contains)
      && optionalFeatures.contains(where: LV2FeatureSet.fixedBlockFeatures.contains)
  }

  /// Whether the plug-in asks how long blocks are, and would rather have them of one size: it may know no
  /// lengths but powers of two.
  var mindsBlockLengths: Bool {
    prefersUncutBlocks && requiredFeatures.contains(LV2Names.bufSize + "boundedBlockLength")
  }

  /// Whether the plug-in wants the state in its data file before it runs.
  var loadsDefaultState: Bool {
    takes(LV2Names.state + "loadDefaultState")
  }
}
