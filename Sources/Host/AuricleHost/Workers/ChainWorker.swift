// The host in a worker: the installed units, and the making of the chain.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
package import AudioComponents
import AudioFiles
import AudioTypes
package import ChainPresets
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
  /// The instruments that play songs; nil for a chain of sound files.
  private var ensemble: ResolvedEnsemble?

  /// The host for a worker that is set up so.
  package init(setup: WorkerSetup) { self.setup = setup }

  package mutating func units() throws(WorkerRefusal) -> [UnitIdentity] {
    try find()
    return identities()
  }

  /// Reads the preset and finds its units; opens none.
  private mutating func find() throws(WorkerRefusal) {
    let registry = host.makeRegistry(opensForPrograms: true)
    self.registry = registry
    var preset = try readPreset(registry)
    if let bank = setup.settings.song?.bank { preset.setBank(bank) }
    if let speech = setup.settings.song?.speech {
      NoSoundServer.arrange()
      preset = try Self.chain(speech, preset)
    }
    use(preset, in: registry)
  }

  /// Notes a preset and its units; missing ones are reported with all other mistakes, when the chain is made.
  private mutating func use(_ preset: ChainPreset, in registry: AudioComponentRegistry) {
    self.preset = preset
    components = preset.allUnits.compactMap { try? registry.resolve($0.unit.value) }
  }

  private static func chain(
    _ speech: SpeechSettings, _ effects: ChainPreset
  ) throws(WorkerRefusal) -> ChainPreset {
    do throws(AuricleError) { return try speech.preset(before: effects) } catch {
      throw WorkerRefusal(error)
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
    WorkerRefusal(
      text: PresetFailure.text(errors), category: errors.category, cause: errors.cause)
  }

  package var readablePaths: [String] {
    host.readablePaths(for: components) + (paths?.readable ?? []) + CodecLibrary.folders
      + bankFolders
  }

  /// The folders that the user has sound banks and voices in, besides those of the system.
  private var bankFolders: [String] { setup.settings.song == nil ? [] : Self.bankFolders }

  static var bankFolders: [String] {
    let environment = ProcessInfo.processInfo.environment
    let path = environment["AURICLE_SOUND_BANK_PATH"]
    return (path?.split(separator: ":").map(String.init) ?? [])
      + [environment["ESPEAK_DATA_PATH"]].compactMap(\.self)
  }

  private var paths: PresetPaths? { preset.map { PresetPaths($0, host.formats) } }

  /// The files that the preset names: side chains, presets of units, impulse responses, sounds of instruments.
  package var sideFiles: [String] {
    let files = Set((paths?.files ?? []).map { URL(fileURLWithPath: $0).standardizedFileURL.path })
      .filter { FileIdentity.of($0).map { $0.kind != .folder } == true }
    let folders = (paths?.drawnFolders ?? []).map {
      URL(fileURLWithPath: $0).standardizedFileURL.path
    }
    return files.union(folders).sorted()
  }

  package mutating func chainMaker() throws(WorkerRefusal) -> ChainMaker {
    guard let preset, let registry else {
      throw WorkerRefusal(text: "auricle: no chain was named", category: .software)
    }
    let resolved: ResolvedChain
    do throws(PresetErrors) {
      if setup.settings.song != nil {
        ensemble = try ResolvedEnsemble(preset, in: registry)
      }
      // The song is the sound of the whole ensemble, its effects among it.
      let chain = ensemble == nil ? preset : ChainPreset(name: preset.name)
      resolved = try ResolvedChain(chain, in: registry, formats: .files)
    } catch { throw Self.refusal(error) }
    self.resolved = resolved
    try tryEnsemble()
    return { request throws(AuricleError) in try resolved.makeChain(request) }
  }
}

extension ChainWorker {
  /// Whether the preset has random values.
  package var drawsValues: Bool { preset?.hasRandomValues ?? false }

  /// The host with another preset of units and files that the sandbox was entered for.
  ///
  /// - Throws: The mistakes of the preset, or that it has others.
  ///
  /// Context: control, in the sandbox.
  package func replacing(_ text: String) throws(WorkerRefusal) -> ChainWorker {
    guard let registry else {
      throw WorkerRefusal(text: "auricle: no chain was named", category: .software)
    }
    var next = self
    do throws(PresetErrors) {
      next.use(try ChainPreset(text: text, name: "chain"), in: registry)
    } catch { throw Self.refusal(error) }
    guard Set(components.map(\.location)).isSuperset(of: next.components.map(\.location)),
      Set(paths?.readable ?? []).isSuperset(of: next.paths?.readable ?? [])
    else {
      throw WorkerRefusal(
        text: "auricle: the chain has units or files that its process was not started for",
        category: .noPermission)
    }
    return next
  }

  /// Makes the maker of chains for sound that arrives, whose loudness a leveller follows where the preset expects one.
  ///
  /// - Returns: The maker, and the number of stages in front of those of the preset.
  package func arrivingChainMaker() throws(WorkerRefusal) -> (maker: ChainMaker, levellers: Int) {
    guard let preset, let registry else {
      throw WorkerRefusal(text: "auricle: no chain was named", category: .software)
    }
    let levelled = preset.levelled(in: registry)
    do throws(PresetErrors) {
      let resolved = try ResolvedChain(levelled, in: registry, formats: .files)
      return (
        { request throws(AuricleError) in try resolved.makeChain(request) },
        levelled.entries.count - preset.entries.count
      )
    } catch { throw Self.refusal(error) }
  }

  /// Finds the units of a chain that is rendered for a device, and enters the sandbox: from here on they may be opened.
  ///
  /// - Parameter files: More files that may be read.
  /// - Returns: The preset, and the registry.
  ///
  /// Context: control, in a process of one thread, once.
  package mutating func enterSandbox(
    reading files: [String]
  ) throws(WorkerRefusal) -> (preset: ChainPreset, registry: AudioComponentRegistry) {
    try find()
    guard let preset, let registry else {
      throw WorkerRefusal(text: "auricle: no chain was named", category: .software)
    }
    WorkerSandbox.enter(
      setup.sandbox, readablePaths: readablePaths + Self.bankFolders + files)
    return (preset, registry)
  }

  package var soundOpener: SoundOpener? {
    guard let ensemble else { return nil }
    return { descriptor, path, settings, variant throws(AuricleError) in
      try SongSound(
        descriptor: descriptor, path: path, settings: settings, variant: variant,
        ensemble: ensemble)
    }
  }

  /// Opens the instruments once where a run begins: no bank, or a broken one, is reported before any song.
  private func tryEnsemble() throws(WorkerRefusal) {
    guard let ensemble, let song = setup.settings.song, song.speech == nil,
      setup.wantsSideFiles || setup.wantsFigures
    else { return }
    do throws(AuricleError) { try ensemble.open(song) } catch {
      throw WorkerRefusal(error)
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
