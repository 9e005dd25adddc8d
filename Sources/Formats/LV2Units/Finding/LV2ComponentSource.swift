// The LV2 plug-ins of this machine as components.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
internal import LV2Bundles

/// Every plug-in of every LV2 bundle on a search path.
///
/// Discovery reads data files or a cache of them; it opens no binary.
public struct LV2ComponentSource: AudioComponentSource {
  private let searchPath: String?
  private let cacheFolder: String?
  private let reader: (any IsolatedReader)?
  private let programs: LV2ProgramReading

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - searchPath: Folders of bundles, separated by ":"; nil for LV2_PATH, or without it ~/.lv2,
  ///     /usr/local/lib/lv2 and /usr/lib/lv2.
  ///   - cacheFolder: The folder of the index; nil for $XDG_CACHE_HOME/auricle or ~/.cache/auricle, empty for
  ///     none. A failure to write it is ignored.
  ///   - reader: Reads bundles in child processes; nil to read their data files in this one.
  ///   - programs: How to read programs that only the plug-ins' code knows.
  ///
  /// Context: any.
  public init(
    searchPath: String? = nil, cacheFolder: String? = nil,
    reader: (any IsolatedReader)? = nil, programs: LV2ProgramReading = .never
  ) {
    self.searchPath = searchPath
    self.cacheFolder = cacheFolder
    self.reader = reader
    self.programs = programs
  }

  /// Lists each plug-in once; of a URI in several bundles, the highest version is used, and the first of
  /// equal ones.
  ///
  /// A bundle whose data cannot be read becomes a problem, without affecting others.
  ///
  /// Context: control.
  public func discover() -> ComponentDiscovery {
    LV2Catalog(
      searchPath: searchPath, cacheFolder: cacheFolder, reader: reader, programs: programs
    ).discover()
  }
}
