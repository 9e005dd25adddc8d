// Programs that use devices, in C, on simulated cards of the real alsa-lib.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct CardProgramTests {
  private let folder: TemporaryFolder
  private let cards: SimulatedCards

  init() throws {
    folder = try TemporaryFolder()
    cards = try SimulatedCards()
  }

  private func start(_ name: String, _ arguments: [String]) throws -> ChildProcess {
    let program = try DevicePrograms.build(name, in: folder)
    return try ChildProcess(program, arguments, environment: cards.environment)
  }

  private func lines(of result: ProcessResult) -> [String] {
    #expect(result.exitCode == 0, "\(result.summary)")
    return result.standardOutput.split(separator: "\n").map(String.init)
  }

  @Test("Volume, mute and source of a card are the device's, and objects of their own")
  func controls() throws {
    try cards.add("card")
    let child = try start("Controls", ["card"])
    let isListening = child.waits { child.standardOutput.contains("listening") }
    try #require(isListening, "\(child.standardOutput)\(child.standardError)")
    // Another program's hand on the same mixer.
    let mixer = try runProcess(
      "amixer", ["-D", "card", "sset", "Master", "16,48", "on"], environment: cards.environment)
    #expect(mixer.exitCode == 0, "\(mixer.summary)")
    let said = lines(of: child.wait())
    #expect(
      said == [
        "range -32 to 0 dB, 0.5 is -16 dB, -8 dB is 0.75",
        "channels 1 0.5, all 1, balance 0.25",
        "at half 0.5 0.25",
        "to the right 0 0.5",
        "mute 0 1",
        "third channel 1, settable 1",
        "sources 2: Microphone Line, chosen 1",
        "vlme out 0, vlme out 1, vlme out 2, mute out 0, "
          + "vlme in 0, vlme in 1, vlme in 2, mute in 0, dsrc in 0",
        "listening", "heard 1 1 1", "now 0.25, mute 0",
      ])
    let present = try runProcess(
      "amixer", ["-D", "card", "sget", "Input Source"], environment: cards.environment)
    #expect(present.standardOutput.contains("Item0: 'Line'"), "\(present.summary)")
  }

  @Test(
    "A device reports the latency of the wire, to the frame",
    arguments: ["", "latency 64", "burst 48"])
  func roundTrip(settings: String) throws {
    try cards.add("card", settings)
    let said = lines(of: try start("RoundTrip", ["card"]).wait())
    try #require(said.count == 3, "\(said)")
    #expect(said[0] == "heard 1")
    // If positions move in bursts, no program can measure more exactly.
    if settings.hasPrefix("burst") {
      let off = Double(said[1].dropFirst("off by ".count).prefix { $0 != "," }) ?? .infinity
      #expect(abs(off) <= 48, "\(said)")
    } else {
      let connectors = settings.isEmpty ? 0 : 128
      #expect(said[1] == "off by 0, connectors \(connectors), in step 1")
    }
    #expect(said[2] == "buffers 1536")
  }

  @Test("A queue's time line breaks when its device runs out of sound, and at no other time")
  func timeline() throws {
    try cards.add("card", "faults \"xrun@24000\"")
    let said = lines(of: try start("QueueTimeline", ["card"]).wait())
    let numbers = (said.first ?? "").split { !$0.isNumber }.compactMap { Int($0) }
    try #require(numbers.count == 3, "\(said)")
    // Two in one millisecond are reported as one; the machine may be late now and then.
    #expect(numbers[0] >= 1 && numbers[0] <= numbers[1] && numbers[2] == 0, "\(said)")
  }

  @Test("A client plays on where another wants the input, too, and that may not be used")
  func furtherSide() throws {
    try cards.add("card")
    let child = try start("FurtherSide", ["card"])
    try #require(child.waits { child.standardOutput.contains("ready") }, "\(child.standardError)")
    cards.notify("card", "deny", side: .input)
    child.send(signal: SIGUSR1)
    let said = lines(of: child.wait())
    #expect(said == ["ready", "second 0, the first goes on 1"])
  }

  @Test("When the default device goes, its unit plays on the next one, and the session is notified")
  func defaultDevice() throws {
    try cards.add("first")
    try cards.add("second")
    try cards.configure(
      "pcm.!default { type plug slave.pcm first hint { show on description Default } }")
    let child = try start("HotPlug", ["def", "default"])
    try #require(child.waits { cards.runs("first") }, "\(child.standardError)")
    try cards.configure(
      "pcm.!default { type plug slave.pcm second hint { show on description Default } }")
    cards.notify("first", "disconnect")
    #expect(child.waits { cards.delivered("second").count > 8192 })
    let said = lines(of: child.wait())
    #expect(
      said == [
        "playing on the first 1", "devices 1, alive 1 to 0", "default 1, interruption 1 1",
        "running 1, on the first 0", "stop 0, start again 0",
      ])
  }

  @Test("When a chosen device goes, its unit keeps it, dead, and says so")
  func chosenDevice() throws {
    try cards.add("first")
    try cards.add("second")
    let child = try start("HotPlug", ["ahal", "first"])
    try #require(child.waits { cards.runs("first") }, "\(child.standardError)")
    try cards.remove("first")
    cards.notify("first", "disconnect")
    let said = lines(of: child.wait())
    #expect(
      said == [
        "playing on the first 1", "devices 1, alive 1 to 0", "running 0, on the first 1",
        "stop 0, start again 1",
      ])
    #expect(cards.delivered("second").isEmpty)
  }

  @Test("A new device is in the list of a running program, and listeners are notified")
  func comes() throws {
    try cards.add("first")
    // A sound server that does not run is no device; the program ends with 1 where it is listed.
    try cards.configure(
      "pcm.nobody { type pulse server \"unix:/nowhere\" hint { show on description Nobody } }")
    let absent = try start("Devices", ["nobody"])
    #expect(absent.waits { absent.standardOutput.contains("listening") }, "\(absent.standardError)")
    absent.send(signal: SIGKILL)
    let child = try start("Devices", ["second"])
    try #require(child.waits { child.standardOutput.contains("listening") })
    try cards.add("second")
    try #require(child.waits { child.standardOutput.contains("came") })
    try cards.remove("second")
    let said = lines(of: child.wait())
    #expect(said == ["listening", "came, notices 1", "went, notices 1"])
  }
}
