// Places in a file and bit rates as people write them, in presets and on command lines.
// SPDX-License-Identifier: Apache-2.0

extension OutputSettings.Place {
  /// Reads `90`, `1.5 s`, `500 ms`, `2 min`, `1:30` or `0:01:30.5`; with `-` before it, from the end.
  ///
  /// Context: any.
  public init?(text: String) {
    var rest = trimmingSpaces(text)
    let isFromEnd = rest.hasPrefix("-")
    if isFromEnd { rest = trimmingSpaces(String(rest.dropFirst())) }
    guard let seconds = Self.clockTime(rest) ?? Self.plainTime(rest), seconds >= 0,
      !rest.hasPrefix("-")
    else { return nil }
    self.init(seconds: seconds, isFromEnd: isFromEnd)
  }

  private static func plainTime(_ text: String) -> Double? {
    guard case .quantity(let quantity) = Quantity.read(text),
      quantity.unit == nil || quantity.unit?.kind == .time
    else { return nil }
    return quantity.basicValue
  }

  /// `1:30` or `0:01:30.5`, in seconds.
  static func clockTime(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    var total = 0.0
    for (place, part) in parts.enumerated() {
      let isLast = place == parts.count - 1
      guard !part.isEmpty, part.allSatisfy({ $0.isASCII && $0.isNumber || isLast && $0 == "." }),
        let number = Double(part), place == 0 || number < 60
      else { return nil }
      total = total * 60 + number
    }
    return total
  }
}

extension OutputSettings {
  /// Reads bits a second: `192000`, `192k`, `192 kbit/s`; nil for what makes no sense.
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
