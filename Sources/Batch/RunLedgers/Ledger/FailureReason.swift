// Reasons of failures, the same text for the same fault, so that they can be counted.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import HostSystem

extension FileRecord {
  /// The fault without parts that are specific to the file (its path, numbers of frames); nil without a failure.
  ///
  /// Context: any.
  public var failureReason: String? {
    guard let error else { return nil }
    if let blame {
      // "Maker: Unit (type:subtype:manufacturer)": sentences may use a short name.
      let name = blame.unit.lastIndex(of: "(").map { String(blame.unit[..<$0].dropLast()) } ?? ""
      let how =
        blame.signal
        ?? Self.general(error.message, without: [input, output, blame.unit, name])
      return "\(blame.unit): \(how) (\(blame.phase))"
    }
    return Self.general(error.message, without: [input, output])
  }

  private static func general(_ message: String, without paths: [String]) -> String {
    var text = message
    for path in paths.sorted(by: { $0.utf8.count > $1.utf8.count }) where !path.isEmpty {
      text = replacing(path, in: text)
    }
    text = withoutNumbers(text)
    for lead in ["…: ", "… "] where text.hasPrefix(lead) { text.removeFirst(lead.count) }
    let longest = 160
    return text.count > longest ? String(text.prefix(longest)) + "…" : text
  }

  /// Replaces the path with `…` where it is a separate word; a path that resembles a word only at the start,
  /// since a file may be called `a`.
  private static func replacing(_ path: String, in text: String) -> String {
    let wanted = Array(path.utf8)
    let bytes = Array(text.utf8)
    guard bytes.count >= wanted.count else { return text }
    let isWord = wanted.allSatisfy(isOfWord)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes.count - index >= wanted.count, bytes[index] == wanted[0],
        bytes[index..<(index + wanted.count)].elementsEqual(wanted),
        index == 0 || !isOfWord(bytes[index - 1]),
        index + wanted.count == bytes.count || !isOfWord(bytes[index + wanted.count])
      {
        result += "…".utf8
        index += wanted.count
        if isWord { return String(decoding: result + bytes[index...], as: UTF8.self) }
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  /// Replaces numbers with `…`, except those in names (`MP3`, `pcm16`, `UTF-8`).
  private static func withoutNumbers(_ text: String) -> String {
    var result = ""
    var isInNumber = false
    var last: Character = " "
    var isInName = false
    for character in text {
      let isDigit = character.isASCII && character.isNumber
      if character != "-" {
        isInName =
          (character.isLetter || character.isNumber)
          && (last.isLetter || isInName && (last == "-" || last.isNumber))
      }
      if isDigit, isInNumber || !isInName {
        if !isInNumber { result += "…" }
        isInNumber = true
      } else {
        isInNumber = false
        result.append(character)
      }
      last = character
    }
    return result
  }
}
