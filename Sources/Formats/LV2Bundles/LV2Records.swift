// The records of bundles, plug-ins and presets in the index.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
package import HostSystem

/// The number of ports of each type.
package struct LV2PortCounts: Equatable, Sendable {
  var audioIn: UInt16 = 0
  var audioOut: UInt16 = 0
  var controlIn: UInt16 = 0
  var controlOut: UInt16 = 0
  /// Inputs for control voltages.
  package var cvIn: UInt16 = 0
  /// Outputs of control voltages.
  package var cvOut: UInt16 = 0
  var atomIn: UInt16 = 0
  var atomOut: UInt16 = 0
  /// Inputs for MIDI.
  package var midiIn: UInt16 = 0
  /// Outputs of MIDI.
  package var midiOut: UInt16 = 0

  /// None.
  package init() {}

  /// All counts, in the order in which they are stored.
  package var values: [UInt16] {
    get {
      [
        audioIn, audioOut, controlIn, controlOut, cvIn, cvOut, atomIn, atomOut, midiIn, midiOut,
      ]
    }
    set {
      guard newValue.count == 10 else { return }
      (audioIn, audioOut, controlIn, controlOut) = (
        newValue[0], newValue[1], newValue[2], newValue[3]
      )
      (cvIn, cvOut, atomIn, atomOut) = (newValue[4], newValue[5], newValue[6], newValue[7])
      (midiIn, midiOut) = (newValue[8], newValue[9])
    }
  }
}

/// One plug-in, as its data files describe it.
package struct LV2PluginRecord: Equatable, Sendable {
  /// The URI.
  package var uri = ""
  /// The unit's own name, without its maker.
  package var name = ""
  /// The maker.
  package var maker = ""
  /// Free text about it.
  package var summary = ""
  /// Classes besides lv2:Plugin, as full URIs, in the order of the data.
  package var classes: [String] = []
  /// Features it cannot do without.
  package var requiredFeatures: [String] = []
  /// The number of its ports of each type.
  package var ports = LV2PortCounts()
  /// lv2:minorVersion.
  package var minorVersion: UInt16 = 0
  /// lv2:microVersion.
  package var microVersion: UInt16 = 0
}

/// A preset in a bundle.
package struct LV2PresetRecord: Equatable, Sendable {
  /// The URI.
  package var uri = ""
  /// URI of the plug-in it is for.
  package var plugin = ""
  /// Its name, or empty when the data has none.
  package var label = ""
  /// The name of its bank, or empty.
  package var bank = ""
}

/// A stamp of a data file.
package typealias LV2FileStamp = PathStamp

/// One bundle: its content, its problems, and its data files.
package struct LV2BundleRecord: Equatable, Sendable {
  /// The folder.
  package var path: String
  /// The stamps of its data files when they were read.
  package var stamps: [LV2FileStamp] = []
  /// Its plug-ins.
  package var plugins: [LV2PluginRecord] = []
  /// Its presets.
  package var presets: [LV2PresetRecord] = []
  /// One sentence for each defect, without the bundle's path.
  package var problems: [String] = []
}

extension LV2BundleRecord {
  /// Whether code of the bundle was run for data: the stamps include a binary.
  package var hasCode: Bool { stamps.dropFirst().contains { $0.path.hasSuffix(".so") } }
}
