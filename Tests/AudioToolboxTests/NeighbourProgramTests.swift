// Programs that play through units of other programs, in C: a node and a host, as processes.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite final class NeighbourProgramTests {
  let folder: TemporaryFolder
  let runtime: String

  init() throws {
    folder = try TemporaryFolder()
    // A path of a socket has 107 characters, whatever TMPDIR is.
    var name = Array("/tmp/auricle-n-XXXXXX".utf8CString)
    let path = unsafe mkdtemp(&name)
    runtime = unsafe String(cString: try #require(unsafe path))
  }

  deinit { try? FileManager.default.removeItem(atPath: runtime) }

  var environment: [String: String] {
    [
      "XDG_RUNTIME_DIR": runtime, "XDG_STATE_HOME": folder("state"),
      "AURICLE_PROGRAM_PATH": folder("entries"),
      "AURICLE_DEVICE": "file:\(folder("out.wav")),clock=free,rate=44100",
    ]
  }

  /// Programs are compiled once for all tests.
  private static let shared = Result { try TemporaryFolder() }

  private static func compile(_ name: String, _ more: [String] = []) throws -> String {
    let folder = try shared.get()
    let program = folder(name)
    let libraries = try CProgramTests().runtimeLibraries()
    let built = try runProcess(
      "clang",
      [
        "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-multichar", "-Wno-four-char-constants",
        "-I", Places.inPackage("SDK/include"),
        Places.inPackage("Tests/AudioToolboxTests/Programs/Neighbours/\(name).c"), "-o", program,
        "-L", Places.builtProducts, "-lAudioToolbox", "-L", libraries, "-lFoundation", "-lm",
        "-lpthread", "-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + libraries,
      ] + more)
    try #require(built.exitCode == 0, "\(built.summary)")
    return program
  }

  private static let node = Result { try compile("Node") }
  private static let host = Result { try compile("Host") }
  private static let hostile = Result {
    try compile(
      "Hostile",
      [
        "-Wno-unused-function", "-I", Places.inPackage("Sources/Units/CUnitLink"),
        "-I", Places.inPackage("Sources/Units/CUnitLink/include"), "-I",
        Places.inPackage("SDK/CRealtime/include"),
      ])
  }

  var log: [String] {
    ((try? String(contentsOfFile: folder("log"), encoding: .utf8)) ?? "").split(separator: "\n")
      .map(String.init)
  }

  /// The entries of programs that run.
  var entries: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: runtime + "/auricle/nodes")) ?? [])
      .filter { $0.hasSuffix(".node") && !$0.hasPrefix(".") }
  }

  /// Starts a node, and waits until it has published its unit.
  func startNode(_ arguments: [String]) throws -> ChildProcess {
    let child = try ChildProcess(
      try Self.node.get(), [arguments[0], folder("log")] + arguments.dropFirst(),
      environment: environment)
    try #require(
      child.waits { log.contains { $0.hasPrefix("published") } }, "\(child.standardError)")
    try #require(log.contains("published 0"), "\(log)")
    return child
  }

  /// The lines that a host prints.
  func runHost(_ arguments: [String]) throws -> [String] {
    let result = try runProcess(try Self.host.get(), arguments, environment: environment)
    return result.standardOutput.split(separator: "\n").map(String.init)
      + (result.exitCode == 0 ? [] : [result.standardError])
  }

  /// Has a node end by itself.
  func endNode() throws { try folder.write("", to: "log.end") }

  @Test(
    "A unit of another program sounds as in the same process, with its notes, song and commands",
    arguments: ["generator", "instrument", "effect", "music"])
  func kinds(kind: String) throws {
    let node = try startNode([kind])
    for _ in 0..<2 {
      #expect(
        try runHost([kind, "40"]) == [
          "found 10200", "connected 0 1, peer 1",
          "errors 0, differences 0, heard 1, events 1, told 1", "connected 0, active 1",
        ])
    }
    try endNode()
    #expect(node.wait().exitCode == 0, "\(node.standardError)")
    #expect(entries.isEmpty)
    // Changes of the transport that come close together are one message.
    let repeated = ["received 2", "transport 0", "sent 0"]
    #expect(repeated.allSatisfy { log.contains($0) }, "\(log)")
    let one = ["connected 1", "opened 1", "peer 1", "connected 0"]
    #expect(
      log.filter { !repeated.contains($0) }
        == ["before 0", "published 0"] + one + one + ["ended 0"])
    #expect(log.count { $0 == "received 2" } == 2)
  }

  @Test("A program that does not run is started by its entry, and found by the program's name")
  func startedFromEntry() throws {
    _ = try folder.makeFolder("entries")
    let program = try Self.node.get()
    try folder.write(
      """
      # Written by hand.
      [Audio Component]
      Type=auri
      Subtype=nbor
      Manufacturer=Test
      Name=Test: Neighbour
      Version=1.2.0
      Exec="\(program)" instrument '\(folder("log"))'
      Comment=Plays what it is sent
      """, to: "entries/neighbour.component-entry")
    let list = try runAuricle(["list", "--format", "json"], environment: environment)
    #expect(list.standardOutput.contains("\"program\""), "\(list.summary)")
    #expect(list.standardOutput.contains("Test: Neighbour"))
    #expect(try runHost(["instrument", "20"]).contains { $0.hasPrefix("errors 0, differences 0") })
    #expect(entries.count == 1)
    // It goes on for the next host, and is started again when it has ended.
    #expect(try runHost(["instrument", "20"]).contains { $0.hasPrefix("errors 0, differences 0") })
    #expect(log.count { $0 == "published 0" } == 1)
    try endNode()
    try #require(OtherPrograms.wait { log.last == "ended 0" && entries.isEmpty })
    try FileManager.default.removeItem(atPath: folder("log.end"))
    #expect(try runHost(["instrument", "20"]).contains { $0.hasPrefix("errors 0, differences 0") })
    #expect(log.count { $0 == "published 0" } == 2)
    try endNode()
    #expect(OtherPrograms.wait { log.last == "ended 0" })
    #expect(
      FileManager.default.fileExists(atPath: folder("entries/neighbour.component-entry")))
  }

  @Test(
    "A program that is killed in a render is silent from there on, and its entry goes, also where a forked child lives on",
    arguments: ["dies", "forks"])
  func killedNode(way: String) throws {
    let node = try startNode(["music", way, "9"])
    defer { try? endNode() }
    #expect(
      try runHost(["music", "40", "on"]) == [
        "found 10200", "connected 0 1, peer 1",
        "errors 0, strange 0, heard 1, silent at the end 1, connected 0, told 1", "again -66749",
      ])
    #expect(node.wait().signal == SIGKILL)
    #expect(entries.count == 1)
    #expect(try runHost(["music", "40"]).first == "not found")
    #expect(entries.isEmpty)
  }

  @Test(
    "In live sound a program that is killed, or does not answer, is silent and named once, and never passed over",
    arguments: [
      ("dies", "has ended: it is silent"),
      ("sleeps", "does not answer: it is silent until it does"),
    ])
  func goneInLive(way: String, words: String) throws {
    let node = try startNode(["effect", way, "40"])
    // A steady input of 0.5, of which the program makes a third.
    let made = try runProcess(
      "sox",
      ["-n", "-r", "48000", "-c", "2", "-b", "16", folder("in.wav"), "trim", "0", "120"]
        + ["dcshift", "0.5"])
    try #require(made.exitCode == 0, "\(made.summary)")
    var live = environment
    live["AURICLE_DEVICE"] = nil
    live["XDG_CACHE_HOME"] = folder("cache")
    let child = try ChildProcess(
      Places.auricle,
      [
        "live", "--channels", "2", "--unit", "aurx:nbor:Test", "--period", "512", "--input",
        "file:\(folder("played.wav")),in=\(folder("in.wav")),clock=real",
      ], environment: live)
    #expect(child.waits { child.standardError.contains(words) }, "\(child.standardError)")
    // A fifth of a second more of sound: the fade is over by then.
    func playedBytes() -> Int {
      (try? Data(contentsOf: URL(fileURLWithPath: folder("played.wav"))))?.count ?? 0
    }
    let before = playedBytes()
    #expect(child.waits { playedBytes() > before + 48_000 * 4 * 2 / 5 })
    child.send(signal: SIGINT)
    let result = child.wait()
    let lines = result.standardError.split(separator: "\n")
    #expect(
      lines.count { $0 == "auricle: the program of Test: Neighbour \(words)" } == 1,
      "\(result.summary)")
    #expect(!lines.contains { $0.contains("gave no answer") }, "\(result.summary)")
    let output = try samples("played.wav")
    #expect(output.contains { abs($0 - 1.0 / 3) < 1e-3 })
    #expect(output.allSatisfy { $0 < 0.34 } && output.last == 0)
    node.send(signal: SIGKILL)
  }

  @Test("A host that is killed leaves the program for the next one")
  func killedHost() throws {
    let node = try startNode(["effect"])
    #expect(try runHost(["effect", "40", "goes"]).first == "")
    #expect(node.waits { log.last == "connected 0" })
    #expect(try runHost(["effect", "20"]).contains { $0.hasPrefix("errors 0, differences 0") })
    try endNode()
    #expect(node.wait().exitCode == 0)
  }

  @Test(
    "A program that means harm breaks nothing but its own sound",
    arguments: ["length", "nonsense", "files", "memory"])
  func hostileNode(way: String) throws {
    let node = try ChildProcess(
      try Self.hostile.get(), [runtime, way], environment: environment)
    try #require(node.waits { !entries.isEmpty }, "\(node.standardError)")
    let said = try runHost(["generator", "40", "on"])
    if way == "memory" {
      #expect(
        said == [
          "found 10000", "connected 0 1, peer 1",
          "errors 0, strange 0, heard 0, silent at the end 1, connected 0, told 1", "again -66749",
        ])
    } else {
      #expect(said.count == 2)
      #expect(said.last?.contains("AudioComponentInstanceNew(component, &unit): -66749") == true)
    }
  }

  @Test(
    "A program that publishes two units plays for two hosts at once; a third one waits for its turn"
  )
  func severalHosts() throws {
    let node = try startNode(["instrument", "units", "2"])
    try #require(node.waits { entries.count == 2 })
    let ends = ["first", "second"]
    let holding = try ends.map { end in
      try ChildProcess(
        try Self.host.get(), ["instrument", "30", "holds", folder(end)], environment: environment)
    }
    for (host, end) in zip(holding, ends) {
      try #require(host.waits { isThere(end + ".held") }, "\(host.standardError)")
    }
    // Both play at once: each has its notes, and nothing of the other's.
    let third = try ChildProcess(
      try Self.host.get(), ["instrument", "30", "holds", folder("third")], environment: environment)
    try folder.write("", to: "third")
    try folder.write("", to: "first")
    for host in [holding[0], third] {
      let result = host.wait()
      #expect(
        result.standardOutput.contains("errors 0, differences 0, heard 1"), "\(result.summary)")
    }
    try folder.write("", to: "second")
    let result = holding[1].wait()
    #expect(result.standardOutput.contains("errors 0, differences 0, heard 1"), "\(result.summary)")
    try endNode()
    #expect(node.wait().exitCode == 0)
    #expect(entries.isEmpty)
  }

  private func isThere(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder(name))
  }

  @Test("A host that waits too long for a unit is refused, and the one that plays goes on")
  func busyNode() throws {
    let node = try startNode(["generator"])
    let holding = try ChildProcess(
      try Self.host.get(), ["generator", "30", "holds", folder("held")], environment: environment)
    try #require(holding.waits { isThere("held.held") }, "\(holding.standardError)")
    let refused = try runHost(["generator", "30"])
    #expect(refused.last?.contains("AudioUnitInitialize(unit): -10863") == true, "\(refused)")
    try folder.write("", to: "held")
    let result = holding.wait()
    #expect(result.standardOutput.contains("errors 0, differences 0, heard 1"), "\(result.summary)")
    try endNode()
    #expect(node.wait().exitCode == 0)
  }

  @Test("A unit whose installed entry has another version is not published")
  func otherVersion() throws {
    _ = try folder.makeFolder("entries")
    try folder.write(
      "[Audio Component]\nType=aurg\nSubtype=nbor\nManufacturer=Test\nName=Test: Neighbour\nVersion=2.0.0\n",
      to: "entries/neighbour.component-entry")
    let node = try ChildProcess(
      try Self.node.get(), ["generator", folder("log")], environment: environment)
    #expect(node.waits { log.contains("published -50") }, "\(log)")
    try endNode()
    _ = node.wait()
  }

  /// Interleaved samples of a file in the folder.
  private func samples(_ name: String) throws -> [Float] {
    let raw = folder(name + ".raw")
    let read = try runProcess(
      "sox", [folder(name), "-t", "raw", "-e", "floating-point", "-b", "32", "-L", raw])
    try #require(read.exitCode == 0, "\(read.summary)")
    let data = try Data(contentsOf: URL(fileURLWithPath: raw))
    return unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
  }

  @Test(
    "A file whose program ends or hangs on the way fails, and nothing is written",
    arguments: [("dies", "2"), ("sleeps", "2")])
  func lostInProcess(way: String, slice: String) throws {
    let node = try startNode(["effect", way, slice])
    defer { node.send(signal: SIGKILL) }
    let made = try runProcess(
      "sox", ["-n", "-r", "48000", "-c", "2", folder("in.wav"), "synth", "1", "sine", "440"])
    try #require(made.exitCode == 0, "\(made.summary)")
    let result = try runAuricle(
      [
        "process", folder("in.wav"), "--unit", "aurx:nbor:Test", "--output-file",
        folder("made.wav"),
      ], environment: environment)
    // The fresh process, in which the file is tried again, does not have the program either.
    #expect(result.exitCode == 69, "\(result.summary)")
    #expect(result.standardError.contains("the program that plays it has ended or hangs (at frame"))
    #expect(!isThere("made.wav"), "\(result.summary)")
  }

  @Test("A chain of a preset plays through a program, in the sandbox too")
  func process() throws {
    let node = try startNode(["effect"])
    let made = try runProcess(
      "sox",
      [
        "-n", "-r", "48000", "-c", "2", "-e", "floating-point", "-b", "32", folder("in.wav"),
        "synth", "1", "sine", "440",
      ])
    try #require(made.exitCode == 0, "\(made.summary)")
    let result = try runAuricle(
      [
        "process", folder("in.wav"), "--unit", "aurx:nbor:Test", "--output-file",
        folder("made.wav"),
      ],
      environment: environment)
    #expect(result.exitCode == 0, "\(result.summary)")
    let (input, output) = (try samples("in.wav"), try samples("made.wav"))
    try #require(output.count >= input.count)
    var memory: [Float] = [0, 0]
    for place in input.indices {
      memory[place % 2] = 0.5 * input[place] + 0.25 * memory[place % 2]
      try #require(abs(output[place] - memory[place % 2]) < 1e-6, "sample \(place)")
    }
    try endNode()
    #expect(node.wait().exitCode == 0)
  }
}
