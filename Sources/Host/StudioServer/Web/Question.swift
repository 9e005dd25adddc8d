// A request as routes see it, and the answer that they give.
// SPDX-License-Identifier: Apache-2.0

import HostSystem

/// A request of a page or a script that has passed the gate.
struct Question: Sendable {
  /// The method: GET, POST, PUT or DELETE.
  var method: String
  /// The parts of the path, decoded once.
  var parts: [String]
  /// The items of the query.
  var query: [String: String]
  /// The headers by their names in lower case.
  var headers: [String: String]
  /// The body.
  var body: [UInt8]

  /// The body as JSON; an empty object without one.
  ///
  /// - Throws: `.usage` for a body that is no JSON object.
  func json() throws -> JSONValue {
    guard !body.isEmpty else { return .object([]) }
    guard let value = JSONValue(body), value.members != nil else {
      throw StudioFault(.usage, "the body of the request is no JSON object")
    }
    return value
  }

  /// A number of the query.
  ///
  /// - Throws: `.usage` for one that is none, or is out of range.
  func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = query[name], !text.isEmpty else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw StudioFault(
        .usage,
        "\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'"
      )
    }
    return number
  }

  /// Seconds of the query; nil where they are not given.
  func seconds(_ name: String) throws -> Double? {
    guard let text = query[name], !text.isEmpty else { return nil }
    guard let number = Double(text), number.isFinite, number >= 0 else {
      throw StudioFault(.usage, "\(name) takes seconds from 0 on, not '\(text)'")
    }
    return number
  }

  /// An item of the query that must be there.
  func required(_ name: String) throws -> String {
    guard let text = query[name], !text.isEmpty else {
      throw StudioFault(.usage, "the request has no '\(name)'")
    }
    return text
  }
}

/// The answer to a request.
struct Answer: Sendable {
  /// The body of an answer.
  enum Body: Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// A part of a file, read as it is sent.
    case file(FilePart)
  }

  var status = 200
  var type = "application/json; charset=utf-8"
  var headers: [(String, String)] = []
  var body = Body.bytes([])
  /// The security policy of a document that is no part of the page; nil for that of the studio.
  var policy: String?

  /// An answer in JSON.
  static func json(_ value: JSONValue, status: Int = 200) -> Answer {
    Answer(status: status, body: .bytes(Array(value.compactText.utf8)))
  }

  /// Bytes of a type.
  static func bytes(
    _ bytes: [UInt8], type: String, headers: [(String, String)] = []
  ) -> Answer {
    Answer(type: type, headers: headers, body: .bytes(bytes))
  }

  /// The answer about a fault.
  static func fault(_ fault: StudioFault) -> Answer {
    .json(fault.json, status: fault.kind.status)
  }

  /// A file, or the part of it that a `Range` header asks for.
  ///
  /// - Throws: `.notFound` for a file that is gone.
  static func file(_ path: String, type: String, range: String?) throws -> Answer {
    let file = try FilePart(path)
    var answer = Answer(type: type, headers: [("Accept-Ranges", "bytes")], body: .file(file))
    guard let range, let wanted = ByteRange.read(range, of: file.count) else { return answer }
    guard let bounds = wanted.bounds else {
      answer = .json(
        StudioFault(.usage, "the range lies behind the end of the file").json, status: 416)
      answer.headers = [("Content-Range", "bytes */\(file.count)")]
      return answer
    }
    answer.status = 206
    answer.headers.append(
      ("Content-Range", "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(file.count)"))
    answer.body = .file(file.part(bounds))
    return answer
  }
}

/// A range of bytes as a `Range` header has it.
struct ByteRange: Equatable {
  /// The bytes; nil where none of them is there.
  var bounds: Range<Int>?

  /// Reads `bytes=A-B`, `bytes=A-` or `bytes=-N`; nil for a header to be ignored.
  static func read(_ header: String, of count: Int) -> ByteRange? {
    guard header.hasPrefix("bytes=") else { return nil }
    let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, !header.contains(",") else { return nil }
    let (first, last) = (Int(ends[0]), Int(ends[1]))
    if ends[0].isEmpty {
      guard let last, last > 0 else { return last == 0 ? ByteRange() : nil }
      return count == 0 ? ByteRange() : ByteRange(bounds: max(0, count - last)..<count)
    }
    guard let first, first >= 0, ends[1].isEmpty || (last.map { $0 >= first } ?? false) else {
      return nil
    }
    guard first < count else { return ByteRange() }
    return ByteRange(bounds: first..<min(count, (last ?? count - 1) + 1))
  }
}
