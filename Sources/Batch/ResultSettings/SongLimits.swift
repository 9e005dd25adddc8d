// The longest song that is rendered, so that a damaged time does not fill a disk.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import HostSystem

/// The longest song that is rendered.
package struct SongLimits: Sendable, Equatable {
  /// The longest song in seconds where no other was chosen: six hours.
  package static let standardSeconds = 21_600.0
  /// The song that is always rendered, in seconds: ten minutes.
  private static let shortSeconds = 600.0
  /// The longest song as a multiple of the time between its first and its last event.
  private static let mostSpans = 20.0

  /// The longest song in seconds that was chosen; nil without a choice.
  private let chosen: Double?

  /// The limits for a chosen longest song; the standard ones for nil.
  package init(_ chosen: Double? = nil) { self.chosen = chosen }

  /// The longest song with events over a span, in seconds.
  package func longest(span: Double) -> Double {
    chosen ?? min(Self.standardSeconds, max(Self.shortSeconds, Self.mostSpans * span))
  }

  /// Refuses a song that is too long.
  ///
  /// - Parameters:
  ///   - seconds: The length of the song in seconds.
  ///   - span: The time between its first and its last event in seconds.
  ///   - name: The song in the message.
  /// - Throws: `.badData` with both figures.
  package func check(seconds: Double, span: Double, _ name: String) throws(AuricleError) {
    guard seconds > longest(span: span) else { return }
    throw AuricleError(
      .badData,
      "\(name) would be \(Self.text(seconds)) long, and its events span \(Self.text(span)): songs of more "
        + "than \(Self.text(longest(span: span))) are refused; give --longest \(Self.text(seconds + 1)) to render it"
    )
  }

  /// A time as hours, minutes and seconds.
  package static func text(_ seconds: Double) -> String {
    guard seconds < 1e9 else { return "more than thirty years" }
    let whole = Int(seconds.rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return whole < 3600
      ? "\(whole / 60):\(two(whole % 60))"
      : "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }
}
