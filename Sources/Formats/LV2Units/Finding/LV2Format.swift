// LV2 as a format of components.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
internal import ForeignPlugIns
internal import LV2Bundles
package import UnitValidation

extension ComponentOrigin {
  /// An LV2 plug-in.
  public static let lv2 = ComponentOrigin(rawValue: LV2Names.format)
}

/// LV2: bundles of Turtle files, which describe a plug-in without its code.
public struct LV2Format: ComponentFormat {
  /// Makes the format.
  ///
  /// Context: any.
  public init() {}

  /// "lv2".
  public var name: String { ComponentOrigin.lv2.rawValue }

  /// LV2_PATH.
  public var searchVariable: String { "LV2_PATH" }

  /// The folders of LV2_PATH, or without it the default ones.
  public var searchPaths: [String] { LV2SearchPath(nil).folders }

  /// The search path, and the folder of user presets.
  public var readablePaths: [String] {
    searchPaths + [userFolder].compactMap(\.self)
  }

  private var userFolder: String? {
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.lv2"
  }

  /// No: the data files describe a plug-in.
  public var describesByOpening: Bool { false }

  /// Bundles that end in ".lv2".
  public var presetBundles: PresetBundleNames? {
    PresetBundleNames(
      bundleEnding: ".lv2", savedEnding: ".preset.lv2", fileEnding: ".ttl", userFolder: userFolder)
  }

  /// The bundles of the search path, from the cache where that is fresh.
  public func catalog(_ request: CatalogRequest) -> any ComponentCatalog {
    LV2Catalog(
      searchPath: request.searchPath, cacheFolder: request.cacheFolder, reader: request.reader,
      programs: programReading(request), isForced: request.isForced)
  }

  /// Reads the data files of the bundle in the folder `path`; opens no binary except that of a dynamic
  /// manifest.
  public func readBundle(_ path: String) -> [UInt8]? {
    LV2IndexFile.encode(LV2BundleScan.scan(path, runsDynamicManifests: true))
  }

  private func programReading(_ request: CatalogRequest) -> LV2ProgramReading {
    if request.runsCode { return .here }
    guard let reader = request.reader else { return .never }
    return .apart { [name] in reader.readCode(of: $0, format: name) }
  }
}

extension LV2Format: CheckedFormat {
  /// The checks of the data files, and of binaries against these.
  package var formatChecks: [ValidationCheck] { LV2Checks.all }
}
