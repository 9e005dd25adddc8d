// The program: its commands, how errors become exit codes, where text goes.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ArrayWorkers
import AudioTypes
import AuricleHost
import ChainPresets
import ChainServing
import CommandOutput
import DeviceSound
import FileCommands
import Foundation
import HostSystem
import LiveSound
import MIDICommands
import PlugInGuard
import PluginCommands
import RunReports
import UnitProcesses
import WatchedProcesses
import Workers

/// `auricle`, the parent of all commands.
struct AuricleCommand: ParsableCommand {
  static let name = "auricle"
  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Find audio units, chain them, and run files through them.",
    discussion: """
      The audio units are those that ship with Auricle, native .component bundles, and LV2, CLAP, \
      VST3 and LADSPA plug-ins. Name a unit by type:subtype:manufacturer (aufx:lpas:appl), by its \
      identifier in its format (an LV2 URI, clap:ID, vst3:UUID, ladspa:FILE:LABEL), or by its \
      name if only one unit has it.

      EXAMPLES:
        auricle list aufx --search reverb
        auricle info aufx:dcmp:appl
        auricle process --preset podcast-voice --output out/ talk1.wav talks/
        auricle convert in.wav out.m4a --bit-rate 192k
        auricle play song.flac --preset music-master-gentle
        auricle process --unit aufx:hpas:appl --set "cutoff frequency=80 Hz" \\
          --unit aufx:lmtr:appl --output-file loud.wav in.flac

      A configuration file sets defaults of options (auricle config); --no-config ignores it.

      Results go to standard output, everything else to standard error. Exit codes: 0 all done, \
      1 some files failed, 4 a unit kept failing, 64 usage, 65 bad preset or data, 66 no input, \
      69 no such unit, 70 a unit failed, 74 input/output, 75 try again later \
      (a full disk), 77 no permission, 130 interrupted.
      """,
    version: "auricle \(AuricleVersion.text)",
    subcommands: [
      ListCommand.self, InfoCommand.self, ScanCommand.self, ProcessCommand.self,
      ConvertCommand.self, WatchCommand.self, PlayCommand.self, RecordCommand.self,
      LiveCommand.self, ShowCommand.self, StudioCommand.self, RenderCommand.self, PlotCommand.self,
      SayCommand.self,
      DevicesCommand.self, PlanCommand.self, ShardCommand.self, UnfinishedCommand.self,
      MergeCommand.self,
      SubmitCommand.self,
      StatusCommand.self,
      ReportCommand.self, VerifyCommand.self, PresetCommand.self, GraphCommand.self,
      MeasureCommand.self, FileCommand.self, TagCommand.self, MIDICommand.self,
      ValidateCommand.self, PluginCommand.self, SwiftCommand.self, ConfigCommand.self,
      DoctorCommand.self,
      CheckBundlesCommand.self,
    ])
}

@main
enum Program {
  static func main() {
    ForeignLibrary.forbid()
    ArrayProcess.serveIfChild()
    HostProcess.serveIfChild()
    SoundServer.serveIfChild()
    LiveServer.serveIfChild()
    UnitProcesses.serveIfChild()
    ChainServer.serveIfChild()
    StudioService.serveIfChild()
    StandardStreams.divert()
    var configuration: UserConfiguration?
    var typed: [String] = []
    do {
      typed = CommandProcess.begin(ProgramArguments.words)
      let completed = try configured(typed)
      configuration = completed.configuration
      let words = ShortHelp.forParser(completed.words)
      if let script = CompletionScript.wanted(words, of: AuricleCommand.self) {
        StandardStreams.writeResult(script)
        leave(0)
      }
      if words == ["--version"] {
        StandardStreams.writeResult(AuricleCommand.configuration.version + "\n")
        leave(0)
      }
      try CommandWords.check(words)
      var command = try CommandWords.command(words)
      try command.run()
    } catch {
      // An option or a device that nobody typed may be the fault.
      if !(error is ExitCode), AuricleCommand.exitCode(for: error) != .success {
        var note = configuration?.note(on: typed)
        if case .unknownName(_, kind: .device)? = (error as? AuricleError)?.cause {
          note = configuration?.note(onDeviceOf: typed) ?? note
        }
        if let note { StandardStreams.writeMessage("note: \(TerminalText.plain(note))") }
      }
      exit(with: error)
    }
    leave(0)
  }

  /// Completes a command line by the user's configuration, unless it has `--no-config`; with that.
  private static func configured(
    _ words: [String]
  ) throws(PresetErrors) -> (words: [String], configuration: UserConfiguration?) {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    guard !words[..<end].contains("--no-config") else {
      return (words[..<end].filter { $0 != "--no-config" } + words[end...], nil)
    }
    // A file with mistakes stops neither help nor commands that have no default in it.
    guard let command = words.first, !command.hasPrefix("-"),
      UserConfiguration.isRead(by: command), !CommandProcess.isChild, !words.contains("--help"),
      !words.contains("-h"),
      !words.contains(ShortHelp.option)
    else { return (words, nil) }
    let configuration: UserConfiguration
    do throws(PresetErrors) { configuration = try UserConfiguration() } catch {
      let isResumed = words.contains { $0 == "--resume" || $0.hasPrefix("--resume=") }
      guard UserConfiguration.isNeeded(by: command), !isResumed else { return (words, nil) }
      throw error
    }
    configuration.setVariables()
    return (configuration.completed(words), configuration)
  }

  /// Exits with a code; with that of a failed output when results were lost, unless another error comes
  /// first.
  ///
  /// Skips destructors, so that plug-ins cannot change the exit code.
  private static func leave(_ code: Int32) -> Never {
    if let loss = StandardStreams.lossOfResults {
      StandardStreams.writeMessage("auricle: \(loss)")
      let isDone = code == 0 || code == AuricleError.Category.someFilesFailed.rawValue
      _exit(isDone ? AuricleError.Category.inputOutput.rawValue : code)
    }
    _exit(code)
  }

  /// Prints an error and exits with its exit code.
  private static func exit(with error: any Error) -> Never {
    let error = AuricleInstallation().advised(error) ?? error
    if let failure = error as? AuricleError {
      StandardStreams.writeMessage("auricle: \(failure.message)")
      leave(failure.category.rawValue)
    }
    if let errors = error as? PresetErrors {
      StandardStreams.writeMessage(PresetFailure.text(errors))
      leave(errors.category.rawValue)
    }
    if let refusal = error as? WorkerRefusal {
      StandardStreams.writeMessage(refusal.text)
      leave(refusal.category.rawValue)
    }
    let code = AuricleCommand.exitCode(for: error)
    let words = ProgramArguments.words
    if code == .success, let word = CommandWords.mistakenForHelp(in: words) {
      StandardStreams.writeMessage("auricle: " + CommandWords.noOption(word))
      leave(AuricleError.Category.usage.rawValue)
    }
    if let fault = CommandWords.fault(error, words: words) {
      exit(with: fault)
    }
    let text = AuricleCommand.fullMessage(for: error)
    // Help that nobody asked for: a command that is not complete does nothing, and does not succeed.
    if code == .success, !words.contains(where: { $0.hasPrefix("-") || $0 == "help" }) {
      StandardStreams.writeMessage(text)
      leave(AuricleError.Category.usage.rawValue)
    }
    if !text.isEmpty {
      if code == .success {
        StandardStreams.writeResult(ShortHelp.text(text, for: words) + "\n")
      } else {
        StandardStreams.writeMessage(text)
      }
    }
    leave(code.rawValue)
  }
}
