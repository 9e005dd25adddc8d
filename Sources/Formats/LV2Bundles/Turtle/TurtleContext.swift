// The callbacks of serd while it reads a file: select statements, and record prefixes and errors.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv

/// The shared state of the C callbacks of one reading.
@safe final class TurtleContext {
  /// Datatypes of numbers.
  fileprivate static let numberTypes: Set<String> = Set(
    ["integer", "decimal", "double"].map { "http://www.w3.org/2001/XMLSchema#" + $0 })

  let environment: OpaquePointer
  let documentNumber: Int
  let body: (TurtleStatement) -> Void
  var errorLine = 0
  var errorColumn = 0
  var errorText = ""
  /// The first undefined prefix.
  private(set) var unknownPrefix: String?

  init(
    environment: OpaquePointer, documentNumber: Int, body: @escaping (TurtleStatement) -> Void
  ) {
    unsafe self.environment = environment
    self.documentNumber = documentNumber
    self.body = body
  }

  /// The full name of a node; nil when its prefix is unknown, which is recorded.
  func name(_ node: UnsafePointer<SerdNode>) -> String? {
    switch unsafe node.pointee.type {
    case SERD_CURIE:
      return unsafe expanded(node).map {
        unsafe text($0.prefix.buf, $0.prefix.len) + text($0.suffix.buf, $0.suffix.len)
      }
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

  /// Records an unknown prefix of a skipped node.
  func check(_ node: UnsafePointer<SerdNode>?) {
    guard let node = unsafe node, unsafe node.pointee.type == SERD_CURIE else { return }
    unsafe _ = expanded(node)
  }

  /// The two parts of a name with a prefix; nil when that is unknown, which is recorded.
  private func expanded(
    _ node: UnsafePointer<SerdNode>
  ) -> (prefix: SerdChunk, suffix: SerdChunk)? {
    var parts = unsafe (prefix: SerdChunk(), suffix: SerdChunk())
    guard
      unsafe serd_env_expand(environment, node, &parts.prefix, &parts.suffix) == SERD_SUCCESS
    else {
      let name = unsafe text(node.pointee.buf, node.pointee.n_bytes)
      if unknownPrefix == nil { unknownPrefix = String(name.prefix { $0 != ":" }) }
      return nil
    }
    return unsafe parts
  }

  private func text(_ start: UnsafePointer<UInt8>?, _ count: Int) -> String {
    unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}

private func context(_ handle: UnsafeMutableRawPointer?) -> TurtleContext? {
  guard let handle = unsafe handle else { return nil }
  return unsafe Unmanaged<TurtleContext>.fromOpaque(handle).takeUnretainedValue()
}

let baseSink: SerdBaseSink = { handle, uri in
  guard let context = unsafe context(handle) else { return SERD_ERR_INTERNAL }
  return unsafe serd_env_set_base_uri(context.environment, uri)
}

let prefixSink: SerdPrefixSink = { handle, name, uri in
  guard let context = unsafe context(handle) else { return SERD_ERR_INTERNAL }
  return unsafe serd_env_set_prefix(context.environment, name, uri)
}

let statementSink: SerdStatementSink = {
  handle, _, _, subject, predicate, object, datatype, language in
  guard let context = unsafe context(handle) else { return SERD_ERR_INTERNAL }
  guard let place = unsafe TurtleVocabulary.candidates(for: predicate),
    let predicateName = unsafe context.name(predicate),
    let property = TurtleVocabulary.table[place].properties.first(where: {
      $0.uri == predicateName
    })?.property,
    let subjectName = unsafe context.name(subject),
    let objectName = unsafe context.name(object)
  else {
    unsafe [subject, predicate, object, datatype].forEach { unsafe context.check($0) }
    return context.unknownPrefix == nil ? SERD_SUCCESS : SERD_ERR_BAD_CURIE
  }
  var isForeign = false
  if let language = unsafe language, let letters = unsafe language.pointee.buf {
    let bytes = unsafe UnsafeBufferPointer(start: letters, count: language.pointee.n_bytes)
    isForeign = unsafe !bytes.starts(with: "en".utf8)
  }
  var kind = TurtleStatement.Kind.name
  if unsafe object.pointee.type == SERD_LITERAL {
    kind = .text
    if let datatype = unsafe datatype, let name = unsafe context.name(datatype),
      TurtleContext.numberTypes.contains(name)
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

let errorSink: SerdErrorSink = { handle, error in
  guard let context = unsafe context(handle), context.errorLine == 0 else { return SERD_SUCCESS }
  var message = [CChar](repeating: 0, count: 256)
  unsafe auricle_serd_error_text(error, &message, 256)
  let bytes = message.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
  context.errorText = String(decoding: bytes, as: UTF8.self)
  context.errorLine = Int(unsafe error.pointee.line)
  context.errorColumn = Int(unsafe error.pointee.col)
  return SERD_SUCCESS
}
