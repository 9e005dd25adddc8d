// CLAP as a format of components.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
internal import AudioTypes
internal import CAudioToolbox
internal import ForeignPlugIns
package import UnitValidation

extension ComponentOrigin {
  /// A CLAP plug-in.
  public static let clap = ComponentOrigin(rawValue: "clap")
}

/// CLAP: shared objects that end in ".clap", in folders of any depth.
public struct CLAPFormat: ComponentFormat {
  /// Makes the format.
  ///
  /// Context: any.
  public init() {}

  /// "clap".
  public var name: String { ComponentOrigin.clap.rawValue }

  /// CLAP_PATH.
  public var searchVariable: String { "CLAP_PATH" }

  /// The folders of CLAP_PATH, or without it the default ones.
  public var searchPaths: [String] { CLAPFiles().folders(nil).folders }

  /// No: files are read in processes apart, and the descriptions are kept.
  public var describesByOpening: Bool { false }

  /// The files of the search path, from the cache where that is fresh.
  public func catalog(_ request: CatalogRequest) -> any ComponentCatalog {
    PlugInFileCatalog(CLAPFiles(), request)
  }

  /// Opens the file at `path`, and makes each of its plug-ins once.
  public func readBundle(_ path: String) -> [UInt8]? {
    PlugInFileIndex.readHere(path, CLAPFiles()).encoded
  }
}

extension CLAPFormat: CheckedFormat {
  /// The checks of descriptions, of calls and their threads, and of sound and states.
  package var formatChecks: [ValidationCheck] { CLAPChecks.all }
}

/// The files of the format.
struct CLAPFiles: PlugInFileFormat {
  var origin: ComponentOrigin { .clap }

  var cacheKind: String { "AuCLAP02" }

  func folders(_ searchPath: String?) -> SearchFolders {
    SearchFolders(
      searchPath, variable: "CLAP_PATH",
      standard: "~/.clap:/usr/lib/clap:/usr/local/lib/clap:\(SearchFolders.architectureFolder)/clap"
    )
  }

  func files(in folders: SearchFolders) -> [String] {
    folders.files(ending: ".clap", isDeep: true)
  }

  func read(_ path: String) -> PlugInFileRecord { CLAPFileReading.read(path) }

  func facts(_ plugIn: PlugInRecord, path: String) -> PlugInFacts {
    guard let known = CLAPDescription(plugIn.details) else {
      return PlugInFacts(bundle: path, binary: path, classes: plugIn.tags)
    }
    var facts = PlugInFacts(
      bundle: path, binary: path, classes: plugIn.tags,
      // Their versions are the host's business.
      extensions: known.extensions.map { String($0.prefix { $0 != "/" }) },
      userInterfaces: known.has("clap.gui") ? ["clap.gui"] : [],
      midiPorts: (known.noteInputs.count, known.noteOutputs.count))
    facts.voices = known.voiceCapacity.map { Int($0) }
    let names = known.keyNames.map { name in
      KeyName(
        key: name.key < 0 ? nil : Int(name.key),
        channel: name.channel < 0 ? nil : Int(name.channel) + 1, name: name.name)
    }
    facts.keyNames = names.isEmpty ? nil : names
    return facts
  }

  func faults(of plugIn: PlugInRecord, path: String) -> [UnitFault] {
    CLAPDescription(plugIn.details).map { CLAPCheckRun($0, path: path).faults } ?? []
  }

  func makeUnit(
    _ plugIn: PlugInRecord, path: String, _ description: AudioComponentDescription
  ) throws(AuricleError) -> UnsafeMutablePointer<AudioComponentPlugInInterface> {
    guard let known = CLAPDescription(plugIn.details) else {
      throw AuricleError(
        .software,
        "the description of \(plugIn.identifier) in the cache is damaged: read it again with auricle scan"
      )
    }
    return unsafe CLAPUnitCore(known, identifier: plugIn.identifier, path: path)
      .makeUnit(description)
  }
}
