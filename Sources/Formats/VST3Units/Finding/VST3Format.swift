// VST3 as a format of components.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
internal import AudioTypes
internal import CAudioToolbox
internal import ForeignPlugIns
internal import HostSystem
package import UnitValidation

extension ComponentOrigin {
  /// A VST3 plug-in.
  public static let vst3 = ComponentOrigin(rawValue: "vst3")
}

/// VST3: bundles and shared objects that end in ".vst3", in folders of any depth.
public struct VST3Format: ComponentFormat {
  /// Makes the format.
  ///
  /// Context: any.
  public init() {}

  /// "vst3".
  public var name: String { ComponentOrigin.vst3.rawValue }

  /// VST3_PATH.
  public var searchVariable: String { "VST3_PATH" }

  /// The folders of VST3_PATH, or without it the default ones.
  public var searchPaths: [String] { VST3Files().folders(nil).folders }

  /// The search path, and the folders of presets.
  public var readablePaths: [String] { searchPaths + VST3PresetFolders.standard }

  /// No: bundles are read in processes apart, and the descriptions are kept.
  public var describesByOpening: Bool { false }

  /// The bundles of the search path, from the cache where that is fresh.
  public func catalog(_ request: CatalogRequest) -> any ComponentCatalog {
    PlugInFileCatalog(VST3Files(), request)
  }

  /// Opens the bundle at `path`, and makes each of its plug-ins once.
  public func readBundle(_ path: String) -> [UInt8]? {
    PlugInFileIndex.readHere(path, VST3Files()).encoded
  }

  /// `.vstpreset` files, in the folder where other hosts find them.
  public func presetFiles(of component: AudioComponent) -> PresetFileNames? {
    PresetFileNames(
      ending: VST3PresetFile.ending,
      userFolder: VST3PresetFolders.user(maker: component.maker ?? "", name: component.shortName))
  }
}

extension VST3Format: CheckedFormat {
  /// Those of classes, buses and parameters, of calls and their threads, and of sound and states.
  package var formatChecks: [ValidationCheck] { VST3Checks.all }
}

/// The bundles and files of the format.
struct VST3Files: PlugInFileFormat {
  var origin: ComponentOrigin { .vst3 }

  var cacheKind: String { "AuVST301" }

  func folders(_ searchPath: String?) -> SearchFolders {
    SearchFolders(
      searchPath, variable: "VST3_PATH",
      standard: "~/.vst3:/usr/lib/vst3:/usr/local/lib/vst3:\(SearchFolders.architectureFolder)/vst3"
    )
  }

  func files(in folders: SearchFolders) -> [String] {
    folders.files(ending: ".vst3", isDeep: true, isBundle: true)
  }

  func read(_ path: String) -> PlugInFileRecord { VST3FileReading.read(path) }

  func makeUnit(
    _ plugIn: PlugInRecord, path: String, _ description: AudioComponentDescription
  ) throws(AuricleError) -> UnsafeMutablePointer<AudioComponentPlugInInterface> {
    guard let known = VST3Description(plugIn.details) else {
      throw AuricleError(
        .software,
        "the description of \(plugIn.identifier) in the cache is damaged: read it anew with auricle scan"
      )
    }
    return unsafe VST3UnitCore(
      known, identifier: plugIn.identifier, bundle: VST3Bundle(path: path)
    ).makeUnit(description)
  }

  func faults(of plugIn: PlugInRecord, path: String) -> [UnitFault] {
    VST3Description(plugIn.details).map {
      VST3CheckRun($0, binary: VST3Bundle(path: path).binary).faults
    } ?? []
  }

  /// The binary, the kinds of the plug-in, its interfaces and its buses of events.
  func facts(_ plugIn: PlugInRecord, path: String) -> PlugInFacts {
    let known = VST3Description(plugIn.details) ?? VST3Description()
    return PlugInFacts(
      bundle: path, binary: VST3Bundle(path: path).binary, classes: plugIn.tags,
      extensions: known.interfaces,
      midiPorts: (known.eventInputs.count, known.eventOutputs.count))
  }

  /// The presets that are installed for the plug-in.
  func presets(_ plugIn: PlugInRecord, path: String) -> [PresetListing] {
    guard let known = VST3Description(plugIn.details) else { return [] }
    return VST3PresetFolders.presets(of: known, VST3Bundle(path: path)).map {
      PresetListing(uri: $0.uri, name: $0.name, bank: nil, bundle: $0.folder)
    }
  }
}
