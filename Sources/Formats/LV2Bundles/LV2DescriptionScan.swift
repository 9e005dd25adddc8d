// Builds a plug-in's full description from the statements of its bundle.
// SPDX-License-Identifier: Apache-2.0

/// Builds descriptions; a test compares them with lilv's.
struct LV2DescriptionScan {
  let facts: LV2Facts
  let bundlePath: String

  /// The details of a plug-in.
  ///
  /// - Throws: Why the data is unusable, as the end of a sentence about the plug-in.
  func details(_ uri: String) throws(LV2Failure) -> LV2PluginDetails {
    guard let named = facts.first(uri, .binary) else { throw LV2Failure(reason: "names no binary") }
    guard let binary = LV2Path.local(named) else {
      throw LV2Failure(
        reason: "names <\(LV2Text.line(named))> as its binary, which is no file of this machine")
    }
    let ports = try readPorts(uri)
    var details = LV2PluginDetails()
    details.description = LV2PluginDescription(
      uri: uri, name: facts.text(uri, .doapName).map { LV2Text.line($0) } ?? uri,
      bundlePath: bundlePath + "/", binaryPath: binary,
      requiredFeatures: facts.resources(uri, .requiredFeature),
      optionalFeatures: facts.resources(uri, .optionalFeature), ports: ports,
      groups: readGroups(ports), mainInputGroup: facts.resources(uri, .mainInput).first,
      mainOutputGroup: facts.resources(uri, .mainOutput).first, presets: [],
      properties: readProperties(uri),
      options: facts.resources(uri, .supportedOption) + facts.resources(uri, .requiredOption),
      hasUserInterface: !facts.resources(uri, .userInterface).isEmpty)
    details.description.requiredOptions = facts.resources(uri, .requiredOption)
    details.extensions = facts.resources(uri, .extensionData)
    details.description.mayHavePrograms =
      details.extensions.contains(LV2Names.programs + "Interface")
      || details.description.supports(LV2Names.programs + "Host")
    details.userInterfaces = facts.resources(uri, .userInterface).flatMap { interface in
      let types = facts.resources(interface, .type)
      return types.isEmpty ? [""] : types
    }
    details.license = facts.resources(uri, .license).first ?? ""
    return details
  }

  /// Reads ports in the order of their indexes, which run from 0 without gaps.
  private func readPorts(_ uri: String) throws(LV2Failure) -> [LV2Port] {
    var ports: [Int: LV2Port] = [:]
    for node in facts.resources(uri, .port) {
      guard let index = facts.number(node, .index).flatMap({ Int(exactly: $0) }), index >= 0 else {
        let name = facts.text(node, .symbol).map { "its port \"\(LV2Text.line($0))\"" } ?? "a port"
        throw LV2Failure(reason: "has no whole number as the index of \(name)")
      }
      let symbol = facts.text(node, .symbol) ?? ""
      if let known = ports[index] {
        // The same port may be described in several files.
        if symbol.isEmpty || symbol == known.symbol { continue }
        throw LV2Failure(
          reason: "has two ports with the index \(index), \"\(LV2Text.line(known.symbol))\" and"
            + " \"\(LV2Text.line(symbol))\"")
      }
      guard !symbol.isEmpty else {
        throw LV2Failure(reason: "has no symbol for its port \(index)")
      }
      ports[index] = readPort(node, index, symbol)
    }
    return try (0..<ports.count).map { index throws(LV2Failure) in
      guard let port = ports[index] else {
        throw LV2Failure(
          reason: "has no port \(index), and one with the index \(ports.keys.max() ?? 0)")
      }
      return port
    }
  }

  private static func kind(of classes: [String]) -> LV2Port.Kind {
    if classes.contains(LV2Names.audioPort) { return .audio }
    if classes.contains(LV2Names.cvPort) { return .cv }
    if classes.contains(LV2Names.controlPort) { return .control }
    if classes.contains(LV2Names.atomPort) { return .atom }
    return classes.contains(LV2Names.eventPort) ? .event : .unknown
  }

