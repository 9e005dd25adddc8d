// Reading one Turtle file through serd: statements out, errors with their place, nothing printed.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import Glibc

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

/// One RDF statement with its names written out in full; blank nodes begin with "_:".
struct TurtleStatement {
  var subject: String
  var predicate: TurtleVocabulary
  var object: String
  /// What the object is.
  var kind: Kind
  /// Whether the object carries a language other than English.
  var isForeign: Bool

  /// What an object can be.
  enum Kind { case name, text, number }
}

extension TurtleStatement {
  /// Datatypes of numbers.
  fileprivate static let numberTypes: Set<String> = Set(
    ["integer", "decimal", "double"].map { "http://www.w3.org/2001/XMLSchema#" + $0 })
}

/// Reads Turtle files, keeping only statements whose predicate is in `TurtleVocabulary`.
struct TurtleReader {
  /// Longest file that is read: real ones stay below 1 MB.
  static let maximumSize = 16 << 20

  /// Reads a file and hands each known statement to `body`.
  ///
  /// - Throws: the first syntax error, with its line; statements before it have been handed over.
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

    var base = unsafe path.withCString { cPath in
      unsafe cPath.withMemoryRebound(to: UInt8.self, capacity: path.utf8.count + 1) {
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
        SERD_TURTLE, handle, nil, takeBase, takePrefix, takeStatement, nil)
    else { throw TurtleError(path: path, line: 0, column: 0, message: "out of memory") }
    defer { unsafe serd_reader_free(reader) }
    unsafe serd_reader_set_error_sink(reader, takeError, handle)
    let status = unsafe text.withUnsafeBufferPointer { bytes in
      unsafe bytes.baseAddress.map { unsafe serd_reader_read_string(reader, $0) }
    }
    if let prefix = context.unknownPrefix {
      let place = unsafe text.withUnsafeBufferPointer {
        unsafe TurtleText.firstUse(ofPrefix: prefix, $0)
      }
      throw TurtleError(
        path: path, line: place?.line ?? 1, column: place?.column ?? 1,
        message: "nobody says what the prefix \"\(LV2Text.line(prefix)):\" stands for")
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
        let got = unsafe Glibc.read(descriptor, start + count, size - count)
        if got < 0 {
          failure = errno
          if failure == EINTR { continue }
          break
        }
        if got == 0 { break }
        count += got
      }
    }
    if failure != 0, failure != EINTR {
      throw TurtleError(path: path, line: 0, column: 0, message: reason(failure))
    }
    return bytes
  }
}

/// The text of an errno value.
func reason(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }

/// What the C callbacks of one reading share.
@safe private final class TurtleContext {
  let environment: OpaquePointer
  let documentNumber: Int
  let body: (TurtleStatement) -> Void
  var errorLine = 0
  var errorColumn = 0
  var errorText = ""
  /// The first prefix met that is not defined.
  private(set) var unknownPrefix: String?

  init(
    environment: OpaquePointer, documentNumber: Int, body: @escaping (TurtleStatement) -> Void
  ) {
    unsafe self.environment = environment
    self.documentNumber = documentNumber
    self.body = body
  }

  /// The full name of a node; nil when its prefix is unknown, which is kept in mind.
  func name(_ node: UnsafePointer<SerdNode>) -> String? {
    switch unsafe node.pointee.type {
    case SERD_CURIE:
      var prefix = unsafe SerdChunk()
      var suffix = unsafe SerdChunk()
      guard unsafe serd_env_expand(environment, node, &prefix, &suffix) == SERD_SUCCESS else {
        let name = unsafe text(node.pointee.buf, node.pointee.n_bytes)
        if unknownPrefix == nil { unknownPrefix = String(name.prefix { $0 != ":" }) }
        return nil
      }
      return unsafe text(prefix.buf, prefix.len) + text(suffix.buf, suffix.len)
    case SERD_URI:
      if unsafe serd_uri_string_has_scheme(node.pointee.buf) {
        return unsafe text(node.pointee.buf, node.pointee.n_bytes)
      }
      var expanded = unsafe serd_env_expand_node(environment, node)
      defer { unsafe serd_node_free(&expanded) }
      return unsafe text(expanded.buf, expanded.n_bytes)
    case SERD_BLANK:
      return unsafe "_:\(documentNumber)." + text(node.pointee.buf, node.pointee.n_bytes)
    default:
      return unsafe text(node.pointee.buf, node.pointee.n_bytes)
    }
  }

  private func text(_ start: UnsafePointer<UInt8>?, _ count: Int) -> String {
    unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}

private func context(_ handle: UnsafeMutableRawPointer?) -> TurtleContext? {
  guard let handle = unsafe handle else { return nil }
  return unsafe Unmanaged<TurtleContext>.fromOpaque(handle).takeUnretainedValue()
}

private let takeBase: SerdBaseSink = { handle, uri in
  guard let context = unsafe context(handle) else { return SERD_ERR_INTERNAL }
  return unsafe serd_env_set_base_uri(context.environment, uri)
}

private let takePrefix: SerdPrefixSink = { handle, name, uri in
  guard let context = unsafe context(handle) else { return SERD_ERR_INTERNAL }
  return unsafe serd_env_set_prefix(context.environment, name, uri)
}

private let takeStatement: SerdStatementSink = {
  handle, _, _, subject, predicate, object, datatype, language in
  guard let context = unsafe context(handle) else { return SERD_ERR_INTERNAL }
  guard let place = unsafe TurtleVocabulary.candidates(for: predicate),
    let predicateName = unsafe context.name(predicate),
    let property = TurtleVocabulary.table[place].properties.first(where: {
      $0.uri == predicateName
    })?.property,
    let subjectName = unsafe context.name(subject),
    let objectName = unsafe context.name(object)
  else { return context.unknownPrefix == nil ? SERD_SUCCESS : SERD_ERR_BAD_CURIE }
  var isForeign = false
  if let language = unsafe language, let letters = unsafe language.pointee.buf {
    let bytes = unsafe UnsafeBufferPointer(start: letters, count: language.pointee.n_bytes)
    isForeign = unsafe !bytes.starts(with: "en".utf8)
  }
  var kind = TurtleStatement.Kind.name
  if unsafe object.pointee.type == SERD_LITERAL {
    kind = .text
    if let datatype = unsafe datatype, let name = unsafe context.name(datatype),
      TurtleStatement.numberTypes.contains(name)
    {
      kind = .number
    }
  }
  context.body(
    TurtleStatement(
      subject: subjectName, predicate: property, object: objectName, kind: kind,
      isForeign: isForeign))
  return SERD_SUCCESS
}

private let takeError: SerdErrorSink = { handle, error in
  guard let context = unsafe context(handle), context.errorLine == 0 else { return SERD_SUCCESS }
  var message = [CChar](repeating: 0, count: 256)
  unsafe auricle_serd_error_text(error, &message, 256)
  let bytes = message.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
  context.errorText = String(decoding: bytes, as: UTF8.self)
  context.errorLine = Int(unsafe error.pointee.line)
  context.errorColumn = Int(unsafe error.pointee.col)
  return SERD_SUCCESS
}
