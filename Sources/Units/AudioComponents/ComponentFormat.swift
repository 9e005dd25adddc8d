// A format of plug-ins: the host's only interface to it, and the only place where formats differ for the host.
// SPDX-License-Identifier: Apache-2.0

/// A format of plug-ins, such as native bundles or LV2.
///
/// A further format is one module with a type that conforms, and one line in `InstalledFormats`.
public protocol ComponentFormat: Sendable {
  /// The word for it, as in `ComponentOrigin`: "native", "lv2", "ladspa".
  var name: String { get }

  /// The environment variable that names the folders to search.
  var searchVariable: String { get }

  /// The folders that are searched, first ones win.
  var searchPaths: [String] { get }

  /// The paths that a process with few rights must be able to read, for the format to work there.
  var readablePaths: [String] { get }

  /// Whether a unit can be described only by opening it, which a host does in a process apart.
  var describesByOpening: Bool { get }

  /// The names of a user's presets on disk; nil where they are `.aupreset` files.
  var presetBundles: PresetBundleNames? { get }

  /// The names of a user's presets where each is one file of the format; nil where they are not.
  func presetFiles(of component: AudioComponent) -> PresetFileNames?

  /// The components that are installed now.
  ///
  /// Context: control; it reads descriptions and opens no binary.
  func catalog(_ request: CatalogRequest) -> any ComponentCatalog

  /// Reads one bundle for another process, which `IsolatedReader.readBundles` has started.
  ///
  /// - Returns: Bytes that the catalog understands; nil where the format needs no such reading.
  ///
  /// Context: control, in a process that may be lost.
  func readBundle(_ path: String) -> [UInt8]?
}

extension ComponentFormat {
  /// The folders that are searched.
  public var readablePaths: [String] { searchPaths }

  /// Presets are `.aupreset` files.
  public var presetBundles: PresetBundleNames? { nil }

  /// None.
  public func presetFiles(of component: AudioComponent) -> PresetFileNames? { nil }

  /// Nothing: descriptions are read in the host's own process.
  public func readBundle(_ path: String) -> [UInt8]? { nil }
}

/// The names of a format's bundles that hold presets.
public struct PresetBundleNames: Sendable, Hashable {
  /// The ending of every bundle's folder: ".lv2".
  public var bundleEnding: String
  /// The ending of the folder of a preset that is saved: ".preset.lv2".
  public var savedEnding: String
  /// The ending of a preset's data file: ".ttl".
  public var fileEnding: String
  /// The folder that a user's own presets are saved to; nil when there is no home folder.
  public var userFolder: String?

  /// Makes names.
  ///
  /// Context: any.
  public init(
    bundleEnding: String, savedEnding: String, fileEnding: String, userFolder: String?
  ) {
    self.bundleEnding = bundleEnding
    self.savedEnding = savedEnding
    self.fileEnding = fileEnding
    self.userFolder = userFolder
  }
}

/// The names by which a format keeps a user's presets as files.
public struct PresetFileNames: Sendable, Hashable {
  /// The ending of a file: ".vstpreset".
  public var ending: String
  /// The folder where hosts search for those of the unit; nil when there is no home folder.
  public var userFolder: String?

  /// Makes names.
  ///
  /// Context: any.
  public init(ending: String, userFolder: String?) {
    self.ending = ending
    self.userFolder = userFolder
  }
}

/// The options of a catalog.
public struct CatalogRequest: Sendable {
  /// Folders parted by ":"; nil for the format's own.
  public var searchPath: String?
  /// The folder of cached results; nil for the user's cache, empty for none.
  public var cacheFolder: String?
  /// Reads in processes apart; nil to read in this one.
  public var reader: (any IsolatedReader)?
  /// Whether this process itself opens a plug-in for facts that only its code has: one that opens units
  /// anyway and may be lost.
  public var runsCode: Bool
  /// Whether everything is read again, even where it is cached.
  public var isForced: Bool

  /// Makes a request.
  ///
  /// Context: any.
  public init(
    searchPath: String? = nil, cacheFolder: String? = nil, reader: (any IsolatedReader)? = nil,
    runsCode: Bool = false, isForced: Bool = false
  ) {
    self.searchPath = searchPath
    self.cacheFolder = cacheFolder
    self.reader = reader
    self.runsCode = runsCode
    self.isForced = isForced
  }
}

/// A reader of files that may crash or hang it, in separate processes with a time limit.
public protocol IsolatedReader: Sendable {
  /// Has bundles of a format read by `ComponentFormat.readBundle`.
  ///
  /// - Returns: An outcome for each, in their order.
  ///
  /// Context: control; it may be slow.
  func readBundles(_ paths: [String], format: String) -> [BundleOutcome]

  /// Asks a plug-in by `ComponentCatalog.readCode` for facts that only its code has; nil when that failed.
  ///
  /// Context: control; it may be slow.
  func readCode(of identifier: String, format: String) -> [UInt8]?
}

/// The result of reading one bundle.
public enum BundleOutcome: Sendable {
  /// The result of `ComponentFormat.readBundle` in the process that read it.
  case read([UInt8])
  /// A sentence: reading it crashed or was too slow. It is remembered until the bundle changes.
  case failed(String)
  /// No process could be started: the bundle is read in this one.
  case notTried
}
