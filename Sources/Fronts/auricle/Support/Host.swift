// What this program brings along, wherever it stands: components, presets, the registry of units.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import ChainPresets
import Foundation
import LV2Units
import NativeUnits

/// The places of the program, and what is found there.
struct Host: Sendable {
  /// The program's own file.
  let executable: String
  /// The components that ship; nil when they are not where they should be.
  let shippedComponents: String?
  /// The presets that ship; nil when they are not where they should be.
  let shippedPresets: String?

  init() {
    executable = Self.executablePath
    let folder = ParentFolder.of(executable)
    shippedComponents = Self.firstFolder([
      folder + "/Components", folder + "/../lib/auricle/Components",
    ])
    shippedPresets =
      Self.firstFolder([folder + "/../share/auricle/presets"])
      ?? Self.presetsOfSourceTree(above: folder)
  }

  /// All units: those that ship first, then native bundles, then LV2.
  ///
  /// - Parameters:
  ///   - refusesBlocked: Whether units that crashed when they were tried refuse to be opened.
  ///   - opensForPrograms: Whether this process itself opens a plug-in that has programs, to know them:
  ///     one that opens units anyway and may be lost.
  func makeRegistry(
    refusesBlocked: Bool = true, opensForPrograms: Bool = false
  ) -> AudioComponentRegistry {
    AudioComponentRegistry(
      sources: [
        nativeSource,
        LV2ComponentSource(
          cacheFolder: Self.cacheFolder ?? "", reader: BundleWorkers.reader(executable),
          programs: opensForPrograms ? .here : .apart(readPrograms)),
      ],
      blocklist: refusesBlocked
        ? ComponentBlocklist(folder: Self.cacheFolder) : ComponentBlocklist())
  }

  /// What ships, and native bundles.
  var nativeSource: NativeComponentSource {
    NativeComponentSource(
      folders: NativeComponentSource.standardFolders(shipped: shippedComponents))
  }

  /// All that is known of LV2 plug-ins.
  ///
  /// - Parameter isForced: Whether everything is read anew.
  func lv2Catalog(isForced: Bool = false) -> LV2Catalog {
    LV2Catalog(
      cacheFolder: Self.cacheFolder ?? "", reader: BundleWorkers.reader(executable),
      programs: .apart(readPrograms), isForced: isForced)
  }

  /// Has a process apart open an LV2 plug-in for the programs its code tells.
  private func readPrograms(of uri: String) -> [UInt8]? {
    let child = ChildProcess.run(
      executable, ["read-programs", uri], timeLimit: UnitProbe.timeLimit, patience: 12)
    return child.end == .exited(0) ? child.output : nil
  }

  /// The presets that can be named.
  var presets: PresetLibrary {
    PresetLibrary(
      folders: PresetLibrary.standardFolders(shipped: shippedPresets.map { [$0] } ?? []))
  }

  /// Where what was found is remembered; nil without a place for it.
  static let cacheFolder: String? = CachePlace.folder(of: ProcessInfo.processInfo.environment)

  private static var executablePath: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      ?? "auricle"
  }

  private static func firstFolder(_ candidates: [String]) -> String? {
    for path in candidates {
      var isFolder: ObjCBool = false
      if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
        isFolder.boolValue
      {
        return (path as NSString).standardizingPath
      }
    }
    return nil
  }

  /// `presets` beside the Package.swift of the tree that the program was built in.
  private static func presetsOfSourceTree(above folder: String) -> String? {
    var folder = folder
    while folder.count > 1 {
      if FileManager.default.fileExists(atPath: folder + "/Package.swift") {
        return firstFolder([folder + "/presets"])
      }
      folder = ParentFolder.of(folder)
    }
    return nil
  }
}
