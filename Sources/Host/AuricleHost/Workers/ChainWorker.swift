// The host in a worker: what is installed, and how the chain is made.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioComponents
import AudioFiles
import AudioTypes
import ChainPresets
package import FileRendering
import Foundation
import HostSystem
import InstalledComponents
import ResultSettings
package import RunLedgers
import SongPlaying
import UnitPresets
package import Workers

/// The host in a worker.
package struct ChainWorker: WorkerHost {
  private let setup: WorkerSetup
  private let host = HostPlaces()
  private var preset: ChainPreset?
  private var registry: AudioComponentRegistry?
  private var components: [AudioComponent] = []
  private var resolved: ResolvedChain?
  /// What plays songs; nil for a chain of sound files.
  private var ensemble: ResolvedEnsemble?

  /// The host for a worker that is set up so.
  package init(setup: WorkerSetup) { self.setup = setup }

  package mutating func units() throws(WorkerRefusal) -> [UnitIdentity] {
    let registry = host.makeRegistry(opensForPrograms: true)
    self.registry = registry
    var preset = try readPreset(registry)
    if let bank = setup.settings.song?.bank { preset.setBank(bank) }
    if let speech = setup.settings.song?.speech {
      NoSoundServer.arrange()
      preset = try Self.chain(speech, preset)
    }
    self.preset = preset
    // Missing units are reported with all other mistakes, when the chain is made.
    components = preset.allUnits.compactMap { try? registry.resolve($0.unit.value) }
    return identities()
  }

  private static func chain(
    _ speech: SpeechSettings, _ effects: ChainPreset
  ) throws(WorkerRefusal) -> ChainPreset {
    do throws(AuricleError) { return try speech.preset(before: effects) } catch {
      throw WorkerRefusal(text: "auricle: \(error.message)", category: error.category)
    }
  }

  private func readPreset(
    _ registry: AudioComponentRegistry
  ) throws(WorkerRefusal) -> ChainPreset {
    do throws(PresetErrors) {
      switch setup.chain {
      case .text(let name, let text): return try ChainPreset(text: text, name: name)
      case .preset(let name): return try host.presets.preset(name)
      case .units(let text):
        // Errors of units have no position in a preset file.
        var preset = try ChainPreset(text: text)
        preset.source = nil
        return preset
      }
    } catch {
      throw Self.refusal(error.joined(with: registry, formats: .files))
    }
  }

  private static func refusal(_ errors: PresetErrors) -> WorkerRefusal {
    WorkerRefusal(text: PresetFailure.text(errors), category: errors.category)
  }

  package var readablePaths: [String] {
    host.readablePaths(for: components) + namedFiles + drawnFolders + CodecLibrary.folders
      + bankFolders
  }

  /// The folders that the user has sound banks and voices in, besides those of the system.
  private var bankFolders: [String] {
    guard setup.settings.song != nil else { return [] }
    let environment = ProcessInfo.processInfo.environment
    let path = environment["AURICLE_SOUND_BANK_PATH"]
    return (path?.split(separator: ":").map(String.init) ?? [])
      + [environment["ESPEAK_DATA_PATH"]].compactMap(\.self)
  }

  /// The folders that the preset draws files from.
  private var drawnFolders: [String] {
    guard let preset else { return [] }
    let folder = (preset.source?.name ?? "").components(separatedBy: "/").dropLast()
      .joined(separator: "/")
    return preset.drawnFolders.map { $0.hasPrefix("/") || folder.isEmpty ? $0 : folder + "/" + $0 }
  }

  /// The files that the preset names: side chains, presets of units, impulse responses, sounds of instruments.
  package var sideFiles: [String] {
    var isFolder: ObjCBool = false
    let sounds = namedPaths.filter { $0.lowercased().hasSuffix(".sfz") }.flatMap(SFZSamples.paths)
    let paths = (namedPaths + sounds).map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    let files = Set(paths).filter {
      unsafe FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
    let folders = drawnFolders.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    return files.union(folders).sorted()
  }

  private var namedFiles: [String] {
    namedPaths.compactMap(readable)
      // Sounds of an SFZ file may lie in other folders than it does.
      + namedPaths.filter { $0.lowercased().hasSuffix(".sfz") }.flatMap(SFZSamples.paths)
  }

  /// All texts of the preset that could name a file, as paths.
  private var namedPaths: [String] {
    guard let preset, let json = JSONValue(text: preset.canonicalJSON) else { return [] }
    let folder = (preset.source?.name ?? "").components(separatedBy: "/").dropLast()
      .joined(separator: "/")
    var texts: [String] = []
    var values = [json]
    while let value = values.popLast(), texts.count < 10_000 {
      switch value {
      case .string(let text): texts.append(text)
      case .array(let elements): values += elements
      case .object(let members): values += members.map(\.value)
      default: break
      }
    }
    return texts.filter { $0.contains(".") || $0.contains("/") }.flatMap { text in
      text.hasPrefix("/") ? [text] : [text, folder.isEmpty ? text : folder + "/" + text]
    }
  }

  /// The part of a named path that may be read: the file; for one of a bundle, the whole bundle, since a
  /// preset in it is listed in the manifest beside it. Presets open no other folders.
  private func readable(_ path: String) -> String? {
    let endings = host.formats.all.compactMap(\.presetBundles?.bundleEnding)
    func isBundle(_ path: String) -> Bool { endings.contains { path.hasSuffix($0) } }
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      return nil
    }
    if isFolder.boolValue { return isBundle(path) ? path : nil }
    let folder = ParentFolder.of(path)
    // The sounds of an SFZ file lie beside it and below.
    return isBundle(folder) || path.lowercased().hasSuffix(".sfz") ? folder : path
  }

  package mutating func chainMaker() throws(WorkerRefusal) -> ChainMaker {
    guard let preset, let registry else {
      throw WorkerRefusal(text: "auricle: no chain was named", category: .software)
    }
    let resolved: ResolvedChain
    do throws(PresetErrors) {
      if setup.settings.song != nil {
        ensemble = try ResolvedEnsemble(preset, in: registry, formats: .files)
      }
      // What stands behind instruments is a part of the ensemble.
      let chain = ensemble == nil ? preset : ChainPreset(name: preset.name)
      resolved = try ResolvedChain(chain, in: registry, formats: .files)
    } catch { throw Self.refusal(error) }
    self.resolved = resolved
    try tryEnsemble()
    return { request throws(AuricleError) in try resolved.makeChain(request) }
  }
}

