// One window from its opening to its end: values and messages both ways.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
public import AuricleHost
import ChainPresets
import Glibc
import HostSystem

/// A window and the unit that it shows. Context: one control thread.
final class ShowRun {
  private let window: WindowProcess
  private let unit: any WindowedUnit
  private let title: String
  private let control: ShowControl
  /// The values that the window has, or sent last.
  private var known: [UInt32: Float] = [:]
  private var isClosed = false
  private var isOpen = false
  /// Milliseconds between two looks at the unit.
  private static let period: Int32 = 33

  init(
    _ window: WindowProcess, _ unit: any WindowedUnit, title: String, _ control: ShowControl
  ) {
    (self.window, self.unit, self.title, self.control) = (window, unit, title, control)
  }

  /// Waits until a window has loaded its plug-in: before the unit is opened, which then may be in vain.
  ///
  /// - Returns: False when it is to stop.
  /// - Throws: The reason for which the window cannot be shown.
  static func awaitReady(
    _ window: WindowProcess, title: String, _ control: ShowControl
  ) throws(AuricleError) -> Bool {
    while !control.shouldStop() {
      guard let lines = window.lines(within: 100) else { throw lost(window, title) }
      for line in lines {
        if line == "ready" { return true }
        if line.hasPrefix("refused ") { throw refusal(String(line.dropFirst(8)), title) }
      }
    }
    return false
  }

  /// Shows the window until it is closed.
  ///
  /// - Throws: `.software` when the window crashed or hung, `.unavailable` where it cannot be shown or the unit is gone.
  func go() throws(AuricleError) {
    if let state = unit.state() {
      window.send("state \(Base64.text(state.first)) \(Base64.text(state.second))")
    }
    try sendValues()
    window.send("open")
    var next = ContinuousClock.now
    while !isClosed {
      if control.shouldStop() { return stop() }
      let left = max(0, (next - .now) / .milliseconds(1))
      guard let lines = window.lines(within: Int32(min(left.rounded(.up), 100))) else {
        throw Self.lost(window, title)
      }
      for line in lines { try receive(line) }
      if window.hangs {
        window.abandon()
        throw AuricleError(
          .software, "the window of \(title) hangs: it is closed; the sound goes on")
      }
      guard ContinuousClock.now >= next else { continue }
      next = .now + .milliseconds(Int(Self.period))
      try unit.advance()
      try sendValues()
      if isOpen { for message in try unit.messages() { window.send("message \(message)") } }
    }
    _ = window.end()
  }

  /// Closes the window because the program is to end.
  private func stop() {
    window.send("close")
    let limit = ContinuousClock.now + .seconds(1)
    while ContinuousClock.now < limit, let lines = window.lines(within: 50) {
      for line in lines { try? receive(line) }
    }
    window.abandon()
    _ = window.end()
  }

  /// The error of a window that ended without a word.
  private static func lost(_ window: WindowProcess, _ title: String) -> AuricleError {
    let end = window.end() ?? "ended"
    return AuricleError(
      .software, "the window of \(title) \(end); the sound and its settings are as they were")
  }

  /// Sends the values that changed since.
  private func sendValues() throws(AuricleError) {
    let values: [(id: UInt32, value: Float)]
    do throws(AuricleError) { values = try unit.values() } catch {
      // A unit that is bypassed has no values for a while.
      guard error.category == .usage else { throw error }
      return
    }
    for (id, value) in values where known[id] != value {
      known[id] = value
      window.send("value \(id) \(value)")
    }
  }

  /// Does what the window asks for.
  private func receive(_ line: String) throws(AuricleError) {
    let words = line.split(separator: " ", maxSplits: 1)
    let rest = words.count > 1 ? String(words[1]) : ""
    switch words.first {
    case "set": try set(rest)
    case "map": window.send("mapped \((try? unit.number(of: rest)) ?? 0)")
    case "unmap":
      let uri = try UInt32(rest).flatMap { number throws(AuricleError) in try unit.uri(of: number) }
      window.send("unmapped \(uri ?? "")")
    case "message": try send(rest)
    case "state": try unit.restore(rest)
    case "opened":
      isOpen = true
      control.onOpen(title)
    case "closed": isClosed = true
    case "refused": throw Self.refusal(rest, title)
    // A control that is held changes nothing here.
    case "touch": break
    default: break
    }
  }

