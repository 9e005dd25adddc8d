// The presets available by name: shipped ones, and the user's.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import HostSystem

/// Folders of presets; a preset's name is its file's name without the extension.
public struct PresetLibrary: Sendable {
  /// A preset file in one of the folders.
  public struct Entry: Sendable {
    /// Its name: the file's name without the extension.
    public let name: String
    /// The file.
    public let path: String
    /// The preset, or `nil` when it cannot be read.
    public let preset: ChainPreset?
    /// Why it cannot be read.
    public let errors: PresetErrors?
  }

  /// The extensions of preset files.
  public static let fileEndings = [".yaml", ".yml", ".json"]

  /// The folders, in the order they are searched.
  public let folders: [String]

  /// Makes a library; folders that do not exist are skipped.
  ///
  /// Context: any.
  public init(folders: [String]) { self.folders = folders }

  /// The user's folder, `$XDG_CONFIG_HOME/auricle/presets`, then the shipped ones.
  ///
  /// A user's preset hides one that ships under the same name.
  ///
  /// Context: control.
  public static func standardFolders(shipped: [String]) -> [String] {
    (userFolder.map { [$0] } ?? []) + shipped
  }

  /// The user's own folder of presets, or `nil` when there is no home folder.
  ///
  /// Context: control.
  public static var userFolder: String? {
    if let folder = environmentVariable("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      return folder + "/auricle/presets"
    }
    return environmentVariable("HOME").map { $0 + "/.config/auricle/presets" }
  }

  /// The preset behind one, the first behind the last and behind none; nil where there are none.
  ///
  /// Context: control.
  package func name(after present: String?) -> String? {
    let names = entries().map(\.name)
    let place = present.flatMap { names.firstIndex(of: $0) } ?? -1
    return names.isEmpty ? nil : names[(place + 1) % names.count]
  }

  /// Every preset by name, sorted, each name once; broken files come with their errors.
  ///
  /// Context: control.
  public func entries() -> [Entry] {
    files().map { file in
      do throws(PresetErrors) {
        let preset = try ChainPreset(path: file.path)
        return Entry(name: file.name, path: file.path, preset: preset, errors: nil)
      } catch {
        return Entry(name: file.name, path: file.path, preset: nil, errors: error)
      }
    }
  }

  /// The file of a preset's name or path.
  ///
  /// A text with a `/` or an extension of preset files is a path; any other is a name. The path of an
  /// exported folder means the preset in it.
  ///
  /// - Throws: One diagnostic of the kind `input` with near names.
  ///
  /// Context: control.
  public func path(of nameOrPath: String) throws(PresetErrors) -> String {
    let files = files()
    if Self.isPath(nameOrPath) {
      if let path = Self.preset(inExport: nameOrPath) { return path }
      if unsafe access(nameOrPath, F_OK) != 0,
        let file = files.first(where: { file in
          Self.fileEndings.contains { file.name + $0 == nameOrPath }
        })
      {
        throw PresetErrors([
          PresetDiagnostic(
            "there is no preset file \(quoted(nameOrPath)) here; did you mean the preset "
              + "\(quoted(file.name)), by its name alone?", kind: .input)
        ])
      }
      try Self.refuseSound(nameOrPath)
      return nameOrPath
    }
    if let file = files.first(where: { $0.name == nameOrPath }) { return file.path }
    let wanted = comparableName(nameOrPath)
    let alike = files.filter { comparableName($0.name) == wanted }
    if alike.count == 1 { return alike[0].path }
    try Self.refuseSound(nameOrPath)
    let names = files.map(\.name)
    var hint = suggestion(for: nameOrPath, in: names)
    // Files of the working folder are found by path only.
    if !nameOrPath.hasPrefix("-"), isReadable(nameOrPath) {
      hint = "; did you mean \(quoted("./" + nameOrPath))?"
    }
    if hint.isEmpty, !names.isEmpty, names.count <= 20 {
      hint = "; there are \(alternatives(names, joinedBy: "and"))"
    }
    if hint.isEmpty, names.count > 20 { hint = "; auricle preset list names all \(names.count)" }
    let folders = folders.isEmpty ? "" : " in \(alternatives(folders))"
    throw PresetErrors([
      PresetDiagnostic(
        "there is no preset \(quoted(nameOrPath))\(folders)\(hint)", kind: .input,
        cause: .unknownName(nameOrPath, kind: .preset))
    ])
  }

  /// The end of a sentence that proposes presets whose names are near to a word; empty without any.
  ///
  /// Context: control.
  package func proposal(for word: String) -> String {
    suggestion(for: word, in: files().map(\.name))
  }

  /// Whether a path leads to a file, or to an exported folder.
  private func isReadable(_ path: String) -> Bool {
    guard let kind = FileIdentity.of(path)?.kind else { return false }
    return kind != .folder || Self.preset(inExport: path) != nil
  }

  /// Refuses a file of sound or notes in place of a preset.
  private static func refuseSound(_ path: String) throws(PresetErrors) {
    guard let kind = FileBeginning(path: path) else { return }
    throw PresetErrors([PresetDiagnostic("\(quoted(path)) is no preset, but \(kind.advice)")])
  }

  /// Reads a preset by name or path.
  ///
  /// - Throws: That there is none, or all its mistakes.
  ///
  /// Context: control.
  public func preset(_ nameOrPath: String) throws(PresetErrors) -> ChainPreset {
    try ChainPreset(path: path(of: nameOrPath))
  }

  /// The preset in an exported folder, which has a list of checksums; nil for other folders.
  private static func preset(inExport path: String) -> String? {
    var folder = path
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    let names = fileNames(in: folder)
    guard names.contains("SHA256SUMS") else { return nil }
    let presets = names.filter { name in fileEndings.contains { name.hasSuffix($0) } }
    return presets.count == 1 ? folder + "/" + presets[0] : nil
  }

  private static func isPath(_ text: String) -> Bool {
    text.contains("/") || fileEndings.contains { text.hasSuffix($0) }
  }

  private func files() -> [(name: String, path: String)] {
    var paths: [String: String] = [:]
    for folder in folders {
      var here: [String: String] = [:]
      for file in fileNames(in: folder).sorted() where !file.hasPrefix(".") {
        guard let ending = Self.fileEndings.first(where: { file.hasSuffix($0) }) else { continue }
        let name = String(file.dropLast(ending.count))
        if here[name] == nil { here[name] = "\(folder)/\(file)" }
      }
      paths.merge(here) { first, _ in first }
    }
    return paths.sorted { $0.key < $1.key }.map { (name: $0.key, path: $0.value) }
  }
}

/// The names in a folder; none when it cannot be read.
private func fileNames(in folder: String) -> [String] {
  guard !folder.utf8.contains(0), let directory = unsafe opendir(folder) else { return [] }
  defer { unsafe closedir(directory) }
  var names: [String] = []
  while let entry = unsafe readdir(directory) {
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
      unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
    }
    names.append(name)
  }
  return names
}

private func environmentVariable(_ name: String) -> String? {
  guard let value = unsafe getenv(name) else { return nil }
  let text = unsafe String(cString: value)
  return text.isEmpty ? nil : text
}
