// `auricle convert`: files into other kinds of files.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioFiles
import AuricleHost
import CommandOutput
import HostSystem
import SoundFileReports

/// Writes files as other kinds of files.
struct ConvertCommand: FileRunCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    _superCommandName: AuricleCommand.name,
    abstract: "Convert sound files to other formats.",
    discussion: """
      The last argument is the result: a file, whose extension selects the format, or a folder for \
      any number of files and folders. All other options are those of auricle process, and runs \
      are recorded in the same way.

      If input and result have the same encoding and no option changes the sound, packets are \
      copied without encoding them again: AAC goes from m4a to a bare stream without loss.

      EXAMPLES:
        auricle convert in.wav out.m4a --bit-rate 192k
        auricle convert in.flac out.mp3 --strategy vbr --quality high
        auricle convert talks/ out/ --container opus --bit-rate 32k --channels mono
        auricle convert *.wav flac/ --container flac --quality max --jobs 4
        auricle convert song.m4a song.aac
        auricle convert --list-formats
      """)

  @OptionGroup(title: "Results") var output: OutputArguments
  @OptionGroup(title: "Results") var place: PlaceArguments
  @OptionGroup(title: "Run") var runOptions: RunArguments
  @OptionGroup(title: "Run") var work: WorkArguments

  @Flag(help: "List the encodings that each container can be written with.")
  var listFormats = false

  @OptionGroup var printing: PrintArguments

  @Argument(
    help: ArgumentHelp(
      "Audio files, folders to search for them, and where results go; - for standard streams.",
      valueName: "file-or-folder"),
    completion: .anyFile)
  var inputs: [String] = []

  func check() throws {
    if listFormats {
      guard inputs.isEmpty else {
        throw ValidationError("--list-formats lists all there is: leave '\(inputs[0])' out.")
      }
      return
    }
    try runOptions.check()
    try work.check()
    let command = try withPlace()
    if runOptions.resume != nil { return try command.checkResumedFiles() }
    try command.checkFiles()
    guard command.place.outputFile != nil || place.raw != nil || output.changesFiles else {
      throw ValidationError(
        "Name the format of results: --container flac, --encoding pcm16 or --sample-rate 48k."
      )
    }
  }

  func run() throws {
    if listFormats {
      let types = SoundFileTypes.writable()
      switch printing.format {
      case .text: StandardStreams.writeResult(SoundFileTypesText.text(types))
      case .json: try JSONResult.write(types)
      }
      return
    }
    try withPlace().runFiles()
  }

  /// Returns the command with the last name as its place where no option names one.
  private func withPlace() throws -> Self {
    let isNamed = output.output != nil || place.outputFile != nil || place.inPlace
    guard !isNamed, runOptions.resume == nil else { return self }
    guard let last = inputs.last, inputs.count > 1 || runOptions.fromFile != nil else {
      throw ValidationError(
        "Name the input and the result: auricle convert IN OUT, or files and a folder."
      )
    }
    var command = self
    command.inputs.removeLast()
    if last.hasSuffix("/") || FileIdentity.isFolder(last) {
      command.output.output = last
    } else if command.inputs.count == 1, runOptions.fromFile == nil,
      !FileIdentity.isFolder(inputs[0])
    {
      command.place.outputFile = last
    } else {
      throw ValidationError(
        "Several files go into a folder, and '\(last)' is none: write '\(last)/' to have it made."
      )
    }
    return command
  }

  var variants: Int? { nil }
  var seed: UInt64? { nil }
  var copiesPackets: Bool { true }

  func chainRequest() -> ChainRequest? { nil }
}
