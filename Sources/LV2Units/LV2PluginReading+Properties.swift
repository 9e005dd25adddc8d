// Reading what messages set, and whether there is an interface for a person.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv

extension LV2PluginReading {
  /// Whether there is a user interface, which is not shown.
  var hasUserInterface: Bool {
    guard let interfaces = unsafe lilv_plugin_get_uis(plugin) else { return false }
    defer { unsafe lilv_uis_free(interfaces) }
    return unsafe lilv_uis_size(interfaces) > 0
  }

  /// What patch messages set and tell, in the order of their names.
  func readProperties(_ subject: OpaquePointer?) -> [LV2PatchProperty] {
    func named(_ property: String) -> [String] {
      unsafe world.values(subject, LV2Names.patch + property).compactMap(\.resource)
    }
    let writable = named("writable")
    let all = writable + named("readable").filter { !writable.contains($0) }
    let properties = all.compactMap { uri -> LV2PatchProperty? in
      guard let node = unsafe world.node(uri) else { return nil }
      let types = unsafe world.values(node, LV2Names.rdfs + "range").compactMap(\.resource)
      let ranges = types.compactMap { type -> LV2PatchProperty.Range? in
        guard type.hasPrefix(LV2Names.atom) else { return nil }
        return LV2PatchProperty.Range(rawValue: String(type.dropFirst(LV2Names.atom.count)))
      }
      guard let range = ranges.first else { return nil }
      func finite(_ name: String) -> Float? {
        unsafe world.value(node, LV2Names.core + name)?.number.map(Float.init).flatMap {
          $0.isFinite ? $0 : nil
        }
      }
      let name = unsafe world.value(node, LV2Names.rdfs + "label")?.text
      let symbol = unsafe world.value(node, LV2Names.core + "symbol")?.text
      var property = LV2PatchProperty(
        uri: uri, symbol: symbol ?? LV2Text.tail(ofURI: uri),
        name: LV2Text.line(name ?? LV2Text.tail(ofURI: uri)), range: range,
        isWritable: writable.contains(uri), minimum: finite("minimum"),
        maximum: finite("maximum"), defaultValue: finite("default"))
      property.group = unsafe world.value(node, LV2Names.portGroups + "group")?.resource
      if let unit = unsafe world.node(LV2Names.units + "unit") {
        unsafe property.unit = self.unit(lilv_world_find_nodes(world.handle, node, unit, nil))
      }
      return property
    }
    return properties.sorted { ($0.name, $0.uri) < ($1.name, $1.uri) }
  }
}
