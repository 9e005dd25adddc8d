// Names of files that trip programs: accents in two spellings, lone marks, line ends, the longest there are.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct OddNamesTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try box.folder.makeFolder("in")
  }

  /// Writes a file by the bytes of its name; files differ by their frames.
  private func write(_ name: String, frames: Int) throws {
    let noise = TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: frames)
    try Sound([noise]).write(to: box("plain.wav"), encoding: .pcm16)
    let path = box("in") + "/" + name
    let parts = Array(path.utf8)
    for (place, byte) in parts.enumerated() where byte == UInt8(ascii: "/") && place > 0 {
      unsafe _ = mkdir(String(decoding: parts[..<place], as: UTF8.self), 0o777)
    }
    // By its bytes: Foundation would write accents in its own way.
    try #require(unsafe rename(box("plain.wav"), path) == 0)
  }

  private func frames(_ path: String) throws -> Int {
    try Sound(path: path).frameCount
  }

  private func process(_ arguments: String...) throws -> ProcessResult {
    try runAuricle(
      ["process", "--unit", "aufx:hpas:appl", "--tail", "none"] + arguments,
      environment: box.environment, in: box.folder.path)
  }

  /// The cells of comma-separated values, read as RFC 4180 has it.
  private static func table(_ text: String) -> [[String]] {
    var (rows, row, cell, isQuoted): ([[String]], [String], [UInt8], Bool) = ([], [], [], false)
    func string(_ cell: [UInt8]) -> String { String(decoding: cell, as: UTF8.self) }
    let bytes = Array(text.utf8)
    var place = 0
    while place < bytes.count {
      defer { place += 1 }
      switch bytes[place] {
      case UInt8(ascii: "\""):
        if isQuoted, place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "\"") {
          cell.append(bytes[place])
          place += 1
        } else {
          isQuoted.toggle()
        }
      case UInt8(ascii: ",") where !isQuoted:
        row.append(string(cell))
        cell = []
      case UInt8(ascii: "\r") where !isQuoted: break
      case UInt8(ascii: "\n") where !isQuoted:
        rows.append(row + [string(cell)])
        (row, cell) = ([], [])
      default: cell.append(bytes[place])
      }
    }
    return rows
  }

  @Test func everyNameIsItsOwn() throws {
    let names = [
      "caf\u{E9}.wav", "cafe\u{301}.wav", "\u{E9}/a.wav", "e\u{301}/a.wav", "\u{301}mark.wav",
      "two\nlines.wav", "tab\t.wav", "A.WAV", "a.wav", " .wav", "\u{1F3B5}.wav",
      String(repeating: "x", count: 251) + ".wav", String(repeating: "\u{E9}", count: 125) + ".wav",
      "-o.wav", "100%s.wav", "say \"a, b\".wav", "=1+1\r.wav", "b\u{301}/\u{301}c.wav",
    ]
    for (index, name) in names.enumerated() { try write(name, frames: 1000 + index) }
    let result = try process("--output", "out", "--jobs", "2", "in")
    #expect(result.exitCode == 0, "\(result.summary)")
    for (index, name) in names.enumerated() {
      #expect(try frames(box("out") + "/" + name) == 1000 + index, "\(name.debugDescription)")
    }
    #expect(try box.run("verify", "out").exitCode == 0)
    let report = try box.run("report", "out", "--format", "csv").standardOutput
    let table = Self.table(report)
    #expect(table.allSatisfy { $0.count == table[0].count }, "\(report)")
    #expect(
      table.dropFirst().map { Array($0[2].utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        == names.map { Array("in/\($0)".utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
    let again = try process("--output", "out", "--new-run", "--on-exists", "skip", "in")
    #expect(again.exitCode == 0, "\(again.summary)")
    #expect(again.standardError.contains("\(names.count) skipped"), "\(again.summary)")
  }

  /// Runs a script of the shell in the box, with the program as `$0`.
  private func shell(_ script: String) throws -> ProcessResult {
    try runProcess(
      "/bin/sh", ["-c", script, Places.auricle], environment: box.environment, in: box.folder.path)
  }

  /// Names that are no UTF-8: Latin-1, a character for a byte, a torn character, a folder.
  private static let bytes = [
    #"in/caf\351.wav"#, #"in/\364\217\276\200.wav"#, #"in/\303.wav"#, #"in/f\376/\351\377.wav"#,
  ]

  private func writeBytes() throws {
    try write("good.wav", frames: 48_000)
    let made = try shell(
      #"mkdir "$(printf 'in/f\376')" && "#
        + Self.bytes.map { "cp in/good.wav \"$(printf '\($0)')\"" }.joined(separator: " && "))
    try #require(made.exitCode == 0, "\(made.summary)")
  }

  /// Every command accepts them, from folders, lists and the command line, and none calls one by another name.
  @Test func namesThatAreNoTextAreNames() throws {
    try writeBytes()
    let chain = "--unit aufx:hpas:appl --set 'cutoff frequency=80 Hz' --tail none"
    let result = try shell(
      """
      set -e; o="$(printf 'o\\377')"; c="$(printf 'in/caf\\351.wav')"
      "$0" process \(chain) --output "$o" --report "$(printf 'o\\377/r\\377.csv')" --jobs 2 in
      "$0" verify "$o"; "$0" status "$o"; "$0" report "$o" --format json >report.json
      "$0" process --resume "$o" || test $? = 64
      find in -name '*.wav' >list; "$0" plan \(chain) --shards 2 --output p --from-file list
      "$0" shard p --index 0 -q; "$0" shard p --index 1 -q; "$0" merge p; "$0" verify p
      "$0" measure "$c" --format json >measure.json; "$0" file info "$c"
      "$0" tag --replaygain "$c"; "$0" convert "$c" --output-file "$(printf 'x\\377.flac')"
      "$0" process \(chain) --in-place --backup "$c"; test -e "$c.bak" || ls -b in
      for f in 'caf\\351.wav' '\\364\\217\\276\\200.wav' '\\303.wav' 'f\\376/\\351\\377.wav'; do
        test -s "$(printf "o\\377/$f")"
        # Of a list, results have the last part of their inputs' paths.
        test -s "$(printf "p/${f##*/}")"
      done
      test -s "$(printf 'x\\377.flac')"; test -s "$(printf 'o\\377/r\\377.csv')"
      """)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(!result.standardError.contains("UTF-8"), "\(result.summary)")
    #expect(result.standardOutput.contains("caf\u{FFFD}.wav"), "\(result.summary)")
    let report = try #require(
      JSONSerialization.jsonObject(
        with: Data(contentsOf: URL(fileURLWithPath: box("report.json")))) as? [String: Any])
    let inputs = try #require(report["records"] as? [[String: Any]])
      .compactMap { ($0["input"] as? [String: Any])?["path"] as? String }
    let names = ["caf\u{10FFE9}", "\u{10FFF4}\u{10FF8F}\u{10FFBE}\u{10FF80}", "\u{10FFC3}"]
    #expect(
      Set(inputs)
        == Set(
          names.map { "in/\($0).wav" } + ["in/f\u{10FFFE}/\u{10FFE9}\u{10FFFF}.wav", "in/good.wav"])
    )
  }

  @Test func aWorkingFolderThatIsNoTextIsOne() throws {
    try write("good.wav", frames: 1000)
    let result = try shell(
      """
      set -e; w="$(printf 'w\\377')"; mkdir "$w"; cd "$w"
      "$0" process --preset telephone -o out ../in; test -s out/good.wav; cd ..
      "$0" process --resume "$w/out" || test $? = 64
      "$0" verify "$w/out"
      """)
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  /// The sandbox lets a unit read the files that its preset names, for any bytes in their names.
  @Test func filesOfPresetsThatAreNoTextAreReadInTheSandbox() throws {
    try write("good.wav", frames: 48_000)
    try box.folder.write(
      """
      auricle: 1
      name: P
      units:
        - unit: aufx:dcmp:appl
          sidechain: {file: side.wav, loop: true}
      """, to: "p.yaml")
    let result = try shell(
      """
      set -e; d="$(printf 'd\\377')"; mkdir "$d"; cp p.yaml "$d"; cp in/good.wav "$d/side.wav"
      "$0" process --preset "$d/p.yaml" -o out in; test -s out/good.wav
      "$0" preset check "$d/p.yaml"
      TMPDIR="$PWD/$d" "$0" process --preset "$d/p.yaml" --sandbox compat -o again in
      test -s again/good.wav
      """)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(!result.standardError.contains("sandbox"), "\(result.summary)")
  }

  /// A displayed command can be typed as displayed.
  @Test func advisedCommandsKeepBytes() throws {
    try write("good.wav", frames: 1000)
    let result = try shell(
      #"""
      "$0" process --preset telephone -o "$(printf 'o\377')" in in/none.wav; "$0" status "$(printf 'o\377')"
      """#)
    #expect(result.standardOutput.contains(#"(auricle report $'o\xff')"#), "\(result.summary)")
  }

  @Test func otherNamesOfFilesAreReported() throws {
    try write("a.wav", frames: 1000)
    for name in ["b.wav", "c.wav"] {
      try FileManager.default.createSymbolicLink(
        atPath: box("in/\(name)"), withDestinationPath: "a.wav")
    }
    let result = try process("--output", "out", "in")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(box.names("out") == ["a.wav"])
    #expect(
      result.standardError.contains(
        "in/b.wav and 1 more are other names of files that are done: they are left out"),
      "\(result.summary)")
  }

  @Test(arguments: [("-q", "./-q"), ("a\nb", "$'a\\nb'"), ("a 'b", "'a '\\''b'")])
  func advisedCommandsCanBeTyped(folder: String, word: String) throws {
    try write("a.wav", frames: 1000)
    let result = try process("--output=" + folder, "in", "none.wav")
    #expect(result.exitCode == 1, "\(result.summary)")
    let status = try box.run("status", "--", folder).standardOutput
    #expect(status.contains("(auricle report \(word))\n"), "\(status)")
  }

  @Test func stepsUpCannotBeHidden() throws {
    try write("a.wav", frames: 1000)
    try box.folder.makeFolder("x")
    // A mark that joins the slash before it to one character.
    try box.folder.makeFolder("\u{301}y")
    try FileManager.default.moveItem(atPath: box("in/a.wav"), toPath: box("\u{301}y/a.wav"))
    let result = try process(
      "--output", "x/out", "--name", "{path}/{stem}.{ext}", "x/../\u{301}y/a.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(!FileManager.default.fileExists(atPath: box("x/\u{301}y")))
    #expect(try frames(box("x/out") + "/x/\u{301}y/a.wav") == 1000)
  }
}
