// A run's findings about the reuse of its processes, for the next run of the same chain.
// SPDX-License-Identifier: Apache-2.0

import FileRendering
import Foundation
import HostSystem
import ResultSettings
import RunLedgers
import Workers

/// Verdicts of earlier runs of a chain, in the cache.
///
/// They hold where all is as it was: this program, the preset, its units and the files it names, the
/// libraries of the system, the environment, and the rights of workers. Only verdicts that a worker can
/// recheck are kept: that chains leave static memory as it was, or as their first use left it. Context:
/// control.
struct VerdictCache {
  private static let kind = "AuReuse1"
  /// Chains at most; those whose files are oldest go first.
  private static let mostChains = 256
  /// Variables that do not change the work of a program.
  private static let ignoredVariables: Set<String> = [
    "PWD", "OLDPWD", "SHLVL", "_", "COLUMNS", "LINES", "WINDOWID",
  ]

  private let folder: String
  private let surroundings: String

  /// Makes the cache of a run; nil where nothing may be kept: chains of variants are all different, and
  /// units that may read or write files of their own can remember there.
  init?(_ manifest: RunManifest, _ options: SupervisorOptions) {
    let sandbox = options.setup.sandbox
    guard manifest.seed == nil, sandbox.level == .strict, !sandbox.allowsNetwork,
      sandbox.readablePaths.isEmpty, let cache = HostPlaces.cacheFolder
    else { return nil }
    folder = cache + "/chains"
    let environment = ProcessInfo.processInfo.environment
      .filter { !Self.ignoredVariables.contains($0.key) }
      .map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "\0")
    surroundings = [
      AuricleVersion.text, Self.stamp(options.program), Self.stamp("/etc/ld.so.cache"),
      manifest.preset,
      String(options.setup.settings.framesPerSlice), String(sandbox.memoryLimit),
      CacheFile.name(for: environment),
    ].joined(separator: "\n")
  }

  /// The verdicts on the chain of these units, with the files that its preset names.
  func verdicts(_ units: [UnitIdentity], _ files: [PresetFile]) -> [ReuseVerdict] {
    let chain = name(units, files)
    guard let bytes = CacheFile.contents(of: path(chain), kind: Self.kind),
      let json = JSONValue(bytes), json["chain"]?.text == chain
    else { return [] }
    return (json["verdicts"]?.elements ?? []).compactMap(ReuseVerdict.init(json:))
  }

  /// Stores the verdicts of a finished run; removes stored ones that did not hold.
  func store(_ verdicts: [ReuseVerdict], _ units: [UnitIdentity], _ files: [PresetFile]) {
    // A unit without a checksum may be another one tomorrow.
    guard !verdicts.isEmpty, !units.isEmpty, units.allSatisfy({ $0.checksum != 0 }) else { return }
    let chain = name(units, files)
    let canBeRefuted = verdicts.allSatisfy {
      $0.policy == .reopen && !$0.isRandom && $0.memory != .changing
    }
    guard canBeRefuted else { return remove(path(chain)) }
    let json = JSONValue.members([
      ("chain", .string(chain)), ("verdicts", .array(verdicts.map { .members($0.members) })),
    ])
    CacheFile.store(Array(json.compactText.utf8), at: path(chain), kind: Self.kind)
    removeOldest()
  }

  private func name(_ units: [UnitIdentity], _ files: [PresetFile]) -> String {
    let parts = [surroundings] + units.map(\.json.compactText) + files.map(\.json.compactText)
    return parts.joined(separator: "\n")
  }

  private func path(_ chain: String) -> String { "\(folder)/\(CacheFile.name(for: chain)).bin" }

  private func removeOldest() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    guard names.count > Self.mostChains else { return }
    let aged = names.map { name in
      (path: "\(folder)/\(name)", time: FileStamp(path: "\(folder)/\(name)")?.modified ?? 0)
    }
    for file in aged.sorted(by: { $0.time < $1.time }).prefix(names.count - Self.mostChains) {
      remove(file.path)
    }
  }

  private func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  private static func stamp(_ path: String) -> String {
    FileStamp(path: path).map { "\(path) \($0.byteCount) \($0.modified)" } ?? path
  }
}
