// Presets and default state: port values, and what a plug-in stores beside them.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv

/// A state read from data files; it can be put into an instance any number of times.
///
/// @unchecked Sendable because lilv's state is not changed after init, and is used under the world's
/// lock only.
@safe final class LV2State: @unchecked Sendable {
  private let state: OpaquePointer
  private let world: LV2World
  /// Values of control ports by symbol.
  let portValues: [(symbol: String, value: Float)]

  /// Reads the state of a resource: a preset, or a plug-in with its default state.
  ///
  /// Fails when the data has none.
  init?(uri: String, in world: LV2World) {
    let read = unsafe world.locked { () -> (OpaquePointer, LV2PortValues)? in
      guard let node = unsafe world.node(uri) else { return nil }
      // A plug-in's own data is in the world already.
      if unsafe world.plugin(uri) == nil { unsafe lilv_world_load_resource(world.handle, node) }
      guard
        let state = unsafe lilv_state_new_from_world(world.handle, URIDMap.cMap.pointer, node)
      else { return nil }
      let values = LV2PortValues()
      unsafe lilv_state_emit_port_values(
        state, takePortValue, Unmanaged.passUnretained(values).toOpaque())
      return unsafe (state, values)
    }
    guard let (state, values) = unsafe read else { return nil }
    unsafe self.state = unsafe state
    self.world = world
    portValues = values.list
  }

  deinit {
    world.locked { unsafe lilv_state_free(state) }
  }

  /// Whether there is more to it than port values.
  var hasProperties: Bool {
    world.locked { unsafe lilv_state_get_num_properties(state) } > 0
  }

  /// Puts the state beside the port values into an instance. Call it inside `LV2LifeCycle.perform`.
  func restore(
    _ descriptor: UnsafePointer<LV2_Descriptor>, _ handle: LV2_Handle?,
    features: UnsafePointer<UnsafePointer<LV2_Feature>?>
  ) {
    // lilv asks the instance for its state interface through these two fields alone.
    var instance = unsafe LilvInstance(
      lv2_descriptor: descriptor, lv2_handle: handle, pimpl: nil)
    world.locked {
      unsafe lilv_state_restore(state, &instance, nil, nil, 0, features)
    }
  }
}

/// Gathers what lilv emits.
private final class LV2PortValues {
  var list: [(symbol: String, value: Float)] = []
}

private let takePortValue: LilvSetPortValueFunc = { symbol, context, value, size, type in
  guard let symbol = unsafe symbol, let context = unsafe context, let value = unsafe value else {
    return
  }
  let map = URIDMap.shared
  var number: Float?
  switch (type, size) {
  case (map.number(LV2Names.atom + "Float"), 4...):
    number = unsafe value.loadUnaligned(as: Float.self)
  case (map.number(LV2Names.atom + "Double"), 8...):
    number = unsafe Float(value.loadUnaligned(as: Double.self))
  case (map.number(LV2Names.atom + "Int"), 4...), (map.number(LV2Names.atom + "Bool"), 4...):
    number = unsafe Float(value.loadUnaligned(as: Int32.self))
  case (map.number(LV2Names.atom + "Long"), 8...):
    number = unsafe Float(value.loadUnaligned(as: Int64.self))
  default: break
  }
  guard let number, number.isFinite else { return }
  unsafe Unmanaged<LV2PortValues>.fromOpaque(context).takeUnretainedValue().list.append(
    (String(cString: symbol), number))
}
