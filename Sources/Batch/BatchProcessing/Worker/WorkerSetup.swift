// What a worker is told before its first file, and what it tells back.
// SPDX-License-Identifier: Apache-2.0

public import AudioPictures
public import AudioTypes

/// Where a worker takes its chain from.
public enum ChainSource: Sendable, Equatable {
  /// The options of a command line that name it, in their order.
  case arguments([String])
  /// The text of a preset, and how messages name it.
  case text(name: String, String)
}

/// How much a worker may do.
public enum SandboxLevel: String, Sendable, CaseIterable {
  /// Reads plug-ins and what the system shares, writes nothing, starts nothing, reaches nobody.
  case strict
  /// Reads everything, writes temporary files and starts programs; for plug-ins that need it.
  case compat
  /// Limits of memory alone.
  case off
}

/// The rights and limits of workers.
public struct SandboxRequest: Sendable, Equatable {
  /// How much a worker may do.
  public var level = SandboxLevel.strict
  /// More files and folders that may be read.
  public var readablePaths: [String] = []
  /// Whether sockets may be made.
  public var allowsNetwork = false
  /// A folder for what encoders put aside while they work, which holds nothing else; nil for none.
  public var scratchFolder: String?
  /// The most private memory in bytes; 0 for no limit.
  public var memoryLimit = 4 << 30

  /// The default: strict, 4 GiB.
  public init() {}
}

/// What a worker is told before its first file.
public struct WorkerSetup: Sendable {
  /// Where its chain comes from.
  public var chain: ChainSource
  /// What is done with every file.
  public var settings: JobSettings
  /// Its rights and limits.
  public var sandbox: SandboxRequest
  /// The seed of what is drawn for variants; nil without random values.
  public var seed: UInt64?
  /// Whether the units are wanted with their checksums.
  public internal(set) var tellsUnits = true
  /// Whether the files that the preset names are wanted with their checksums.
  var tellsSideFiles = false
  /// Whether it tells of a chain, made for stereo at 48 kHz, how late it is and how long it rings on.
  var tellsChain = false
  /// Whether a worker may do more than one file.
  var mayStay = true
  /// How many threads chains leave behind in any process, as was found.
  var usualThreads = 0
  /// How large pictures are made of every file; nil for none.
  public var pictures: PictureSize?

  /// Describes the work.
  public init(chain: ChainSource, settings: JobSettings, sandbox: SandboxRequest) {
    self.chain = chain
    self.settings = settings
    self.sandbox = sandbox
  }

  var json: JSONValue {
    let source: JSONValue =
      switch chain {
      case .arguments(let words): .members([("arguments", .array(words.map(JSONValue.string)))])
      case .text(let name, let text):
        .members([("name", .string(name)), ("text", .string(text))])
      }
    return .members([
      ("chain", source), ("settings", settings.json), ("sandbox", .string(sandbox.level.rawValue)),
      ("readable", .array(sandbox.readablePaths.map(JSONValue.string))),
      ("network", .boolean(sandbox.allowsNetwork)), ("memory", JSONValue(sandbox.memoryLimit)),
      ("tellsUnits", .boolean(tellsUnits)), ("sideFiles", .boolean(tellsSideFiles)),
      ("tellsChain", .boolean(tellsChain)),
      ("mayStay", .boolean(mayStay)), ("threads", JSONValue(usualThreads)),
      ("scratch", sandbox.scratchFolder.map(JSONValue.string)),
      ("seed", seed.map { .string(String($0)) }),
      ("pictures", (pictures?.rawValue).map(JSONValue.string)),
    ])
  }

  init?(json: JSONValue) {
    guard let source = json["chain"], let settings = json["settings"].flatMap(JobSettings.init)
    else { return nil }
    if let words = source["arguments"]?.elements {
      chain = .arguments(words.compactMap(\.text))
    } else if let text = source["text"]?.text {
      chain = .text(name: source["name"]?.text ?? "preset", text)
    } else {
      return nil
    }
    self.settings = settings
    sandbox = SandboxRequest()
    sandbox.level = json["sandbox"]?.text.flatMap(SandboxLevel.init) ?? .strict
    sandbox.readablePaths = json["readable"]?.elements?.compactMap(\.text) ?? []
    sandbox.scratchFolder = json["scratch"]?.text
    sandbox.allowsNetwork = json["network"]?.boolean ?? false
    sandbox.memoryLimit = json["memory"]?.integer ?? 0
    tellsUnits = json["tellsUnits"]?.boolean ?? true
    tellsSideFiles = json["sideFiles"]?.boolean ?? false
    tellsChain = json["tellsChain"]?.boolean ?? false
    mayStay = json["mayStay"]?.boolean ?? true
    usualThreads = json["threads"]?.integer ?? 0
    seed = json["seed"]?.text.flatMap { UInt64($0) }
    pictures = json["pictures"]?.text.flatMap(PictureSize.init(rawValue:))
  }
}

/// A unit of a chain as it is installed: what a run is tied to.
public struct UnitIdentity: Sendable, Equatable {
  /// `type:subtype:manufacturer`, or the URI of an LV2 plug-in.
  public var identity: String
  /// "Maker: Unit".
  public var name: String
  /// Its version, as it is read.
  public var version: String
  /// Its bundle or file; empty for none.
  public var path: String
  /// XXH64 over the files of its bundle that it runs from; 0 where that is not known.
  public var checksum: UInt64

  /// Describes a unit.
  public init(identity: String, name: String, version: String, path: String, checksum: UInt64) {
    self.identity = identity
    self.name = name
    self.version = version
    self.path = path
    self.checksum = checksum
  }

  /// Whether it is the same unit: the same files may lie elsewhere by now; a checksum that is not known
  /// says nothing.
  func isSame(as other: UnitIdentity) -> Bool {
    var other = other
    if checksum == 0 || other.checksum == 0 {
      other.checksum = checksum
    } else {
      other.path = path
    }
    return self == other
  }

  /// The identity as JSON.
  public var json: JSONValue {
    .members([
      ("identity", .string(identity)), ("name", .string(name)), ("version", .string(version)),
      ("path", path.isEmpty ? nil : .string(path)),
      ("xxh64", checksum == 0 ? nil : .string(Hexadecimal.text(checksum))),
    ])
  }

  init?(json: JSONValue) {
    guard let identity = json["identity"]?.text, let name = json["name"]?.text else { return nil }
    self.init(
      identity: identity, name: name, version: json["version"]?.text ?? "",
      path: json["path"]?.text ?? "",
      checksum: json["xxh64"]?.text.flatMap(Hexadecimal.number) ?? 0)
  }
}

/// Why a chain cannot be made: what to print, and the exit code.
public struct WorkerRefusal: Error, Sendable {
  /// Lines for the user, as they are to be printed.
  public var text: String
  /// What kind of failure it is.
  public var category: AuricleError.Category

  /// Says no.
  public init(text: String, category: AuricleError.Category) {
    self.text = text
    self.category = category
  }
}

extension WorkerRefusal {
  /// That a unit's binary cannot be loaded here, which no file and no setting changes; nil for other
  /// errors of units.
  init?(binaryOf error: AuricleError) {
    // The status is that of every failed initialization; so begins what an LV2 unit says of its binary.
    guard error.category == .unavailable,
      error.message.contains("the unit cannot be initialized: its binary ")
    else { return nil }
    self.init(text: "auricle: \(error.message)", category: .unavailable)
  }
}
