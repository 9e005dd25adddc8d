// The RDF properties that are read from data files.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv

/// A property that is read; all others are skipped before their names are expanded.
enum TurtleVocabulary: UInt8, CaseIterable {
  case type, value
  case seeAlso, comment, label, range
  case binary, appliesTo, project, port, requiredFeature, optionalFeature, extensionData
  case minorVersion, microVersion
  case index, symbol, name, portProperty, designation, minimum, maximum, defaultValue, scalePoint
  case doapName, maker, maintainer, developer, shortdesc, license
  case foafName
  case supports, supportsEvent
  case unit, unitSymbol, unitRender
  case group, mainInput, mainOutput, sideChainOf
  case minimumSize
  case bank
  case userInterface
  case writable, readable
  case supportedOption, requiredOption

  /// The whole URI.
  var uri: String {
    switch self {
    case .type, .value: LV2Names.rdf + "\(self)"
    case .seeAlso, .comment, .label, .range: LV2Names.rdfs + "\(self)"
    case .defaultValue: LV2Names.core + "default"
    case .binary, .appliesTo, .project, .port, .requiredFeature, .optionalFeature, .extensionData,
      .minorVersion, .microVersion, .index, .symbol, .name, .portProperty, .designation, .minimum,
      .maximum, .scalePoint:
      LV2Names.core + "\(self)"
    case .doapName: LV2Names.doap + "name"
    case .maker, .maintainer, .developer, .shortdesc, .license: LV2Names.doap + "\(self)"
    case .foafName: LV2Names.foaf + "name"
    case .supports: LV2Names.atom + "supports"
    case .supportsEvent: "http://lv2plug.in/ns/ext/event#supportsEvent"
    case .unit: LV2Names.units + "unit"
    case .unitSymbol: LV2Names.units + "symbol"
    case .unitRender: LV2Names.units + "render"
    case .group, .mainInput, .mainOutput, .sideChainOf: LV2Names.portGroups + "\(self)"
    case .minimumSize: LV2Names.resizePort + "minimumSize"
    case .bank: "http://lv2plug.in/ns/ext/presets#bank"
    case .userInterface: LV2Names.userInterfaces + "ui"
    case .writable, .readable: LV2Names.patch + "\(self)"
    case .supportedOption, .requiredOption: LV2Names.options + "\(self)"
    }
  }

  /// Names in drafts of the specifications that are still in use.
  private var formerURIs: [String] {
    switch self {
    case .unit, .unitSymbol, .unitRender:
      [LV2Names.draftUnits + uri.dropFirst(LV2Names.units.count)]
    case .group: [LV2Names.draftPortGroups + "inGroup"]
    case .designation: [LV2Names.draftPortGroups + "role"]
    case .appliesTo: ["http://lv2plug.in/ns/ext/presets#appliesTo"]
    default: []
    }
  }

  /// The current name of one from a draft.
  static func present(_ name: String) -> String {
    guard name.hasPrefix(LV2Names.lv2) else { return name }
    if name.hasPrefix(LV2Names.draftUnits) {
      return LV2Names.units + name.dropFirst(LV2Names.draftUnits.count)
    }
    if name.hasPrefix(LV2Names.draftPortProps) {
      return LV2Names.portProps + name.dropFirst(LV2Names.draftPortProps.count)
    }
    if name.hasPrefix(LV2Names.draftPortGroups) {
      let end = name.dropFirst(LV2Names.draftPortGroups.count)
      return LV2Names.portGroups + (end.hasSuffix("Channel") ? end.dropLast(7) : end)
    }
    return name
  }

  /// Properties whose URIs have the same ending, with that ending.
  typealias Candidates = (local: [UInt8], properties: [(uri: String, property: TurtleVocabulary)])

  /// The index in `table` of the properties that a node may name, by the ending of its text.
  static func candidates(for node: UnsafePointer<SerdNode>) -> Int? {
    guard let start = unsafe node.pointee.buf else { return nil }
    let bytes = unsafe UnsafeBufferPointer(start: start, count: node.pointee.n_bytes)
    var first = bytes.count
    while first > 0 {
      let byte = unsafe bytes[first - 1]
      if byte == 0x23 || byte == 0x2f || byte == 0x3a { break }  // # / :
      first -= 1
    }
    let local = unsafe UnsafeBufferPointer(rebasing: bytes[first...])
    guard local.count < byLength.count else { return nil }
    for place in byLength[local.count] where unsafe local.elementsEqual(table[place].local) {
      return place
    }
    return nil
  }

  static let table: [Candidates] = {
    var table: [Candidates] = []
    for (property, uri) in allCases.flatMap({ property in
      ([property.uri] + property.formerURIs).map { (property, $0) }
    }) {
      let end = uri.lastIndex { $0 == "#" || $0 == "/" } ?? uri.startIndex
      let local = Array(uri[uri.index(after: end)...].utf8)
      if let place = table.firstIndex(where: { $0.local == local }) {
        table[place].properties.append((uri, property))
      } else {
        table.append((local, [(uri, property)]))
      }
    }
    return table
  }()

  /// Indices in `table` by the length of the ending.
  private static let byLength: [[Int]] = {
    var places = [[Int]](repeating: [], count: 32)
    for (place, entry) in table.enumerated() { places[entry.local.count].append(place) }
    return places
  }()
}
