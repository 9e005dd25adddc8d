// Builds a value from the events of an XML property list; knows the grammar, not the XML.
// SPDX-License-Identifier: Apache-2.0

/// Builds one value from start tags, end tags and text.
///
/// Each event returns nil, or its fault; the caller knows the place.
struct XMLPropertyListBuilder {
  /// The fault of an event.
  struct Problem {
    var kind = PropertyListError.Kind.malformed
    var message: String
  }

  /// The elements of a property list.
  private enum Tag: String {
    case plist, dict, array, key, string, integer, real, data, date
    case isTrue = "true"
    case isFalse = "false"
  }

  /// A container that has begun and not ended.
  private struct Container {
    let isDictionary: Bool
    var elements: [PropertyListValue] = []
    var entries: [String: PropertyListValue] = [:]
    var key: String?
  }

  /// The value of the whole list, once it has ended.
  private(set) var root: PropertyListValue?
  private var budget: PropertyListBudget
  private var containers: [Container] = []
  private var isInList = false
  /// The element that holds text, and its text so far.
  private var leaf: Tag?
  private var leafText: [UInt8] = []

  init(_ limits: PropertyListLimits) { budget = PropertyListBudget(limits) }

  // MARK: - Events

  mutating func documentType(_ name: String, hasInternalSubset: Bool) -> Problem? {
    if hasInternalSubset {
      return Problem(
        kind: .unsupported, message: "a document type with declarations of its own is not supported"
      )
    }
    return name == "plist"
      ? nil : Problem(message: "the document type is \(PropertyListError.quoted(name)), not plist")
  }

  mutating func unknownEntity(_ name: String) -> Problem? {
    Problem(message: "the entity \(PropertyListError.quoted(name)) is not defined")
  }

  mutating func begin(_ name: String) -> Problem? {
    guard let tag = Tag(rawValue: name) else {
      return Problem(message: "unknown element \(PropertyListError.quoted(name))")
    }
    if let leaf { return Problem(message: "<\(name)> inside of <\(leaf.rawValue)>") }
    guard isInList else {
      isInList = tag == .plist
      return isInList ? nil : Problem(message: "<\(name)> is outside <plist>")
    }
    guard tag != .plist else { return Problem(message: "<plist> inside of <plist>") }
    guard budget.visit() else {
      return Problem(kind: .limitExceeded, message: budget.tooManyVisits)
    }
    if let problem = checkPlace(of: tag) { return problem }
    if tag == .dict || tag == .array {
      guard containers.count < budget.limits.depth else {
        return Problem(kind: .limitExceeded, message: budget.tooDeep)
      }
      containers.append(Container(isDictionary: tag == .dict))
    } else {
      leaf = tag
      leafText.removeAll(keepingCapacity: true)
    }
    return nil
  }

  mutating func text(_ bytes: UnsafeRawBufferPointer) -> Problem? {
    switch leaf {
    case nil, .isTrue, .isFalse:
      return unsafe bytes.allSatisfy(isXMLSpace)
        ? nil : Problem(message: "there is text where an element should be")
    default:
      unsafe leafText.append(contentsOf: bytes)
      return nil
    }
  }

  mutating func end() -> Problem? {
    if let tag = leaf {
      leaf = nil
      return end(leaf: tag)
    }
    guard let container = containers.popLast() else {
      return root == nil ? Problem(message: "<plist> holds no value") : nil
    }
    if let key = container.key { return missingValue(key) }
    return add(container.isDictionary ? .dictionary(container.entries) : .array(container.elements))
  }

  // MARK: - Grammar

  /// Whether an element may begin here: keys and values alternate in a dictionary.
  private func checkPlace(of tag: Tag) -> Problem? {
    guard let container = containers.last else {
      if tag == .key { return Problem(message: "<key> is outside <dict>") }
      return root == nil ? nil : Problem(message: "<plist> holds more than one value")
    }
    guard container.isDictionary else {
      return tag == .key ? Problem(message: "<key> is inside <array>") : nil
    }
    if let key = container.key { return tag == .key ? missingValue(key) : nil }
    return tag == .key ? nil : Problem(message: "<\(tag.rawValue)> has no <key> before it")
  }

  private func missingValue(_ key: String) -> Problem {
    Problem(message: "the key \(PropertyListError.quoted(key)) has no value")
  }

  private mutating func end(leaf tag: Tag) -> Problem? {
    guard budget.spend(contentBytes: leafText.count) else {
      return Problem(kind: .limitExceeded, message: budget.tooMuchContent)
    }
    switch tag {
    case .key:
      let key = String(decoding: leafText, as: UTF8.self)
      if containers[containers.count - 1].entries[key] != nil {
        return Problem(message: "the key \(PropertyListError.quoted(key)) occurs twice")
      }
      containers[containers.count - 1].key = key
      return nil
    case .string: return add(.string(String(decoding: leafText, as: UTF8.self)))
    case .isTrue: return add(.boolean(true))
    case .isFalse: return add(.boolean(false))
    case .data:
      guard let bytes = decodeBase64(leafText) else {
        return Problem(message: "<data> does not hold base 64")
      }
      return add(.data(bytes))
    case .integer, .real, .date:
      let text = PropertyListScalars.trimmed(leafText)
      let value: PropertyListValue? =
        switch tag {
        case .integer: PropertyListScalars.integer(text).map { .integer($0) }
        case .real: PropertyListScalars.real(text).map { .real($0) }
        default: PropertyListScalars.date(text).map { .date($0) }
        }
      guard let value else {
        return Problem(
          message: "<\(tag.rawValue)> holds \(PropertyListError.quoted(text)), "
            + PropertyListScalars.expectation(of: tag.rawValue))
      }
      return add(value)
    case .plist, .dict, .array: return nil
    }
  }

  private mutating func add(_ value: PropertyListValue) -> Problem? {
    guard let last = containers.indices.last else {
      root = value
      return nil
    }
    if let key = containers[last].key {
      containers[last].entries[key] = value
      containers[last].key = nil
    } else {
      containers[last].elements.append(value)
    }
    return nil
  }
}
