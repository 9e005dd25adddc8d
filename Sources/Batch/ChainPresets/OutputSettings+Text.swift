// Bit rates as people write them, in presets and on command lines.
// SPDX-License-Identifier: Apache-2.0

import ResultSettings

extension OutputSettings {
  /// Reads bits a second: `192000`, `192k`, `192 kbit/s`; nil for anything else.
  ///
  /// Context: any.
  public static func bitRate(text: String) -> Int? {
    var rest = trimmingSpaces(text).lowercased()
    var scale = 1.0
    for (unit, factor) in [
      ("kbit/s", 1000.0), ("kbps", 1000), ("k", 1000), ("bit/s", 1), ("bps", 1),
    ] where rest.hasSuffix(unit) {
      rest = trimmingSpaces(String(rest.dropLast(unit.count)))
      scale = factor
      break
    }
    guard let number = parseNumber(rest), (1...1e8).contains(number * scale) else { return nil }
    return Int((number * scale).rounded())
  }
}
