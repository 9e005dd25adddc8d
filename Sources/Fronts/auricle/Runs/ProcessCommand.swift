// `auricle process`: files through a chain.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandOutput

/// Runs files through a chain of units.
struct ProcessCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "process",
    _superCommandName: AuricleCommand.name,
    abstract: "Run audio files through a chain of units.",
    discussion: """
      The chain is a preset, or units in the order of their --unit options; --set, --unit-preset \
      and --mix belong to the preceding --unit. Without a chain, only the options for results \
      apply, such as --loudness or --container. Folders are searched for audio files, and their \
      tree is mirrored below the output folder. Existing files are replaced only on request \
      (--overwrite).

      Files are decoded, rendered and encoded in separate processes, which can write nothing but \
      results. When a unit crashes, hangs or outputs NaN or infinity, its file is tried once more, \
      then set aside, and the run goes on. A ledger in the output folder records every file, so \
      that an interrupted run can be continued (--resume); see also auricle status, report and \
      verify.

      Results keep the container, encoding, sample rate and channels of their input, and are \
      aligned with it: the latency of units is removed. A result ends when its sound has died away \
      (--tail auto).

      EXAMPLES:
        auricle process --preset podcast-voice --output out/ talk1.wav talks/
        auricle process --preset ./mine.yaml --output out/ --container flac *.wav
        auricle process --loudness -16 --output out/ talks/
        auricle process --unit aufx:hpas:appl --set "cutoff frequency=80 Hz" \\
          --unit http://calf.sourceforge.net/plugins/Compressor \\
          --set threshold=0.1 --mix "50 %" --output-file loud.wav in.flac
        auricle process --preset hall-large --tail 4 --output-file wet.wav dry.wav
        auricle process --preset broadcast --output out/ --jobs 8 \\
          --report report.html archive/
        auricle process --resume out/
        auricle process --preset telephone --output out/ --dry-run --from-file list
        cat in.wav | auricle process --preset telephone --output-file - - > out.wav
      """)

  @OptionGroup(title: "Chain") var chain: ChainArguments
  @OptionGroup(title: "Results") var output: OutputArguments

  @OptionGroup(title: "Results") var place: PlaceArguments
  @OptionGroup(title: "Run") var runOptions: RunArguments
  @OptionGroup(title: "Run") var variantOptions: VariantArguments
  @OptionGroup(title: "Run") var work: WorkArguments

  @OptionGroup var printing: PrintArguments

  @Argument(
    help: ArgumentHelp(
      "Audio files, and folders to search for them; - for standard input.",
      valueName: "file-or-folder"),
    completion: .anyFile)
  var inputs: [String] = []

  func check() throws {
    try runOptions.check()
    try work.check()
    let files = files()
    if runOptions.resume != nil {
      try files.checkResume()
      return try chain.checkWords()
    }
    try chain.check(
      changesFiles: output.changesFiles || place.outputFile != nil || place.raw != nil)
    try files.check()
  }

  func run() throws {
    var files = files()
    files.chain = try chain.request()
    try files.go()
  }

  /// The run, without its chain.
  private func files() -> FileRun {
    FileRun(
      inputs: inputs, output: output, place: place, run: runOptions, work: work,
      variants: variantOptions.variants, seed: variantOptions.seed, printing: printing)
  }
}
