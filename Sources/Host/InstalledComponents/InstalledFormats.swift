// The list of component formats that this host knows.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
internal import CLAPUnits
internal import LADSPAUnits
internal import LV2Units
internal import NativeUnits
internal import ProgramUnits
internal import Synchronization
internal import VST3Units

/// All formats, in the order in which components are listed.
public struct InstalledFormats: Sendable {
  /// The formats.
  public let all: [any ComponentFormat]

  /// Makes the list.
  ///
  /// - Parameter shippedFolder: The folder of shipped native bundles; nil for none.
  ///
  /// Context: any.
  public init(shippedFolder: String?) {
    all = [
      NativeFormat(shippedFolder: shippedFolder), LV2Format(), CLAPFormat(), VST3Format(),
      LADSPAFormat(), ProgramFormat(),
    ]
  }

  /// The format of a name; nil when there is none.
  ///
  /// Context: any.
  public func format(named name: String) -> (any ComponentFormat)? { all.first { $0.name == name } }

  /// The catalogs of all formats. Each is read when it is first needed.
  ///
  /// Context: control; it reads descriptions and opens no binary.
  public func catalogs(_ request: CatalogRequest) -> InstalledCatalogs {
    InstalledCatalogs(all.map { FormatCatalog($0, request) })
  }

  /// Makes a registry of all components, for opening. A format is read when a search finds nothing in those before
  /// it.
  ///
  /// - Parameters:
  ///   - request: How the formats are read.
  ///   - blocklist: Components that are listed but refuse to open.
  ///   - others: Sources of components that are no units, such as codecs.
  ///
  /// Context: control.
  public func makeRegistry(
    _ request: CatalogRequest, blocklist: ComponentBlocklist,
    adding others: [any AudioComponentSource] = []
  ) -> AudioComponentRegistry {
    AudioComponentRegistry(
      sources: all.map { FormatSource(format: $0, request: request) } + others,
      blocklist: blocklist)
  }

  /// Does what a sandboxed process cannot do for components that it opens: connects to the programs of those that
  /// programs publish.
  ///
  /// Context: control; it may take long.
  public func prepareForSandbox(_ components: [AudioComponent]) {
    ProgramFormat.prepareForSandbox(components)
  }

  /// The paths that a sandboxed process must be able to read.
  ///
  /// Context: any.
  public var readablePaths: [String] { all.flatMap(\.readablePaths) }
}

/// The installed components, by format.
public struct InstalledCatalogs: Sendable {
  private let formats: [FormatCatalog]

  /// One catalog for each format, in the order of the formats.
  public var all: [any ComponentCatalog] { formats.map(\.catalog) }

  fileprivate init(_ formats: [FormatCatalog]) { self.formats = formats }

  /// The catalog of a component; nil for one that this process registered itself.
  ///
  /// Context: any.
  public func catalog(of component: AudioComponent) -> (any ComponentCatalog)? {
    guard component.location != .process else { return nil }
    return formats.first { $0.name == component.origin.format }?.catalog
  }

  /// A registry of all components, for opening.
  ///
  /// Context: control.
  public func makeRegistry() -> AudioComponentRegistry { AudioComponentRegistry(sources: all) }
}

/// The catalog of a format, read when it is first needed: a unit of one format costs no reading of another.
private final class FormatCatalog: Sendable {
  let name: String
  private let format: any ComponentFormat
  private let request: CatalogRequest
  private let read = Mutex<(any ComponentCatalog)?>(nil)

  init(_ format: any ComponentFormat, _ request: CatalogRequest) {
    (name, self.format, self.request) = (format.name, format, request)
  }

  var catalog: any ComponentCatalog {
    read.withLock { read in
      if let read { return read }
      let catalog = format.catalog(request)
      read = catalog
      return catalog
    }
  }
}

/// The components of a format, which is read when they are asked for.
private struct FormatSource: AudioComponentSource {
  let format: any ComponentFormat
  let request: CatalogRequest

  func discover() -> ComponentDiscovery { format.catalog(request).discover() }
}
