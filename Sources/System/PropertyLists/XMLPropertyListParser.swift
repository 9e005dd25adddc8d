// Drives expat over the XML form and hands its events to the builder.
// SPDX-License-Identifier: Apache-2.0

internal import CExpat

/// Reads one XML property list.
///
/// Everything is passed to expat in one call, so no token is ever scanned twice. A document type
/// with contents is refused before its first declaration is read: no entity can be defined, so none
/// can unfold. External entities are never loaded.
func parseXMLPropertyList(
  _ bytes: [UInt8], limits: PropertyListLimits
) throws(PropertyListError) -> PropertyListValue {
  guard let parser = unsafe XML_ParserCreate(nil) else {
    throw PropertyListError(.unreadable(12), "there is no memory left to read it")
  }
  defer { unsafe XML_ParserFree(parser) }
  let events = unsafe XMLEvents(parser, XMLPropertyListBuilder(limits))
  unsafe XML_SetUserData(parser, Unmanaged.passUnretained(events).toOpaque())
  unsafe XML_SetElementHandler(
    parser,
    { context, name, _ in
      unsafe XMLEvents.from(context)?.handle { unsafe $0.begin(text(name)) }
    },
    { context, _ in unsafe XMLEvents.from(context)?.handle { $0.end() } })
  unsafe XML_SetCharacterDataHandler(parser) { context, text, count in
    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(count))
    unsafe XMLEvents.from(context)?.handle { unsafe $0.text(bytes) }
  }
  unsafe XML_SetStartDoctypeDeclHandler(parser) { context, name, _, _, hasInternalSubset in
    unsafe XMLEvents.from(context)?.handle {
      unsafe $0.documentType(text(name), hasInternalSubset: hasInternalSubset != 0)
    }
  }
  unsafe XML_SetSkippedEntityHandler(parser) { context, name, _ in
    unsafe XMLEvents.from(context)?.handle { unsafe $0.unknownEntity(text(name)) }
  }
  let status = unsafe bytes.withUnsafeBytes { buffer in
    let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
    return unsafe XML_Parse(parser, start, Int32(clamping: buffer.count), 1)
  }
  if let failure = events.failure { throw failure }
  guard status == XML_STATUS_OK else {
    let reason = unsafe text(XML_ErrorString(XML_GetErrorCode(parser)))
    throw PropertyListError(
      .malformed, "it is not well-formed XML: \(reason)", at: events.location)
  }
  guard let root = events.builder.root else {
    throw PropertyListError(.malformed, "it holds no value", at: events.location)
  }
  return root
}

/// A C string, or nothing.
private func text(_ characters: UnsafePointer<CChar>?) -> String {
  unsafe characters.map { unsafe String(cString: $0) } ?? ""
}

/// The state that expat's callbacks reach through their context pointer. Lives as long as the parse
/// call.
@safe private final class XMLEvents {
  private let parser: XML_Parser
  private(set) var builder: XMLPropertyListBuilder
  private(set) var failure: PropertyListError?

  init(_ parser: XML_Parser, _ builder: XMLPropertyListBuilder) {
    unsafe self.parser = unsafe parser
    self.builder = builder
  }

  /// The object behind the context pointer of a callback.
  static func from(_ context: UnsafeMutableRawPointer?) -> XMLEvents? {
    unsafe context.map { unsafe Unmanaged<XMLEvents>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Passes one event to the builder; after the first problem, none any more.
  func handle(_ event: (inout XMLPropertyListBuilder) -> XMLPropertyListBuilder.Problem?) {
    // Expat may still deliver an event or two after it was stopped.
    guard failure == nil, let problem = event(&builder) else { return }
    failure = PropertyListError(problem.kind, problem.message, at: location)
    unsafe _ = XML_StopParser(parser, XML_Bool(0))
  }

  /// Where expat is now.
  var location: PropertyListError.Location {
    .text(
      line: Int(unsafe XML_GetCurrentLineNumber(parser)),
      column: Int(unsafe XML_GetCurrentColumnNumber(parser)) + 1)
  }
}
