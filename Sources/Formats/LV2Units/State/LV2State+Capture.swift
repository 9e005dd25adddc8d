// Captures the state of a running instance.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import ForeignPlugIns
internal import LV2Bundles

/// The values of control ports while lilv reads them.
@safe private final class LV2PortAnswers {
  let values: [String: Float]
  let answer = UnsafeMutablePointer<Float>.allocate(capacity: 1)

  init(_ values: [String: Float]) {
    self.values = values
    unsafe answer.initialize(to: 0)
  }

  deinit { unsafe answer.deallocate() }
}

private let getPortValue: LilvGetPortValueFunc = { symbol, context, size, type in
  guard let symbol = unsafe symbol, let context = unsafe context else { return nil }
  let answers = unsafe Unmanaged<LV2PortAnswers>.fromOpaque(context).takeUnretainedValue()
  guard let value = unsafe answers.values[String(cString: symbol)] else { return nil }
  unsafe answers.answer.pointee = value
  unsafe size?.pointee = 4
  unsafe type?.pointee = LV2URIDs.shared.float
  return unsafe UnsafeRawPointer(answers.answer)
}

extension LV2State {
  /// A state of texts and paths only; nil when they cannot be written.
  static func holding(
    _ texts: [(property: LV2PatchProperty, text: String)], of plugin: String, in world: LV2World
  ) -> LV2State? {
    let values = texts.map { entry in
      "<\(entry.property.uri)> \(LV2Text.literal(entry.text))^^<\(entry.property.range.typeURI)>"
    }
    return read(
      turtle:
        "<urn:auricle:state> a <\(LV2Names.preset)> ; <\(LV2Names.core)appliesTo> <\(plugin)> ; "
        + "<\(LV2Names.state)state> [ \(values.joined(separator: " ; ")) ] .\n", in: world)
  }

  /// The state of an instance, or port values alone without one. Call it inside `PlugInLifeCycle.perform`; the
  /// instance may be running.
  ///
  /// - Parameters:
  ///   - portValues: Values of control ports by symbol.
  ///   - mode: How to map the state's paths: for an internal state, or for a folder.
  static func capture(
    _ plugin: LV2Plugin, _ descriptor: UnsafePointer<LV2_Descriptor>?, _ handle: LV2_Handle?,
    features: UnsafePointer<UnsafePointer<LV2_Feature>?>?, paths: LV2StatePaths,
    portValues: [String: Float], mode: LV2StatePaths.Mode
  ) -> LV2State? {
    let call = LV2RetrievalCall()
    if let descriptor = unsafe descriptor,
      let interface = unsafe descriptor.pointee.extension_data?(LV2Names.state + "interface")?
        .assumingMemoryBound(to: LV2_State_Interface.self),
      let save = unsafe interface.pointee.save
    {
      let flags = LV2_STATE_IS_POD.rawValue | LV2_STATE_IS_PORTABLE.rawValue
      unsafe call.storing = { store, target in
        unsafe save(handle, store, target, flags, features)
      }
    }
    let answers = LV2PortAnswers(portValues)
    return paths.during(mode) {
      plugin.world.locked { () -> LV2State? in
        guard let described = unsafe plugin.world.plugin(plugin.description.uri) else { return nil }
        var instance = unsafe LilvInstance(
          lv2_descriptor: retrievalDescriptor.pointer,
          lv2_handle: Unmanaged.passUnretained(call).toOpaque(), pimpl: nil)
        let made = unsafe lilv_state_new_from_instance(
          described, &instance, URIDMap.cMap.pointer, nil, nil, nil, nil, getPortValue,
          Unmanaged.passUnretained(answers).toOpaque(), 0, nil)
        extendLifetime(answers)
        extendLifetime(call)
        guard let made = unsafe made else { return nil }
        let state = unsafe LV2State(made, plugin.world, folders: nil)
        if case .live = mode, let folder = paths.ownFolder {
          state.files = LV2Files.contents(of: folder) ?? []
          state.formerFolder = folder
        }
        return state
      }
    }
  }
}
