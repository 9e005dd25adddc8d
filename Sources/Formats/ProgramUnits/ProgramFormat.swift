// Programs that publish units as a format of components.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
internal import AudioTypes
internal import CAudioToolbox
internal import HostSystem
internal import PublishedUnits

extension ComponentOrigin {
  /// A unit of a program.
  public static let program = ComponentOrigin(rawValue: "program")
}

/// Programs: those that publish a unit now, and those whose entry is installed, which are started when a unit is opened.
public struct ProgramFormat: ComponentFormat {
  /// Makes the format.
  ///
  /// Context: any.
  public init() {}

  /// "program".
  public var name: String { ComponentOrigin.program.rawValue }

  /// AURICLE_PROGRAM_PATH.
  public var searchVariable: String { ProgramRegistry.searchVariable }

  /// The folders of installed entries.
  public var searchPaths: [String] { ProgramRegistry.folders }

  /// The search path, and the folder of the programs that run.
  public var readablePaths: [String] {
    searchPaths + [ProgramRegistry.presentNodeFolder].compactMap(\.self)
  }

  /// No: an entry says all that is known of a unit.
  public var describesByOpening: Bool { false }

  /// The entries as they are now; no cache is kept of them.
  public func catalog(_ request: CatalogRequest) -> any ComponentCatalog {
    ProgramCatalog(searchPath: request.searchPath)
  }

  /// Connects to the programs of components while this process may: in a sandbox no program can be found or started.
  ///
  /// Context: control; it may take long.
  public static func prepareForSandbox(_ components: [AudioComponent]) {
    for component in components where component.origin == .program {
      ProgramDoors.open(component.description)
    }
  }
}

/// The entries as components.
struct ProgramCatalog: ComponentCatalog {
  private let entries: [ProgramEntry]
  private let problems: [(path: String, message: String)]

  /// Reads the registry. Context: control.
  init(searchPath: String?) { (entries, problems) = ProgramRegistry.all(in: searchPath) }

  var formatName: String { ComponentOrigin.program.rawValue }

  func discover() -> ComponentDiscovery {
    ComponentDiscovery(
      components: entries.map(Self.component),
      problems: problems.map { ComponentProblem(path: $0.path, message: $0.message) })
  }

  var bundles: [BundleSummary] {
    entries.map { entry in
      let component = Self.component(entry)
      return BundleSummary(
        path: entry.path, origin: .program,
        fingerprint: CacheFile.name(for: "\(PathStamp(of: entry.path))"),
        units: [BundleSummary.Unit(identifier: component.triple, version: component.versionText)])
    }
      + problems.map {
        BundleSummary(
          path: $0.path, origin: .program,
          fingerprint: CacheFile.name(for: "\(PathStamp(of: $0.path))"),
          units: [], problems: [$0.message])
      }
  }

  /// None: a scan starts no program.
  func suspiciousUnits() -> Set<String>? { [] }

  func files(of component: AudioComponent) -> [String] {
    [component.location.path].compactMap(\.self)
  }

  private static func component(_ entry: ProgramEntry) -> AudioComponent {
    let state =
      entry.process > 0 ? "runs as process \(entry.process)" : "is started when it is opened"
    let program = entry.command.first.map { "\($0) " } ?? "The program "
    return unsafe AudioComponent(
      description: entry.description, name: entry.name, version: entry.version, origin: .program,
      location: .path(entry.path), tags: ["Program"],
      summary: entry.comment.isEmpty ? "\(program)\(state)." : entry.comment
    ) { (description) throws(AuricleError) in
      let name = entry.name
      let connection = try ProgramDoors.connection(to: entry.description, named: name)
      // A program that was started for this has a process now.
      let running = ProgramRegistry.find(entry.description).running
      let url = ProgramURL.of(entry.url.isEmpty ? running ?? entry : entry)
      return unsafe ProgramUnitCore(connection, name: name, url: url, description).makeUnit()
    }
  }
}
