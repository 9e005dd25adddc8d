// LADSPA as a format of components.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
internal import AudioTypes
internal import CAudioToolbox
internal import ForeignPlugIns

extension ComponentOrigin {
  /// A LADSPA plug-in.
  public static let ladspa = ComponentOrigin(rawValue: "ladspa")
}

/// LADSPA: shared objects whose code alone describes their plug-ins.
public struct LADSPAFormat: ComponentFormat {
  /// Makes the format.
  ///
  /// Context: any.
  public init() {}

  /// "ladspa".
  public var name: String { ComponentOrigin.ladspa.rawValue }

  /// LADSPA_PATH.
  public var searchVariable: String { "LADSPA_PATH" }

  /// The folders of LADSPA_PATH, or without it the default ones.
  public var searchPaths: [String] { LADSPAFiles().folders(nil).folders }

  /// The search path, and the folders of data files.
  public var readablePaths: [String] { searchPaths + LADSPANoteFiles.folders.folders }

  /// No: files are read in processes apart, and the results are kept.
  public var describesByOpening: Bool { false }

  /// The files of the search path, from the cache where that is fresh.
  public func catalog(_ request: CatalogRequest) -> any ComponentCatalog {
    PlugInFileCatalog(LADSPAFiles(), request)
  }

  /// Opens the file at `path`, and reads its descriptors.
  public func readBundle(_ path: String) -> [UInt8]? {
    PlugInFileIndex.readHere(path, LADSPAFiles()).encoded
  }
}

/// The files of the format.
struct LADSPAFiles: PlugInFileFormat {
  var origin: ComponentOrigin { .ladspa }

  var cacheKind: String { "AuLADS01" }

  var commonFiles: [String] { LADSPANoteFiles.paths }

  func folders(_ searchPath: String?) -> SearchFolders {
    SearchFolders(
      searchPath, variable: "LADSPA_PATH",
      standard:
        "~/.ladspa:/usr/lib/ladspa:/usr/local/lib/ladspa:\(SearchFolders.architectureFolder)/ladspa"
    )
  }

  func files(in folders: SearchFolders) -> [String] { folders.files(ending: ".so") }

  func read(_ path: String) -> PlugInFileRecord { LADSPAFileReading.read(path) }

  func makeUnit(
    _ plugIn: PlugInRecord, path: String, _ description: AudioComponentDescription
  ) throws(AuricleError) -> UnsafeMutablePointer<AudioComponentPlugInInterface> {
    guard let known = LADSPADescription(plugIn.details) else {
      throw AuricleError(
        .software,
        "the description of \(plugIn.identifier) in the cache is damaged: read it again with auricle scan"
      )
    }
    return unsafe LADSPAUnitCore(known, identifier: plugIn.identifier, path: path)
      .makeUnit(description)
  }
}
