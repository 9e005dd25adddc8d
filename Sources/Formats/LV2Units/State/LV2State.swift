// Presets, default states and saved states: port values and stored properties.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import ForeignPlugIns
internal import HostSystem
internal import LV2Bundles
internal import RealtimeSupport

/// A state, which can be restored any number of times.
///
/// @unchecked Sendable because lilv's state is not changed after init, and is used under the world's
/// lock only.
@safe final class LV2State: @unchecked Sendable {
  let state: OpaquePointer
  let world: LV2World
  /// The folders that the paths of a state on disk must stay in; nil for an internal state.
  let folders: [String]?
  /// Values of control ports by symbol.
  let portValues: [(symbol: String, value: Float)]
  /// Files that the plug-in made, and their folder: part of the state.
  var files: [(path: String, bytes: [UInt8])] = []
  var formerFolder: String?

  /// Assumes ownership of a lilv state; the caller holds the lock.
  init(_ state: OpaquePointer, _ world: LV2World, folders: [String]?) {
    unsafe self.state = unsafe state
    self.world = world
    self.folders = folders
    let values = LV2PortValues()
    unsafe lilv_state_emit_port_values(
      state, setPortValue, Unmanaged.passUnretained(values).toOpaque())
    portValues = values.list
  }

  /// Reads the state of a resource: a preset, or a plug-in with its default state.
  ///
  /// - Parameter bundle: The plug-in's own bundle, whose files any of its states may name.
  /// - Returns: Nil when the data has none.
  static func read(uri: String, in world: LV2World, bundle: String) -> LV2State? {
    world.locked { () -> LV2State? in
      var uri = uri
      if let path = LV2Path.local(uri) {
        guard let found = load(path, in: world) else { return nil }
        uri = found
      }
      guard let node = unsafe world.node(uri) else { return nil }
      var folders = [bundle]
      // A plug-in's own data is already in the world.
      if unsafe world.plugin(uri) == nil {
        guard unsafe world.load(node) else { return nil }
        let file = unsafe world.value(node, LV2Names.rdfs + "seeAlso")?.resource
        if let path = file.flatMap(LV2Path.local), let slash = path.lastIndex(of: "/") {
          folders.insert(String(path[..<slash]), at: 0)
        }
      }
      guard
        let state = unsafe lilv_state_new_from_world(world.handle, URIDMap.cMap.pointer, node)
      else { return nil }
      return unsafe LV2State(state, world, folders: folders)
    }
  }

  /// Loads the bundle of a preset's data file; returns the preset's URI. Call it locked.
  private static func load(_ path: String, in world: LV2World) -> String? {
    guard let slash = path.lastIndex(of: "/") else { return nil }
    let folder = String(path[..<slash])
    // Only sound bundles are passed to lilv.
    let bundle = LV2BundleScan.scan(folder)
    guard bundle.record.problems.isEmpty,
      let root = unsafe world.fileNode(folder + "/"), let file = unsafe world.fileNode(path)
    else { return nil }
    unsafe lilv_world_load_bundle(world.handle, root)
    defer {
      unsafe lilv_node_free(root)
      unsafe lilv_node_free(file)
    }
    let own = unsafe String(cString: lilv_node_as_uri(file))
    let presets = bundle.record.presets.map(\.uri)
    if presets.contains(where: { LV2Path.local($0) == path }) { return own }
    let about = unsafe LV2World.values(
      lilv_world_find_nodes(world.handle, nil, world.node(LV2Names.rdfs + "seeAlso"), file))
    return about.compactMap(\.resource).first { presets.contains($0) }
  }

  /// Reads the text of `turtle`.
  static func read(turtle: String, in world: LV2World) -> LV2State? {
    guard TurtleText.tooDeep(turtle) == nil else { return nil }
    return world.locked { () -> LV2State? in
      guard
        let state = unsafe lilv_state_new_from_string(
          world.handle, URIDMap.cMap.pointer, turtle)
      else { return nil }
      return unsafe LV2State(state, world, folders: nil)
    }
  }

  deinit {
    world.locked { unsafe lilv_state_free(state) }
  }

  /// Whether it has more than port values.
  var hasProperties: Bool {
    world.locked { unsafe lilv_state_get_num_properties(state) } > 0
  }

  /// The whole state as Turtle text.
  var turtle: String? {
    world.locked { () -> String? in
      guard
        let text = unsafe lilv_state_to_string(
          world.handle, URIDMap.cMap.pointer, URIDMap.cUnmap.pointer, state,
          "urn:auricle:state", nil)
      else { return nil }
      defer { unsafe lilv_free(text) }
      return unsafe String(cString: text)
    }
  }

  /// Writes the state as a preset to an existing folder: FILE.ttl, and its entry in manifest.ttl.
  func save(to folder: String, file: String, uri: String?, label: String) -> Bool {
    let isSaved = world.locked { () -> Bool in
      unsafe lilv_state_set_label(state, label)
      return unsafe lilv_state_save(
        world.handle, URIDMap.cMap.pointer, URIDMap.cUnmap.pointer, state, uri, folder, file) == 0
    }
    return isSaved && writeExactly(file, in: folder)
  }

