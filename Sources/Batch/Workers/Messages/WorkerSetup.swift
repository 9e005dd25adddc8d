// What a worker is told before its first file, and what it tells back.
// SPDX-License-Identifier: Apache-2.0

public import AudioPictures
public import AudioTypes
import HostSystem
public import ResultSettings
public import RunLedgers

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
      case .preset(let name): .message([(.preset, .string(name))])
      case .units(let text): .message([(.units, .string(text))])
      case .text(let name, let text):
        .message([(.name, .string(name)), (.text, .string(text))])
      }
    return .message([
      (.chain, source), (.settings, settings.json), (.sandbox, .string(sandbox.level.rawValue)),
      (.readable, .array(sandbox.readablePaths.map(JSONValue.string))),
      (.network, .boolean(sandbox.allowsNetwork)), (.memoryLimit, JSONValue(sandbox.memoryLimit)),
      (.tellsUnits, .boolean(tellsUnits)), (.tellsSideFiles, .boolean(tellsSideFiles)),
      (.tellsChain, .boolean(tellsChain)), (.stays, .boolean(mayStay)),
      (.usualThreads, JSONValue(usualThreads)),
      (.scratch, sandbox.scratchFolder.map(JSONValue.string)),
      (.seed, seed.map { .string(String($0)) }),
      (.pictures, (pictures?.rawValue).map(JSONValue.string)),
    ])
  }

  init(json: JSONValue) throws(MalformedMessage) {
    let source = try json.need(.chain) { $0 }
    if let name = try? source.need(.preset, \.text) {
      chain = .preset(name)
    } else if let text = try? source.need(.units, \.text) {
      chain = .units(text)
    } else {
      chain = .text(name: try source.need(.name, \.text), try source.need(.text, \.text))
    }
    settings = try json.need(.settings, JobSettings.init(json:))
    sandbox = SandboxRequest()
    sandbox.level = try json.need(.sandbox) { $0.text.flatMap(SandboxLevel.init) }
    sandbox.readablePaths = try json.list(.readable, \.text)
    sandbox.scratchFolder = try json.ifPresent(.scratch, \.text)
    sandbox.allowsNetwork = try json.flag(.network)
    sandbox.memoryLimit = try json.need(.memoryLimit, \.integer)
    tellsUnits = try json.flag(.tellsUnits)
    tellsSideFiles = try json.flag(.tellsSideFiles)
    tellsChain = try json.flag(.tellsChain)
    mayStay = try json.flag(.stays)
    usualThreads = try json.need(.usualThreads, \.integer)
    seed = try json.ifPresent(.seed) { $0.text.flatMap { UInt64($0) } }
    pictures = try json.ifPresent(.pictures) { $0.text.flatMap(PictureSize.init(rawValue:)) }
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
    guard error.cause == .binaryCannotLoad else { return nil }
    self.init(text: "auricle: \(error.message)", category: error.category)
  }
}
