// Names in a plug-in's data that are unknown, duplicate, or at the wrong place.
// SPDX-License-Identifier: Apache-2.0

internal import LV2Bundles
internal import UnitValidation

extension LV2DataCheck {
  /// Classes, properties and designations of ports.
  mutating func checkPorts() {
    var designated: [String: Int] = [:]
    for port in details.description.ports {
      let place = port.place
      let seen = [UnitFault.Evidence.port(port)]
      let isOutput = port.classes.contains(LV2Names.outputPort)
      if port.isInput == isOutput {
        fault(
          LV2Checks.direction, "\(place) is \(isOutput ? "both" : "neither") input and output", seen
        )
      }
      for uri in port.properties where !LV2Vocabulary.isKnown(uri, in: LV2Vocabulary.properties) {
        fault(
          LV2Checks.property, "\(place) has the property <\(uri)>, which there is not",
          seen + [.uri(uri)])
      }
      guard let designation = port.designation else { continue }
      if let wanted = LV2Vocabulary.designations[designation],
        port.kind != .control || port.isInput != (wanted == .input)
      {
        fault(
          LV2Checks.designation,
          "\(place) is no \(wanted == .input ? "input" : "output") of control, and has the designation "
            + "<\(designation)>", seen + [.uri(designation)])
      }
      // The channels of each group are its own.
      let key = "\(port.isInput) \(port.group ?? "") \(designation)"
      if let other = designated.updateValue(port.index, forKey: key) {
        fault(
          LV2Checks.designation,
          "ports \(other) and \(port.index) have the designation <\(designation)>",
          seen + [.uri(designation)])
      }
    }
  }

  /// Checks features, interfaces, user interfaces, and replaced parts of LV2.
  mutating func checkNames() {
    let description = details.description
    let features = description.requiredFeatures + description.optionalFeatures
    for uri in features where !LV2Vocabulary.isKnown(uri, in: LV2Vocabulary.features) {
      fault(LV2Checks.feature, "it takes the feature <\(uri)>, which there is not", [.uri(uri)])
    }
    for uri in description.requiredFeatures where description.optionalFeatures.contains(uri) {
      fault(LV2Checks.feature, "<\(uri)> is required and optional", [.uri(uri)])
    }
    for uri in details.extensions where !LV2Vocabulary.isKnown(uri, in: LV2Vocabulary.interfaces) {
      fault(LV2Checks.interface, "it has the interface <\(uri)>, which there is not", [.uri(uri)])
    }
    if !description.options.isEmpty, !description.supports(LV2Names.options + "options") {
      fault(LV2Checks.options, "it has options, and does not take options:options")
    }
    if details.userInterfaces.contains("") {
      fault(LV2Checks.window, "a user interface has no type")
    }
    for uri in [LV2Names.event, LV2Names.uriMap] where features.contains(uri) {
      fault(LV2Checks.replaced, "it takes <\(uri)>", [.uri(uri)])
    }
    if let port = description.ports.first(where: { $0.kind == .event }) {
      fault(LV2Checks.replaced, "\(port.place) is one of events", [.port(port)])
    }
  }

  /// Checks the binary's exports beside the functions of LV2.
  mutating func checkExports() {
    guard let binary = LV2BinaryFile(details.description.binaryPath) else { return }
    let others = binary.exportedNames.filter { !LV2Vocabulary.isEntry($0) }
    guard let first = others.min() else { return }
    fault(
      LV2Checks.exports, "its binary defines \(others.count) other symbols, \(first) among them",
      [.count("symbols", others.count)])
  }
}

extension LV2Port {
  /// Its number and symbol, as a sentence about it begins.
  var place: String { "port \(index), \"\(symbol)\"," }
}

extension UnitFault.Evidence {
  /// The number of a port.
  static func port(_ port: LV2Port) -> Self { .count("port", port.index) }
  /// A name that was seen.
  static func uri(_ uri: String) -> Self { Self("uri", .text(uri)) }
}

/// The names that there are in LV2 1.18.
enum LV2Vocabulary {
  /// The side of a designated control port.
  enum Side { case input, output }

  /// Designations of control ports.
  static let designations: [String: Side] = [
    LV2Names.core + "enabled": .input, LV2Names.core + "freeWheeling": .input,
    LV2Names.core + "latency": .output,
  ]

  static let properties: Set<String> = names(
    LV2Names.core,
    "connectionOptional enumeration integer isSideChain reportsLatency sampleRate toggled"
  ).union(
    names(
      LV2Names.portProps,
      "causesArtifacts continuousCV discreteCV expensive hasStrictBounds logarithmic notAutomatic "
        + "notOnGUI trigger"))

  static let features: Set<String> = names(LV2Names.core, "hardRTCapable inPlaceBroken isLive")
    .union(names(LV2Names.urid, "map unmap"))
    .union(names(LV2Names.worker, "schedule"))
    .union(names(LV2Names.options, "options"))
    .union(names(LV2Names.log, "log"))
    .union(names(LV2Names.resizePort, "resize"))
    .union(names(LV2Names.portProps, "supportsStrictBounds"))
    .union(
      names(
        LV2Names.bufSize,
        "boundedBlockLength coarseBlockLength fixedBlockLength powerOf2BlockLength")
    )
    .union(
      names(LV2Names.state, "freePath loadDefaultState makePath mapPath threadSafeRestore")
    )
    .union([LV2Names.event, LV2Names.uriMap, LV2Names.instanceAccess, LV2Names.dataAccess])

  static let interfaces: Set<String> = names(LV2Names.state, "interface")
    .union(names(LV2Names.worker, "interface"))
    .union(names(LV2Names.options, "interface"))
    .union(names("http://lv2plug.in/ns/ext/morph#", "interface"))
    .union(names(LV2Names.userInterfaces, "idleInterface resize showInterface"))

  static let classes: Set<String> = Set(
    LV2PluginRecord.classNames.map { LV2Names.core + $0 + "Plugin" })

  /// Whether a name is one of a set, or none of LV2's own.
  static func isKnown(_ uri: String, in names: Set<String>) -> Bool {
    !uri.hasPrefix(LV2Names.lv2) || names.contains(uri)
  }

  /// Whether a symbol is a function that hosts search for, or one of the linker's.
  static func isEntry(_ symbol: String) -> Bool {
    ["lv2_", "lv2ui_", "_"].contains { symbol.hasPrefix($0) }
  }

  private static func names(_ prefix: String, _ list: String) -> Set<String> {
    Set(list.split(separator: " ").map { prefix + $0 })
  }
}
