// A place in a file, as settings hold it.
// SPDX-License-Identifier: Apache-2.0

/// A place in a file, in seconds from its start or its end.
public struct TimePosition: Sendable, Equatable {
  /// Seconds.
  public var seconds: Double
  /// Whether they are counted from the end backwards.
  public var isFromEnd: Bool

  /// A place.
  public init(seconds: Double, isFromEnd: Bool = false) {
    self.seconds = seconds
    self.isFromEnd = isFromEnd
  }

  /// The place as it may be written.
  public var text: String { (isFromEnd ? "-" : "") + "\(seconds)" }

  /// The place as presets have it: `-1.5 s`.
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
