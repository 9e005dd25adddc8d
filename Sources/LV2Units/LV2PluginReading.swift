// Reading a plug-in's description out of a lilv world.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv

/// Takes the description of one plug-in from a world. Opens no binary.
@safe struct LV2PluginReading {
  let world: LV2World
  let plugin: OpaquePointer

  /// The description of the plug-in `uri`; nil when the world has none.
  static func description(of uri: String, in world: LV2World) -> LV2PluginDescription? {
    world.locked { () -> LV2PluginDescription? in
      guard let plugin = unsafe world.plugin(uri) else { return nil }
      let reading = unsafe LV2PluginReading(world: world, plugin: plugin)
      return reading.describe(uri)
    }
  }

  private func describe(_ uri: String) -> LV2PluginDescription? {
    guard let library = unsafe lilv_plugin_get_library_uri(plugin),
      let bundle = unsafe lilv_plugin_get_bundle_uri(plugin),
      let binaryPath = unsafe LV2Path.local(String(cString: lilv_node_as_uri(library))),
      let bundlePath = unsafe LV2Path.local(String(cString: lilv_node_as_uri(bundle)))
    else { return nil }
    var name = uri
    if let node = unsafe lilv_plugin_get_name(plugin) {
      name = unsafe LV2Text.line(String(cString: lilv_node_as_string(node)))
      unsafe lilv_node_free(node)
    }
    let subject = unsafe lilv_plugin_get_uri(plugin)
    let ports = readPorts()
    func features(_ property: String) -> [String] {
      unsafe world.values(subject, LV2Names.core + property).compactMap(\.resource)
    }
    return unsafe LV2PluginDescription(
      uri: uri, name: name, bundlePath: bundlePath, binaryPath: binaryPath,
      requiredFeatures: features("requiredFeature"), optionalFeatures: features("optionalFeature"),
      ports: ports, groups: readGroups(ports),
      mainInputGroup: unsafe world.value(subject, LV2Names.portGroups + "mainInput")?.resource,
      mainOutputGroup: unsafe world.value(subject, LV2Names.portGroups + "mainOutput")?.resource,
      presets: readPresets(), properties: readProperties(subject),
      options:
        unsafe (world.values(subject, LV2Names.options + "supportedOption")
        + world.values(subject, LV2Names.options + "requiredOption")).compactMap(\.resource),
      hasUserInterface: hasUserInterface)
  }

  private func readPorts() -> [LV2Port] {
    let count = unsafe Int(lilv_plugin_get_num_ports(plugin))
    guard count > 0 else { return [] }
    var minima = [Float](repeating: .nan, count: count)
    var maxima = minima
    var defaults = minima
    unsafe lilv_plugin_get_port_ranges_float(plugin, &minima, &maxima, &defaults)
    let latencyIndex =
      unsafe lilv_plugin_has_latency(plugin)
      ? unsafe Int(lilv_plugin_get_latency_port_index(plugin)) : -1
    return (0..<count).compactMap { index in
      guard let port = unsafe lilv_plugin_get_port_by_index(plugin, UInt32(index)) else {
        return nil
      }
      var result = unsafe readPort(port, index)
      func finite(_ value: Float) -> Float? { value.isFinite ? value : nil }
      result.minimum = finite(minima[index])
      result.maximum = finite(maxima[index])
      result.defaultValue = finite(defaults[index])
      if index == latencyIndex, result.kind == .control, !result.isInput { result.role = .latency }
      return result
    }
  }

  private func readPort(_ port: OpaquePointer, _ index: Int) -> LV2Port {
    let classes = unsafe LV2World.copy(lilv_port_get_classes(plugin, port)).compactMap(\.resource)
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
    let symbol = unsafe lilv_port_get_symbol(plugin, port).flatMap {
      unsafe lilv_node_as_string($0)
    }
    var result = LV2Port(
      index: index, symbol: unsafe symbol.map { unsafe String(cString: $0) } ?? "port_\(index)",
      name: "", kind: kind, isInput: classes.contains(LV2Names.inputPort), classes: classes)
    result.name = result.symbol
    if let node = unsafe lilv_port_get_name(plugin, port) {
      result.name = unsafe LV2Text.line(String(cString: lilv_node_as_string(node)))
      unsafe lilv_node_free(node)
    }
    let properties = Set(
      unsafe LV2World.take(lilv_port_get_properties(plugin, port)).compactMap(\.resource))
    func has(_ name: String) -> Bool { properties.contains(LV2Names.core + name) }
    result.isOptional = has("connectionOptional")
    result.isSideChain = has("isSideChain")
    result.group = unsafe values(port, LV2Names.portGroups + "group").first?.resource
    let designations = unsafe values(port, LV2Names.core + "designation").compactMap(\.resource)
    result.designation = designations.first
    switch kind {
    case .control:
      result.isScaledBySampleRate = has("sampleRate")
      result.isToggled = has("toggled")
      result.isInteger = has("integer")
      result.isEnumeration = has("enumeration")
      func hints(_ name: String) -> Bool { properties.contains(LV2Names.portProps + name) }
      result.isLogarithmic = hints("logarithmic")
      result.isHidden = hints("notOnGUI")
      result.isExpensive = hints("expensive")
      result.isTrigger = hints("trigger")
      result.isNotAutomatic = hints("notAutomatic") || hints("causesArtifacts")
      result.hasStrictBounds = hints("hasStrictBounds")
      if result.isInput, designations.contains(LV2Names.core + "enabled") {
        result.role = .enabled
      } else if result.isInput, designations.contains(LV2Names.core + "freeWheeling") {
        result.role = .freeWheeling
      } else if !result.isInput,
        designations.contains(LV2Names.core + "latency") || has("reportsLatency")
      {
        result.role = .latency
      }
      result.unit = unsafe readUnit(port)
      result.scalePoints = unsafe readScalePoints(port)
    case .atom, .event:
      let supported = Set(
        unsafe (values(port, LV2Names.atom + "supports")
          + values(port, LV2Names.event + "#supportsEvent")).compactMap(\.resource))
      result.supportsMIDI = supported.contains(LV2Names.midiEvent)
      result.supportsPatch = supported.contains(LV2Names.patch + "Message")
      result.supportsTime = supported.contains(LV2Names.time + "Position")
      let size = unsafe values(port, LV2Names.resizePort + "minimumSize").first?.number ?? 0
      result.minimumSize = Int(min(max(size, 0), Double(64 << 20)))
    default: break
    }
    return result
  }

