// The installed part of one format: its components, and their details for lists, scans and descriptions.
// SPDX-License-Identifier: Apache-2.0

/// The components of one format as they are installed now.
public protocol ComponentCatalog: AudioComponentSource {
  /// `ComponentFormat.name`.
  var formatName: String { get }

  /// All bundles, in the order of the search path.
  ///
  /// Context: control.
  var bundles: [BundleSummary] { get }

  /// The units in use that cannot be used, or not wholly, as far as is visible without opening them.
  ///
  /// Context: control.
  func unusableUnits() -> [UnusableUnit]

  /// Identifiers of the units that seem impossible to open, which a scan tries; nil for all.
  ///
  /// Context: control.
  func suspiciousUnits() -> Set<String>?

  /// The metadata of a component that is known without opening it; nil where there is none.
  ///
  /// Context: control.
  func metadata(of component: AudioComponent) -> (any ComponentMetadata)?

  /// The files, besides the folder of its bundle, whose change may change a component.
  ///
  /// Context: control.
  func files(of component: AudioComponent) -> [String]

  /// Opens a plug-in in this process for facts that only its code has, such as presets.
  ///
  /// - Returns: Bytes for `IsolatedReader.readCode`; nil when there is nothing of the kind.
  ///
  /// Context: control, in a process that may be lost: code of the plug-in is run.
  func readCode(of identifier: String) -> [UInt8]?
}

extension ComponentCatalog {
  /// None.
  public func unusableUnits() -> [UnusableUnit] { [] }

  /// All.
  public func suspiciousUnits() -> Set<String>? { nil }

  /// Nothing.
  public func metadata(of component: AudioComponent) -> (any ComponentMetadata)? { nil }

  /// Nothing.
  public func readCode(of identifier: String) -> [UInt8]? { nil }
}

/// One bundle, as a scan reports it.
public struct BundleSummary: Sendable, Hashable {
  /// One of its units.
  public struct Unit: Sendable, Hashable {
    /// Its identifier, or its identity where the format has none.
    public var identifier: String
    /// Its version: "2.4".
    public var version: String
    /// The folder of the bundle whose unit of the same identifier is used instead; nil when this one is.
    public var shadowedBy: String?

    /// Makes a unit.
    ///
    /// Context: any.
    public init(identifier: String, version: String, shadowedBy: String? = nil) {
      self.identifier = identifier
      self.version = version
      self.shadowedBy = shadowedBy
    }
  }

  /// The folder.
  public var path: String
  /// Where its units came from.
  public var origin: ComponentOrigin
  /// A text that is the same as in another scan if its files are the same.
  public var fingerprint: String
  /// Its units.
  public var units: [Unit]
  /// The number of its presets, for its own units or those of other bundles.
  public var presetCount: Int
  /// Its faults, a sentence each; a defect of a data file begins with file:line:column.
  public var problems: [String]

  /// Makes a summary.
  ///
  /// Context: any.
  public init(
    path: String, origin: ComponentOrigin, fingerprint: String, units: [Unit],
    presetCount: Int = 0, problems: [String] = []
  ) {
    self.path = path
    self.origin = origin
    self.fingerprint = fingerprint
    self.units = units
    self.presetCount = presetCount
    self.problems = problems
  }
}

/// A unit that cannot be used, or not wholly.
public struct UnusableUnit: Sendable, Hashable {
  /// Its identifier.
  public var identifier: String
  /// The folder of its bundle.
  public var bundle: String
  /// Why, as the rest of a sentence.
  public var reason: String
  /// The remedy, as an order.
  public var remedy: String
  /// Whether it is used as it is until then.
  public var isUsedAllTheSame: Bool

  /// Makes an entry.
  ///
  /// Context: any.
  public init(
    identifier: String, bundle: String, reason: String, remedy: String, isUsedAllTheSame: Bool
  ) {
    self.identifier = identifier
    self.bundle = bundle
    self.reason = reason
    self.remedy = remedy
    self.isUsedAllTheSame = isUsedAllTheSame
  }
}
