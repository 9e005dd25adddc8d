// Completions for shells: names of presets, files and folders, and lists that cost time to make.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuricleHost
import ChainPresets
import CommandOutput
import Foundation
import HostSystem

extension CompletionKind {
  /// A list that is made only for a completion script or a description of the program: the parser
  /// makes every option of a command at each start, several times.
  static func listWhenWanted(_ words: @autoclosure () -> [String]) -> CompletionKind {
    areListsWanted ? .list(words()) : .default
  }

  /// Whether this process makes a script or a description; its arguments may be a hundred thousand files.
  private static let areListsWanted = CompletionScript.isWanted(by: ProgramArguments.words)

  /// Presets that are installed, and preset files and folders by their path.
  static var presets: CompletionKind {
    .custom { words, place, prefix in
      let prefix = UnitCompletions.word(words, place, prefix)
      let names = HostPlaces().presets.entries().map(\.name)
      return UnitCompletions.harmless(
        UnitCompletions.names(names, beginning: prefix) + presetFiles(beginning: prefix))
    }
  }

  private static func presetFiles(beginning prefix: String) -> [String] {
    let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    return (names ?? []).filter { !$0.hasPrefix(".") }.sorted().compactMap { name in
      let path = folder + name
      var isFolder: ObjCBool = false
      guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        return nil
      }
      if isFolder.boolValue { return path + "/" }
      return PresetLibrary.fileEndings.contains(where: name.hasSuffix) ? path : nil
    }
  }
}
