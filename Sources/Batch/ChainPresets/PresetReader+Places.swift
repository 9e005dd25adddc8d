// Reads and checks times in a file and bit rates of a preset.
// SPDX-License-Identifier: Apache-2.0

import ResultSettings

extension PresetReader {
  /// A time such as `90`, `1.5 s`, `1:30`; with `-` before it, from the end.
  mutating func place(_ node: PresetNode, key: String) -> TimePosition? {
    let form = "\(quoted(key)) is a place such as 1.5 s or 1:30, or -5 s for 5 s before the end"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    guard let place = TimePosition(text: text) else {
      add("\(form), not \(quoted(text))", at: node.position)
      return nil
    }
    guard place.seconds <= 1e6 else {
      add("\(quoted(key)) lies within 1000000 s; \(quoted(text)) is outside", at: node.position)
      return nil
    }
    return place
  }

  /// Bits a second: `192000`, `192k`, `192 kbit/s`; `none` for the encoder's own; `nil` for `same`.
  mutating func bitRate(_ node: PresetNode) -> BitRate? {
    let form = "'bit rate' is same, none, or bits a second such as 192k"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    switch trimmingSpaces(text).lowercased() {
    case PresetKeys.sameWord: return nil
    case PresetKeys.noneWord: return .encoders
    default: break
    }
    guard let rate = OutputSettings.bitRate(text: text) else {
      add("\(form), not \(quoted(text))", at: node.position)
      return nil
    }
    return .bits(rate)
  }
}
