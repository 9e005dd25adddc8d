// The words of options for rate, level, ends and fades.
// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
public import AudioConversion
import AudioFiles
import CommandOutput
import Foundation
public import ResultSettings
import RunReports
import Workers

/// A level in dB, or `none`.
struct LevelArgument {
  var level: Double?

  /// The accepted levels of each option.
  static let loudness = within(-70...0, "LUFS")
  static let truePeak = within(-60...0, "dBTP")
  static let peak = within(-60...0, "dBFS")
  static let silence = within(-150...0, "dBFS")

  /// Returns a converter of levels of a range.
  private static func within(
    _ range: ClosedRange<Double>, _ unit: String
  ) -> @Sendable (String) throws -> LevelArgument {
    { text in
      if let argument = LevelArgument(argument: text, range, unit) { return argument }
      throw RefusedValue("none or \(NumberRange.words(range, unit))")
    }
  }

  private init?(argument: String, _ range: ClosedRange<Double>, _ unit: String) {
    if argument.lowercased() == "none" { return }
    var text = argument[...]
    // LKFS is another name of LUFS.
    for unit in [unit.lowercased(), unit == "LUFS" ? "lkfs" : "db", "db"]
    where text.lowercased().hasSuffix(unit) {
      text = text.dropLast(unit.count)
      break
    }
    while text.last == " " { text = text.dropLast() }
    guard let number = Double(text), range.contains(number) else { return nil }
    level = number
  }
}

/// A duration.
struct DurationArgument {
  var seconds: Double

  /// The accepted durations of fades.
  static let fade = upTo(3600, "0 to 3600 seconds")
  /// The accepted durations of songs.
  static let song = upTo(21_600, "a time up to 6:00:00")

  /// Returns a converter of durations up to a longest one.
  private static func upTo(
    _ longest: Double, _ accepted: String
  ) -> @Sendable (String) throws -> DurationArgument {
    { text in
      guard let time = TimePosition(text: text), !time.isFromEnd, time.seconds <= longest else {
        throw RefusedValue(accepted)
      }
      return DurationArgument(seconds: time.seconds)
    }
  }
}

extension TimePosition: ExpressibleByArgument {
  /// A position in a file.
  public init?(argument: String) {
    guard let position = TimePosition(text: argument), position.seconds <= 1e6 else { return nil }
    self = position
  }
}

/// `START..END`.
struct TrimArgument: ExpressibleByArgument {
  var start: TimePosition?
  var end: TimePosition?

  init?(argument: String) {
    let parts = argument.components(separatedBy: "..")
    guard parts.count == 2, !(parts[0].isEmpty && parts[1].isEmpty) else { return nil }
    if !parts[0].isEmpty {
      guard let place = TimePosition(argument: parts[0]) else { return nil }
      start = place
    }
    if !parts[1].isEmpty {
      guard let place = TimePosition(argument: parts[1]) else { return nil }
      end = place
    }
  }
}

extension DitherKind: ExpressibleByArgument {
  /// The words of `--dither`.
  public init?(argument: String) { self.init(named: argument) }

  /// The words shown in help texts.
  public static var allValueStrings: [String] { ["tpdf", "shaped", "none"] }
}

extension SampleRateConverter.Quality: ExpressibleByArgument {}

extension FadeCurve: ExpressibleByArgument {}

extension ExpressibleByArgument {
  /// The words of an option, for help texts.
  static var words: String { allValueStrings.joined(separator: "|") }
}