  /// Writes exact port values: lilv keeps seven decimals.
  private func writeExactly(_ file: String, in folder: String) -> Bool {
    guard let bytes = LV2Files.contents(ofFile: folder + "/" + file) else { return false }
    var lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    let values = Dictionary(portValues.map { ($0.symbol, $0.value) }) { first, _ in first }
    for index in lines.indices.dropLast() {
      let words = lines[index].split(whereSeparator: { $0 == " " || $0 == "\t" })
      guard words.count == 3, words[0] == "lv2:symbol", words[2] == ";",
        let value = values[String(words[1].dropFirst().dropLast())]
      else { continue }
      let next = lines[index + 1].split(whereSeparator: { $0 == " " || $0 == "\t" })
      guard next.count == 2, next[0] == "pset:value" else { continue }
      lines[index + 1] = "\t\tpset:value \(value)"
    }
    return LV2Files.write(
      Array(lines.joined(separator: "\n").utf8), to: file, below: folder)
  }

  /// Restores the state without port values in an instance. Call it inside `PlugInLifeCycle.perform`.
  ///
  /// - Returns: Why the plug-in refused it; nil when it accepted it.
  func restore(
    _ descriptor: UnsafePointer<LV2_Descriptor>, _ handle: LV2_Handle?, _ plugin: LV2Plugin,
    features: UnsafePointer<UnsafePointer<LV2_Feature>?>, paths: LV2StatePaths
  ) -> String? {
    guard
      let interface = unsafe descriptor.pointee.extension_data?(LV2Names.state + "interface")?
        .assumingMemoryBound(to: LV2_State_Interface.self),
      let restore = unsafe interface.pointee.restore
    else { return nil }
    var status = LV2_STATE_SUCCESS
    paths.formerFolder = formerFolder
    if let folder = files.isEmpty ? nil : paths.folder() {
      for file in files { _ = LV2Files.write(file.bytes, to: file.path, below: folder) }
    }
    paths.during(folders.map { .reading($0) } ?? .live) {
      unsafe withRetrieval { retrieve, source in
        let filter = unsafe LV2RetrieveFilter(
          retrieve: retrieve, source: source, paths: paths,
          uriKeys: Set(
            plugin.description.properties.filter { $0.range == .uri }.map {
              URIDMap.shared.number($0.uri)
            }))
        FreshMemory.during {
          unsafe status = restore(
            handle, retrieveFiltered, Unmanaged.passUnretained(filter).toOpaque(), 0, features)
        }
        extendLifetime(filter)
      }
    }
    paths.formerFolder = nil
    return status.refusal
  }

  /// Runs a body with lilv's function that finds a property of this state.
  func withRetrieval(_ body: (LV2RetrieveFunction, LV2_State_Handle?) -> Void) {
    let call = LV2RetrievalCall()
    unsafe withoutActuallyEscaping(body) { body in
      unsafe call.retrieving = unsafe body
      restoreFromLilv(into: call)
      unsafe call.retrieving = nil
    }
  }

  private func restoreFromLilv(into call: LV2RetrievalCall) {
    // lilv passes its function to an instance's state interface: here a pseudo instance.
    var instance = unsafe LilvInstance(
      lv2_descriptor: retrievalDescriptor.pointer,
      lv2_handle: Unmanaged.passUnretained(call).toOpaque(), pimpl: nil)
    world.locked { unsafe lilv_state_restore(state, &instance, nil, nil, 0, nil) }
    extendLifetime(call)
  }
}

extension LV2_State_Status {
  /// The meaning of a plug-in's status; nil for success.
  fileprivate var refusal: String? {
    switch self {
    case LV2_STATE_SUCCESS: nil
    case LV2_STATE_ERR_UNKNOWN: "an unknown error, LV2_STATE_ERR_UNKNOWN"
    case LV2_STATE_ERR_BAD_TYPE: "a value of a wrong type, LV2_STATE_ERR_BAD_TYPE"
    case LV2_STATE_ERR_BAD_FLAGS: "wrong flags, LV2_STATE_ERR_BAD_FLAGS"
    case LV2_STATE_ERR_NO_FEATURE: "a feature of the host is missing, LV2_STATE_ERR_NO_FEATURE"
    case LV2_STATE_ERR_NO_PROPERTY: "a value is missing, LV2_STATE_ERR_NO_PROPERTY"
    case LV2_STATE_ERR_NO_SPACE: "no room for it, LV2_STATE_ERR_NO_SPACE"
    default: "error \(rawValue)"
    }
  }
}

/// Collects port values from lilv.
private final class LV2PortValues {
  var list: [(symbol: String, value: Float)] = []
}

private let setPortValue: LilvSetPortValueFunc = { symbol, context, value, size, type in
  guard let symbol = unsafe symbol, let context = unsafe context, let value = unsafe value else {
    return
  }
  let view = unsafe LV2ValueView(
    key: 0, type: type, size: Int(size), body: UnsafeMutableRawPointer(mutating: value))
  guard let number = view.number(LV2URIDs.shared), number.isFinite else { return }
  unsafe Unmanaged<LV2PortValues>.fromOpaque(context).takeUnretainedValue().list.append(
    (String(cString: symbol), number))
}
