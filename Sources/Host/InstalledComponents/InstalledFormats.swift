// The formats of components that this host knows: the one list of them.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
internal import LV2Units
internal import NativeUnits

/// All formats, in the order in which components are listed.
public struct InstalledFormats: Sendable {
  /// The formats.
  public let all: [any ComponentFormat]

  /// Makes the list.
  ///
  /// - Parameter shippedFolder: The native bundles that ship with the program or library; nil for none.
  ///
  /// Context: any.
  public init(shippedFolder: String?) {
    all = [NativeFormat(shippedFolder: shippedFolder), LV2Format()]
  }

  /// The format of a name; nil when there is none.
  ///
  /// Context: any.
  public func format(named name: String) -> (any ComponentFormat)? { all.first { $0.name == name } }

  /// What is installed now, of every format.
  ///
  /// Context: control; it reads descriptions and opens no binary.
  public func catalogs(_ request: CatalogRequest) -> InstalledCatalogs {
    InstalledCatalogs(all.map { $0.catalog(request) })
  }

  /// What a process that may read little must be able to read.
  ///
  /// Context: any.
  public var readablePaths: [String] { all.flatMap(\.readablePaths) }
}

/// What is installed, of every format.
public struct InstalledCatalogs: Sendable {
  /// One catalog a format, in the order of the formats.
  public let all: [any ComponentCatalog]

  init(_ catalogs: [any ComponentCatalog]) { all = catalogs }

  /// The catalog that a component is of; nil for what this process registered itself.
  ///
  /// Context: any.
  public func catalog(of component: AudioComponent) -> (any ComponentCatalog)? {
    guard component.location != .process else { return nil }
    return all.first { $0.formatName == component.origin.format }
  }

  /// All components, for opening.
  ///
  /// - Parameter blocklist: Components that are listed but refuse to be opened.
  ///
  /// Context: control.
  public func makeRegistry(
    blocklist: ComponentBlocklist = ComponentBlocklist()
  ) -> AudioComponentRegistry {
    AudioComponentRegistry(sources: all.map { $0 }, blocklist: blocklist)
  }
}
