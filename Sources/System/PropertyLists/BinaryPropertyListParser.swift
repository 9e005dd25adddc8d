// Reads the binary form ("bplist00"); every offset, count and width is checked before use.
// SPDX-License-Identifier: Apache-2.0

/// Reads one binary property list.
///
/// Layout: 8 bytes of magic, objects, a table of object offsets, a trailer of 32 bytes. All
/// numbers are big-endian.
struct BinaryPropertyListParser {
  private let bytes: [UInt8]
  private var budget: PropertyListBudget
  private let offsetWidth: Int
  private let referenceWidth: Int
  private let objectCount: Int
  private let root: Int
  private let tableStart: Int
  /// The containers being read, outermost first.
  private var ancestors: [Int] = []

  /// Reads and checks the trailer.
  init(_ bytes: [UInt8], limits: PropertyListLimits) throws(PropertyListError) {
    self.bytes = bytes
    budget = PropertyListBudget(limits)
    guard bytes.count >= 8 + 1 + 1 + 32 else {
      throw PropertyListError(.malformed, "it is cut short", at: .byte(bytes.count))
    }
    guard bytes[6] == UInt8(ascii: "0"), bytes[7] == UInt8(ascii: "0") else {
      throw PropertyListError(
        .unsupported, "only version 00 of the binary form is known", at: .byte(6))
    }
    let trailer = bytes.count - 32
    offsetWidth = Int(bytes[trailer + 6])
    referenceWidth = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth) else {
      throw PropertyListError(
        .malformed,
        "the trailer has bad widths (\(offsetWidth), \(referenceWidth)); "
          + "the file is cut short or damaged", at: .byte(trailer + 6))
    }
    let counts = (0..<3).map { Self.bigEndian(bytes[(trailer + 8 + 8 * $0)...].prefix(8)) }
    // No table can have more entries than the file has bytes, so these fit an Int when they pass.
    guard counts[0] >= 1, counts[0] <= UInt64(bytes.count), counts[2] >= 9,
      counts[2] < UInt64(trailer),
      Int(counts[2]) + Int(counts[0]) * offsetWidth == trailer
    else {
      throw PropertyListError(
        .malformed, "the trailer does not fit the file; it is cut short or damaged",
        at: .byte(trailer))
    }
    guard counts[1] < counts[0] else {
      throw PropertyListError(
        .malformed, "the root object does not exist", at: .byte(trailer + 16))
    }
    objectCount = Int(counts[0])
    root = Int(counts[1])
    tableStart = Int(counts[2])
  }

  /// Reads everything that can be reached from the root.
  mutating func parse() throws(PropertyListError) -> PropertyListValue {
    try object(root)
  }

  // MARK: - Objects

  private mutating func object(_ index: Int) throws(PropertyListError) -> PropertyListValue {
    let start = try offset(of: index)
    guard budget.visit() else {
      throw PropertyListError(.limitExceeded, budget.tooManyVisits, at: .byte(start))
    }
    let marker = bytes[start]
    let low = Int(marker & 0x0F)
    switch marker {
    case 0x08: return .boolean(false)
    case 0x09: return .boolean(true)
    case 0x10...0x14: return .integer(try integer(at: start + 1, width: 1 << low))
    case 0x22: return .real(Double(Float(bitPattern: UInt32(try bits(at: start + 1, width: 4)))))
    case 0x23: return .real(Double(bitPattern: try bits(at: start + 1, width: 8)))
    case 0x33: return .date(try date(at: start + 1))
    case 0x40...0x4F: return .data(Array(try payload(start, unit: 1)))
    case 0x50...0x5F: return .string(try asciiString(start))
    case 0x60...0x6F: return .string(try utf16String(start))
    case 0xA0...0xAF: return .array(try array(index, start))
    case 0xD0...0xDF: return .dictionary(try dictionary(index, start))
    default:
      let name =
        switch marker {
        case 0x00: "a null"
        case 0x70...0x7F: "a UTF-8 string"
        case 0x80...0x8F: "an archiver's identifier (UID)"
        case 0xB0...0xBF: "an ordered set"
        case 0xC0...0xCF: "a set"
        default: ""
        }
      guard name.isEmpty else {
        throw PropertyListError(
          .unsupported, "\(name) is not supported in a property list", at: .byte(start))
      }
      throw malformed("unknown object marker \(marker)", start)
    }
  }

  private mutating func array(
    _ index: Int, _ start: Int
  ) throws(PropertyListError) -> [PropertyListValue] {
    let elements = try enter(index, start, width: referenceWidth)
    defer { ancestors.removeLast() }
    var result: [PropertyListValue] = []
    result.reserveCapacity(elements.count)
    for position in 0..<elements.count {
      result.append(try object(try reference(at: elements.first + position * referenceWidth)))
    }
    return result
  }

  private mutating func dictionary(
    _ index: Int, _ start: Int
  ) throws(PropertyListError) -> [String: PropertyListValue] {
    let entries = try enter(index, start, width: 2 * referenceWidth)
    defer { ancestors.removeLast() }
    var result: [String: PropertyListValue] = [:]
    result.reserveCapacity(entries.count)
    for position in 0..<entries.count {
      let keyPlace = entries.first + position * referenceWidth
      guard case .string(let key) = try object(try reference(at: keyPlace)) else {
        throw malformed("a key of a dictionary is not a string", keyPlace)
      }
      let value = try object(
        try reference(at: keyPlace + entries.count * referenceWidth))
      guard result.updateValue(value, forKey: key) == nil else {
        throw malformed("the key \(PropertyListError.quoted(key)) occurs twice", keyPlace)
      }
    }
    return result
  }

  /// Begins a container: checks depth, cycles and that all its references lie in the file.
  private mutating func enter(
    _ index: Int, _ start: Int, width: Int
  ) throws(PropertyListError) -> (first: Int, count: Int) {
    guard !ancestors.contains(index) else {
      throw malformed("a container holds itself", start)
    }
    guard ancestors.count < budget.limits.depth else {
      throw PropertyListError(.limitExceeded, budget.tooDeep, at: .byte(start))
    }
    let (first, count) = try extent(start, unit: width)
    guard count <= budget.limits.visitCount else {
      throw PropertyListError(.limitExceeded, budget.tooManyVisits, at: .byte(start))
    }
    ancestors.append(index)
    return (first, count)
  }

  // MARK: - Leaves

  private func integer(at place: Int, width: Int) throws(PropertyListError) -> Int128 {
    // One, two and four bytes are unsigned, eight are signed; sixteen hold values of 65 bits.
    guard width == 16 else {
      let value = try bits(at: place, width: width)
      return width == 8 ? Int128(Int64(bitPattern: value)) : Int128(value)
    }
    let high = Int64(bitPattern: try bits(at: place, width: 8))
    let value = Int128(high) << 64 | Int128(try bits(at: place + 8, width: 8))
    guard value >= Int128(Int64.min), value <= Int128(UInt64.max) else {
      throw malformed("an integer needs more than 64 bits", place - 1)
    }
    return value
  }

  private func date(at place: Int) throws(PropertyListError) -> Double {
    let seconds = Double(bitPattern: try bits(at: place, width: 8))
    guard seconds.isFinite else { throw malformed("a date is not a number", place - 1) }
    return seconds
  }

  private mutating func asciiString(_ start: Int) throws(PropertyListError) -> String {
    let text = try payload(start, unit: 1)
    guard text.allSatisfy({ $0 < 0x80 }) else {
      throw malformed("an ASCII string holds other bytes", start)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func utf16String(_ start: Int) throws(PropertyListError) -> String {
    let text = try payload(start, unit: 2)
    let units = stride(from: text.startIndex, to: text.endIndex, by: 2).map {
      UInt16(text[$0]) << 8 | UInt16(text[$0 + 1])
    }
    guard let string = String(validating: units, as: UTF16.self) else {
      throw malformed("a string is not valid UTF-16", start)
    }
    return string
  }

  /// The bytes of a string or data object, `unit` bytes an element.
  private mutating func payload(
    _ start: Int, unit: Int
  ) throws(PropertyListError) -> ArraySlice<UInt8> {
    let (first, count) = try extent(start, unit: unit)
    guard budget.spend(contentBytes: count * unit) else {
      throw PropertyListError(.limitExceeded, budget.tooMuchContent, at: .byte(start))
    }
    return bytes[first..<first + count * unit]
  }

  // MARK: - Bounds

  /// Where the elements of an object lie and how many there are; all of them are in the file.
  private func extent(
    _ start: Int, unit: Int
  ) throws(PropertyListError) -> (first: Int, count: Int) {
    var first = start + 1
    var count = UInt64(bytes[start] & 0x0F)
    if count == 0x0F {
      guard first < tableStart, (0x10...0x13).contains(bytes[first]) else {
        throw malformed("a count is not an integer", first)
      }
      let width = 1 << Int(bytes[first] & 0x0F)
      count = try bits(at: first + 1, width: width)
      first += 1 + width
    }
    guard count <= UInt64((tableStart - first) / unit) else {
      throw malformed("an object reaches beyond its place", start)
    }
    return (first, Int(count))
  }

  private func offset(of index: Int) throws(PropertyListError) -> Int {
    let place = tableStart + index * offsetWidth
    let offset = Self.bigEndian(bytes[place..<place + offsetWidth])
    guard offset >= 8, offset < UInt64(tableStart) else {
      throw malformed("an object lies outside of the file", place)
    }
    return Int(offset)
  }

  /// Reads an object number; the caller has made sure that the bytes are there.
  private func reference(at place: Int) throws(PropertyListError) -> Int {
    let index = Self.bigEndian(bytes[place..<place + referenceWidth])
    guard index < UInt64(objectCount) else {
      throw malformed("an object that does not exist is referred to", place)
    }
    return Int(index)
  }

  private func bits(at place: Int, width: Int) throws(PropertyListError) -> UInt64 {
    guard place + width <= tableStart else {
      throw malformed("an object reaches beyond its place", place)
    }
    return Self.bigEndian(bytes[place..<place + width])
  }

  private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func malformed(_ message: String, _ place: Int) -> PropertyListError {
    PropertyListError(.malformed, message, at: .byte(place))
  }
}
