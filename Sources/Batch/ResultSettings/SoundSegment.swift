// The part of an input that a line of a manifest names: a separate item of a run.
// SPDX-License-Identifier: Apache-2.0

/// A part of a sound file.
public struct SoundSegment: Sendable, Equatable {
  /// Where it begins, in seconds from the start of the file.
  public var start: Double
  /// Its length in seconds; nil up to the end of the file.
  public var seconds: Double?

  /// Makes a part; nil for numbers that are no times.
  public init?(start: Double, seconds: Double?) {
    guard start.isFinite, start >= 0, seconds.map({ $0.isFinite && $0 > 0 }) != false else {
      return nil
    }
    self.start = start
    self.seconds = seconds
  }

  /// The part in names of files: `1.5-2.25`, its start and its end in seconds.
  package var text: String {
    let end = seconds.map { plainNumber(((start + $0) * 1e6).rounded() / 1e6) } ?? "end"
    return "\(plainNumber((start * 1e6).rounded() / 1e6))-\(end)"
  }
}

extension JobSettings {
  /// The settings for a part of a file: places from the start or the end are those of the part.
  ///
  /// Context: any.
  package func within(_ segment: SoundSegment?) -> JobSettings {
    guard let segment else { return self }
    var settings = self
    let end = segment.seconds.map { segment.start + $0 }
    func place(_ position: TimePosition) -> TimePosition {
      guard position.isFromEnd else {
        let time = segment.start + position.seconds
        return TimePosition(seconds: min(time, end ?? time))
      }
      guard let end else { return position }
      return TimePosition(seconds: max(segment.start, end - position.seconds))
    }
    settings.start = place(start ?? TimePosition(seconds: 0))
    settings.end = self.end.map(place) ?? end.map { TimePosition(seconds: $0) }
    return settings
  }
}
