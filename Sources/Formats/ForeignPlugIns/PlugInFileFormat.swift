// A format whose plug-ins are described by the code in their files alone.
// SPDX-License-Identifier: Apache-2.0

package import AudioComponents
package import AudioTypes
package import CAudioToolbox
package import UnitValidation

/// The knowledge of a format that a catalog of its files needs.
package protocol PlugInFileFormat: Sendable {
  /// The origin of its components.
  var origin: ComponentOrigin { get }

  /// The mark of the cache's files: at most 8 bytes of ASCII, with the version of the coding.
  var cacheKind: String { get }

  /// The folders of a search path; nil for the format's own path.
  ///
  /// Context: control.
  func folders(_ searchPath: String?) -> SearchFolders

  /// The files with plug-ins in folders, in search order.
  ///
  /// Context: control.
  func files(in folders: SearchFolders) -> [String]

  /// Files beside the plug-ins' own whose change may change any of them.
  var commonFiles: [String] { get }

  /// Reads a file by its code.
  ///
  /// Context: control, in a process that may be lost.
  func read(_ path: String) -> PlugInFileRecord

  /// Makes the interface of a new instance; its binary is opened by Initialize.
  ///
  /// Context: control.
  func makeUnit(
    _ plugIn: PlugInRecord, path: String, _ description: AudioComponentDescription
  ) throws(AuricleError) -> UnsafeMutablePointer<AudioComponentPlugInInterface>

  /// Facts that the code says of a plug-in beyond those of every unit.
  ///
  /// Context: any.
  func facts(_ plugIn: PlugInRecord, path: String) -> PlugInFacts

  /// The presets that are installed for a plug-in as files, in the order in which the unit counts them.
  ///
  /// Context: control.
  func presets(_ plugIn: PlugInRecord, path: String) -> [PresetListing]

  /// The faults of a plug-in by the rules of the format.
  ///
  /// Context: control, in a process that may be lost: the plug-in's code is run.
  func faults(of plugIn: PlugInRecord, path: String) -> [UnitFault]
}

extension PlugInFileFormat {
  /// None.
  package var commonFiles: [String] { [] }

  /// The file itself.
  package func facts(_ plugIn: PlugInRecord, path: String) -> PlugInFacts {
    PlugInFacts(bundle: path, binary: path, classes: plugIn.tags)
  }

  /// None.
  package func presets(_ plugIn: PlugInRecord, path: String) -> [PresetListing] { [] }

  /// None.
  package func faults(of plugIn: PlugInRecord, path: String) -> [UnitFault] { [] }
}