  private func readPort(_ node: String, _ index: Int, _ symbol: String) -> LV2Port {
    let classes = facts.resources(node, .type)
    let kind = Self.kind(of: classes)
    var port = LV2Port(
      index: index, symbol: symbol, name: "", kind: kind,
      isInput: classes.contains(LV2Names.inputPort), classes: classes)
    port.name = facts.text(node, .name).map { LV2Text.line($0) } ?? port.symbol
    port.properties = facts.resources(node, .portProperty)
    let properties = Set(port.properties)
    func has(_ name: String) -> Bool { properties.contains(LV2Names.core + name) }
    port.isOptional = has("connectionOptional")
    port.isSideChain = has("isSideChain")
    port.group = facts.resources(node, .group).first
    port.minimum = number(node, .minimum)
    port.maximum = number(node, .maximum)
    port.defaultValue = number(node, .defaultValue)
    let designations = facts.resources(node, .designation)
    port.designation = designations.first
    switch kind {
    case .control:
      port.isScaledBySampleRate = has("sampleRate")
      port.isToggled = has("toggled")
      port.isInteger = has("integer")
      port.isEnumeration = has("enumeration")
      func hints(_ name: String) -> Bool { properties.contains(LV2Names.portProps + name) }
      port.isLogarithmic = hints("logarithmic")
      port.isHidden = hints("notOnGUI")
      port.isExpensive = hints("expensive")
      port.isTrigger = hints("trigger")
      port.isNotAutomatic = hints("notAutomatic") || hints("causesArtifacts")
      port.hasStrictBounds = hints("hasStrictBounds")
      if port.isInput, designations.contains(LV2Names.core + "enabled") {
        port.role = .enabled
      } else if port.isInput, designations.contains(LV2Names.core + "freeWheeling") {
        port.role = .freeWheeling
      } else if !port.isInput,
        designations.contains(LV2Names.core + "latency") || has("reportsLatency")
      {
        port.role = .latency
      }
      port.unit = readUnit(node)
      port.scalePoints = readScalePoints(node)
    case .atom, .event:
      let supported = facts.resources(node, .supports) + facts.resources(node, .supportsEvent)
      port.supportsMIDI = supported.contains(LV2Names.midiEvent)
      port.supportsPatch = supported.contains(LV2Names.patch + "Message")
      port.supportsTime = supported.contains(LV2Names.time + "Position")
      let size = facts.number(node, .minimumSize) ?? 0
      port.minimumSize = Int(min(max(size, 0), Double(64 << 20)))
    default: break
    }
    return port
  }

  /// Returns a number that fits a port; nil for values that are not finite.
  private func number(_ node: String, _ property: TurtleVocabulary) -> Float? {
    facts.number(node, property).map(Float.init).flatMap { $0.isFinite ? $0 : nil }
  }

  private func readUnit(_ port: String) -> LV2Unit? {
    guard let node = facts.resources(port, .unit).first else { return nil }
    if node.hasPrefix(LV2Names.units),
      let unit = LV2Unit(wellKnown: String(node.dropFirst(LV2Names.units.count)))
    {
      return unit
    }
    return LV2Unit(symbol: facts.text(node, .unitSymbol), render: facts.text(node, .unitRender))
  }

  private func readScalePoints(_ port: String) -> [LV2ScalePoint] {
    let points = facts.resources(port, .scalePoint).compactMap { node -> LV2ScalePoint? in
      guard let label = facts.text(node, .label), let text = facts.text(node, .value),
        let value = Double(text).map(Float.init), value.isFinite
      else { return nil }
      // Some have a blank where a display is to stay dark.
      let line = LV2Text.line(label)
      return LV2ScalePoint(value: value, label: line.isEmpty ? LV2Text.line(text) : line)
    }
    return points.sorted { ($0.value, $0.label) < ($1.value, $1.label) }
  }

  private func readGroups(_ ports: [LV2Port]) -> [LV2PortGroup] {
    var groups: [LV2PortGroup] = []
    var seen: Set<String> = []
    for uri in ports.compactMap(\.group) where seen.insert(uri).inserted {
      let name =
        facts.text(uri, .name) ?? facts.text(uri, .label) ?? facts.text(uri, .symbol)
        ?? LV2Text.tail(ofURI: uri)
      groups.append(
        LV2PortGroup(
          uri: uri, name: LV2Text.line(name), isSideChain: facts.first(uri, .sideChainOf) != nil,
          classes: facts.resources(uri, .type)))
    }
    return groups
  }

  /// Reads properties of patch messages, in the order of their names.
  private func readProperties(_ uri: String) -> [LV2PatchProperty] {
    let writable = facts.resources(uri, .writable)
    let all = writable + facts.resources(uri, .readable).filter { !writable.contains($0) }
    let properties = all.compactMap { property -> LV2PatchProperty? in
      let ranges = facts.resources(property, .range).compactMap { type in
        type.hasPrefix(LV2Names.atom)
          ? LV2PatchProperty.Range(rawValue: String(type.dropFirst(LV2Names.atom.count))) : nil
      }
      guard let range = ranges.first else { return nil }
      let tail = LV2Text.tail(ofURI: property)
      var result = LV2PatchProperty(
        uri: property, symbol: facts.text(property, .symbol) ?? tail,
        name: LV2Text.line(facts.text(property, .label) ?? tail), range: range,
        isWritable: writable.contains(property), minimum: number(property, .minimum),
        maximum: number(property, .maximum), defaultValue: number(property, .defaultValue))
      result.group = facts.resources(property, .group).first
      result.unit = readUnit(property)
      return result
    }
    return properties.sorted { ($0.name, $0.uri) < ($1.name, $1.uri) }
  }
}
