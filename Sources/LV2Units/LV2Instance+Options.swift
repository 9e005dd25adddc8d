// The options interface: values a plug-in can be asked for and told while it lives.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import RealtimeSupport

extension LV2Instance {
  private var optionsInterface: UnsafePointer<LV2_Options_Interface>? {
    unsafe render.pointee.descriptor.pointee.extension_data?(LV2Names.options + "interface")?
      .assumingMemoryBound(to: LV2_Options_Interface.self)
  }

  /// Tells the plug-in options by their URIs: a number goes as a float, anything else as text.
  ///
  /// - Returns: False when it has no such interface or refuses one of them.
  ///
  /// Context: control, while nothing runs the instance.
  func setOptions(_ values: [String: String]) -> Bool {
    guard let interface = unsafe optionsInterface, let set = unsafe interface.pointee.set else {
      return false
    }
    let handle = unsafe render.pointee.handle
    return LV2LifeCycle.perform {
      var isTaken = true
      for name in values.keys.sorted() {
        let text = values[name] ?? ""
        let number = Float(text)
        let bytes =
          number.map { value in unsafe withUnsafeBytes(of: value) { unsafe Array($0) } }
          ?? Array(text.utf8) + [0]
        let status = unsafe bytes.withUnsafeBytes { value -> UInt32 in
          var options = unsafe [
            LV2_Options_Option(
              context: LV2_OPTIONS_INSTANCE, subject: 0, key: URIDMap.shared.number(name),
              size: UInt32(value.count),
              type: number == nil ? LV2URIDs.shared.string : LV2URIDs.shared.float,
              value: value.baseAddress), LV2_Options_Option(),
          ]
          return unsafe set(handle, &options)
        }
        if status != LV2_OPTIONS_SUCCESS.rawValue { isTaken = false }
      }
      return isTaken
    }
  }

  /// What the plug-in says of options, by their URIs; those it does not answer are left out.
  func options(_ names: [String]) -> [String: String] {
    guard let interface = unsafe optionsInterface, let get = unsafe interface.pointee.get else {
      return [:]
    }
    let handle = unsafe render.pointee.handle
    return LV2LifeCycle.perform {
      var found: [String: String] = [:]
      for name in names {
        var options = unsafe [
          LV2_Options_Option(
            context: LV2_OPTIONS_INSTANCE, subject: 0, key: URIDMap.shared.number(name), size: 0,
            type: 0, value: nil), LV2_Options_Option(),
        ]
        guard unsafe get(handle, &options) == LV2_OPTIONS_SUCCESS.rawValue,
          let value = unsafe options[0].value
        else { continue }
        let view = unsafe LV2ValueView(
          key: 0, type: options[0].type, size: Int(options[0].size),
          body: UnsafeMutableRawPointer(mutating: value))
        found[name] = view.number(LV2URIDs.shared).map { "\($0)" } ?? view.text(LV2URIDs.shared)
      }
      return found
    }
  }
}
