// Reads a Turtle file through serd: returns statements, and errors with their positions; prints nothing.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import Glibc
internal import HostSystem

/// A syntax error in a Turtle file, or the reason it could not be read.
struct TurtleError: Error, Equatable {
  var path: String
  var line: Int
  var column: Int
  var message: String
  /// Whether no other reader may see the file either.
  var isHostile = false

  /// Whether the file was read and is not Turtle.
  var isSyntax: Bool { line > 0 && !isHostile }

  var description: String {
    line > 0 ? "\(path):\(line):\(column): \(message)" : "\(path): \(message)"
  }
}

/// One RDF statement with full names; blank nodes begin with "_:".
struct TurtleStatement {
  var subject: String
  var predicate: TurtleVocabulary
  var object: String
  /// The type of the object.
  var kind: Kind
  /// Whether the object carries a language other than English.
  var isForeign: Bool

  /// The types of objects.
  enum Kind { case name, text, number }
}

/// Reads Turtle files, keeping only statements whose predicate is in `TurtleVocabulary`.
struct TurtleReader {
  /// Longest file that is read: real ones stay below 1 MB.
  static let maximumSize = 16 << 20

  /// Reads a file and passes each known statement to `body`.
  ///
  /// - Throws: The first syntax error, with its line; statements before it have been passed on.
  static func read(
    _ path: String, documentNumber: Int, _ body: @escaping (TurtleStatement) -> Void
  ) throws(TurtleError) {
    try read(contents(of: path), at: path, documentNumber: documentNumber, body)
  }

  /// The same for text that would be the content of the file `path`.
  static func read(
    _ text: [UInt8], at path: String, documentNumber: Int,
    _ body: @escaping (TurtleStatement) -> Void
  ) throws(TurtleError) {
    if text.isEmpty { return }
    var text = text
    if let place = unsafe text.withUnsafeBufferPointer({ unsafe TurtleText.tooDeep($0) }) {
      throw TurtleError(
        path: path, line: place.line, column: place.column,
        message: "brackets are nested more than \(TurtleText.limit) deep", isHostile: true)
    }
    text.append(0)

    var base = unsafe path.withFileName { cPath in
      unsafe cPath.withMemoryRebound(to: UInt8.self, capacity: strlen(cPath) + 1) {
        unsafe serd_node_new_file_uri($0, nil, nil, true)
      }
    }
    defer { unsafe serd_node_free(&base) }
    guard let environment = unsafe serd_env_new(&base) else {
      throw TurtleError(path: path, line: 0, column: 0, message: "out of memory")
    }
    defer { unsafe serd_env_free(environment) }

    let context = unsafe TurtleContext(
      environment: environment, documentNumber: documentNumber, body: body)
    let handle = unsafe Unmanaged.passUnretained(context).toOpaque()
    guard
      let reader = unsafe serd_reader_new(
        SERD_TURTLE, handle, nil, baseSink, prefixSink, statementSink, nil)
    else { throw TurtleError(path: path, line: 0, column: 0, message: "out of memory") }
    defer { unsafe serd_reader_free(reader) }
    unsafe serd_reader_set_error_sink(reader, errorSink, handle)
    let status = unsafe text.withUnsafeBufferPointer { bytes in
      unsafe bytes.baseAddress.map { unsafe serd_reader_read_string(reader, $0) }
    }
    if let prefix = context.unknownPrefix {
      let place = unsafe text.withUnsafeBufferPointer {
        unsafe TurtleText.firstUse(ofPrefix: prefix, $0)
      }
      throw TurtleError(
        path: path, line: place?.line ?? 1, column: place?.column ?? 1,
        message: "the prefix \"\(LV2Text.line(prefix)):\" is not defined")
    }
    if let status, status.rawValue > SERD_FAILURE.rawValue {
      let line = context.errorLine
      throw TurtleError(
        path: path, line: line, column: context.errorColumn,
        message: context.errorText.isEmpty ? "is not valid Turtle" : context.errorText)
    }
  }

  private static func contents(of path: String) throws(TurtleError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw TurtleError(path: path, line: 0, column: 0, message: reason(errno))
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw TurtleError(path: path, line: 0, column: 0, message: "is not a regular file")
    }
    guard status.st_size <= maximumSize else {
      throw TurtleError(path: path, line: 0, column: 0, message: "is larger than 16 MiB")
    }
    let size = Int(status.st_size)
    var failure: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, count in
      while count < size, let start = buffer.baseAddress {
        let got = retrying { unsafe Glibc.read(descriptor, start + count, size - count) }
        if got < 0 { failure = errno }
        guard got > 0 else { break }
        count += got
      }
    }
    if failure != 0 {
      throw TurtleError(path: path, line: 0, column: 0, message: reason(failure))
    }
    return bytes
  }
}

/// The text of an errno value.
func reason(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }
