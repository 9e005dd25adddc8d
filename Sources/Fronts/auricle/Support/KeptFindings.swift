// What a run found out about its chain, kept for the next run of the same one.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import BatchProcessing
import Foundation

/// The door to what earlier runs found out about a chain.
///
/// A run takes it over where all is as it was: this program, the preset, its units and the files it
/// names, the libraries of the system, the environment, and what workers may do. Only what a worker
/// can see to hold is kept: that chains leave static memory as it was, or as their first use left it.
struct KeptFindings {
  private let place: String
  private let surroundings: String
  private static let kind = "AuChain1"
  /// Chains that are remembered at once; those that were not run for the longest time are forgotten.
  private static let mostChains = 256
  /// Variables that say nothing of what a program does.
  private static let passing: Set<String> = [
    "PWD", "OLDPWD", "SHLVL", "_", "COLUMNS", "LINES", "WINDOWID",
  ]

  /// - Parameter program: The program that workers run.
  /// - Returns: Nil where nothing is kept: chains of variants are all different, and units that may write
  ///   files can remember there.
  init?(_ manifest: RunManifest, setup: WorkerSetup, program: String) {
    guard manifest.seed == nil, setup.sandbox.level == .strict, !setup.sandbox.allowsNetwork,
      setup.sandbox.readablePaths.isEmpty, let folder = CacheFile.standardFolder
    else { return nil }
    place = folder + "/chains"
    let environment = ProcessInfo.processInfo.environment
      .filter { !Self.passing.contains($0.key) }
      .map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "\0")
    surroundings = [
      AuricleVersion.text, Self.stamp(program), Self.stamp("/etc/ld.so.cache"), manifest.preset,
      String(setup.settings.framesPerSlice), String(setup.sandbox.memoryLimit),
      CacheFile.name(for: environment),
    ].joined(separator: "\n")
  }

  /// What is known of the chain of these units and files.
  func findings(_ units: [UnitIdentity], _ files: [PresetFile]) -> [ChainFinding] {
    let name = name(units, files)
    guard let bytes = CacheFile.contents(of: path(name), kind: Self.kind) else { return [] }
    return ChainFinding.decode(bytes, of: name)
  }

  /// Keeps what a run knows at its end; forgets what was known where that did not hold.
  func keep(_ findings: [ChainFinding], _ units: [UnitIdentity], _ files: [PresetFile]) {
    // A unit without a checksum may be another one tomorrow.
    guard !findings.isEmpty, !units.isEmpty, units.allSatisfy({ $0.checksum != 0 }) else { return }
    let name = name(units, files)
    guard findings.allSatisfy(\.isEvident) else { return forget(path(name)) }
    CacheFile.store(ChainFinding.encode(findings, of: name), at: path(name), kind: Self.kind)
    forgetOldest()
  }

  private func path(_ name: String) -> String { "\(place)/\(CacheFile.name(for: name)).bin" }

  private func name(_ units: [UnitIdentity], _ files: [PresetFile]) -> String {
    let parts = [surroundings] + units.map(\.json.compactText) + files.map(\.json.compactText)
    return parts.joined(separator: "\n")
  }

  private func forgetOldest() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    guard names.count > Self.mostChains else { return }
    let aged = names.map { name in
      (path: "\(place)/\(name)", time: Self.status("\(place)/\(name)")?.time ?? 0)
    }
    for file in aged.sorted(by: { $0.time < $1.time }).prefix(names.count - Self.mostChains) {
      forget(file.path)
    }
  }

  private func forget(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  private static func status(_ path: String) -> (bytes: Int, time: Double)? {
    guard let facts = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
    return (
      (facts[.size] as? NSNumber)?.intValue ?? 0,
      (facts[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    )
  }

  private static func stamp(_ path: String) -> String {
    status(path).map { "\(path) \($0.bytes) \($0.time)" } ?? path
  }
}
