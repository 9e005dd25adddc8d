// A lilv world with the bundles of one plug-in.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import ForeignPlugIns
internal import HostSystem
internal import LV2Bundles

/// A lilv world with some bundles only, so that a broken one does not affect others.
///
/// @unchecked Sendable because lilv, which is not thread-safe, is called under `lock` only.
@safe final class LV2World: @unchecked Sendable {
  /// The lilv handle. Use inside `locked` only.
  let handle: OpaquePointer
  private let lock = PlugInLock()
  private var nodes: [String: OpaquePointer] = unsafe [:]

  /// Makes a world and loads the manifests of the bundles in the passed folders.
  ///
  /// Fails when memory is short.
  init?(bundles: [String]) {
    guard let world = unsafe lilv_world_new() else { return nil }
    unsafe handle = world
    for bundle in bundles {
      guard let uri = unsafe fileNode(bundle + "/") else { continue }
      unsafe lilv_world_load_bundle(world, uri)
      unsafe lilv_node_free(uri)
    }
  }

  deinit {
    unsafe nodes.values.forEach { unsafe lilv_node_free($0) }
    unsafe lilv_world_free(handle)
  }

  /// Runs a body while no other thread uses the world.
  func locked<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try lock.locked(body)
  }

  /// A node of the URI of a file, which the caller frees. Call it locked.
  func fileNode(_ path: String) -> OpaquePointer? {
    unsafe path.withFileName { unsafe lilv_new_file_uri(handle, nil, $0) }
  }

  /// The node of a URI, kept as long as the world. Call it locked.
  func node(_ uri: String) -> OpaquePointer? {
    if let known = unsafe nodes[uri] { return unsafe known }
    guard let made = unsafe lilv_new_uri(handle, uri) else { return nil }
    unsafe nodes[uri] = made
    return unsafe made
  }

  /// The plug-in with a URI. Call it locked.
  func plugin(_ uri: String) -> OpaquePointer? {
    guard let node = unsafe node(uri) else { return nil }
    return unsafe lilv_plugins_get_by_uri(lilv_world_get_all_plugins(handle), node)
  }

  /// Loads a plug-in's data into lilv, including its default state; false when there is none with that URI.
  func read(_ uri: String) -> Bool {
    locked {
      guard let plugin = unsafe plugin(uri) else { return false }
      unsafe _ = lilv_plugin_get_num_ports(plugin)
      return true
    }
  }

  /// Objects of a property of a subject. Call it locked.
  func values(_ subject: OpaquePointer?, _ property: String) -> [LV2Value] {
    guard let subject = unsafe subject, let property = unsafe node(property) else { return [] }
    return unsafe LV2World.values(lilv_world_find_nodes(handle, subject, property, nil))
  }

  /// The first object of a property of a subject. Call it locked.
  func value(_ subject: OpaquePointer?, _ property: String) -> LV2Value? {
    unsafe values(subject, property).first
  }

  /// Loads the data files about a subject into lilv; false when one of them is not sound. Call it locked.
  @discardableResult func load(_ subject: OpaquePointer?) -> Bool {
    guard let subject = unsafe subject else { return false }
    let files = unsafe values(subject, LV2Names.rdfs + "seeAlso").compactMap(\.resource)
    guard files.compactMap(LV2Path.local).allSatisfy(LV2BundleScan.isSound) else { return false }
    unsafe lilv_world_load_resource(handle, subject)
    return true
  }

  /// Copies a node collection and frees it.
  static func values(_ collection: UnsafeMutableRawPointer?) -> [LV2Value] {
    guard let collection = unsafe collection else { return [] }
    defer { unsafe lilv_nodes_free(collection) }
    var values: [LV2Value] = []
    var iterator = unsafe lilv_nodes_begin(collection)
    while unsafe !lilv_nodes_is_end(collection, iterator) {
      if let node = unsafe lilv_nodes_get(collection, iterator) {
        unsafe values.append(LV2Value(node))
      }
      unsafe iterator = lilv_nodes_next(collection, iterator)
    }
    return values
  }
}

/// A node copied from lilv; `resource` is nil for literals.
struct LV2Value: Equatable, Sendable {
  var resource: String?

  /// Copies a node.
  init(_ node: OpaquePointer) {
    if unsafe lilv_node_is_uri(node) {
      resource = unsafe String(cString: lilv_node_as_uri(node))
    } else if unsafe lilv_node_is_blank(node) {
      resource = unsafe String(cString: lilv_node_as_blank(node))
    }
  }
}
