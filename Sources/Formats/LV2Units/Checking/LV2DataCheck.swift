// The faults in a plug-in's data, and its differences from the binary.
// SPDX-License-Identifier: Apache-2.0

package import AudioComponents
internal import CLilv
internal import ForeignPlugIns
internal import LV2Bundles
package import UnitValidation

extension LV2Catalog: CheckedCatalog {
  /// Returns the faults of a plug-in by the rules of `LV2Checks`; empty for one of another catalog.
  ///
  /// Context: control, in a process that may be lost: its binary is loaded.
  package func faults(of component: AudioComponent) -> [UnitFault] {
    guard let uri = component.location.identifier,
      let place = chosen.first(where: { $0.uri == uri })
    else { return [] }
    let details = index.details(
      of: index.bundles[place.bundle], plugin: uri, cacheFolder: cacheFolder)
    guard let plugin = details.plugins.first(where: { $0.description.uri == uri }) else {
      return []
    }
    let record = index.bundles[place.bundle].plugins.first { $0.uri == uri }
    return LV2DataCheck(plugin, record).faults
  }

  /// The feature `lv2:hardRTCapable`, where the data names it.
  package func realtimeClaim(of component: AudioComponent) -> String? {
    guard let facts = metadata(of: component)?.facts else { return nil }
    return (facts.optionalFeatures + facts.requiredFeatures)
      .contains(LV2Names.core + "hardRTCapable") ? "hardRTCapable" : nil
  }
}

/// Checks one plug-in.
struct LV2DataCheck {
  private(set) var faults: [UnitFault] = []
  let details: LV2PluginDetails

  init(_ details: LV2PluginDetails, _ record: LV2PluginRecord?) {
    self.details = details
    if let record { check(record) }
    let description = details.description
    if description.name == description.uri { fault(LV2Checks.name, "it has no doap:name") }
    if details.license.isEmpty { fault(LV2Checks.license, "it has no doap:license") }
    checkSymbols()
    for port in description.ports where port.kind == .control && port.isInput { check(port) }
    checkPorts()
    checkFeatures()
    checkNames()
    checkExtensions()
    checkExports()
  }

  private mutating func check(_ record: LV2PluginRecord) {
    if record.classes.isEmpty { fault(LV2Checks.kind, "it has no class besides lv2:Plugin") }
    for uri in record.classes where !LV2Vocabulary.isKnown(uri, in: LV2Vocabulary.classes) {
      fault(LV2Checks.className, "it is a <\(uri)>, which there is not", [.uri(uri)])
    }
    if record.minorVersion == 0, record.microVersion == 0 {
      fault(LV2Checks.version, "it has no lv2:minorVersion and no lv2:microVersion")
    }
    // Without a name, it is listed under the host of its URI.
    if record.maker == LV2Text.host(ofURI: record.uri) {
      fault(LV2Checks.maker, "neither its maker nor its project is named")
    }
  }

  mutating func fault(
    _ check: ValidationCheck, _ message: String, _ evidence: [UnitFault.Evidence] = []
  ) {
    faults.append(UnitFault(check, message, evidence))
  }

