// The record of one file of a run: a line of the ledger, the report and the JSON output.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import FileRendering
public import HostSystem

/// The record of a file.
public struct FileRecord: Sendable {
  /// The outcome of the file.
  public enum Status: String, Sendable, CaseIterable {
    /// Its result is complete, under its name.
    case done
    /// It could not be read, or its result could not be written. It is not tried again.
    case failed
    /// A unit failed with it twice. It is not tried again.
    case quarantined
    /// Its result existed already and was left alone, as requested.
    case skipped
  }

  /// The cause of a failure.
  public enum Origin: String, Sendable {
    /// The input, which stays wrong.
    case input
    /// A unit.
    case unit
    /// The place of the result; a resumed run tries again.
    case output
  }

  /// The unit to blame for a failure.
  public struct Blame: Sendable, Equatable {
    /// The unit, `Maker: Unit (type:subtype:manufacturer)`.
    public var unit: String
    /// The step: load, instantiate, initialize, render, reset or close.
    public var phase: String
    /// The end of the worker: `SIGSEGV`, `exit 0`, `hang`, `time limit`, `memory limit`; nil when the unit
    /// returned an error or a value that is not finite.
    public var signal: String?

    /// Names a unit.
    public init(unit: String, phase: String, signal: String? = nil) {
      self.unit = unit
      self.phase = phase
      self.signal = signal
    }
  }

  /// Its place in the plan, from 0.
  public var index: Int
  /// The outcome of the file.
  public var status: Status
  /// The path of the input.
  public var input: String
  /// The path of the result, written or not.
  public var output: String
  /// The figures of the result; nil unless done.
  public var result: FileResult?
  /// The error; nil unless it failed.
  public var error: AuricleError?
  /// The cause of the failure; nil without one.
  public var origin: Origin?
  /// The unit to blame; nil for none.
  public var blame: Blame?
  /// The number of the variant, from 1; nil without variants.
  public var variant: Int?
  /// The number of attempts.
  public var attempts = 1
  /// Bytes of the input when the plan was made.
  public var inputByteCount = 0
  /// Seconds of sound of the input, by its header when the plan was made; nil where it had none.
  public var inputSeconds: Double?
  /// The length of the result in bytes, and its XXH64.
  public var stored: StoredFile?
  /// The fields of the file in a manifest of inputs; nil without any.
  public var fields: JSONValue?
  /// Results that existed already and were kept, while missing ones were made.
  public var kept: [String] = []
  /// The place of the file's pictures; nil without any.
  public var pictures: PicturePlace?

  /// Whether a resumed run skips the file: a problem of the disk may have passed.
  public var isFinal: Bool {
    status != .failed || origin != .output || error?.category == .usage
  }

  /// Makes a record.
  public init(index: Int, status: Status, input: String, output: String) {
    self.index = index
    self.status = status
    self.input = input
    self.output = output
  }
}

extension FileRecord {
  /// All results with their paths as stored on the disk; empty unless done.
  public var storedFiles: [(path: String, stored: StoredFile)] {
    guard status == .done else { return [] }
    return (stored.map { [(output, $0)] } ?? [])
      + (result?.others ?? []).compactMap { other in other.stored.map { (other.path, $0) } }
  }

  /// The record as JSON, as docs/json-output.md describes it.
  public var json: JSONValue {
    var members: [(String, JSONValue?)] = [
      ("status", .string(status.rawValue)), ("index", JSONValue(index)),
      ("variant", variant.map(JSONValue.init)),
    ]
    if let result {
      members += result.jsonMembers(output: output)
    } else {
      members += [
        ("input", .members([("path", .string(input))])),
        ("output", output.isEmpty ? nil : .members([("path", .string(output))])),
      ]
    }
    members.append(("inputBytes", JSONValue(inputByteCount)))
    members.append(("inputSeconds", inputSeconds.map(JSONValue.init)))
    members.append(("attempts", JSONValue(attempts)))
    if let error {
      members += [
        ("error", .string(error.message)), ("category", .string("\(error.category)")),
        ("code", .integer(Int64(error.category.rawValue))),
        ("origin", origin.map { .string($0.rawValue) }),
      ]
    }
    if let blame {
      members += [
        ("unit", .string(blame.unit)), ("phase", .string(blame.phase)),
        ("signal", blame.signal.map(JSONValue.string)),
      ]
    }
    if let stored {
      members += [
        ("bytes", JSONValue(stored.byteCount)),
        ("xxh64", .string(Hexadecimal.text(stored.checksum))),
      ]
    }
    members.append(("kept", kept.isEmpty ? nil : .array(kept.map(JSONValue.string))))
    members += [("pictures", pictures?.json), ("fields", fields)]
    return .members(members)
  }

  /// Reads a record; nil when a required value is missing.
  public init?(json: JSONValue) {
    guard let status = json["status"]?.text.flatMap(Status.init),
      let index = json["index"]?.integer,
      index >= 0, let input = json["input"]?["path"]?.text
    else { return nil }
    self.init(
      index: index, status: status, input: input, output: json["output"]?["path"]?.text ?? "")
    if status == .done { result = FileResult(json: json) }
    inputByteCount = json["inputBytes"]?.integer ?? 0
    inputSeconds = json["inputSeconds"]?.number.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    variant = json["variant"]?.integer
    attempts = json["attempts"]?.integer ?? 1
    if let message = json["error"]?.text {
      let code = json["code"]?.integer.flatMap { Int32(exactly: $0) } ?? 70
      error = AuricleError(AuricleError.Category(rawValue: code) ?? .software, message)
    }
    origin = json["origin"]?.text.flatMap(Origin.init)
    if let unit = json["unit"]?.text {
      blame = Blame(
        unit: unit, phase: json["phase"]?.text ?? "", signal: json["signal"]?.text)
    }
    if let count = json["bytes"]?.integer,
      let sum = json["xxh64"]?.text.flatMap(Hexadecimal.number)
    {
      stored = StoredFile(byteCount: count, checksum: sum)
    }
    kept = json["kept"]?.elements?.compactMap(\.text) ?? []
    pictures = json["pictures"].flatMap(PicturePlace.init(json:))
    fields = json["fields"]
  }
}
