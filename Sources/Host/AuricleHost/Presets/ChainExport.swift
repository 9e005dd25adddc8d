// A chain preset and all the files it needs, in one folder.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import ChainPresets
import Foundation
import HostSystem
import InstalledComponents
import LV2Units
import UnitPresets
import Workers

/// A writer of a chain's files, with checksums.
struct ChainExport {
  private let resolved: ResolvedChain
  private let source: String
  private let host: HostPlaces
  /// The files written, relative to the folder.
  private(set) var files: [String] = []
  private var wasRewritten = false
  private var noiseCount = 0
  /// The copies of files by their original paths.
  private var places: [String: String] = [:]

  init(_ resolved: ResolvedChain, from source: String, _ host: HostPlaces) {
    self.resolved = resolved
    self.source = source
    self.host = host
  }

  /// Writes the folder; removes it when that fails.
  mutating func write(to folder: String) throws(AuricleError) {
    let manager = FileManager.default
    if let names = try? manager.contentsOfDirectory(atPath: folder), !names.isEmpty {
      throw AuricleError(.inputOutput, "\(folder) is not empty; name a new folder")
    }
    let isNew = !manager.fileExists(atPath: folder)
    try FolderMaker.make(folder)
    do throws(AuricleError) {
      try fill(folder)
    } catch {
      for name in (try? manager.contentsOfDirectory(atPath: folder)) ?? [] {
        try? manager.removeItem(atPath: folder + "/" + name)
      }
      if isNew { try? manager.removeItem(atPath: folder) }
      throw error
    }
  }

  private mutating func fill(_ folder: String) throws(AuricleError) {
    var preset = resolved.preset
    var stages = resolved.stages[...]
    let catalogs = host.formats.catalogs(host.catalogRequest())
    preset.entries = try rewritten(preset.entries, &stages, catalogs, folder)
    let title = ((source as NSString).lastPathComponent as NSString).deletingPathExtension
    if wasRewritten {
      try write(Data((preset.indentedJSON + "\n").utf8), to: title + ".json", in: folder)
    } else {
      try copy(source, to: (source as NSString).lastPathComponent, in: folder)
    }
    files.sort()
    try ExportManifest.write(files, in: folder)
    files.append(ExportManifest.fileName)
  }

  private mutating func rewritten(
    _ entries: [ChainEntry], _ stages: inout ArraySlice<ResolvedStage>,
    _ catalogs: InstalledCatalogs,
    _ folder: String
  ) throws(AuricleError) -> [ChainEntry] {
    var result: [ChainEntry] = []
    for entry in entries {
      switch entry {
      case .unit(var unit):
        guard let stage = stages.popFirst() else { continue }
        try rewrite(&unit, stage, catalogs, folder)
        result.append(.unit(unit))
      case .parallel(var parallel):
        for index in parallel.branches.indices {
          parallel.branches[index].entries = try rewritten(
            parallel.branches[index].entries, &stages, catalogs, folder)
        }
        result.append(.parallel(parallel))
      case .noise(var noise):
        let source = resolved.noises[noiseCount]
        noiseCount += 1
        noise.source = Located(
          try bring(source, written: noise.source.value, in: folder), at: noise.source.position)
        wasRewritten = true
        result.append(.noise(noise))
      }
    }
    return result
  }

  private mutating func rewrite(
    _ unit: inout UnitEntry, _ stage: ResolvedStage, _ catalogs: InstalledCatalogs, _ folder: String
  ) throws(AuricleError) {
    if let preset = stage.preset, let written = unit.preset,
      let place = try export(preset, of: stage, catalogs, folder)
    {
      unit.preset = Located(place, at: written.position)
      wasRewritten = true
    }
    for (index, sideChain) in stage.sideChains.enumerated() {
      guard case .file(let path) = sideChain.source, unit.sideChains.indices.contains(index) else {
        continue
      }
      let place = try bring(path, to: "audio/", in: folder)
      unit.sideChains[index].source = Located(
        .file(place), at: unit.sideChains[index].source.position)
      wasRewritten = true
    }
    for text in stage.texts
    where text.property.isPath && unit.parameters.indices.contains(text.settingIndex) {
      try rewrite(&unit.parameters[text.settingIndex], text, in: folder)
      wasRewritten = true
    }
  }

  /// Copies the file that a text names, or the candidates of a drawn one.
  private mutating func rewrite(
    _ setting: inout ParameterSetting, _ text: ResolvedText, in folder: String
  ) throws(AuricleError) {
    switch setting.random {
    case .choices(let choices):
      var places: [Located<String>] = []
      for (choice, path) in zip(choices, text.choices) {
        places.append(Located(try bring(path, to: "files/", in: folder), at: choice.position))
      }
      setting.random = .choices(places)
    case .folder(let named):
      let place = try bring(files: text.choices, of: named.value, in: folder)
      setting.random = .folder(Located(place, at: named.position))
    default:
      let place = try bring(text.text, to: "files/", in: folder)
      setting.value = Located(place, at: setting.value.position)
    }
  }