  private func values(_ port: OpaquePointer, _ property: String) -> [LV2Value] {
    guard let node = unsafe world.node(property) else { return [] }
    return unsafe LV2World.take(lilv_port_get_value(plugin, port, node))
  }

  private func readUnit(_ port: OpaquePointer) -> LV2Unit? {
    guard let property = unsafe world.node(LV2Names.units + "unit") else { return nil }
    return unsafe unit(lilv_port_get_value(plugin, port, property))
  }

  /// The first unit of a collection, which is freed.
  func unit(_ nodes: UnsafeMutableRawPointer?) -> LV2Unit? {
    guard let nodes = unsafe nodes else { return nil }
    defer { unsafe lilv_nodes_free(nodes) }
    guard let node = unsafe lilv_nodes_get_first(nodes) else { return nil }
    if unsafe lilv_node_is_uri(node) {
      let uri = unsafe String(cString: lilv_node_as_uri(node))
      if uri.hasPrefix(LV2Names.units),
        let unit = LV2Unit(wellKnown: String(uri.dropFirst(LV2Names.units.count)))
      {
        return unit
      }
    }
    return unsafe LV2Unit(
      symbol: world.value(node, LV2Names.units + "symbol")?.text,
      render: world.value(node, LV2Names.units + "render")?.text)
  }

  /// Scale points, lowest value first; points that name no finite value are left out.
  private func readScalePoints(_ port: OpaquePointer) -> [LV2ScalePoint] {
    guard let points = unsafe lilv_port_get_scale_points(plugin, port) else { return [] }
    defer { unsafe lilv_scale_points_free(points) }
    var found: [LV2ScalePoint] = []
    var iterator = unsafe lilv_scale_points_begin(points)
    while unsafe !lilv_scale_points_is_end(points, iterator) {
      if let point = unsafe lilv_scale_points_get(points, iterator),
        let label = unsafe lilv_scale_point_get_label(point),
        let value = unsafe lilv_scale_point_get_value(point),
        let number = unsafe LV2Value(value).number.map(Float.init), number.isFinite
      {
        let text = unsafe LV2Text.line(String(cString: lilv_node_as_string(label)))
        found.append(LV2ScalePoint(value: number, label: text))
      }
      unsafe iterator = lilv_scale_points_next(points, iterator)
    }
    return found.sorted { ($0.value, $0.label) < ($1.value, $1.label) }
  }

  private func readGroups(_ ports: [LV2Port]) -> [LV2PortGroup] {
    var groups: [LV2PortGroup] = []
    for uri in ports.compactMap(\.group) where !groups.contains(where: { $0.uri == uri }) {
      let node = unsafe world.node(uri)
      let name =
        unsafe world.value(node, LV2Names.core + "name")?.text
        ?? world.value(node, LV2Names.rdfs + "label")?.text
        ?? world.value(node, LV2Names.core + "symbol")?.text ?? LV2Text.tail(ofURI: uri)
      let sideChain = unsafe world.value(node, LV2Names.portGroups + "sideChainOf")
      unsafe groups.append(
        LV2PortGroup(
          uri: uri, name: LV2Text.line(name), isSideChain: sideChain != nil,
          classes: world.values(node, LV2Names.rdf + "type").compactMap(\.resource)))
    }
    return groups
  }

  /// Presets in the order of their labels.
  private func readPresets() -> [LV2Preset] {
    guard let type = unsafe world.node(LV2Names.preset) else { return [] }
    let uris = unsafe LV2World.take(lilv_plugin_get_related(plugin, type)).compactMap(\.resource)
    let presets = uris.map { uri in
      let node = unsafe world.node(uri)
      unsafe world.load(node)
      let label = unsafe world.value(node, LV2Names.rdfs + "label")?.text
      return LV2Preset(uri: uri, label: LV2Text.line(label ?? LV2Text.tail(ofURI: uri)))
    }
    return presets.sorted { ($0.label, $0.uri) < ($1.label, $1.uri) }
  }
}
