// A line with time and meters while sound is played or recorded, and the keys of the terminal.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import CommandOutput
import DeviceSound
import Foundation
import Glibc
import RunReports
import Synchronization

/// The terminal while sound runs.
///
/// @unchecked Sendable because the thread that plays is the only one that uses it; the rest is under a lock.
final class SoundScreen: @unchecked Sendable {
  private let isPlaying: Bool
  private let isLive: Bool
  private let isTerminal: Bool
  private let hasKeys: Bool
  private var settings = termios()
  private var canvas = TerminalCanvas()
  private var hasEnded = false
  private var hasQuit = false
  private var shown = (0.0, 0.0)
  private let controls = Mutex<PlayControl?>(nil)

  private init(isPlaying: Bool, isLive: Bool) {
    self.isPlaying = isPlaying
    self.isLive = isLive
    isTerminal = StandardStreams.errorIsTerminal
    hasKeys = isPlaying && isTerminal && isatty(STDIN_FILENO) == 1
    guard hasKeys, unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
    var raw = settings
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &raw)
  }

  /// Shows the progress of playing or recording, and prints its end.
  ///
  /// - Returns: Whether it came to its end: false when a key ended the program.
  /// - Throws: The errors of `body`, with the terminal as it was; the exit code of an interruption.
  @discardableResult
  static func show(
    isPlaying: Bool, isLive: Bool = false, _ body: (PlayControl) throws -> SoundOutcome
  ) throws -> Bool {
    let screen = SoundScreen(isPlaying: isPlaying, isLive: isLive)
    defer { screen.end() }
    try screen.finish(try body(screen.control))
    return !screen.hasQuit
  }

  /// The controls of the host.
  private var control: PlayControl {
    let made = PlayControl(
      shouldStop: { Interruption.isRequested }, onUpdate: { [self] in update($0) },
      onMessage: { [self] in message($0) })
    controls.withLock { $0 = made }
    return made
  }

  /// Puts the terminal back.
  private func end() {
    guard !hasEnded else { return }
    hasEnded = true
    if isTerminal { canvas.clear() }
    if hasKeys { unsafe _ = tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
  }

  /// Reports the end.
  private func finish(_ outcome: SoundOutcome) throws {
    end()
    let verb = isPlaying ? "played" : "recorded"
    if isTerminal || !isPlaying {
      StandardStreams.writeMessage("\(verb) \(Figures.duration(outcome.seconds))")
    }
    for note in outcome.notes { StandardStreams.writeMessage("note: \(note)") }
    // A recording is ended by Ctrl-C as a matter of course.
    if outcome.isInterrupted, isPlaying {
      throw ExitCode(AuricleError.Category.interrupted.rawValue)
    }
  }

  private func message(_ text: String) {
    if isTerminal { canvas.clear() }
    StandardStreams.writeMessage("auricle: \(TerminalText.plain(text))")
  }

  private func update(_ status: SoundStatus) {
    if hasKeys { readKeys() }
    guard isTerminal else { return }
    var parts = [Figures.timeLeft(status.position.rounded(.down))]
    if let seconds = status.seconds { parts[0] += " / \(Figures.timeLeft(seconds))" }
    // Meters fall by a quarter each time, so that the eye can follow.
    shown = (max(status.peaks[0], shown.0 * 0.75), max(status.peaks[1], shown.1 * 0.75))
    parts.append("\(Self.meter(shown.0)) \(Self.meter(shown.1))")
    if status.isPaused { parts.append("paused") }
    if status.gain != 1 { parts.append("\(Figures.level(20 * log10(status.gain))) dB") }
    if let preset = status.preset { parts.append(status.isBypassed ? "(\(preset))" : preset) }
    if let load = status.load { parts.append("load \(Int((load * 100).rounded())) %") }
    if let gaps = Self.gaps(status) { parts.append(gaps) }
    if let latency = status.latencyMilliseconds {
      parts.append("\((latency * 10).rounded() / 10) ms")
    }
    // A narrow terminal cuts the device.
    if hasKeys { parts.append("? keys") }
    parts.append(status.device)
    canvas.draw([TerminalCanvas.Line(TerminalText.plain(parts.joined(separator: "  ")))])
  }

  /// Times that sound ran out, with the unit that was too slow; nil for none.
  private static func gaps(_ status: SoundStatus) -> String? {
    let count = status.overrunCount
    guard count > 0 || status.slowUnit != nil else { return nil }
    let cause = status.slowUnit.map { " (\($0))" } ?? ""
    return "\(count) \(count == 1 ? "gap" : "gaps")\(cause)"
  }

  /// The keys.
  private var keys: String {
    "\(isLive ? "space mutes" : "space pauses"), + and - change the volume, b bypasses the chain, "
      + "p selects the next preset, "
      + (isLive ? "" : "left and right seek 5 s, down and up 60 s, n plays the next file, ")
      + "q quits"
  }

  /// A bar of 12 steps of 5 dB up to full scale.
  private static func meter(_ peak: Double) -> String {
    let decibels = peak > 0 ? 20 * log10(peak) : -100
    // Eight steps of 7.5 dB: with twelve, the hint at the keys has no place in 80 columns.
    let steps = min(8, max(0, Int((decibels + 60) / 7.5)))
    let full: Character = TerminalCanvas.hasUnicode ? "█" : "#"
    let clip = peak >= 1 ? "!" : " "
    return String(repeating: full, count: steps) + String(repeating: ".", count: 8 - steps) + clip
  }

  /// Reads typed keys, and obeys them.
  private func readKeys() {
    var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&entry, 1, 0) > 0, entry.revents & Int16(POLLIN) != 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0, let control = controls.withLock({ $0 }) else { return }
    var rest = bytes[0..<count]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x20: control.send(.togglePause)
      case 0x2B, 0x3D: control.send(.changeGain(by: 1))
      case 0x2D: control.send(.changeGain(by: -1))
      case UInt8(ascii: "p"): control.send(.nextPreset)
      case UInt8(ascii: "b"): control.send(.toggleBypass)
      case UInt8(ascii: "?"): message("keys: \(keys)")
      case UInt8(ascii: "n") where !isLive: control.send(.quit)
      case UInt8(ascii: "q"):
        hasQuit = true
        control.send(.quit)
      case 0x1B:
        guard rest.first == UInt8(ascii: "[") else { continue }
        rest.removeFirst()
        switch rest.popFirst() {
        case UInt8(ascii: "C"): control.send(.seek(by: 5))
        case UInt8(ascii: "D"): control.send(.seek(by: -5))
        case UInt8(ascii: "A"): control.send(.seek(by: 60))
        case UInt8(ascii: "B"): control.send(.seek(by: -60))
        default: break
        }
      default: break
      }
    }
  }
}
