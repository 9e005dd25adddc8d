// The values in a state of a plug-in's declared properties.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import LV2Bundles

extension LV2State {
  /// The values of properties in the state: numbers and texts.
  func values(
    of properties: [LV2PatchProperty]
  ) -> (numbers: [String: Float], texts: [String: String]) {
    var numbers: [String: Float] = [:]
    var texts: [String: String] = [:]
    unsafe withRetrieval { retrieve, source in
      for property in properties {
        var size = 0
        var type: UInt32 = 0
        var flags: UInt32 = 0
        guard
          let body = unsafe retrieve(
            source, URIDMap.shared.number(property.uri), &size, &type, &flags)
        else { continue }
        let view = unsafe LV2ValueView(
          key: 0, type: type, size: size, body: UnsafeMutableRawPointer(mutating: body))
        if let number = view.number(LV2URIDs.shared) {
          numbers[property.uri] = number
        } else if let text = view.text(LV2URIDs.shared) {
          texts[property.uri] = text
        }
      }
    }
    return (numbers, texts)
  }
}

extension LV2ValueView {
  /// The value as text; nil for anything else.
  func text(_ urids: LV2URIDs) -> String? {
    if let number = urid(urids) {
      return unsafe URIDMap.shared.text(number).map { unsafe String(cString: $0) }
    }
    guard type == urids.string || type == urids.path || type == urids.uri else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: body, count: size)
    let end = unsafe bytes.firstIndex(of: 0) ?? size
    return unsafe String(decoding: bytes[..<end], as: UTF8.self)
  }
}
