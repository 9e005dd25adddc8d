// Windows of plug-ins: each a separate command, whose end costs the window alone.
// SPDX-License-Identifier: Apache-2.0

import HostSystem
import Synchronization

/// The windows that pages have opened.
final class UnitWindows: Sendable {
  private struct Window {
    var json: [(String, JSONValue?)]
    var state = "open"
    var fault: StudioFault?
    var command: ProgramCommand
  }

  private struct State {
    var windows: [String: Window] = [:]
    var last = 0
  }

  private let state = Mutex(State())
  private let onChange: @Sendable (JSONValue) -> Void

  init(onChange: @escaping @Sendable (JSONValue) -> Void) { self.onChange = onChange }

  /// Whether there is a display.
  static var canOpen: Bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].contains {
      RuntimeFolder.environmentVariable($0).map { !$0.isEmpty } ?? false
    }
  }

  /// Opens the window of a unit.
  ///
  /// - Parameters:
  ///   - onEnd: Called when it has ended.
  ///   - onLine: Receives what the window reports, a line each.
  func open(
    _ program: String, _ words: [String], _ about: [(String, JSONValue?)],
    onEnd: @escaping @Sendable () -> Void = {}, onLine: @escaping @Sendable (String) -> Void
  ) -> JSONValue {
    let command = ProgramCommand()
    let id = state.withLock { state in
      state.last += 1
      let id = "w\(state.last)"
      state.windows[id] = Window(json: [("id", .string(id))] + about, command: command)
      return id
    }
    WorkThreads.start { [self] in
      let end = command.run(program, words, onLine: onLine)
      onEnd()
      let isGood = end.code == 0 || command.wasStopped
      state.withLock { state in
        state.windows[id]?.state = isGood ? "closed" : "failed"
        state.windows[id]?.fault = isGood ? nil : end.fault
      }
      onChange(json(id))
    }
    return json(id)
  }

  /// Closes a window.
  ///
  /// - Throws: `.notFound` where there is none.
  func close(_ id: String) throws {
    guard let command = state.withLock({ $0.windows[id]?.command }) else {
      throw StudioFault(.notFound, "there is no window \(id)")
    }
    command.stop()
  }

  /// Closes all.
  func closeAll() {
    for window in state.withLock({ Array($0.windows.values) }) { window.command.end() }
  }

  /// All windows, the oldest first.
  var all: JSONValue {
    let ids = state.withLock { Array($0.windows.keys) }
      .sorted { (Int($0.dropFirst()) ?? 0) < (Int($1.dropFirst()) ?? 0) }
    return .array(ids.map(json))
  }

  private func json(_ id: String) -> JSONValue {
    guard let window = state.withLock({ $0.windows[id] }) else { return .null }
    return .members(
      window.json + [
        ("state", .string(window.state)),
        ("error", window.fault.map { .string($0.message) } ?? .null),
      ])
  }
}
