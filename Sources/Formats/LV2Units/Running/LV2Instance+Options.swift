// The options interface: values that can be read from and set in a running plug-in.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import ForeignPlugIns
internal import LV2Bundles
internal import RealtimeSupport

extension LV2Instance {
  private var optionsInterface: UnsafePointer<LV2_Options_Interface>? {
    unsafe render.pointee.descriptor.pointee.extension_data?(LV2Names.options + "interface")?
      .assumingMemoryBound(to: LV2_Options_Interface.self)
  }

  /// Sets options of the plug-in by their URIs, each in the first type that it accepts.
  ///
  /// - Returns: False when it has no such interface or refuses one of them.
  ///
  /// Context: control, while nothing runs the instance.
  func setOptions(_ values: [String: String]) -> Bool {
    guard let interface = unsafe optionsInterface, let set = unsafe interface.pointee.set else {
      return false
    }
    let handle = unsafe render.pointee.handle
    return PlugInLifeCycle.perform {
      var isAccepted = true
      for name in values.keys.sorted() {
        let forms = LV2OptionValue.forms(of: values[name] ?? "", key: name)
        let found = forms.contains { form in
          unsafe form.bytes.withUnsafeBytes { value in
            var options = unsafe [
              LV2_Options_Option(
                context: LV2_OPTIONS_INSTANCE, subject: 0, key: URIDMap.shared.number(name),
                size: UInt32(value.count), type: form.type, value: value.baseAddress),
              LV2_Options_Option(),
            ]
            return unsafe set(handle, &options) == LV2_OPTIONS_SUCCESS.rawValue
          }
        }
        if !found { isAccepted = false }
      }
      return isAccepted
    }
  }

  /// Returns the values of options by their URIs; the ones that the plug-in does not return are left out.
  func options(_ names: [String]) -> [String: String] {
    guard let interface = unsafe optionsInterface, let get = unsafe interface.pointee.get else {
      return [:]
    }
    let handle = unsafe render.pointee.handle
    return PlugInLifeCycle.perform {
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

/// A value of an option in one of its possible types.
private struct LV2OptionValue {
  var type: UInt32
  var bytes: [UInt8]

  /// The possible values of a text for an option, the likeliest first.
  static func forms(of text: String, key: String) -> [LV2OptionValue] {
    let urids = LV2URIDs.shared
    func number<Value: BitwiseCopyable>(_ type: UInt32, _ value: Value) -> LV2OptionValue {
      LV2OptionValue(
        type: type, bytes: unsafe withUnsafeBytes(of: value) { unsafe Array($0) })
    }
    let terminated = Array(text.utf8) + [0]
    guard let value = Double(text) else {
      return [urids.string, urids.path, urids.uri].map {
        LV2OptionValue(type: $0, bytes: terminated)
      } + [number(urids.urid, URIDMap.shared.number(text))]
    }
    var forms = [number(urids.float, Float(value))]
    if let whole = Int64(exactly: value) {
      if let short = Int32(exactly: whole) {
        // Block lengths are integers by their specification.
        let place = key.hasPrefix(LV2Names.bufSize) ? 0 : 1
        forms.insert(number(urids.int, short), at: place)
      }
      forms.append(number(urids.long, whole))
    }
    forms.append(number(urids.double, value))
    if value == 0 || value == 1 { forms.append(number(urids.bool, Int32(value))) }
    return forms + [LV2OptionValue(type: urids.string, bytes: terminated)]
  }
}