  private mutating func checkSymbols() {
    var seen: Set<String> = []
    for port in details.description.ports {
      let bytes = Array(port.symbol.utf8)
      let isName =
        bytes.allSatisfy { byte in
          byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte)
            || (0x41...0x5A).contains(byte & 0xDF)
        } && !(0x30...0x39).contains(bytes.first ?? 0x30)
      if !isName {
        fault(
          LV2Checks.symbol, "\"\(port.symbol)\" of port \(port.index) is no symbol",
          [.port(port)])
      }
      if !seen.insert(port.symbol).inserted {
        fault(
          LV2Checks.symbol, "two ports have the symbol \"\(port.symbol)\"",
          [.port(port)])
      }
    }
  }

  private mutating func check(_ port: LV2Port) {
    let place = port.place
    let seen = [UnitFault.Evidence.port(port)]
    guard let minimum = port.minimum, let maximum = port.maximum, let start = port.defaultValue
    else {
      // A switch, and ports that the host sets itself, need none.
      if !port.isToggled, port.role == .ordinary, !port.isOptional, port.designation == nil {
        fault(LV2Checks.bounds, "\(place) has no default, minimum or maximum", seen)
      }
      return
    }
    let values =
      seen + [.value("minimum", minimum), .value("maximum", maximum), .value("default", start)]
    guard minimum < maximum else {
      return fault(LV2Checks.range, "\(place) goes from \(minimum) to \(maximum)", values)
    }
    // Whether the default of a port with bounds in multiples of the rate is one, the specification leaves open.
    if !port.isScaledBySampleRate, !(minimum...maximum).contains(start) {
      fault(
        LV2Checks.defaultValue,
        "the default of \(place) is \(start), outside of \(minimum) to \(maximum)", values)
    }
    if port.isInteger, !port.isScaledBySampleRate,
      [minimum, maximum, start].contains(where: { $0 != $0.rounded() })
    {
      fault(LV2Checks.integer, "\(place) is a whole number from \(minimum) to \(maximum)", values)
    }
    if port.isLogarithmic, minimum <= 0, maximum >= 0 {
      fault(
        LV2Checks.logarithmic, "\(place) is logarithmic from \(minimum) to \(maximum)", values)
    }
    if port.isToggled, minimum != 0 || maximum != 1 {
      fault(LV2Checks.toggled, "\(place) is a switch from \(minimum) to \(maximum)", values)
    }
    if let point = port.scalePoints.first(where: { $0.value < minimum || $0.value > maximum }) {
      fault(
        LV2Checks.points, "\(place) names \(point.value), outside of \(minimum) to \(maximum)",
        values)
    } else if port.isEnumeration, port.scalePoints.isEmpty {
      fault(LV2Checks.points, "\(place) is an enumeration without named values", seen)
    }
  }

  private mutating func checkFeatures() {
    let description = details.description
    let hasMessages = description.ports.contains { $0.kind == .atom }
    let hasState = details.extensions.contains(LV2Names.state + "interface")
    if hasMessages || hasState || !description.options.isEmpty,
      !description.supports(LV2Names.urid + "map")
    {
      fault(
        LV2Checks.map,
        "it has \(hasMessages ? "messages" : hasState ? "a state" : "options"), and does not take "
          + "urid:map")
    }
    let hasWorker = details.extensions.contains(LV2Names.worker + "interface")
    let acceptsWorker = description.supports(LV2Names.worker + "schedule")
    let mustHaveWorker = description.requiredFeatures.contains(LV2Names.worker + "schedule")
    if hasWorker, !acceptsWorker {
      fault(LV2Checks.worker, "it has a worker, and does not take work:schedule")
    } else if mustHaveWorker, !hasWorker {
      fault(LV2Checks.worker, "it requires work:schedule, and names no worker")
    }
  }

  /// Compares the interfaces that the data names with the binary's.
  private mutating func checkExtensions() {
    let description = details.description
    let usual = [LV2Names.state, LV2Names.worker, LV2Names.options].map { $0 + "interface" }
    guard
      let answered = LV2ExtensionProbe.interfaces(
        of: description, asked: Set(details.extensions + usual))
    else { return }
    for uri in details.extensions
    where !answered.contains(uri) && LV2Vocabulary.isKnown(uri, in: LV2Vocabulary.interfaces) {
      fault(
        LV2Checks.extensionMissing, "its binary does not answer <\(uri)>",
        [.uri(uri)])
    }
    for uri in usual where answered.contains(uri) && !details.extensions.contains(uri) {
      fault(
        LV2Checks.extensionUntold, "its binary answers <\(uri)>, and its data does not say so",
        [.uri(uri)])
    }
  }
}

/// Asks a binary for its interfaces; no instance is made.
enum LV2ExtensionProbe {
  /// Returns the interfaces of some that a plug-in answers; nil when it cannot be loaded, or answers none
  /// at all.
  static func interfaces(of description: LV2PluginDescription, asked: Set<String>) -> Set<String>? {
    let paths = LV2StatePaths()
    let log = LV2Log(name: description.name, thread: nil)
    let features = LV2FeatureSet(
      sampleRate: 48_000,
      blocks: LV2BlockLengths(minimum: 1, maximum: 1024, nominal: 1024, isFixed: false), log: log,
      paths: paths)
    return withExtendedLifetime((paths, log, features)) {
      PlugInLifeCycle.perform { () -> Set<String>? in
        guard let library = try? LV2Library(path: description.binaryPath),
          let descriptor = unsafe try? library.descriptor(
            of: description.uri, bundlePath: String(description.bundlePath.dropLast()),
            features: features.array)
        else { return nil }
        guard let ask = unsafe descriptor.pointee.extension_data else { return [] }
        return asked.filter { unsafe ask($0) != nil }
      }
    }
  }
}
