// The text of a preset: bounded, checked to be clean UTF-8, and its lines for diagnostics.
// SPDX-License-Identifier: Apache-2.0

import ResultSettings

/// The text of a preset file and its lines.
public struct PresetSource: Sendable {
  /// The longest preset: 1 MiB.
  public static let maximumByteCount = 1 << 20

  /// The file as the user named it, for diagnostics.
  public let name: String
  /// The text without its byte order mark.
  let scalars: [Unicode.Scalar]
  /// Index of the first scalar of each line.
  private let lineStarts: [Int]

  /// Checks and decodes bytes.
  ///
  /// - Throws: One diagnostic: too long, not UTF-8, or a character that no preset may hold.
  ///
  /// Context: any.
  public init(name: String, bytes: [UInt8]) throws(PresetErrors) {
    func refuse(_ message: String) -> PresetErrors {
      var diagnostic = PresetDiagnostic(message)
      diagnostic.file = name
      return PresetErrors([diagnostic])
    }
    guard bytes.count <= Self.maximumByteCount else {
      throw refuse("the file is longer than 1 MiB, the most a preset may have")
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw refuse("the file is UTF-16; save it as UTF-8")
    }
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    let decoded = decodeUTF8(hasMark ? bytes.dropFirst(3) : bytes[...])
    self.init(name: name, scalars: decoded.scalars)
    let end = position(ofScalarAt: decoded.scalars.count)
    if let byte = decoded.invalidByte {
      throw PresetErrors([
        PresetDiagnostic("byte 0x\(hexadecimal(byte)) is not UTF-8 text", at: end, in: self)
      ])
    }
    if let index = scalars.firstIndex(where: { !isAllowedInPresets($0) }) {
      let code = hexadecimal(scalars[index].value, width: 4)
      throw PresetErrors([
        PresetDiagnostic(
          "the character U+\(code) is not allowed in a preset",
          at: position(ofScalarAt: index), in: self)
      ])
    }
  }

  private init(name: String, scalars: [Unicode.Scalar]) {
    self.name = name
    self.scalars = scalars
    var starts = [0]
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      if scalar == "\r", index < scalars.count, scalars[index] == "\n" { index += 1 }
      if isLineBreak(scalar) { starts.append(index) }
    }
    lineStarts = starts
  }

  /// The whole text.
  ///
  /// Context: any.
  public var text: String { Self.text(scalars) }

  /// Makes a string of scalars.
  static func text(_ scalars: [Unicode.Scalar]) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  /// The index of the scalar at a position, or `nil` when there is none.
  func index(of position: SourcePosition) -> Int? {
    guard lineStarts.indices.contains(position.line - 1), position.column >= 1 else { return nil }
    let index = lineStarts[position.line - 1] + position.column - 1
    return scalars.indices.contains(index) ? index : nil
  }

  /// The position of the scalar at an index.
  func position(ofScalarAt index: Int) -> SourcePosition {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= index { low = middle } else { high = middle }
    }
    return SourcePosition(line: low + 1, column: index - lineStarts[low] + 1)
  }

  /// The scalars of a line without its end; lines count from 1.
  func line(_ number: Int) -> ArraySlice<Unicode.Scalar> {
    guard lineStarts.indices.contains(number - 1) else { return [] }
    let start = lineStarts[number - 1]
    let end = number < lineStarts.count ? lineStarts[number] : scalars.count
    var line = scalars[start..<end]
    while let last = line.last, isLineBreak(last) { line.removeLast() }
    return line
  }

  /// At most 120 printable characters of the line around a position, and the caret's offset.
  func excerpt(around position: SourcePosition) -> (text: String, caretOffset: Int)? {
    guard lineStarts.indices.contains(position.line - 1) else { return nil }
    let line = line(position.line)
    if line.isEmpty { return nil }
    let caret = min(max(position.column - 1, 0), line.count)
    let start = line.count <= 120 ? 0 : max(0, min(caret - 60, line.count - 120))
    let end = min(line.count, start + 120)
    let base = line.startIndex
    var shown = line[(base + start)..<(base + end)].map { isAllowedInPresets($0) ? $0 : "\u{FFFD}" }
    var caretOffset = caret - start
    if start > 0 {
      shown.insert("…", at: 0)
      caretOffset += 1
    }
    if end < line.count { shown.append("…") }
    return (Self.text(shown), caretOffset)
  }
}

/// Whether a character is allowed in a preset: YAML's printable set.
func isAllowedInPresets(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF: true
  default: false
  }
}

/// Decodes UTF-8 strictly: returns the characters before the first bad byte, and that byte.
func decodeUTF8(_ bytes: ArraySlice<UInt8>) -> (scalars: [Unicode.Scalar], invalidByte: UInt8?) {
  var scalars: [Unicode.Scalar] = []
  scalars.reserveCapacity(bytes.count)
  var index = bytes.startIndex
  while index < bytes.endIndex {
    let first = bytes[index]
    let (length, lowest, bits): (Int, UInt32, UInt32) =
      switch first {
      case 0..<0x80: (1, 0, UInt32(first))
      case 0xC2...0xDF: (2, 0x80, UInt32(first & 0x1F))
      case 0xE0...0xEF: (3, 0x800, UInt32(first & 0x0F))
      case 0xF0...0xF4: (4, 0x10000, UInt32(first & 0x07))
      default: (0, 0, 0)
      }
    guard length > 0, bytes.endIndex - index >= length else { return (scalars, first) }
    var value = bits
    for byte in bytes[(index + 1)..<(index + length)] {
      guard byte & 0xC0 == 0x80 else { return (scalars, first) }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    guard value >= lowest, let scalar = Unicode.Scalar(value) else { return (scalars, first) }
    scalars.append(scalar)
    index += length
  }
  return (scalars, nil)
}
