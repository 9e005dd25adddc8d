// A place in a file, as settings hold it.
// SPDX-License-Identifier: Apache-2.0

public import ChainPresets

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

  /// What a preset says.
  public init(_ place: OutputSettings.Place) {
    self.init(seconds: place.seconds, isFromEnd: place.isFromEnd)
  }

  /// Reads `90`, `1:30`, `0:01:30.5`, `90s`, `500ms`, `2min`; with `-` before it, from the end.
  ///
  /// Context: any.
  public init?(text: String) {
    guard let place = OutputSettings.Place(text: text) else { return nil }
    self.init(place)
  }

  /// The place as it may be written.
  public var text: String { (isFromEnd ? "-" : "") + "\(seconds)" }
}
