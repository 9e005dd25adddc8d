// User presets in a plug-in's own format, as bundles that every host finds.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import AuricleHost
import CommandOutput
import Foundation
import HostSystem
import InstalledComponents
import RunReports
import Workers

/// Writes and removes preset bundles.
struct UserPresetBundles {
  private let host: HostPlaces
  private let component: AudioComponent
  private let format: any ComponentFormat
  private let names: PresetBundleNames
  private let base: String

  /// Nil when user presets of the component are `.aupreset` files.
  ///
  /// - Throws: When there is no home folder.
  init?(_ host: HostPlaces, of component: AudioComponent) throws(AuricleError) {
    guard let format = host.formats.format(named: component.origin.format),
      let names = format.presetBundles
    else { return nil }
    guard let base = names.userFolder else {
      throw AuricleError(.inputOutput, "there is no home folder: HOME is not set")
    }
    self.host = host
    self.component = component
    self.format = format
    self.names = names
    self.base = base
  }

  /// Saves the state of an initialized unit; returns the preset's folder.
  func save(
    _ unit: AudioUnit, name: String, bank: String?, overwrite: Bool
  ) throws(AuricleError) -> String {
    let title = CacheFile.plainName(for: component.shortName) + "_" + CacheFile.plainName(for: name)
    let folder = base + "/" + title + names.savedEnding
    let exists = FileManager.default.fileExists(atPath: folder)
    if exists {
      guard overwrite else {
        throw AuricleError(.inputOutput, "\(folder) exists: give --overwrite to replace it")
      }
      guard holdsOnePreset(folder) else {
        throw AuricleError(
          .inputOutput, "\(folder) holds more than a preset: choose another name")
      }
    }
    // It is made beside its place, checked, and moved there if it is valid.
    let workshop = base + "/.auricle-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    let draft = workshop + "/" + title + names.savedEnding
    try FolderMaker.make(draft)
    defer { try? FileManager.default.removeItem(atPath: workshop) }
    let file = CacheFile.plainName(for: name) + names.fileEnding
    try unit.savePreset(to: draft, file: file, label: name, bank: bank)
    let written = format.catalog(CatalogRequest(searchPath: workshop, cacheFolder: "")).bundles
    guard let bundle = written.first, bundle.presetCount == 1, bundle.problems.isEmpty else {
      let reason = written.first?.problems.first ?? "it holds no preset"
      throw AuricleError(.software, "the preset was not written correctly: \(reason)")
    }
    do {
      if exists { try FileManager.default.removeItem(atPath: folder) }
      try FileManager.default.moveItem(atPath: draft, toPath: folder)
    } catch { throw AuricleError(.inputOutput, "\(folder) cannot be written") }
    if !isSearched {
      StandardStreams.writeMessage(
        "note: \(format.searchVariable) does not name \(TerminalText.plain(base)), so no host finds "
          + "the preset: add that folder to \(format.searchVariable), or unset it")
    }
    return folder
  }

  /// Whether a folder is a bundle with one preset and nothing else that a host would read.
  private func holdsOnePreset(_ folder: String) -> Bool {
    guard !FileIdentity.isLink(folder) else { return false }
    let found = format.catalog(CatalogRequest(searchPath: base, cacheFolder: "")).bundles
    let bundle = found.first { $0.path == folder }
    return bundle?.presetCount == 1 && bundle?.units.isEmpty == true
  }

  /// Whether hosts search the folder: it is one of the default ones, unless a search variable replaces them.
  private var isSearched: Bool {
    let wanted = URL(fileURLWithPath: base).resolvingSymlinksInPath().path
    return format.searchPaths.contains {
      URL(fileURLWithPath: $0).resolvingSymlinksInPath().path == wanted
    }
  }

  /// Deletes a preset by name or URI; returns the removed folder.
  func delete(_ name: String) throws(AuricleError) -> String {
    let catalog = format.catalog(host.catalogRequest())
    let presets = catalog.metadata(of: component)?.presets ?? []
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
    guard bundle?.presetCount == 1, bundle?.units.isEmpty == true else {
      throw AuricleError(
        .unavailable, "\(preset.bundle) holds more than this preset: delete it by hand")
    }
    do { try FileManager.default.removeItem(atPath: preset.bundle) } catch {
      throw AuricleError(.inputOutput, "\(preset.bundle) cannot be deleted")
    }
    return preset.bundle
  }
}
