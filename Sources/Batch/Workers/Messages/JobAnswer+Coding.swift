// Encodes and decodes the outcome of a job.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import FileRendering
import HostSystem
import PlugInGuard
import RunLedgers

extension JobAnswer {
  private enum Name: String {
    case done, failed, tampered, threadsLeft, chainUsed
  }

  var json: JSONValue {
    var values: [(MessageKey, JSONValue?)] = [
      (.job, JSONValue(job)), (.retires, .boolean(retires)),
      (.format, format.map { .members($0.members) }),
    ]
    let name: Name
    switch outcome {
    case .done(let file):
      name = .done
      values += [
        (.result, .members(file.result.jsonMembers(output: file.result.output))),
        (.stored, file.stored?.json), (.pictures, file.pictures?.json),
      ]
    case .failed(let failure):
      name = .failed
      values += failure.error.messageValues
      values += [
        (.kind, .string(failure.kind.rawValue)), (.unit, failure.unit.map { JSONValue(Int($0)) }),
        (.phase, .string("\(failure.phase)")),
      ]
    case .tampered(let unit):
      name = .tampered
      values.append((.unit, unit.map { JSONValue(Int($0)) }))
    case .notBegun(.threadsLeft(let count)):
      name = .threadsLeft
      values.append((.threads, JSONValue(count)))
    case .notBegun(.chainUsed(let memoryChanged)):
      name = .chainUsed
      values.append((.memoryChanged, .boolean(memoryChanged)))
    }
    return .message(values + [(.outcome, .string(name.rawValue))])
  }

  init(json: JSONValue) throws(MalformedMessage) {
    let outcome: Outcome =
      switch try json.need(.outcome, { $0.text.flatMap(Name.init) }) {
      case .done: .done(try FinishedFile(json: json))
      case .failed: .failed(try FailedFile(json: json))
      case .tampered: .tampered(unit: try json.ifPresent(.unit, Int32.init(json:)))
      case .threadsLeft: .notBegun(.threadsLeft(try json.need(.threads, \.integer)))
      case .chainUsed: .notBegun(.chainUsed(memoryChanged: try json.flag(.memoryChanged)))
      }
    self.init(
      job: try json.need(.job, \.integer), outcome, retires: try json.flag(.retires))
    format = try json.ifPresent(.format, ChainFormat.init(json:))
  }
}

extension FinishedFile {
  fileprivate init(json: JSONValue) throws(MalformedMessage) {
    self.init(
      result: try json.need(.result, FileResult.init(json:)),
      stored: try json.ifPresent(.stored, StoredFile.init(json:)))
    // A malformed picture is left out: the result itself is worth more.
    pictures = FilePictures(json: json[.pictures])
  }
}

extension FailedFile {
  fileprivate init(json: JSONValue) throws(MalformedMessage) {
    self.init(
      kind: try json.need(.kind) { $0.text.flatMap(JobFailure.Kind.init) },
      error: try AuricleError(message: json),
      unit: try json.ifPresent(.unit, Int32.init(json:)),
      phase: try json.need(.phase) { value in
        WorkPhase.allCases.first { "\($0)" == value.text }
      })
  }
}
