// The LV2 plug-ins of this machine as components.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
internal import LV2Bundles

/// Every plug-in of every LV2 bundle on a search path.
///
/// Discovery reads data files, or what a cache remembers of them; it opens no binary.
public struct LV2ComponentSource: AudioComponentSource {
  private let searchPath: String?
  private let cacheFolder: String?
  private let reader: (any IsolatedReader)?
  private let programs: LV2ProgramReading

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - searchPath: Folders of bundles, parted by ":"; nil for LV2_PATH, or without it ~/.lv2,
  ///     /usr/local/lib/lv2 and /usr/lib/lv2.
  ///   - cacheFolder: Where the index is kept; nil for $XDG_CACHE_HOME/auricle or
  ///     ~/.cache/auricle, empty for nowhere. That it cannot be written is no error.
  ///   - reader: Reads bundles in processes apart; nil to read their data files in this one.
  ///   - programs: How programs become known that only the plug-ins' code tells.
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

  /// Lists each plug-in once; a URI in several bundles is taken from the one of the greatest version,
  /// and of equal ones from the first.
  ///
  /// A bundle whose data cannot be read is a problem and costs only itself.
  ///
  /// Context: control.
  public func discover() -> ComponentDiscovery {
    LV2Catalog(
      searchPath: searchPath, cacheFolder: cacheFolder, reader: reader, programs: programs
    ).discover()
  }
}
