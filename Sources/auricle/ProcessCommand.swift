// `auricle process`: files through a chain.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioFiles
import AudioTypes
import BatchProcessing
import ChainPresets
import Foundation

/// Runs files through a chain of units.
struct ProcessCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "process",
    abstract: "Run audio files through a chain of units.",
    discussion: """
      The chain comes from a preset, or from units named one after the other; --set, --unit-preset \
      and --mix belong to the --unit before them. Folders are searched for audio files, and their \
      tree is mirrored below the output folder. Nothing that exists is replaced unless you say so.

      Results keep the container, encoding, sample rate and channels of their input. They are \
      aligned with it: delays of units are cut off in front. After the end of the input a result \
      goes on as long as there is sound (--tail auto).

      EXAMPLES:
        auricle process --preset podcast-voice --output out/ talk1.wav talks/
        auricle process --preset ./mine.yaml --output out/ --container flac *.wav
        auricle process --unit aufx:hpas:appl --set "cutoff frequency=80 Hz" \\
          --unit http://calf.sourceforge.net/plugins/Compressor \\
          --set threshold=0.1 --mix "50 %" --output-file loud.wav in.flac
        auricle process --preset hall-large --tail 4 --output-file wet.wav dry.wav
      """)

  @OptionGroup var chain: ChainArguments
  @OptionGroup var output: OutputArguments

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  @Option(
    help: ArgumentHelp("Print results as text, or as one JSON line a file.", valueName: "text|json")
  )
  var format = OutputFormat.text

  @Argument(
    help: ArgumentHelp("Audio files, and folders to search for them.", valueName: "file-or-folder"))
  var inputs: [String]

  func validate() throws {
    try chain.check()
    try output.check()
  }

  func run() throws {
    let host = Host()
    let preset = try chain.preset(host)
    let resolved = try chain.resolve(preset, in: host.makeRegistry())
    let settings = try output.settings(for: preset)
    let destination = try output.destination(inputCount: inputs.count)
    let plan = try BatchPlan(
      inputs: inputs, destination: destination, fileExtension: settings.container?.fileExtension,
      overwrite: settings.overwrite)
    if case .folder(let folder) = destination, !plan.files.isEmpty { try FolderMaker.make(folder) }

    Interruption.install()
    var report = ProcessReport(plan: plan, format: format, isQuiet: quiet)
    let run = BatchRun(plan: plan, settings: settings) { request throws(AuricleError) in
      try resolved.makeChain(request)
    }
    let summary = run.run(shouldStop: { Interruption.isRequested }) { report.handle($0) }
    report.finish(summary)
    if let category = summary.category { throw ExitCode(category.rawValue) }
  }
}
