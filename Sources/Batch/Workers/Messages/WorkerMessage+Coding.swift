// Encodes and decodes messages as JSON; no other file knows their format.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import FileRendering
import HostSystem
import PlugInGuard
import ResultSettings
import RunLedgers

extension WorkerMessage {
  /// The number of a kind of message in its frame.
  enum Kind: UInt8 {
    case setup = 1
    case job = 2
    case probe = 3
    case units = 16
    case ready = 17
    case refused = 18
    case started = 19
    case rendering = 20
    case finished = 21
    case probed = 22
  }

  var kind: Kind {
    switch self {
    case .setup: .setup
    case .job: .job
    case .probe: .probe
    case .units: .units
    case .ready: .ready
    case .refused: .refused
    case .started: .started
    case .rendering: .rendering
    case .finished: .finished
    case .probed: .probed
    }
  }

  /// The values of the message.
  var body: JSONValue {
    switch self {
    case .setup(let setup): setup.json
    case .job(let job): job.json
    case .probe(let probe): probe.json
    case .units(let units, let files):
      .message([
        (.units, .array(units.map(\.message))), (.files, .array(files.map(\.message))),
      ])
    case .ready(let sandbox, let figures):
      .message([
        (.sandbox, .string(sandbox.text)), (.weakness, sandbox.weakness.map(JSONValue.string)),
        (.figures, figures?.json),
      ])
    case .refused(let refusal):
      .message([
        (.text, .string(refusal.text)), (.category, JSONValue(Int(refusal.category.rawValue))),
        (.cause, refusal.cause.map { .string($0.code) }),
      ])
    case .started(let job): .message([(.job, JSONValue(job))])
    case .rendering(let rendering): rendering.json
    case .finished(let answer): answer.json
    case .probed(let answer): answer.json
    }
  }

  /// Reads a message.
  init(_ kind: Kind, _ body: JSONValue) throws(MalformedMessage) {
    switch kind {
    case .setup: self = .setup(try WorkerSetup(json: body))
    case .job: self = .job(try JobMessage(json: body))
    case .probe: self = .probe(try ProbeMessage(json: body))
    case .units:
      self = .units(
        try body.list(.units, UnitIdentity.init(json:)),
        sideFiles: try body.list(.files, PresetFile.init(json:)))
    case .ready:
      self = .ready(
        sandbox: SandboxState(
          text: try body.need(.sandbox, \.text), weakness: try body.ifPresent(.weakness, \.text)),
        figures: try body.ifPresent(.figures, ChainFigures.init))
    case .refused:
      self = .refused(
        WorkerRefusal(
          text: try body.need(.text, \.text),
          category: try body.need(.category) {
            Int32(json: $0).flatMap(AuricleError.Category.init)
          },
          cause: try body.ifPresent(.cause) { $0.text.flatMap(AuricleError.Cause.init(code:)) }))
    case .started: self = .started(job: try body.need(.job, \.integer))
    case .rendering: self = .rendering(try RenderingMessage(json: body))
    case .finished: self = .finished(try JobAnswer(json: body))
    case .probed: self = .probed(try ProbeAnswer(json: body))
    }
  }
}

extension JobMessage {
  fileprivate var json: JSONValue {
    .message([
      (.job, JSONValue(number)), (.input, .string(input)),
      (.outputs, .array(outputs.map(JSONValue.string))), (.spool, .boolean(hasSpool)),
      (.reuse, reuse.json), (.track, track.map { JSONValue($0) }),
      (.start, segment.map { JSONValue($0.start) }),
      (.seconds, segment?.seconds.map(JSONValue.init)),
      (.variant, variant.map { JSONValue($0.number) }), (.key, variant.map { .string($0.key) }),
    ])
  }

  fileprivate init(json: JSONValue) throws(MalformedMessage) {
    self.init(
      number: try json.need(.job, \.integer), input: try json.need(.input, \.text),
      outputs: try json.list(.outputs, \.text))
    guard !outputs.isEmpty, fileCount <= WorkerChannel.mostFiles else {
      throw MalformedMessage(key: .outputs)
    }
    hasSpool = try json.flag(.spool)
    track = try json.ifPresent(.track, \.integer)
    let seconds = try json.ifPresent(.seconds, \.number)
    segment = try json.ifPresent(.start) {
      $0.number.flatMap { SoundSegment(start: $0, seconds: seconds) }
    }
    reuse = try json.need(.reuse, ReusePermission.init(json:))
    if let number = try json.ifPresent(.variant, \.integer) {
      variant = (number, try json.need(.key, \.text))
    }
  }
}

extension ProbeMessage {
  fileprivate var json: JSONValue {
    .message([
      (.format, .members(format.members)), (.stage, .string(stage.rawValue)),
      (.others, .array(others.map(\.json))),
    ])
  }

  fileprivate init(json: JSONValue) throws(MalformedMessage) {
    self.init(
      format: try json.need(.format, ChainFormat.init(json:)),
      stage: try json.need(.stage) { $0.text.flatMap(ProbeStage.init) },
      others: try json.list(.others, OtherFormat.init(json:)))
  }
}

extension RenderingMessage {
  fileprivate var json: JSONValue {
    .message([
      (.job, JSONValue(job)), (.format, format.map { .members($0.members) }),
      (.seconds, seconds.map { JSONValue($0) }),
    ])
  }

  fileprivate init(json: JSONValue) throws(MalformedMessage) {
    self.init(
      job: try json.need(.job, \.integer), seconds: try json.ifPresent(.seconds, \.number))
    format = try json.ifPresent(.format, ChainFormat.init(json:))
  }
}
