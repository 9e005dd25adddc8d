// auricle show: windows of CLAP, VST3 and LV2 plug-ins, moved from both sides, closed, killed, refused.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.serialized, .enabled(if: hasWindows, "suil, X11 or Xvfb is not installed")) struct ShowTests
{
  @Test("A window shows the settings; values moved in it are saved when it is closed")
  func saved() throws {
    let screen = try Screen()
    let child = try screen.start([
      "show", Screen.clap, "--set", "level=0.25", "--save", screen("fader.aupreset"),
    ])
    #expect(child.waits { screen.eye("name", "level") == "level 0.25" })
    #expect(
      child.waits {
        screen.eye("press", "level", "150", "20")
        return screen.eye("name", "level") == "level 0.75"
      })
    #expect(child.waits { screen.eye("close", "Auricle's tests") != nil })
    let result = child.wait()
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardError == "The window of Auricle's tests: Clap Fader is open.\n")
    // A second window begins with what the first saved.
    let again = try screen.start(["show", Screen.clap, "--preset", screen("fader.aupreset")])
    #expect(again.waits { screen.eye("name", "level") == "level 0.75" })
    // A signal closes it as well.
    again.send(signal: SIGTERM)
    #expect(again.wait().exitCode == 0)
    let refused = try screen.run([
      "show", Screen.clap, "--save", screen("fader.aupreset"),
    ])
    #expect(refused.exitCode == 74, "\(refused.summary)")
    #expect(refused.standardError.contains("--overwrite"))
  }

  @Test(
    "A window at a live chain moves its unit and follows it; killed, it costs the window alone",
    arguments: [(Screen.clap, 1.0), (Screen.vst3, 200.0)])
  func live(unit: String, scale: Double) throws {
    let screen = try Screen()
    let live = try screen.startLive(unit)
    #expect(live.child.waits { live.value(7) != nil }, "\(live.child.standardError)")
    let child = try screen.start(["show", "1", "--control", "unix:\(live.socket)"])
    #expect(child.waits { screen.eye("name", "level") != nil }, "\(child.standardError)")
    #expect(live.ask("set 1 level \(0.3 * scale)") == "ok")
    #expect(child.waits { screen.eye("name", "level") == "level 0.30" })
    #expect(
      child.waits {
        screen.eye("press", "level", "50", "20")
        return abs((live.value(7) ?? 0) - 0.25 * scale) < 1e-4
      })
    let window = try #require(LiveChild.window(of: child))
    kill(window, SIGKILL)
    let result = child.wait()
    #expect(result.exitCode == 70, "\(result.summary)")
    #expect(result.standardError.contains("crashed (SIGKILL); the sound"), "\(result.summary)")
    #expect(abs((live.value(7) ?? 0) - 0.25 * scale) < 1e-4)
    // By its identifier as well; with the end of the sound it is closed.
    let second = try screen.start(["show", unit, "--control", live.socket])
    #expect(second.waits { screen.eye("name", "level") == "level 0.25" })
    #expect(live.ask("quit") == "ok")
    let end = second.wait()
    #expect(end.exitCode == 69, "\(end.summary)")
    #expect(end.standardError.contains("has ended"), "\(end.summary)")
    #expect(live.child.wait().exitCode == 0)
  }

  @Test("A window that crashes is named, and its values until then are saved")
  func crash() throws {
    let screen = try Screen()
    let child = try screen.start([
      "show", Screen.vst3, "--set", "level=50", "--save", screen("kept.aupreset"),
    ])
    #expect(child.waits { screen.eye("name", "level") == "level 0.25" })
    #expect(
      child.waits {
        screen.eye("press", "level", "10", "90")
        return !child.isRunning
      })
    let result = child.wait()
    #expect(result.exitCode == 70, "\(result.summary)")
    #expect(
      result.standardError.contains("the window of Auricle's tests: Vst Fader crashed (SIGABRT)"),
      "\(result.summary)")
    #expect(FileManager.default.fileExists(atPath: screen("kept.aupreset")))
  }

  /// Windows of Debian's packages, a place where a drag moves something, and two values of a parameter.
  private static let debian = [
    // GTK 2: the knob of the input's level.
    Drag(
      "http://calf.sourceforge.net/plugins/Compressor", "Calf", (130, 155), (0, -60), id: 5,
      other: 20),
    // X11 with OpenGL: the knob of the output's gain.
    Drag("http://gareus.org/oss/lv2/fil4#stereo", "Robin", (80, 294), (0, -60), id: 3, other: -9),
    // X11 with OpenGL: the fader of the dry level.
    Drag(
      "https://github.com/michaelwillis/dragonfly-reverb", "Michael", (30, 260), (0, -30), id: 6,
      other: 5),
  ]

  @Test("Windows of LV2 plug-ins are opened, moved from both sides, and closed", arguments: debian)
  func lv2(drag: Drag) throws {
    let screen = try Screen()
    let live = try screen.startLive(drag.unit)
    #expect(live.child.waits { live.ask("values 1")?.hasPrefix("ok ") ?? false })
    let child = try screen.start(["show", drag.unit, "--control", live.socket])
    #expect(child.waits { child.standardError.contains("is open") }, "\(child.standardError)")
    // From the window to the unit.
    let before = try #require(live.value(drag.id))
    #expect(
      child.waits {
        screen.eye(
          "drag", drag.title, "\(drag.from.0)", "\(drag.from.1)", "\(drag.by.0)", "\(drag.by.1)")
        return live.value(drag.id) != before
      })
    // From the unit to the window: another value is another picture.
    #expect(live.ask("put 1 \(drag.id) \(before)") == "ok")
    var pictures: [String] = []
    #expect(
      child.waits {
        // Until nothing moves any more.
        pictures.append(screen.eye("picture", drag.title) ?? "")
        return pictures.count > 1 && pictures.suffix(2).allSatisfy { $0 == pictures.last }
      })
    #expect(live.ask("put 1 \(drag.id) \(drag.other)") == "ok")
    #expect(child.waits { screen.eye("picture", drag.title) != pictures.last })
    #expect(child.waits { screen.eye("close", drag.title) != nil })
    let result = child.wait()
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(live.ask("quit") == "ok")
  }

  @Test("Messages of a window reach its plug-in, and those of the plug-in its window")
  func messages() throws {
    let screen = try Screen()
    // It sends its input once its window has asked for that.
    let live = try screen.startLive("http://lv2plug.in/plugins/eg-scope#Mono")
    #expect(live.child.waits { live.ask("values 1")?.hasPrefix("ok ") ?? false })
    let child = try screen.start(["show", "1", "--control", live.socket])
    #expect(child.waits { child.standardError.contains("is open") }, "\(child.standardError)")
    // The place at which it draws moves on.
    var pictures: Set<String> = []
    #expect(
      child.waits {
        if let picture = screen.eye("picture", "Robin") { pictures.insert(picture) }
        return pictures.count > 4
      })
    #expect(child.waits { screen.eye("close", "Robin") != nil })
    #expect(child.wait().exitCode == 0)
  }

  @Test("A URI that a window maps is known to the plug-in, and to the process that replaces it")
  func numbers() throws {
    let screen = try Screen()
    let live = try screen.startLive("http://lv2plug.in/plugins/eg-scope#Mono")
    #expect(live.child.waits { live.ask("values 1")?.hasPrefix("ok ") ?? false })
    let answer = try #require(live.ask("number 1 urn:auricle:test"))
    let number = try #require(answer.split(separator: " ").last)
    #expect(live.ask("uri 1 \(number)") == "ok urn:auricle:test")
    let processes = live.unitProcesses
    #expect(!processes.isEmpty)
    for id in processes { kill(id, SIGKILL) }
    #expect(live.child.waits { live.child.standardError.contains(/begins? again/) })
    #expect(live.child.waits { live.ask("uri 1 \(number)") == "ok urn:auricle:test" })
    #expect(live.ask("number 1 urn:auricle:test") == answer)
    #expect(live.ask("quit") == "ok")
    #expect(live.child.wait().exitCode == 0)
  }

  @Test("An instrument has a window as well, which is closed while a dialog of it is open")
  func instrument() throws {
    let screen = try Screen()
    let child = try screen.start(["show", "http://lv2plug.in/plugins/eg-sampler"])
    // GTK shows a message that there is no home folder, and then ignores requests to close the other window.
    #expect(child.waits { screen.eye("count", "lv2plug.in") == "2" }, "\(child.standardError)")
    #expect(screen.eye("close", "lv2plug.in") != nil)
    #expect(child.wait().exitCode == 0)
  }

  @Test("A window that needs the memory of its plug-in is refused by name")
  func instanceAccess() throws {
    let screen = try Screen()
    let bundle = screen("lv2/needy.lv2")
    try FileManager.default.createDirectory(
      atPath: screen("lv2"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: "/usr/lib/lv2/eg-amp.lv2", toPath: bundle)
    for name in ["manifest.ttl", "amp.ttl"] {
      let url = URL(fileURLWithPath: bundle + "/" + name)
      var text = try String(contentsOf: url, encoding: .utf8)
        .replacing("http://lv2plug.in/plugins/eg-amp", with: "urn:auricle:needy")
      if name == "manifest.ttl" {
        text += """

          <urn:auricle:needy> <http://lv2plug.in/ns/extensions/ui#ui> <urn:auricle:needy#window> .
          <urn:auricle:needy#window> a <http://lv2plug.in/ns/extensions/ui#X11UI> ;
            <http://lv2plug.in/ns/extensions/ui#binary> <window.so> ;
            <http://lv2plug.in/ns/lv2core#requiredFeature> <http://lv2plug.in/ns/ext/instance-access> .

          """
      }
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    let result = try screen.run(
      ["show", "urn:auricle:needy"], environment: ["LV2_PATH": "\(screen("lv2")):/usr/lib/lv2"])
    #expect(result.exitCode == 69, "\(result.summary)")
    #expect(
      result.standardError.contains("needs instance-access, access to the memory of the plug-in"),
      "\(result.summary)")
  }

  @Test("Without a window, a display or a live chain, a sentence says what to do")
  func refusals() throws {
    let screen = try Screen()
    func expect(
      _ code: Int32, _ sentence: String, _ words: [String], _ more: [String: String?] = [:]
    ) throws {
      let result = try screen.run(["show"] + words, environment: more)
      #expect(result.exitCode == code, "\(result.summary)")
      #expect(result.standardError.contains(sentence), "\(result.summary)")
    }
    try expect(69, "has no window; auricle studio shows", ["aufx:lpas:appl"])
    try expect(69, "(DISPLAY is not set)", [Screen.clap], ["DISPLAY": nil])
    try expect(69, "(DISPLAY is :9999)", [Screen.clap], ["DISPLAY": ":9999"])
    try expect(66, "no auricle live answers at", ["1", "--control", "/tmp/auricle-nowhere"])
    try expect(64, "--save takes a name that ends in .aupreset", [Screen.clap, "--save", "a.txt"])
    try expect(
      64, "are for a unit of this program",
      ["1", "--control", "/tmp/auricle-nowhere", "--set", "level=1"])
    try expect(69, "no component \"nothing\"", ["nothing"])
  }
}

/// A drag in the window of a plug-in.
struct Drag: Sendable, CustomTestStringConvertible {
  let unit, title: String
  let from, by: (Int, Int)
  let id: Int
  let other: Double

  var testDescription: String { unit }

  init(
    _ unit: String, _ title: String, _ from: (Int, Int), _ by: (Int, Int), id: Int,
    other: Double
  ) {
    (self.unit, self.title, self.from, self.by) = (unit, title, from, by)
    (self.id, self.other) = (id, other)
  }
}
