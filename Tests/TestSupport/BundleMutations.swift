// LV2 bundles damaged in every way there is, from a seed.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Makes search paths of damaged bundles out of sound ones.
public struct BundleMutations {
  private let originals: [[(name: String, bytes: [UInt8])]]

  /// Loads the Turtle files of the bundles in folders, small ones only.
  ///
  /// - Parameters:
  ///   - folders: Folders of bundles.
  ///   - limit: The most bytes of Turtle that a bundle may have.
  public init(folders: [String], limit: Int = 48_000) {
    var originals: [[(name: String, bytes: [UInt8])]] = []
    for folder in folders {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for name in names.sorted() {
        let bundle = folder + "/" + name
        let files = ((try? FileManager.default.contentsOfDirectory(atPath: bundle)) ?? []).sorted()
          .filter { $0.hasSuffix(".ttl") }
          .compactMap { file in
            FileManager.default.contents(atPath: bundle + "/" + file).map { (file, Array($0)) }
          }
        let size = files.reduce(0) { $0 + $1.1.count }
        if size > 0, size <= limit { originals.append(files) }
      }
    }
    self.originals = originals
  }

  /// The number of sound bundles to start from.
  public var count: Int { originals.count }

  /// Writes the search path of a seed: one bundle or several, damaged.
  public func write(seed: UInt64, to folder: String) throws {
    var generator = SeededGenerator(seed: seed)
    let bundleCount = [1, 1, 1, 2, 3].randomElement(using: &generator) ?? 1
    for number in 0..<bundleCount {
      guard var files = originals.randomElement(using: &generator) else { return }
      for _ in 0..<Int.random(in: 1...4, using: &generator) { damage(&files, &generator) }
      let bundle = "\(folder)/\(number).lv2"
      try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
      for file in files {
        try Data(file.bytes).write(to: URL(fileURLWithPath: bundle + "/" + file.name))
      }
      try damageFolder(bundle, files.map(\.name), &generator)
    }
  }

  private func damage(
    _ files: inout [(name: String, bytes: [UInt8])], _ generator: inout SeededGenerator
  ) {
    guard let index = files.indices.randomElement(using: &generator) else { return }
    var bytes = files[index].bytes
    switch Int.random(in: 0..<9, using: &generator) {
    case 0, 1, 2: files[index].bytes = Self.damagedText(bytes, &generator)
    case 3: files[index].bytes = Self.damagedValues(bytes, &generator)
    case 4:
      let other = originals.randomElement(using: &generator)?.randomElement(using: &generator)
      bytes += other?.bytes ?? []
      files[index].bytes = bytes
    case 5:
      let other = originals.randomElement(using: &generator)?.randomElement(using: &generator)
      files[index].bytes = other?.bytes ?? []
    case 6:
      let text = Self.poison.randomElement(using: &generator) ?? ""
      files[index].bytes += Array(text.utf8)
    case 7:
      let text = Self.poison.randomElement(using: &generator) ?? ""
      files[index].bytes = Array(text.utf8) + bytes
    default: if files.count > 1 { files.remove(at: index) }
    }
  }

  /// Returns a copy with bytes changed, removed, put in, cut off, repeated.
  private static func damagedText(
    _ original: [UInt8], _ generator: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = original
    for _ in 0..<Int.random(in: 1...8, using: &generator) {
      guard bytes.count > 1 else { break }
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      let end = min(bytes.count, place + Int.random(in: 1...40, using: &generator))
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.removeSubrange(place..<end)
      case 2:
        let text = syntax.randomElement(using: &generator) ?? "."
        bytes.insert(contentsOf: Array(text.utf8), at: place)
      case 3: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
      case 4: bytes = Array(bytes[..<place])
      default: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      }
    }
    return bytes
  }

  /// Numbers and names replaced by bad ones, the syntax kept.
  private static func damagedValues(
    _ original: [UInt8], _ generator: inout SeededGenerator
  ) -> [UInt8] {
    var words = String(decoding: original, as: UTF8.self)
      .split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let numbers = words.indices.filter { Double(words[$0]) != nil }
    let names = words.indices.filter { words[$0].contains(":") }
    for _ in 0..<Int.random(in: 1...5, using: &generator) {
      if Bool.random(using: &generator), let index = numbers.randomElement(using: &generator) {
        words[index] = badNumbers.randomElement(using: &generator) ?? "0"
      } else if let index = names.randomElement(using: &generator),
        let other = names.randomElement(using: &generator)
      {
        words[index] = words[other]
      }
    }
    return Array(words.joined(separator: " ").utf8)
  }

  /// Things in the place of files: folders, links in a circle, pipes, nothing.
  private func damageFolder(
    _ bundle: String, _ names: [String], _ generator: inout SeededGenerator
  ) throws {
    guard Int.random(in: 0..<12, using: &generator) == 0,
      let name = names.randomElement(using: &generator)
    else { return }
    let path = bundle + "/" + name
    try FileManager.default.removeItem(atPath: path)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0:
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    case 1: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: name)
    case 2:
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
    default: unsafe mkfifo(path, 0o600)
    }
  }

  private static let syntax = [
    ".", ";", ",", "[", "]", "(", ")", "<", ">", "\"", "\"\"\"", "'", "@prefix", "@base <x> .",
    "^^", "_:", "\\", "\\u0000", "\\UFFFFFFFF", "%00", "#", "\n", "\0", "\u{FEFF}", "a", "true",
    " a [ a [ a ", "@en-", "<file:///dev/zero>", "<../../../../../etc/passwd>", "\u{202E}", "1e999",
  ]

  private static let badNumbers = [
    "-1", "4294967296", "1e308", "1e999", "-1e-999", "99999999999999999999", "0.0.0", "\"0\"",
    "\"nan\"^^<http://www.w3.org/2001/XMLSchema#double>",
    "\"inf\"^^<http://www.w3.org/2001/XMLSchema#double>", "true", "<urn:x>", "[]", "()", "00", "+1",
    "65535", "2147483648", "0",
  ]

  private static let poison = [
    String(repeating: "[", count: 20_000), String(repeating: "(", count: 20_000),
    String(repeating: "<urn:a> <urn:b> ", count: 1000),
    "<urn:a> a <" + String(repeating: "x", count: 200_000) + "> .",
    "<urn:a> <http://www.w3.org/2000/01/rdf-schema#label> \""
      + String(repeating: "y", count: 300_000) + "\" .",
    "\n<urn:fuzz> a <http://lv2plug.in/ns/lv2core#Plugin> ; "
      + "<http://lv2plug.in/ns/lv2core#binary> <../../../../dev/zero> ; "
      + "<http://www.w3.org/2000/01/rdf-schema#seeAlso> <manifest.ttl> , </dev/zero.ttl> .\n",
    "\n<urn:fuzz> a <http://lv2plug.in/ns/ext/presets#Preset> ; "
      + "<http://lv2plug.in/ns/lv2core#appliesTo> <urn:fuzz> ; "
      + "<http://www.w3.org/2000/01/rdf-schema#seeAlso> <> .\n",
    "\n@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n<urn:fuzz> a lv2:Plugin ; lv2:binary <p.so> ; "
      + "lv2:port "
      + (0..<1500).map {
        "[ a lv2:InputPort , lv2:ControlPort ; lv2:index \($0) ; lv2:symbol \"s\($0)\" ]"
      }.joined(separator: " , ") + " .\n",
  ]
}