  private func set(_ text: String) throws(AuricleError) {
    let words = text.split(separator: " ")
    guard words.count == 2, let id = UInt32(words[0]), let value = Float(words[1]) else { return }
    known[id] = value
    do throws(AuricleError) { try unit.put(id, value) } catch {
      // What it cannot have goes back to the window with the next look.
      guard error.category == .usage else { throw error }
    }
  }

  private func send(_ text: String) throws(AuricleError) {
    let words = text.split(separator: " ")
    guard words.count == 3, let port = UInt32(words[0]), let type = UInt32(words[1]) else { return }
    do throws(AuricleError) { try unit.send(String(words[2]), type: type, port: port) } catch {
      // Windows send more than plug-ins take: what they ask for once more comes again.
      guard error.category == .usage else { throw error }
    }
  }

  /// The error of a window that could not be shown.
  private static func refusal(_ text: String, _ title: String) -> AuricleError {
    let words = text.split(separator: " ", maxSplits: 1)
    let code = words.first.flatMap { Int32($0) } ?? 0
    let category = AuricleError.Category(rawValue: code) ?? .software
    let sentence = words.count > 1 ? String(words[1]) : "the window of \(title) cannot be shown"
    return AuricleError(category, "\(sentence); \(WindowSubject.otherWay)")
  }
}

extension AuricleInstallation {
  /// Shows the window of a unit until it is closed.
  ///
  /// - Throws: `.unavailable` for a unit without a window that can be shown, and without a display or the program for
  ///   windows; `.software` for a window that crashed; also what the unit refuses.
  ///
  /// Context: control; returns when the window is closed. A unit of this process is opened in it: the program calls it
  /// in a process apart. The corresponding Core Audio property is `kAudioUnitProperty_CocoaUI`.
  public func show(_ request: ShowRequest, control: ShowControl) throws {
    let registry = host.makeRegistry()
    let live = try request.controlPath.map { path throws(AuricleError) in
      try LiveUnit(request.unit, at: path)
    }
    let component = try registry.resolve(live?.uniqueName ?? request.unit)
    let subject = try WindowSubject(component, host)
    try Self.checkDisplay()
    let program = try host.windowProgram()
    if let live {
      let window = try WindowProcess(program, subject, sampleRate: live.sampleRate)
      guard try ShowRun.awaitReady(window, title: subject.title, control) else { return }
      return try ShowRun(window, live, title: subject.title, control).go()
    }
    if let path = request.savePath, !request.overwrites, FileIdentity.of(path) != nil {
      throw AuricleError(.inputOutput, "\(path) exists: give --overwrite to replace it")
    }
    let stage = try Self.stage(request, registry)
    // Before the unit is opened, which takes the right to start programs away.
    let window = try WindowProcess(program, subject, sampleRate: 48_000)
    guard try ShowRun.awaitReady(window, title: subject.title, control) else { return }
    let unit = try LocalUnit(stage)
    defer { withExtendedLifetime(unit) {} }
    let failure: AuricleError?
    do throws(AuricleError) {
      try ShowRun(window, unit, title: subject.title, control).go()
      failure = nil
    } catch { failure = error }
    // What was moved until a window crashed is kept, too.
    if let path = request.savePath, failure == nil || failure?.category == .software {
      try unit.save(to: path, overwrite: request.overwrites)
    }
    if let failure { throw failure }
  }

  private static func stage(
    _ request: ShowRequest, _ registry: AudioComponentRegistry
  ) throws -> ResolvedStage {
    var entry = UnitEntry(unit: request.unit)
    entry.preset = request.preset.map { Located($0) }
    entry.parameters = request.settings
    // Instruments have windows, too.
    let resolved = try ResolvedChain(
      playing: ChainPreset(name: "command line", units: [entry]), in: registry)
    guard let stage = resolved.stages.first else {
      throw AuricleError(.software, "\(request.unit) could not be opened")
    }
    return stage
  }

  private static func checkDisplay() throws(AuricleError) {
    let name = unsafe getenv("DISPLAY").map { unsafe String(cString: $0) } ?? ""
    guard name.isEmpty else { return }
    throw AuricleError(
      .unavailable,
      "there is no display to show a window on (DISPLAY is not set): start an X server or Xwayland; "
        + WindowSubject.otherWay)
  }
}
