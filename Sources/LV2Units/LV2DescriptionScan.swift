// A plug-in's full description out of the statements of its bundle, as lilv would tell it.
// SPDX-License-Identifier: Apache-2.0

/// Puts descriptions together without lilv, many times faster; a test holds the two against each other.
struct LV2DescriptionScan {
  let facts: LV2Facts
  let bundlePath: String

  /// What is known of a plug-in; nil when it names no file as its binary.
  func details(_ uri: String) -> LV2PluginDetails? {
    guard let binary = facts.first(uri, .binary).flatMap(LV2Path.local) else { return nil }
    let ports = readPorts(uri)
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
    details.extensions = facts.resources(uri, .extensionData)
    details.userInterfaces = facts.resources(uri, .userInterface).flatMap { interface in
      let types = facts.resources(interface, .type)
      return types.isEmpty ? [""] : types
    }
    details.license = facts.resources(uri, .license).first ?? ""
    return details
  }

  /// Ports in the order of their index; nothing when the numbers do not run from 0 without a gap.
  private func readPorts(_ uri: String) -> [LV2Port] {
    var ports: [Int: LV2Port] = [:]
    let nodes = facts.resources(uri, .port)
    for node in nodes {
      guard let index = facts.number(node, .index).map({ Int(exactly: $0) ?? -1 }) else {
        return []
      }
      // The same port may be described in several files.
      if ports[index] == nil { ports[index] = readPort(node, index) }
    }
    let sorted = (0..<ports.count).compactMap { ports[$0] }
    return sorted.count == ports.count ? sorted : []
  }

  private func readPort(_ node: String, _ index: Int) -> LV2Port {
    let classes = facts.resources(node, .type)
    let kind: LV2Port.Kind =
      if classes.contains(LV2Names.audioPort) { .audio } else if classes.contains(LV2Names.cvPort) {
        .cv
      } else if classes.contains(LV2Names.controlPort) {
        .control
      } else if classes.contains(LV2Names.atomPort) {
        .atom
      } else if classes.contains(LV2Names.eventPort) {
        .event
      } else { .unknown }
    var port = LV2Port(
      index: index, symbol: facts.text(node, .symbol) ?? "port_\(index)", name: "", kind: kind,
      isInput: classes.contains(LV2Names.inputPort), classes: classes)
    port.name = facts.text(node, .name).map { LV2Text.line($0) } ?? port.symbol
    let properties = Set(facts.resources(node, .portProperty))
    func has(_ name: String) -> Bool { properties.contains(LV2Names.core + name) }
    port.isOptional = has("connectionOptional")
    port.isSideChain = has("isSideChain")
    port.group = facts.resources(node, .group).first
    port.minimum = facts.number(node, .minimum).map(Float.init)
    port.maximum = facts.number(node, .maximum).map(Float.init)
    port.defaultValue = facts.number(node, .defaultValue).map(Float.init)
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
      return LV2ScalePoint(value: value, label: LV2Text.line(label))
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

  /// What patch messages set and tell, in the order of their names.
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
      func number(_ bound: TurtleVocabulary) -> Float? {
        facts.number(property, bound).map(Float.init).flatMap { $0.isFinite ? $0 : nil }
      }
      var result = LV2PatchProperty(
        uri: property, symbol: facts.text(property, .symbol) ?? tail,
        name: LV2Text.line(facts.text(property, .label) ?? tail), range: range,
        isWritable: writable.contains(property), minimum: number(.minimum),
        maximum: number(.maximum), defaultValue: number(.defaultValue))
      result.group = facts.resources(property, .group).first
      result.unit = readUnit(property)
      return result
    }
    return properties.sorted { ($0.name, $0.uri) < ($1.name, $1.uri) }
  }
}