  private mutating func bring(
    _ noise: ResolvedNoise, written: NoiseEntry.Source, in folder: String
  ) throws(AuricleError) -> NoiseEntry.Source {
    switch written {
    case .file: .file(try bring(noise.files[0], to: "audio/", in: folder))
    case .folder(let path): .folder(try bring(files: noise.files, of: path, in: folder))
    }
  }

  /// Copies the files of a folder into one of its name, each under its number and name.
  private mutating func bring(
    files paths: [String], of written: String, in folder: String
  ) throws(AuricleError) -> String {
    let place = unused("audio/" + (written as NSString).lastPathComponent)
    let digits = "\(paths.count)".count
    for (number, path) in paths.enumerated() {
      // In the order that they are drawn in here.
      let count = String(number)
      let prefix = String(repeating: "0", count: digits - count.count) + count
      try copy(path, to: "\(place)/\(prefix)-\((path as NSString).lastPathComponent)", in: folder)
    }
    return place
  }

  /// Copies a file, once however often it is named; returns its place.
  private mutating func bring(
    _ path: String, to kind: String, in folder: String
  ) throws(AuricleError) -> String {
    if let place = places[path] { return place }
    let place = unused(kind + (path as NSString).lastPathComponent)
    try copy(path, to: place, in: folder)
    places[path] = place
    return place
  }

  /// Exports a preset that another machine would not have; returns its place, or nil when it need not be
  /// exported.
  private mutating func export(
    _ preset: ResolvedPreset, of stage: ResolvedStage, _ catalogs: InstalledCatalogs,
    _ folder: String
  ) throws(AuricleError) -> String? {
    let name = CacheFile.plainName(for: (preset.name as NSString).lastPathComponent)
    let format = host.formats.format(named: stage.component.origin.format)
    guard let names = format?.presetBundles else {
      guard let path = preset.path ?? file(of: preset) else { return nil }
      let place = unused("state/" + (path as NSString).lastPathComponent)
      try copy(path, to: place, in: folder)
      return place
    }
    let metadata = catalogs.catalog(of: stage.component)?.metadata(of: stage.component)
    let listing = metadata?.presets.first { $0.uri == preset.uri }
    if preset.path == nil, let listing, listing.bundle == metadata?.facts.bundle { return nil }
    // A program is in the plug-in's own code.
    if preset.path == nil, preset.uri == nil { return nil }
    // The unit itself saves its state, so that files it needs are included.
    let bundle = unused("state/" + name + names.savedEnding)
    try FolderMaker.make(folder + "/" + bundle)
    let unit = try stage.makeUnit()
    if let path = preset.path {
      try UnitPreset(contentsOf: path).apply(to: unit)
    } else if let number = preset.number {
      try unit.selectPreset(number: number)
    } else if let uri = preset.uri {
      try unit.selectPreset(uri: uri)
    }
    try unit.initializeToSave()
    try unit.savePreset(
      to: folder + "/" + bundle, file: name + names.fileEnding, label: listing?.name ?? preset.name)
    let paths = FileManager.default.subpaths(atPath: folder + "/" + bundle) ?? []
    for path in paths.sorted() { try add(bundle + "/" + path, in: folder) }
    return bundle + "/" + name + names.fileEnding
  }

  /// The file that a preset's URI names; nil for none.
  private func file(of preset: ResolvedPreset) -> String? {
    guard let uri = preset.uri, let url = URL(string: uri), url.isFileURL else { return nil }
    return url.path
  }

  /// A place that is not used yet.
  private func unused(_ place: String) -> String {
    let (stem, ending) = (
      (place as NSString).deletingPathExtension, (place as NSString).pathExtension
    )
    var (candidate, number) = (place, 2)
    while files.contains(where: { $0 == candidate || $0.hasPrefix(candidate + "/") }) {
      candidate = "\(stem)-\(number).\(ending)"
      number += 1
    }
    return candidate
  }

  /// Adds an existing file; a link becomes a copy of its target.
  private mutating func add(_ name: String, in folder: String) throws(AuricleError) {
    let path = folder + "/" + name
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw AuricleError(.inputOutput, "\(path) is a link to a file that does not exist")
    }
    if isFolder.boolValue { return }
    if (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil {
      let real = (path as NSString).resolvingSymlinksInPath
      do { try FileManager.default.removeItem(atPath: path) } catch {
        throw AuricleError(.inputOutput, "\(path) cannot be replaced")
      }
      try copy(real, to: name, in: folder)
    } else {
      files.append(name)
    }
  }

  private mutating func copy(_ path: String, to name: String, in folder: String)
    throws(AuricleError)
  {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw AuricleError(.noInput, "\(path) cannot be read")
    }
    try write(data, to: name, in: folder)
  }

  private mutating func write(_ data: Data, to name: String, in folder: String) throws(AuricleError)
  {
    let path = folder + "/" + name
    try FolderMaker.make(ParentFolder.of(path))
    do { try data.write(to: URL(fileURLWithPath: path)) } catch {
      throw AuricleError(.inputOutput, "\(path) cannot be written")
    }
    files.append(name)
  }
}
