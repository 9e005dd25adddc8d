// live --midi: a keyboard plays instruments, moves its mapped parameters, and leaves no note behind when it is unplugged.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Glibc
import MIDIMessages
import MIDIPorts
import Synchronization
import TestSupport
import Testing

@Suite struct LiveKeyboardTests {
  private let box: Sandbox
  private let units: TemporaryFolder
  private let system: MIDISystem
  private let client: MIDIRef

  init() throws {
    box = try Sandbox()
    units = try TemporaryFolder("auricle-keyboards")
    let binary = try ComponentFixture.binary(
      "ClickOrgan",
      flags: [
        "-DHELD", Places.inPackage("SDK/CUnit/AuricleUnit.c"), "-I",
        Places.inPackage("SDK/include"),
      ])
    let info = ComponentFixture.info("HeldOrgan", subtype: "held").replacing("aufx", with: "aumu")
      .replacing("HeldOrganFactory", with: "ClickOrganFactory")
    try ComponentFixture.makeBundle("HeldOrgan", info: info, binary: binary, in: units)
    // A system lives as long as the process, as its threads do.
    let made = MIDISystem(try PortFolder(path: box("run/auricle/midi")))
    keptSystems.withLock { $0.append(made) }
    system = made
    client = try made.makeClient("keys", notify: nil)
  }

  private func start(_ more: [String]) throws -> ChildProcess {
    let environment = box.environment.merging([
      "AURICLE_COMPONENT_PATH": units.path, "XDG_RUNTIME_DIR": box("run"),
      "AURICLE_SEQUENCER": "off",
    ]) { $1 }
    let device = "file:\(box("out.wav")),clock=real"
    return try ChildProcess(
      Places.auricle, ["live", "--unit", "aumu:held:AuTe", "--output", device] + more,
      environment: environment, in: box.folder.path)
  }

  private func play(_ source: MIDIRef, _ bytes: [UInt8]) throws {
    try system.received(source, .bytes([TimedBytes(0, bytes)]))
  }

  @Test("Notes of a source sound until it is gone; a controller moves its learnt parameter")
  func unplugged() throws {
    let source = try system.makeEndpoint(client: client, "Keystation 49", .bytes)
    let path = "/tmp/auricle-\(UUID().uuidString.prefix(13))"
    let child = try start(
      ["--midi", "stati", "--learn", "1 level", "--control", "unix:\(path)"])
    func ask(_ line: String) -> String { ControlLine.ask(line, path) ?? "" }
    #expect(child.waits { ask("stats").hasPrefix("ok slices=") })
    try play(source, [0x90, 60, 64])
    // Low to high, with the unit's numbers.
    try play(source, [0xB0, 74, 127])
    #expect(child.waits { ask("maps").hasPrefix("ok 1/74 ") })
    try play(source, [0xB0, 74, 0])
    #expect(child.waits { ask("get 1 level").hasPrefix("ok 0") })
    try play(source, [0xB0, 74, 127])
    #expect(child.waits { ask("get 1 level").hasPrefix("ok 1") })
    func slices() -> Int { ask("stats").split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0 }
    /// Waits until 100 more slices of 128 frames are rendered.
    func waitForSlices() -> Bool {
      let first = slices()
      return child.waits { slices() > first + 100 }
    }
    #expect(waitForSlices())
    try system.disposeEndpoint(source)
    #expect(child.waits { child.standardError.contains("is gone") })
    #expect(waitForSlices())
    #expect(ask("quit") == "ok")
    let result = child.wait()
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(
      result.standardError.contains("Keystation 49 is gone: 1 note that it held is ended"),
      "\(result.summary)")
    let row = try Sound(path: box("out.wav")).channels[0]
    #expect(row.contains { abs($0 - 0.5) < 1e-3 }, "it sounded at the velocity's height")
    #expect(row.suffix(4800).allSatisfy { $0 == 0 }, "it ended with its source")
  }

  @Test("A level that goes down to silence is learnt up to 0 dB, though it could go to 20 dB")
  func level() throws {
    let source = try system.makeEndpoint(client: client, "Faders", .bytes)
    let path = "/tmp/auricle-\(UUID().uuidString.prefix(13))"
    let child = try start([
      "--unit", "aufx:rogr:appl", "--midi", "Faders", "--learn", "2 \"roger gain\"", "--control",
      "unix:\(path)",
    ])
    func ask(_ line: String) -> String { ControlLine.ask(line, path) ?? "" }
    #expect(child.waits { ask("stats").hasPrefix("ok slices=") })
    try play(source, [0xB0, 7, 127])
    #expect(child.waits { ask("maps").hasSuffix("\"-80 dB\" \"0 dB\"") }, "\(ask("maps"))")
    try play(source, [0xB0, 7, 64])
    #expect(child.waits { ask("get 2 \"roger gain\"").hasPrefix("ok -29.") })
    #expect(ask("quit") == "ok")
    #expect(child.wait().exitCode == 0)
  }

