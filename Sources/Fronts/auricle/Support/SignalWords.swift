// The words that the options of rate, level, ends and fades take.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioFiles
import BatchProcessing
import Foundation

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

/// A length of time.
struct DurationArgument: ExpressibleByArgument {
  var seconds: Double

  init?(argument: String) {
    guard let time = TimePosition(text: argument), !time.isFromEnd else { return nil }
    seconds = time.seconds
  }
}

/// A place in a file.
struct PlaceArgument: ExpressibleByArgument {
  var position: TimePosition

  init?(argument: String) {
    guard let position = TimePosition(text: argument), position.seconds <= 1e6 else { return nil }
    self.position = position
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
      guard let place = PlaceArgument(argument: parts[0])?.position else { return nil }
      start = place
    }
    if !parts[1].isEmpty {
      guard let place = PlaceArgument(argument: parts[1])?.position else { return nil }
      end = place
    }
  }
}

/// The words of `--dither`.
enum DitherArgument: String, ExpressibleByArgument, CaseIterable {
  case tpdf
  case shaped
  case none

  var kind: DitherKind {
    switch self {
    case .tpdf: .triangular
    case .shaped: .shaped
    case .none: .none
    }
  }

  /// The words, for help texts.
  static var words: String { allCases.map(\.rawValue).joined(separator: "|") }
}

/// The words of `--resample-quality`.
enum ResampleArgument: String, ExpressibleByArgument, CaseIterable {
  case quick
  case low
  case medium
  case high
  case veryHigh = "very-high"

  var quality: SampleRateConverter.Quality {
    switch self {
    case .quick: .quick
    case .low: .low
    case .medium: .medium
    case .high: .high
    case .veryHigh: .veryHigh
    }
  }

  /// The words, for help texts.
  static var words: String { allCases.map(\.rawValue).joined(separator: "|") }
}

/// The words of `--fade-curve`.
enum FadeArgument: String, ExpressibleByArgument, CaseIterable {
  case linear
  case sine
  case cosine
  case exponential

  var curve: FadeCurve {
    switch self {
    case .linear: .linear
    case .sine: .sine
    case .cosine: .cosine
    case .exponential: .exponential
    }
  }

  /// The words, for help texts.
  static var words: String { allCases.map(\.rawValue).joined(separator: "|") }
}
