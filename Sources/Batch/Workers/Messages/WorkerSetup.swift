// The work of a worker, sent before its first file, and its refusal.
// SPDX-License-Identifier: Apache-2.0

public import AudioPictures
public import AudioTypes
import HostSystem
public import ResultSettings
public import RunLedgers

/// The work of a worker, sent before its first file.
public struct WorkerSetup: Sendable {
  /// Where its chain comes from.
  public var chain: ChainSource
  /// The settings for every file.
  public var settings: JobSettings
  /// Its sandbox and limits.
  public var sandbox: SandboxRequest
  /// The seed of random values; nil without any.
  public var seed: UInt64?
  /// Whether the worker reports the units with their checksums; a run without a ledger compares them with
  /// nothing.
  public package(set) var wantsUnits = true
  /// Whether it reports the files that the preset names, with their checksums.
  package internal(set) var wantsSideFiles = false
  /// Whether it reports latency and tail of the chain, made for stereo at 48 kHz.
  package internal(set) var wantsFigures = false
  /// Whether it may process more than one file.
  var mayStay = true
  /// The number of threads that chains are known to leave behind in any process.
  var usualThreads = 0
  /// The size of the pictures of every file; nil for none.
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
      (.wantsUnits, .boolean(wantsUnits)), (.wantsSideFiles, .boolean(wantsSideFiles)),
      (.wantsFigures, .boolean(wantsFigures)), (.stays, .boolean(mayStay)),
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
    wantsUnits = try json.flag(.wantsUnits)
    wantsSideFiles = try json.flag(.wantsSideFiles)
    wantsFigures = try json.flag(.wantsFigures)
    mayStay = try json.flag(.stays)
    usualThreads = try json.need(.usualThreads, \.integer)
    seed = try json.ifPresent(.seed) { $0.text.flatMap { UInt64($0) } }
    pictures = try json.ifPresent(.pictures) { $0.text.flatMap(PictureSize.init(rawValue:)) }
  }
}

/// The reason why a chain cannot be made: the text to print, and the exit code.
public struct WorkerRefusal: Error, Sendable {
  /// Lines for the user, as they are to be printed.
  public var text: String
  /// The category of the failure.
  public var category: AuricleError.Category
  /// The cause, if code needs it and it is the only one.
  public var cause: AuricleError.Cause?

  /// Makes a refusal.
  public init(
    text: String, category: AuricleError.Category, cause: AuricleError.Cause? = nil
  ) {
    self.text = text
    self.category = category
    self.cause = cause
  }

  /// Makes the refusal of a chain by one failure.
  package init(_ error: AuricleError) {
    self.init(text: "auricle: \(error.message)", category: error.category, cause: error.cause)
  }
}

extension WorkerRefusal {
  /// A refusal because a unit's binary cannot be loaded, with any file or setting; nil for other errors.
  init?(binaryOf error: AuricleError) {
    guard error.cause == .binaryCannotLoad else { return nil }
    self.init(error)
  }
}
