// Commands to live sound, from keys, the control socket and MIDI sources: done here, or by the process that renders.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import AudioTypes
public import AuricleHost
import ChainPresets
public import DeviceSound
import Glibc
import Synchronization
import WatchedProcesses
import Workers

extension LiveSupervisor {
  /// Answers a line of the control socket: `ok`, perhaps with the requested values, or `error` and a sentence.
  func answer(_ line: String) -> String {
    do { return try perform(try LiveCommand(line: line), line) } catch {
      return "error \(PresetFailure.sentence(error))"
    }
  }

  private func perform(_ command: LiveCommand, _ line: String) throws -> String {
    switch command {
    case .preset(let name): try change(to: name)
    case .panic: keyboards?.silence()
    case .quit: hasQuit = true
    case .help: return "ok " + LiveCommand.forms.joined(separator: "; ")
    case .stats: return try stats(line)
    default: return try ask(line)
    }
    return "ok"
  }

  /// Has the process that renders do a command.
  private func ask(_ line: String) throws -> String {
    let conversation = present.conversation
    try conversation.send(LiveFrame.line, Array(line.utf8))
    while true {
      let frame = try conversation.next(atMost: request.isolation.limits.open)
      if frame.kind == LiveFrame.answer { return frame.text }
      receive(frame)
    }
  }

  /// The figures of the process, with those of the device behind the first.
  private func stats(_ line: String) throws -> String {
    var words = try ask(line).split(separator: " ").map(String.init)
    let engine = session.engine
    words.insert("overruns=\(engine.overruns)", at: min(2, words.count))
    let peaks = heldPeaks.map { $0 > 0 ? "\((200 * log10($0)).rounded() / 10)" : "-inf" }
    heldPeaks = [0, 0]
    return
      (words + [
        "silent=\(mixer.missedCount)", "rate=\(Int(engine.sampleRate))",
        "period=\(engine.periodFrames)", "roundtrip=\(engine.roundTripFrames ?? 0)",
        "peak=\(peaks.joined(separator: ","))",
      ]).joined(separator: " ")
  }

  /// Performs the command of a key.
  func obey(_ command: PlayCommand) {
    switch command {
    case .togglePause:
      try? present.conversation.send(LiveFrame.muted, [present.status.isPaused ? 0 : 1])
    case .seek: break
    case .changeGain(let decibels):
      let gain = 20 * log10(max(present.status.gain, 1e-6)) + decibels
      present.status.gain = pow(10, min(24, max(-60, gain)) / 20)
      _ = answer("gain \(min(24, max(-60, gain)))")
    case .nextPreset: useNextPreset()
    case .toggleBypass: _ = answer("bypass \(present.status.isBypassed ? "off" : "on")")
    case .quit: hasQuit = true
    }
  }

  /// Switches to the next preset that can be live.
  private func useNextPreset() {
    for next in host.presets.names(after: presetName) where !control.shouldStop {
      do { return try change(to: next) } catch {
        control.say("\(next) cannot be used: \(PresetFailure.sentence(error))")
      }
    }
  }

  /// Switches to the preset that a program of a MIDI source called last.
  func useCalled(_ name: String) {
    calledPresets = []
    do { try change(to: name) } catch {
      control.say("\(name) cannot be used: \(PresetFailure.sentence(error))")
    }
  }

  /// Serves the requests of the MIDI sources.
  func serveKeyboards() {
    guard let keyboards else { return }
    keyboards.news.drain()
    for line in keyboards.drainLines() { control.say(line) }
    for (name, value) in keyboards.drainMoved() {
      try? present.conversation.send(LiveFrame.moved, Array("\(name.text) \(value)".utf8))
    }
    let lost = keyboards.removeLostCount()
    if lost > 0 { control.say("\(lost) MIDI messages came too fast, and are lost") }
  }
}

extension AuricleInstallation {
  /// Runs a chain between the input and the output of a device, in other processes.
  ///
  /// - Throws: As `play`; `.badData` for a chain that follows a file, `.software` for a unit that crashed or hangs.
  ///
  /// Context: control; returns when it is over. The program calls `LiveServer.serveIfChild()` first.
  public func live(_ request: LiveRequest, control: PlayControl) throws -> SoundOutcome {
    // The device goes last: a path that cannot be used costs nobody a sound.
    let socket = try request.controlPath.map { path throws(AuricleError) in
      try ControlSocket(path: path)
    }
    return try LiveSupervisor(request, host, control).go(socket)
  }
}
