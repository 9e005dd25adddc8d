// The paths of the program: shipped components and presets, caches, and the registry of units.
// SPDX-License-Identifier: Apache-2.0

package import AudioComponents
import AudioTypes
package import ChainPresets
import Foundation
import HostSystem
package import InstalledComponents
import LV2Units
import NativeUnits
import UnitPresets

/// The paths of the program, and of the files there.
package struct HostPlaces: Sendable {
  /// The program's own file.
  package let executable: String
  /// The folder of shipped components; nil when it is missing.
  let shippedComponents: String?
  /// The folder of shipped presets; nil when it is missing.
  let shippedPresets: String?

  /// Finds the paths beside the program of this process.
  package init() { self.init(executable: Self.executablePath) }

  /// Finds the paths beside another program: for a library that belongs to one.
  package init(executable: String) {
    self.executable = executable
    let folder = ParentFolder.of(executable)
    shippedComponents = Self.firstFolder([
      folder + "/Components", folder + "/../lib/auricle/Components",
    ])
    shippedPresets =
      Self.firstFolder([folder + "/../share/auricle/presets"])
      ?? Self.presetsOfSourceTree(above: folder)
  }

  /// All units, in the order of the formats.
  ///
  /// - Parameters:
  ///   - refusesBlocked: Whether units that crashed in a probe refuse to open.
  ///   - opensForPrograms: Whether this process itself opens a plug-in to list its programs: for processes
  ///     that open units anyway and may crash.
  package func makeRegistry(
    refusesBlocked: Bool = true, opensForPrograms: Bool = false,
    adding others: [any AudioComponentSource] = []
  ) -> AudioComponentRegistry {
    formats.makeRegistry(
      catalogRequest(runsCode: opensForPrograms),
      blocklist: refusesBlocked
        ? ComponentBlocklist(folder: Self.cacheFolder) : ComponentBlocklist(),
      adding: others)
  }

  /// The formats of components.
  package var formats: InstalledFormats { InstalledFormats(shippedFolder: shippedComponents) }

  /// Makes a request for all installed units; changed ones are read in child processes.
  ///
  /// - Parameters:
  ///   - runsCode: As `CatalogRequest.runsCode`.
  ///   - isForced: Whether to ignore caches.
  package func catalogRequest(runsCode: Bool = false, isForced: Bool = false) -> CatalogRequest {
    CatalogRequest(
      cacheFolder: Self.cacheFolder ?? "", reader: ChildReader(program: executable),
      runsCode: runsCode, isForced: isForced)
  }

  /// Returns the paths that a process in a sandbox must be able to read, to open components.
  func readablePaths(for components: [AudioComponent]) -> [String] {
    // Who asks this is about to enter the sandbox, where no program can be found or started.
    formats.prepareForSandbox(components)
    var paths = [ParentFolder.of(executable)]
    paths += [shippedComponents, shippedPresets, Self.cacheFolder].compactMap(\.self)
    let environment = ProcessInfo.processInfo.environment
    paths += formats.readablePaths
    paths += (environment["LD_LIBRARY_PATH"] ?? "").split(separator: ":").map(String.init)
    paths.append(UserPresets.standardFolder)
    if let home = environment["HOME"] { paths.append(home + "/.local/lib") }
    for component in components {
      guard let path = component.location.path else { continue }
      paths += [path, FileIdentity.realPath(path) ?? path]
    }
    return paths + LoadedLibraries.folders
  }

  /// The presets available by name.
  package var presets: PresetLibrary {
    PresetLibrary(
      folders: PresetLibrary.standardFolders(shipped: shippedPresets.map { [$0] } ?? []))
  }

  /// The cache folder; nil without one.
  package static let cacheFolder: String? = CachePlace.folder(
    of: ProcessInfo.processInfo.environment)

  private static var executablePath: String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
    guard count > 0 else { return "auricle" }
    return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func firstFolder(_ candidates: [String]) -> String? {
    let path = candidates.first { FileIdentity.of($0)?.kind == .folder }
    return path.flatMap(FileIdentity.realPath)
  }

  /// The folder `presets` beside the Package.swift of the program's source tree.
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