  @Test("A missing source, and an ambiguous name, are refused with the existing names")
  func names() throws {
    let missing = try start(["--midi", "Piano"]).wait()
    #expect(missing.exitCode == 69, "\(missing.summary)")
    #expect(missing.standardError.contains("there is no MIDI source 'Piano'"))
    _ = try system.makeEndpoint(client: client, "Piano left", .bytes)
    _ = try system.makeEndpoint(client: client, "Piano right", .universal2)
    let several = try start(["--midi", "piano"]).wait()
    #expect(several.exitCode == 64, "\(several.summary)")
    #expect(
      several.standardError.contains("Piano left (")
        && several.standardError.contains("Piano right ("))
    let alone = try start(["--learn", "1 level"]).wait()
    #expect(alone.exitCode == 64, "\(alone.summary)")
  }

  @Test(
    "The preset's map connects controllers with parameters of its instruments, and refuses others")
  func maps() throws {
    let source = try system.makeEndpoint(client: client, "Knobs", .universal2)
    func preset(_ map: String) throws -> String {
      try box.folder.write(
        "auricle: 1\nname: Band\ninstruments:\n  - unit: aumu:held:AuTe\n    name: Low\n    channels: 1\n"
          + "  - unit: aumu:held:AuTe\n    name: High\n\(map)\n", to: "band.yaml")
      return box("band.yaml")
    }
    func run(_ preset: String, _ more: [String] = []) throws -> ChildProcess {
      try ChildProcess(
        Places.auricle,
        [
          "live", "--preset", preset, "--midi", "Knobs", "--output",
          "file:\(box("out.wav")),clock=real",
        ]
          + more,
        environment: box.environment.merging([
          "AURICLE_COMPONENT_PATH": units.path, "XDG_RUNTIME_DIR": box("run"),
          "AURICLE_SEQUENCER": "off",
        ]) { $1 }, in: box.folder.path)
    }
    let wrong = try run(preset("midi:\n  74: Nobody level")).wait()
    #expect(wrong.exitCode == 64, "\(wrong.summary)")
    #expect(wrong.standardError.contains("no stage is called 'Nobody'"), "\(wrong.summary)")
    let path = "/tmp/auricle-\(UUID().uuidString.prefix(13))"
    let child = try run(
      preset("midi:\n  2/21: High level 0.25 0.75\n  22: Low level"), ["--control", "unix:\(path)"])
    func ask(_ line: String) -> String { ControlLine.ask(line, path) ?? "" }
    #expect(child.waits { ask("stats").hasPrefix("ok slices=") })
    // Words of MIDI 2.0: the top and the bottom of the controller.
    func turn(_ channel: UInt32, _ number: UInt32, _ value: UInt32) throws {
      try system.received(
        source,
        .words(.universal2, [TimedWords(0, [0x40B0_0000 | channel << 16 | number << 8, value])]))
    }
    try turn(1, 21, .max)
    try turn(4, 22, 0)
    #expect(child.waits { ask("get High level").hasPrefix("ok 0.75") })
    #expect(child.waits { ask("get Low level").hasPrefix("ok 0") })
    // A preset that is refused for its map changes nothing.
    let chain = ask("list")
    try box.folder.write(
      "auricle: 1\nname: Other\nunits:\n  - unit: aumu:held:AuTe\n    name: Other\nmidi:\n  74: Nobody level\n",
      to: "other.yaml")
    #expect(ask("preset \(box("other.yaml"))").hasPrefix("error no stage is called 'Nobody'"))
    #expect(ask("list") == chain && ask("maps").hasPrefix("ok 2/21 High level"))
    #expect(ask("unmap 22") == "ok")
    #expect(ask("unmap 22").hasPrefix("error controller 22 moves nothing"))
    #expect(ask("quit") == "ok")
    #expect(child.wait().exitCode == 0)
  }

  @Test("A check of a preset names every fault of its map", arguments: ["instruments", "units"])
  func checks(key: String) throws {
    let chain = "\(key):\n  - unit: aumu:held:AuTe\n    name: Low\n"
    let faults = "  74: Nobody level\n  75: Low nothing\n  program 5: nowhere\n"
    let environment = box.environment.merging(["AURICLE_COMPONENT_PATH": units.path]) { $1 }
    func check(_ map: String) throws -> ProcessResult {
      try box.folder.write("auricle: 1\nname: A\n\(chain)midi:\n\(map)", to: "a.yaml")
      return try runAuricle(
        ["preset", "check", "a.yaml"], environment: environment, in: box.folder.path)
    }
    let good = try check("  76: Low level\n  program 6: telephone\n")
    #expect(good.exitCode == 0, "\(good.summary)")
    let wrong = try check(faults)
    #expect(wrong.exitCode == 65, "\(wrong.summary)")
    for text in ["no stage is called 'Nobody'", "there is no parameter 'nothing'", "'nowhere'"] {
      #expect(wrong.standardError.contains(text), "\(wrong.summary)")
    }
  }
}

private let keptSystems = Mutex<[MIDISystem]>([])