extension ChainWorker {
  package var soundOpener: SoundOpener? {
    guard let ensemble else { return nil }
    return { descriptor, path, settings, variant throws(AuricleError) in
      try SongSound(
        descriptor: descriptor, path: path, settings: settings, variant: variant, ensemble: ensemble)
    }
  }

  /// Opens the instruments once where a run begins: no bank, or a broken one, is told before any song.
  private func tryEnsemble() throws(WorkerRefusal) {
    guard let ensemble, let song = setup.settings.song, song.speech == nil,
      setup.wantsSideFiles || setup.wantsFigures
    else { return }
    do throws(AuricleError) { try ensemble.open(song) } catch {
      throw WorkerRefusal(text: "auricle: \(error.message)", category: error.category)
    }
  }

  package func drawnValues(_ variant: VariantRequest) -> [DrawnFigure] {
    ensemble?.drawnFigures(variant) ?? resolved?.drawnFigures(variant) ?? []
  }
}

extension ChainWorker {
  /// The identities of the components; each bundle is read once, and only if requested.
  private func identities() -> [UnitIdentity] {
    var sums: [String: UInt64] = [:]
    return components.map { component in
      let path = component.location.path ?? ""
      if setup.wantsUnits, sums[path] == nil { sums[path] = BundleChecksum.of(path) }
      var unit = UnitIdentity(
        identity: component.location.identifier ?? component.triple, name: component.name,
        version: component.versionText, path: path, checksum: sums[path] ?? 0)
      unit.isShipped = component.origin == .builtIn
      return unit
    }
  }
}
