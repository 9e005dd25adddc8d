// The RDF properties the index is made of.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv

/// A property the index reads; all others are skipped before their names are even put together.
enum TurtleVocabulary: String, CaseIterable {
  case type, seeAlso, comment
  case binary, appliesTo, project, port, requiredFeature, minorVersion, microVersion
  case doapName, maker, maintainer, developer, shortdesc
  case foafName
  case supports, supportsEvent

  /// The whole URI.
  var uri: String {
    switch self {
    case .type: LV2Names.rdf + "type"
    case .seeAlso: LV2Names.rdfs + "seeAlso"
    case .comment: LV2Names.rdfs + "comment"
    case .binary, .appliesTo, .project, .port, .requiredFeature, .minorVersion, .microVersion:
      LV2Names.core + rawValue
    case .doapName: LV2Names.doap + "name"
    case .maker, .maintainer, .developer, .shortdesc: LV2Names.doap + rawValue
    case .foafName: LV2Names.foaf + "name"
    case .supports: LV2Names.atom + "supports"
    case .supportsEvent: "http://lv2plug.in/ns/ext/event#supportsEvent"
    }
  }

  /// The property a node may name, told by the end of its text alone; the caller checks the rest.
  init?(candidateFor node: UnsafePointer<SerdNode>) {
    guard let start = unsafe node.pointee.buf else { return nil }
    let bytes = unsafe UnsafeBufferPointer(start: start, count: node.pointee.n_bytes)
    var first = bytes.count
    while first > 0 {
      let byte = unsafe bytes[first - 1]
      if byte == 0x23 || byte == 0x2f || byte == 0x3a { break }  // # / :
      first -= 1
    }
    let local = unsafe UnsafeBufferPointer(rebasing: bytes[first...])
    for entry in TurtleVocabulary.table where unsafe local.elementsEqual(entry.local) {
      self = entry.property
      return
    }
    return nil
  }

  /// The property a full name stands for, given the candidate its end made; "name" belongs to two.
  func confirmed(by name: String) -> TurtleVocabulary? {
    if name == uri { return self }
    return self == .doapName && name == TurtleVocabulary.foafName.uri ? .foafName : nil
  }

  private static let table: [(local: [UInt8], property: TurtleVocabulary)] =
    allCases.filter { $0 != .foafName }.map { property in
      (Array((property == .doapName ? "name" : property.rawValue).utf8), property)
    }
}
