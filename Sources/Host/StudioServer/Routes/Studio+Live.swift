// Routes to live sound and to windows of plug-ins.
// SPDX-License-Identifier: Apache-2.0

import AuricleHost
import ChainPresets
import HostSystem

extension Studio {
  func addLive(_ router: inout Router) {
    router.add("GET", "live") { [self] _, _ in .json(live.current) }
    router.add("GET", "live/devices") { [self] _, _ in
      .json(try ProgramCommand.json(program, ["devices", "--format", "json"]))
    }
    router.add("POST", "live/attach", changes: true) { [self] question, _ in
      let socket = try question.json()["socket"]?.text ?? ""
      try live.attach(socket.hasPrefix("unix:") ? String(socket.dropFirst(5)) : socket)
      return .json(live.json, status: 202)
    }
    router.add("POST", "live/start", changes: true) { [self] question, _ in
      try startLive(question.json())
      return .json(live.json, status: 202)
    }
    router.add("POST", "live/stop", changes: true) { [self] _, _ in
      live.stop()
      return .json(live.json)
    }
    router.add("POST", "live/command", changes: true) { [self] question, _ in
      try live.perform(question.json())
      return .json(live.json)
    }
  }

  private func startLive(_ body: JSONValue) throws {
    var words = ["live"]
    var preset = body["preset"]?.text
    if let id = body["chain"]?.text {
      let document = try chains.document(id)
      let text = ChainText(
        document.state, ChainText.Options(folder: document.folder, leavesOutFiles: true))
      preset = try scratch.write(text.text, ".yaml")
    }
    guard let preset, !preset.isEmpty else {
      throw StudioFault(.usage, "live sound begins with a 'chain' or a 'preset'")
    }
    words.append("--preset=\(preset)")
    for key in ["input", "output"] {
      if let device = body[key]?.text, !device.isEmpty { words.append("--\(key)=\(device)") }
    }
    let known = [
      "period": "--period", "periods": "--periods", "channels": "--channels",
      "sampleRate": "--sample-rate", "guard": "--guard", "restart": "--restart", "midi": "--midi",
    ]
    for member in body["options"]?.members ?? [] {
      guard let option = known[member.key] else {
        throw StudioFault(.usage, "live sound has no option '\(member.key)'")
      }
      switch member.value {
      case .null, .boolean(false): continue
      case .boolean(true): words.append(option)
      case .string(let text): words.append("\(option)=\(text)")
      case .array(let list): words += list.compactMap(\.text).map { "\(option)=\($0)" }
      default: words.append("\(option)=\(ChainText.number(member.value.number ?? 0))")
      }
    }
    try live.start(
      program, words, socket: sockets.newPath(".live"), preset: body["preset"]?.text)
  }

  // MARK: Windows

  func addWindows(_ router: inout Router) {
    router.add("GET", "windows") { [self] _, _ in .json(.members([("windows", windows.all)])) }
    router.add("POST", "windows", changes: true) { [self] question, _ in
      .json(try openWindow(question.json()), status: 201)
    }
    router.add("DELETE", "windows/*", changes: true) { [self] _, words in
      try windows.close(words[0])
      return .json(.object([]))
    }
  }

  private func openWindow(_ body: JSONValue) throws -> JSONValue {
    guard UnitWindows.canOpen else {
      throw StudioFault(.temporary, "there is no display for windows: DISPLAY is not set")
    }
    if body["live"]?.boolean == true {
      let stage = body["stage"]?.text ?? "1"
      guard let socket = live.json["socket"]?.text, live.json["state"]?.text == "running" else {
        throw StudioFault(.conflict, "no live sound is attached")
      }
      return windows.open(
        program, ["show", "--control=unix:\(socket)", "--", stage],
        [("unit", .string(live.title(of: stage))), ("stage", .string(stage)), ("live", true)]
      ) { _ in }
    }
    guard let id = body["chain"]?.text else {
      let unit = body["unit"]?.text ?? ""
      guard !unit.isEmpty else { throw StudioFault(.usage, "the request has no 'unit'") }
      return windows.open(program, ["show", "--", unit], [("unit", .string(unit))]) { _ in }
    }
    let document = try chains.document(id)
    let name = body["stage"]?.text ?? ""
    guard case .unit(let unit)? = document.state.stage(name)?.kind else {
      throw StudioFault(.notFound, "the chain \(id) has no unit \(name)")
    }
    let socket = try StageControl(self, chain: id, stage: name)
    return windows.open(
      program, ["show", "--control=unix:\(socket.path)", "--", "1"],
      [("unit", .string(unit.unit)), ("stage", .string(name)), ("chain", .string(id))],
      onEnd: { socket.close() }
    ) { _ in }
  }
}
