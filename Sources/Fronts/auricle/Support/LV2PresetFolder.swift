// A user's LV2 presets of a plug-in: bundles in ~/.lv2 that every LV2 host finds.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import BatchProcessing
import Foundation
import LV2Units

/// Writes and removes preset bundles.
struct LV2PresetFolder {
  private let host: Host
  private let component: AudioComponent
  private let base: String

  /// - Throws: When there is no home folder.
  init(_ host: Host, of component: AudioComponent) throws(AuricleError) {
    guard let home = ProcessInfo.processInfo.environment["HOME"], home.hasPrefix("/") else {
      throw AuricleError(.inputOutput, "there is no home folder: HOME is not set")
    }
    self.host = host
    self.component = component
    base = home + "/.lv2"
  }

  /// Saves the state of a unit that is initialized; the preset's folder.
  func save(
    _ unit: AudioUnit, name: String, bank: String?, overwrite: Bool
  ) throws(AuricleError) -> String {
    let title = Self.fileName(component.shortName) + "_" + Self.fileName(name)
    let folder = base + "/" + title + ".preset.lv2"
    let exists = FileManager.default.fileExists(atPath: folder)
    if exists, !overwrite {
      throw AuricleError(.inputOutput, "\(folder) exists; --overwrite replaces it")
    }
    // It is made beside its place, looked at, and moved there when it is in order.
    let workshop = base + "/.auricle-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    let draft = workshop + "/" + title + ".preset.lv2"
    try FolderMaker.make(draft)
    defer { try? FileManager.default.removeItem(atPath: workshop) }
    let file = Self.fileName(name) + ".ttl"
    try unit.saveLV2Preset(to: draft, file: file, label: name)
    if let bank { try Self.add(bank, to: draft, file: file) }
    let written = LV2Catalog(searchPath: workshop, cacheFolder: "").bundles
    guard let bundle = written.first, bundle.presetCount == 1, bundle.problems.isEmpty else {
      let reason = written.first?.problems.first ?? "it holds no preset"
      throw AuricleError(.software, "the preset came out wrong: \(reason)")
    }
    do {
      if exists { try FileManager.default.removeItem(atPath: folder) }
      try FileManager.default.moveItem(atPath: draft, toPath: folder)
    } catch { throw AuricleError(.inputOutput, "\(folder) cannot be written") }
    if !isSearched {
      StandardStreams.writeMessage(
        "note: LV2_PATH does not name \(TerminalText.plain(base)), so no host finds the preset: add "
          + "that folder to LV2_PATH, or unset it")
    }
    return folder
  }

  /// Whether hosts look for presets in the folder: it is one of the customary ones, which LV2_PATH
  /// takes the place of.
  private var isSearched: Bool {
    guard let path = ProcessInfo.processInfo.environment["LV2_PATH"], !path.isEmpty else {
      return true
    }
    let wanted = URL(fileURLWithPath: base).resolvingSymlinksInPath().path
    for part in path.split(separator: ":") {
      // The home folder is that of the environment, as where plug-ins are looked for.
      var folder = String(part)
      if folder == "~" || folder.hasPrefix("~/") {
        folder = String(base.dropLast("/.lv2".count)) + String(folder.dropFirst())
      }
      if URL(fileURLWithPath: folder).resolvingSymlinksInPath().path == wanted { return true }
    }
    return false
  }

  /// Deletes the preset of a name or URI; the folder that is gone.
  func delete(_ name: String) throws(AuricleError) -> String {
    let catalog = host.lv2Catalog()
    let presets = component.location.uri.flatMap { catalog.plugIn(uri: $0) }?.presets ?? []
    let found = presets.filter { $0.uri == name || $0.name == name }
    let own = found.filter { $0.bundle.hasPrefix(base + "/") }
    guard let preset = own.first else {
      if let other = found.first {
        throw AuricleError(
          .unavailable, "\"\(name)\" comes with \(other.bundle); only your own presets are deleted")
      }
      throw AuricleError(.unavailable, "\(component.name) has no preset \"\(name)\"")
    }
    guard own.count == 1 else {
      let uris = own.map(\.uri).joined(separator: ", ")
      throw AuricleError(
        .unavailable, "\"\(name)\" is the name of \(own.count) presets; give the URI: \(uris)")
    }
    let bundle = catalog.bundles.first { $0.path == preset.bundle }
    guard bundle?.presetCount == 1, bundle?.plugIns.isEmpty == true else {
      throw AuricleError(
        .unavailable, "\(preset.bundle) holds other things beside this preset; it is left alone")
    }
    do { try FileManager.default.removeItem(atPath: preset.bundle) } catch {
      throw AuricleError(.inputOutput, "\(preset.bundle) cannot be deleted")
    }
    return preset.bundle
  }

  /// A text as the name of a file: letters, digits, "-", "." and "_".
  static func fileName(_ text: String) -> String {
    let clean = text.unicodeScalars.map { scalar -> Character in
      let isPlain = scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      return isPlain || scalar == "-" ? Character(scalar) : "_"
    }
    let name = String(String(clean).prefix(80))
    // Names that differ in other letters alone are told apart.
    let isAltered = text.unicodeScalars.contains { !$0.isASCII } || text.count > 80
    return isAltered ? name + "-" + CacheFile.name(for: text).suffix(6) : name
  }

  private static func add(
    _ bank: String, to folder: String, file: String
  ) throws(AuricleError) {
    let uri = "urn:auricle:bank:" + fileName(bank)
    let label = bank.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let prefixes = """

      @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
      @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

      """
    let bankText = "<\(uri)> a pset:Bank ; rdfs:label \"\(label)\" .\n"
    for (name, subject) in [("manifest.ttl", file), (file, "")] {
      let path = folder + "/" + name
      let text = (FileManager.default.contents(atPath: path)).map {
        String(decoding: $0, as: UTF8.self)
      }
      let whole = (text ?? "") + prefixes + "<\(subject)> pset:bank <\(uri)> .\n" + bankText
      do { try whole.write(toFile: path, atomically: true, encoding: .utf8) } catch {
        throw AuricleError(.inputOutput, "\(path) cannot be written")
      }
    }
  }
}

extension AudioUnit {
  /// Initializes the unit so that its state can be taken: offline, where the worker of an LV2 plug-in has
  /// done its jobs by then, and for slices as those of batches, since plug-ins may refuse others.
  func initializeToSave() throws(AuricleError) {
    setRendersOffline(true)
    try setMaximumFramesPerSlice(JobSettings().framesPerSlice)
    try initialize()
  }
}
