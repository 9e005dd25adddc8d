// The full data of a bundle's plug-ins, as stored beside the index.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
package import ForeignPlugIns
package import HostSystem

/// One plug-in in full.
package struct LV2PluginDetails: Equatable, Sendable {
  /// The data from which an instance is made.
  package var description = LV2PluginDescription.blank
  /// Interfaces that its data declares.
  package var extensions: [String] = []
  /// Types of its user interfaces.
  package var userInterfaces: [String] = []
  /// The licence's URI, or empty.
  package var license = ""
}

/// The plug-ins of one bundle in full.
package struct LV2BundleDetails: Equatable, Sendable {
  /// The folder.
  package var path: String
  /// The stamps of the index record that they belong to.
  package var stamps: [PathStamp] = []
  /// Its plug-ins.
  package var plugins: [LV2PluginDetails] = []
  /// The dynamic manifest; empty without one.
  var dynamicManifest = ""
}

/// The result of reading a bundle.
package struct LV2ScanResult: Equatable, Sendable {
  /// The part for the index.
  package var record: LV2BundleRecord
  /// The part that is read when a plug-in is opened.
  package var details: LV2BundleDetails
}

extension LV2PluginDescription {
  /// A description to read into.
  package static var blank: LV2PluginDescription {
    LV2PluginDescription(
      uri: "", name: "", bundlePath: "", binaryPath: "", requiredFeatures: [],
      optionalFeatures: [], ports: [], groups: [], mainInputGroup: nil, mainOutputGroup: nil,
      presets: [])
  }
}

extension ByteCoder {
  /// - Parameter wanted: The URI of the plug-in to read, the only one then; nil for all.
  package mutating func details(_ details: inout LV2BundleDetails, of wanted: String? = nil) {
    text(&details.path)
    list(&details.stamps, of: PathStamp.blank) { $0.stamp(&$1) }
    list(&details.plugins, of: LV2PluginDetails()) { coder, plugin in
      coder.text(&plugin.description.uri)
      let uri = plugin.description.uri
      coder.section(isWanted: wanted == nil || wanted == uri) { coder in
        coder.description(&plugin.description)
        coder.texts(&plugin.extensions)
        coder.texts(&plugin.userInterfaces)
        coder.text(&plugin.license)
      }
    }
    text(&details.dynamicManifest)
    if let wanted { details.plugins.removeAll { $0.description.uri != wanted } }
  }

  private mutating func description(_ plugin: inout LV2PluginDescription) {
    text(&plugin.name)
    text(&plugin.bundlePath)
    text(&plugin.binaryPath)
    texts(&plugin.requiredFeatures)
    texts(&plugin.optionalFeatures)
    list(&plugin.ports, of: LV2Port(index: 0, symbol: "", name: "", kind: .audio, isInput: true)) {
      $0.port(&$1)
    }
    list(&plugin.groups, of: LV2PortGroup(uri: "", name: "", isSideChain: false)) { coder, group in
      coder.text(&group.uri)
      coder.text(&group.name)
      coder.flag(&group.isSideChain)
      coder.texts(&group.classes)
    }
    optional(&plugin.mainInputGroup, of: "") { $0.text(&$1) }
    optional(&plugin.mainOutputGroup, of: "") { $0.text(&$1) }
    list(&plugin.presets, of: LV2Preset(uri: "", label: "")) { coder, preset in
      coder.text(&preset.uri)
      coder.text(&preset.label)
    }
    list(
      &plugin.properties,
      of: LV2PatchProperty(uri: "", symbol: "", name: "", range: .float, isWritable: true)
    ) { $0.property(&$1) }
    texts(&plugin.options)
    texts(&plugin.requiredOptions)
    flag(&plugin.hasUserInterface)
    flag(&plugin.mayHavePrograms)
  }

  private mutating func property(_ property: inout LV2PatchProperty) {
    text(&property.uri)
    text(&property.symbol)
    text(&property.name)
    choice(&property.range, of: [.float, .double, .int, .long, .bool, .string, .path, .uri])
    flag(&property.isWritable)
    bounds(&property.minimum, &property.maximum, &property.defaultValue)
    unit(&property.unit)
    points(&property.scalePoints)
    optional(&property.group, of: "") { $0.text(&$1) }
  }

  private mutating func bounds(
    _ minimum: inout Float?, _ maximum: inout Float?, _ start: inout Float?
  ) {
    optional(&minimum, of: 0) { $0.float(&$1) }
    optional(&maximum, of: 0) { $0.float(&$1) }
    optional(&start, of: 0) { $0.float(&$1) }
  }

  private mutating func unit(_ unit: inout LV2Unit?) {
    optional(&unit, of: LV2Unit(code: 0)) { coder, unit in
      coder.number(&unit.code)
      coder.optional(&unit.name, of: "") { $0.text(&$1) }
    }
  }

  private mutating func points(_ points: inout [LV2ScalePoint]) {
    list(&points, of: LV2ScalePoint(value: 0, label: "")) { coder, point in
      coder.float(&point.value)
      coder.text(&point.label)
    }
  }

  private mutating func port(_ port: inout LV2Port) {
    number(&port.index)
    text(&port.symbol)
    text(&port.name)
    choice(&port.kind, of: [.audio, .control, .cv, .atom, .event, .unknown])
    flag(&port.isInput)
    texts(&port.classes)
    choice(&port.role, of: [.ordinary, .latency, .enabled, .freeWheeling])
    for path in [\LV2Port.isOptional, \.isSideChain] { flag(&port[keyPath: path]) }
    optional(&port.group, of: "") { $0.text(&$1) }
    bounds(&port.minimum, &port.maximum, &port.defaultValue)
    for path in [
      \LV2Port.isScaledBySampleRate, \.isToggled, \.isInteger, \.isEnumeration, \.isLogarithmic,
      \.isHidden, \.isExpensive, \.isTrigger, \.isNotAutomatic, \.hasStrictBounds,
      \.supportsMIDI, \.supportsPatch, \.supportsTime,
    ] { flag(&port[keyPath: path]) }
    unit(&port.unit)
    points(&port.scalePoints)
    optional(&port.designation, of: "") { $0.text(&$1) }
    texts(&port.properties)
    number(&port.minimumSize)
  }

  private mutating func choice<Value: Equatable>(_ value: inout Value, of choices: [Value]) {
    var place = UInt8(choices.firstIndex(of: value) ?? 0)
    number(&place)
    if choices.indices.contains(Int(place)) { value = choices[Int(place)] }
  }
}
