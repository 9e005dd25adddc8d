// The completions of units in shells: identities, URIs, names; parameters, their values, presets.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioComponents
import AudioUnits
import AuricleHost
import Foundation
import RunReports

extension CompletionKind {
  /// Units that are installed.
  static var units: CompletionKind {
    .custom { words, place, prefix in
      UnitCompletions.harmless(
        UnitCompletions.units(beginning: UnitCompletions.word(words, place, prefix)))
    }
  }

  /// `name=value` of the unit before.
  static var settings: CompletionKind {
    .custom { words, place, prefix in
      let word = UnitCompletions.word(words, place, prefix)
      guard let unit = UnitCompletions.unit(in: words, before: place) else { return [] }
      return UnitCompletions.harmless(UnitCompletions.settings(of: unit, beginning: word))
    }
  }

  /// Presets of the unit before.
  static var unitPresets: CompletionKind {
    .custom { words, place, prefix in
      let word = UnitCompletions.word(words, place, prefix)
      guard let unit = UnitCompletions.unit(in: words, before: place),
        let (report, _) = try? AuricleInstallation().describe(unit)
      else { return [] }
      return UnitCompletions.harmless(
        report.presets.flatMap { [$0.name] + [$0.uri].compactMap(\.self) }.filter {
          $0.hasPrefix(word)
        })
    }
  }

  /// Sound devices that are there.
  static var devices: CompletionKind {
    .custom { _, _, _ in
      UnitCompletions.harmless(AuricleInstallation().devices(probes: false).map(\.name))
    }
  }

  /// Voices: their languages, names and files.
  static var voices: CompletionKind {
    .custom { words, place, prefix in
      let word = UnitCompletions.word(words, place, prefix)
      var seen = Set<String>()
      let voices = (try? AuricleInstallation().speechVoices()) ?? []
      return UnitCompletions.harmless(
        voices.flatMap { [$0.language, $0.identifier, $0.name] }.filter {
          $0.hasPrefix(word) && seen.insert($0).inserted
        })
    }
  }
}

/// A finder of the candidates for a place of a command line that is being written.
enum UnitCompletions {
  /// The word that is completed, without quotes.
  static func word(_ words: [String], _ place: Int, _ prefix: String) -> String {
    plain(words.indices.contains(place) ? words[place] : prefix)
  }

  /// The unit that an option belongs to: that of the last `--unit` before it.
  static func unit(in words: [String], before place: Int) -> String? {
    let before = words.prefix(max(place, 0)).map(plain)
    for index in before.indices.reversed() {
      if before[index].hasPrefix("--unit=") { return String(before[index].dropFirst(7)) }
      if before[index] == "--unit", index + 1 < before.count { return before[index + 1] }
    }
    return nil
  }

  /// The names that begin so, in any letter case. A shell keeps words with the same beginning: the letters that were typed
  /// stay as they are.
  static func names(_ names: [String], beginning word: String) -> [String] {
    let start = word.lowercased()
    return names.filter { $0.lowercased().hasPrefix(start) }.map { word + $0.dropFirst(word.count) }
  }

  /// Identities and names, and URIs where one is begun.
  static func units(beginning word: String) -> [String] {
    guard let found = try? AuricleInstallation().components().components else { return [] }
    var seen = Set<String>()
    return found.flatMap { component in
      let exact = [component.identity] + (word.isEmpty ? [] : [component.uri].compactMap(\.self))
      return exact.filter { $0.hasPrefix(word) } + names([component.name], beginning: word)
    }.filter { seen.insert($0).inserted }
  }

  /// `name=` for every parameter that can be set; behind a name its values.
  static func settings(of unit: String, beginning word: String) -> [String] {
    guard let (report, _) = try? AuricleInstallation().describe(unit) else { return [] }
    let parameters = report.parameters.filter(\.isWritable)
    guard let equals = word.firstIndex(of: "=") else {
      let all = parameters.map(\.name) + report.texts.filter(\.isWritable).map(\.name)
      return names(all, beginning: word).map { $0 + "=" }
    }
    let name = word[..<equals].lowercased()
    guard
      let parameter = parameters.first(where: {
        $0.name.lowercased() == name || $0.symbol?.lowercased() == name || "\($0.id)" == name
      })
    else { return [] }
    return values(of: parameter).map { word[...equals] + $0 }
  }

  /// Names of values; else the default and both ends of the range.
  private static func values(of parameter: UnitReport.Parameter) -> [String] {
    guard parameter.valueNames.isEmpty else { return parameter.valueNames.map(\.name) }
    if parameter.unit == "on/off" || parameter.unit == "boolean" { return ["true", "false"] }
    var seen = Set<String>()
    return [parameter.defaultValue, parameter.minimum, parameter.maximum].map(Figures.value)
      .filter { seen.insert($0).inserted }
  }

  /// A word without the quotes that a shell removes.
  private static func plain(_ word: String) -> String {
    var text = ""
    var isEscaped = false
    for character in word {
      if isEscaped || !"\\\"'".contains(character) {
        text.append(character)
        isEscaped = false
      } else {
        isEscaped = character == "\\"
      }
    }
    return text
  }

  /// The most proposals: of more nobody reads any, and shells ask before they print them.
  private static let most = 200

  /// The words that are safe in shells: bash would run the code in `$(…)`, and zsh treats the text
  /// behind a colon as a description.
  static func harmless(_ words: [String]) -> [String] {
    let kept = words.filter { word in
      !word.contains { "$`\\\"'".contains($0) }
        && !word.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    let shown = kept.prefix(most)
    guard CompletionShell.requesting == .zsh else { return Array(shown) }
    return shown.map { $0.replacing(":", with: "\\:") }
  }
}
