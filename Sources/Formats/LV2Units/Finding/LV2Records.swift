// What the index knows about bundles, plug-ins and presets.
// SPDX-License-Identifier: Apache-2.0

internal import AudioComponents

/// How many ports of each kind a plug-in has.
struct LV2PortCounts: Equatable, Sendable {
  var audioIn: UInt16 = 0
  var audioOut: UInt16 = 0
  var controlIn: UInt16 = 0
  var controlOut: UInt16 = 0
  var cvIn: UInt16 = 0
  var cvOut: UInt16 = 0
  var atomIn: UInt16 = 0
  var atomOut: UInt16 = 0
  var midiIn: UInt16 = 0
  var midiOut: UInt16 = 0

  init() {}

  /// All counts, in the order in which they are stored.
  var values: [UInt16] {
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
struct LV2PluginRecord: Equatable, Sendable {
  var uri = ""
  /// The unit's own name, without its maker.
  var name = ""
  var maker = ""
  var summary = ""
  /// Classes besides lv2:Plugin, as full URIs, in the order of the data.
  var classes: [String] = []
  var requiredFeatures: [String] = []
  var ports = LV2PortCounts()
  var minorVersion: UInt16 = 0
  var microVersion: UInt16 = 0
}

/// A preset that a bundle holds.
struct LV2PresetRecord: Equatable, Sendable {
  var uri = ""
  /// URI of the plug-in it is for.
  var plugin = ""
  /// Its name, or empty when the data has none.
  var label = ""
  /// The name of its bank, or empty.
  var bank = ""
}

/// A stamp of a data file.
typealias LV2FileStamp = FileStamp

extension FileStamp {
  /// A stamp to read into.
  static var blank: FileStamp {
    FileStamp(path: "", device: 0, inode: 0, size: 0, seconds: 0, nanoseconds: 0)
  }
}

/// One bundle: what it offers, what is wrong with it, and the files that told so.
struct LV2BundleRecord: Equatable, Sendable {
  var path: String
  var stamps: [LV2FileStamp] = []
  var plugins: [LV2PluginRecord] = []
  var presets: [LV2PresetRecord] = []
  /// One sentence a defect, without the bundle's path.
  var problems: [String] = []
}

extension LV2BundleRecord {
  /// Whether code of the bundle was asked for data: a file of another kind than data files is watched.
  var hasCode: Bool { stamps.dropFirst().contains { $0.path.hasSuffix(".so") } }
}
