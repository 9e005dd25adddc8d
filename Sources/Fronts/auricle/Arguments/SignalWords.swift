// The words of options for rate, level, ends and fades.
// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
public import AudioConversion
import AudioFiles
import Foundation
public import ResultSettings
import RunReports
import Workers

/// A level in dB, or `none`.
struct LevelArgument: ExpressibleByArgument {
  var level: Double?

  init(level: Double?) { self.level = level }

  init?(argument: String) {
    if argument.lowercased() == "none" { return }
    var text = argument[...]
    for unit in ["lufs", "lkfs", "dbtp", "dbfs", "db"] where text.lowercased().hasSuffix(unit) {
      text = text.dropLast(unit.count)
      break
    }
    while text.last == " " { text = text.dropLast() }
    guard let number = Double(text), number.isFinite else { return nil }
    level = number
  }

  var defaultValueDescription: String { level.map { Figures.plain($0) } ?? "none" }
}

/// A duration.
struct DurationArgument: ExpressibleByArgument {
  var seconds: Double

  init?(argument: String) {
    guard let time = TimePosition(text: argument), !time.isFromEnd else { return nil }
    seconds = time.seconds
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
