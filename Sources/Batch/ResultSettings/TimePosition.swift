// A time in a file, as in settings.
// SPDX-License-Identifier: Apache-2.0

/// A time in a file, in seconds from its start or its end.
public struct TimePosition: Sendable, Equatable {
  /// Seconds.
  public var seconds: Double
  /// Whether they count back from the end.
  public var isFromEnd: Bool

  /// Makes a position.
  public init(seconds: Double, isFromEnd: Bool = false) {
    self.seconds = seconds
    self.isFromEnd = isFromEnd
  }

  /// The position as text.
  public var text: String { (isFromEnd ? "-" : "") + "\(seconds)" }

  /// The position as in presets: `-1.5 s`.
  package var presetText: String { "\(isFromEnd ? "-" : "")\(plainNumber(seconds)) s" }
}

extension TimePosition {
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
  package static func clockTime(_ text: String) -> Double? {
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
