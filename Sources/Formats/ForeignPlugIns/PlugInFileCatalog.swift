// The plug-ins in the files of a search path, for lists, scans and descriptions.
// SPDX-License-Identifier: Apache-2.0

package import AudioComponents
internal import AudioTypes
internal import CAudioToolbox
internal import HostSystem
package import UnitValidation

/// The current files of a search path as components, from the cache where that is fresh.
package struct PlugInFileCatalog<Format: PlugInFileFormat>: CheckedCatalog {
  private let format: Format
  private let index: PlugInFileIndex
  /// The places of the plug-ins in use: of an identifier in several files, the first.
  private let chosen: [String: (file: Int, plugIn: Int)]

  /// Updates the index.
  ///
  /// Context: control; it may last long.
  package init(_ format: Format, _ request: CatalogRequest) {
    self.format = format
    index = PlugInFileIndex(format, request)
    var chosen: [String: (file: Int, plugIn: Int)] = [:]
    for (number, file) in index.files.enumerated() {
      for (place, plugIn) in file.plugIns.enumerated() where chosen[plugIn.identifier] == nil {
        chosen[plugIn.identifier] = (number, place)
      }
    }
    self.chosen = chosen
  }

  /// The format's name.
  package var formatName: String { format.origin.rawValue }

  /// Each plug-in once, in the order of the search path.
  ///
  /// Context: any.
  package func discover() -> ComponentDiscovery {
    var discovery = ComponentDiscovery()
    for (number, file) in index.files.enumerated() {
      for (place, plugIn) in file.plugIns.enumerated() {
        guard let known = chosen[plugIn.identifier], known == (number, place) else { continue }
        discovery.components.append(component(plugIn, in: file.path))
      }
      for problem in file.problems {
        discovery.problems.append(ComponentProblem(path: file.path, message: problem))
      }
    }
    return discovery
  }

  /// All files, in the order of the search path.
  ///
  /// Context: any.
  package var bundles: [BundleSummary] {
    index.files.enumerated().map { number, file in
      let units = file.plugIns.enumerated().map { place, plugIn in
        let used = chosen[plugIn.identifier] ?? (number, place)
        return BundleSummary.Unit(
          identifier: plugIn.identifier, version: Self.text(ofVersion: plugIn.version),
          shadowedBy: used == (number, place) ? nil : index.files[used.file].path)
      }
      let stamps = file.stamps.map {
        "\($0.path) \($0.device) \($0.inode) \($0.size) \($0.seconds) \($0.nanoseconds)"
      }
      return BundleSummary(
        path: file.path, origin: format.origin,
        fingerprint: CacheFile.name(for: stamps.joined(separator: "\n")), units: units,
        problems: file.problems)
    }
  }

  /// The plug-ins with a defect that are used all the same.
  ///
  /// Context: control.
  package func unusableUnits() -> [UnusableUnit] {
    index.files.enumerated().flatMap { number, file in
      file.plugIns.filter { chosen[$0.identifier]?.file == number }.flatMap { plugIn in
        plugIn.remarks.map {
          UnusableUnit(
            identifier: plugIn.identifier, bundle: file.path, reason: $0,
            remedy: "report it to its maker; until then it is used as it is",
            isUsedAllTheSame: true)
        }
      }
    }
  }

  /// None: a file whose code was read can be opened.
  ///
  /// Context: control.
  package func suspiciousUnits() -> Set<String>? { [] }

  /// Describes a plug-in by its code's answers of the time when it was read.
  ///
  /// Context: control.
  package func metadata(of component: AudioComponent) -> (any ComponentMetadata)? {
    guard let (plugIn, path) = place(of: component) else { return nil }
    return PlugInFileMetadata(
      facts: format.facts(plugIn, path: path), hasLatencyToMeasure: plugIn.hasLatencyToMeasure,
      describedComponent: self.component(plugIn, in: path),
      presets: format.presets(plugIn, path: path))
  }

  /// The faults of a plug-in by the rules of the format.
  ///
  /// Context: control, in a process that may be lost: the plug-in's code is run.
  package func faults(of component: AudioComponent) -> [UnitFault] {
    guard let (plugIn, path) = place(of: component) else { return [] }
    return format.faults(of: plugIn, path: path)
  }

  /// The parts of its file or bundle that were read.
  ///
  /// Context: control.
  package func files(of component: AudioComponent) -> [String] {
    guard let identifier = component.location.identifier, let place = chosen[identifier] else {
      return []
    }
    return index.files[place.file].stamps.filter(\.exists).map(\.path)
  }

  private func place(of component: AudioComponent) -> (plugIn: PlugInRecord, path: String)? {
    guard let identifier = component.location.identifier, let place = chosen[identifier] else {
      return nil
    }
    let file = index.files[place.file]
    return (file.plugIns[place.plugIn], file.path)
  }

  private func component(_ plugIn: PlugInRecord, in path: String) -> AudioComponent {
    let identity = PlugInIdentity(of: plugIn.identifier)
    return unsafe AudioComponent(
      description: AudioComponentDescription(
        componentType: plugIn.componentType, componentSubType: identity.subtype,
        componentManufacturer: identity.manufacturer, componentFlags: 0, componentFlagsMask: 0),
      name: "\(plugIn.maker): \(plugIn.name)", version: plugIn.version, origin: format.origin,
      location: .plugIn(path, identifier: plugIn.identifier), tags: plugIn.tags,
      summary: plugIn.summary,
      makePlugIn: { [format] description throws(AuricleError) in
        unsafe try format.makeUnit(plugIn, path: path, description)
      })
  }

  private static func text(ofVersion version: UInt32) -> String {
    "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
  }
}

/// The description of a plug-in that its code had when it was read.
private struct PlugInFileMetadata: ComponentMetadata {
  let facts: PlugInFacts
  let hasLatencyToMeasure: Bool
  let describedComponent: AudioComponent
  let presets: [PresetListing]
  var furtherBanks: [String] { [] }
}
