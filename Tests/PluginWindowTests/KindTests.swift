// auricle show: the kinds of LV2 windows that few packages have, moved from both sides, closed, and killed.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// A kind of window, made for the example amplifier, or Debian's abGate.
enum WindowKind: String, CaseIterable, Sendable {
  case gtk3 = "GTK3"
  case show = "SHOW"
  case external = "EXTERNAL"
  case qt5 = "QT5"

  /// The unit that has the window.
  var unit: String {
    self == .qt5 ? "http://hippie.lt/lv2/gate" : "http://lv2plug.in/plugins/eg-amp"
  }

  /// The statements about the window, in the data of its bundle.
  private var data: String {
    switch self {
    case .gtk3: "a ui:Gtk3UI"
    case .show:
      "a ui:UI ; lv2:requiredFeature ui:idleInterface ; lv2:extensionData ui:idleInterface , ui:showInterface"
    case .external:
      "a <http://kxstudio.sf.net/ns/lv2ext/external-ui#Widget> ; lv2:requiredFeature "
        + "<http://kxstudio.sf.net/ns/lv2ext/external-ui#Widget>"
    case .qt5: ""
    }
  }

  /// Makes a folder of plug-ins whose only one has this kind of window alone.
  func makeBundle(_ screen: Screen) throws -> String {
    let folder = screen("lv2")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let source = "/usr/lib/lv2/" + (self == .qt5 ? "abGate.lv2" : "eg-amp.lv2")
    let bundle = folder + "/window.lv2"
    try FileManager.default.copyItem(atPath: source, toPath: bundle)
    if self == .qt5 {
      try change(bundle + "/manifest.ttl") { text in
        text.components(separatedBy: "<http://hippie.lt/lv2/gate/gui>")[0]
      }
      try change(bundle + "/gate.ttl") { text in
        text.replacingOccurrences(of: "ui:ui <http://hippie.lt/lv2/gate/gui>;", with: "")
      }
      return folder
    }
    var flags = ["-D\(rawValue)"]
    if self == .gtk3 { flags += ["-l:libgtk-3.so.0", "-l:libgobject-2.0.so.0"] }
    try Screen.compile("FaderLV2", ["-shared", "-fPIC"] + flags, to: bundle + "/window.so")
    try change(bundle + "/manifest.ttl") { text in
      text + """

        @prefix ui: <http://lv2plug.in/ns/extensions/ui#> .
        <\(unit)> ui:ui <urn:auricle:window> .
        <urn:auricle:window> \(data) ; ui:binary <window.so> .

        """
    }
    return folder
  }

  private func change(_ path: String, _ edit: (String) -> String) throws {
    try edit(try String(contentsOfFile: path, encoding: .utf8))
      .write(toFile: path, atomically: true, encoding: .utf8)
  }
}

@Suite(.serialized, .enabled(if: hasWindows, "suil, X11 or Xvfb is not installed")) struct KindTests
{
  @Test(
    "Windows of GTK 3, ui:showInterface and external-ui move both ways, are closed, and killed",
    arguments: [WindowKind.gtk3, .show, .external])
  func fader(kind: WindowKind) throws {
    let screen = try Screen()
    let path = try kind.makeBundle(screen)
    let live = try screen.startLive(kind.unit, environment: ["LV2_PATH": path])
    #expect(live.child.waits { live.value(0) != nil }, "\(live.child.standardError)")
    #expect(live.ask("set 1 gain 12") == "ok")
    let words = ["show", "1", "--control", "unix:\(live.socket)"]
    let child = try screen.start(words, environment: ["LV2_PATH": path])
    #expect(child.waits { screen.eye("name", "level") == "level 0.50" }, "\(child.standardError)")
    // From the unit to the window, and back.
    #expect(live.ask("set 1 gain 6") == "ok")
    #expect(child.waits { screen.eye("name", "level") == "level 0.25" })
    #expect(
      child.waits {
        screen.eye("press", "level", "150", "20")
        return abs((live.value(0) ?? 0) - 18) < 1e-4
      })
    // A dialog of GTK ignores requests to close the window behind it.
    if kind == .gtk3 {
      #expect(
        child.waits {
          screen.eye("press", "level", "150", "20")
          return screen.eye("count", "level") == "2"
        })
    }
    #expect(child.waits { screen.eye("close", "level") != nil })
    #expect(child.wait().exitCode == 0)
    try Self.kill(screen, live, path)
  }

  @Test("A window of Qt 5 moves both ways, is closed, and killed")
  func qt5() throws {
    let screen = try Screen()
    let path = try WindowKind.qt5.makeBundle(screen)
    let live = try screen.startLive(WindowKind.qt5.unit, environment: ["LV2_PATH": path])
    #expect(live.child.waits { live.value(7) != nil }, "\(live.child.standardError)")
    let words = ["show", "1", "--control", "unix:\(live.socket)"]
    let child = try screen.start(words, environment: ["LV2_PATH": path])
    #expect(child.waits { child.standardError.contains("is open") }, "\(child.standardError)")
    // The knob of the range.
    let before = try #require(live.value(7))
    #expect(
      child.waits {
        screen.eye("drag", "Antanas", "470", "125", "0", "-40")
        return live.value(7) != before
      })
    var pictures: [String] = []
    #expect(
      child.waits {
        pictures.append(screen.eye("picture", "Antanas") ?? "")
        return pictures.count > 1 && pictures.suffix(2).allSatisfy { $0 == pictures.last }
      })
    #expect(live.ask("put 1 7 -50") == "ok")
    #expect(child.waits { screen.eye("picture", "Antanas") != pictures.last })
    #expect(child.waits { screen.eye("close", "Antanas") != nil })
    #expect(child.wait().exitCode == 0)
    try Self.kill(screen, live, path)
  }

  /// Opens the window once more, and kills it.
  private static func kill(_ screen: Screen, _ live: LiveChild, _ path: String) throws {
    let child = try screen.start(
      ["show", "1", "--control", "unix:\(live.socket)"], environment: ["LV2_PATH": path])
    #expect(child.waits { child.standardError.contains("is open") }, "\(child.standardError)")
    let window = try #require(LiveChild.window(of: child))
    Glibc.kill(window, SIGKILL)
    let result = child.wait()
    #expect(result.exitCode == 70, "\(result.summary)")
    #expect(result.standardError.contains("crashed (SIGKILL); the sound"), "\(result.summary)")
    #expect(live.child.isRunning)
    #expect(live.ask("quit") == "ok")
    #expect(live.child.wait().exitCode == 0)
  }
}
