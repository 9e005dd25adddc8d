// `auricle show`: the window of a plug-in.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import ChainPresets
import CommandOutput
import Foundation
import HostSystem
import PluginCommands
import PluginWindows
import RunReports
import WatchedProcesses

/// Shows a plug-in's window.
struct ShowCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Open the window of a plug-in.",
    discussion: """
      LV2 (X11, GTK 2 and 3, Qt 5), CLAP and VST3 plug-ins show their own windows, each in a \
      separate process: a window that crashes leaves the sound and its settings as they were. \
      The unit renders silence in this program; with --control it is one of a running \
      "auricle live", and UNIT may also be the number or the label of a stage. Controls of the window move the parameters of the unit, and the reverse.

      With --save the settings are written when the window is closed, even after a crash. \
      Windows run with your rights, as in any other host. The program auricle-window is needed \
      (package auricle-windows), and a display of X11 or Xwayland. For units without a window, and \
      machines without a display, there is "auricle studio".

      Exit codes: 66 no "auricle live" answers, 69 no such unit, window or display, 70 the window \
      or the unit crashed.

      EXAMPLES:
        auricle show "Calf Compressor"
        auricle show http://gareus.org/oss/lv2/fil4#stereo --save mine.aupreset
        auricle show "Calf Compressor" --set ratio=4 --set "attack=5 ms"
        auricle show 2 --control unix:/tmp/reverb
      """)

  @Option(
    help: ArgumentHelp(
      "The preset to start from: factory preset (name, number), LV2 preset (URI), .aupreset file.",
      valueName: "preset"), completion: .unitPresets)
  var preset: String?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "A parameter, by name, symbol or id; the value may have a unit. Repeat for more.",
      valueName: "name=value"), completion: .settings)
  var settings: [String] = []

  @Option(
    help: ArgumentHelp(
      "Write the settings here when the window is closed.", valueName: "file.aupreset"),
    completion: .anyFile)
  var save: String?

  @Flag(help: "Replace the file of --save.")
  var overwrite = false

  @Option(
    help: ArgumentHelp(
      "The control socket of an \"auricle live\" that has the unit.", valueName: "unix:path"))
  var control: String?

  @OptionGroup var formatOfNames: UnitFormatArguments

  @Argument(
    help: ArgumentHelp(
      "The unit: type:subtype:manufacturer, its format's identifier, or a name.",
      valueName: "unit"),
    completion: .units)
  var unit: String

  func check() throws {
    guard !unit.isEmpty else { throw ValidationError("The name of the unit is empty.") }
    try formatOfNames.check(names: [unit])
    if let save, !save.hasSuffix(".aupreset") || save == ".aupreset" {
      throw ValidationError(
        "--save takes a name that ends in .aupreset, not '\(TerminalText.plain(save))'.")
    }
    if overwrite, save == nil { throw ValidationError("--overwrite goes with --save.") }
    guard let control else { return }
    guard !socketPath(control).isEmpty else {
      throw ValidationError("--control takes unix:PATH, not '\(TerminalText.plain(control))'.")
    }
    if preset != nil || !settings.isEmpty || save != nil || formatOfNames.format != nil {
      throw ValidationError(
        "--preset, --set, --format-of and --save are for a unit of this program; with --control it has its settings already."
      )
    }
  }

  private func socketPath(_ text: String) -> String {
    text.hasPrefix("unix:") ? String(text.dropFirst(5)) : text
  }

  func run() throws {
    var request = ShowRequest(formatOfNames.named(unit))
    request.preset = preset
    request.settings = try settings.map { text throws(PresetErrors) in
      try ParameterSetting(assignment: text)
    }
    request.savePath = save.map { WorkingFolder.absolute($0) }
    request.overwrites = overwrite
    request.controlPath = control.map(socketPath)
    Interruption.install()
    // The unit of a live chain is in another program: nothing of a plug-in is opened here.
    guard control == nil else { return try show(request) }
    guard !CommandProcess.isChild else {
      HostPlaces().enterSandboxAtFirstPlugIn(request.files)
      return try show(request)
    }
    var stopTime: ContinuousClock.Instant?
    let code = try CommandProcess.run(
      ProgramArguments.words, results: StandardStreams.results, timeLimit: .seconds(86_400 * 3650),
      shouldStop: {
        guard Interruption.isRequested else { return false }
        // The process with the unit has the signal of the terminal as well, and saves.
        stopTime = stopTime ?? .now + .seconds(1)
        return stopTime.map { .now > $0 } ?? false
      })
    if code != 0 { throw ExitCode(code) }
  }

  private func show(_ request: ShowRequest) throws {
    let control = ShowControl(
      shouldStop: { Interruption.isRequested },
      onOpen: { title in
        StandardStreams.writeMessage("The window of \(TerminalText.plain(title)) is open.")
      })
    try AuricleInstallation().show(request, control: control)
  }
}
