// `auricle play`: a file through a chain and a sound device.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import CommandOutput
import DeviceSound
import HostSystem
import ResultSettings

/// Plays a file.
struct PlayCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    _superCommandName: AuricleCommand.name,
    abstract: "Play files through a chain and a sound device.",
    discussion: """
      Plays the samples that auricle process would write, without the steps that need the whole \
      result: loudness, fades, trimming. Rate and channels are converted to those of the device. \
      Keys on a terminal: space pauses, arrows seek by 5 s and 60 s, + and - change the volume, p \
      selects the next preset, b bypasses the chain, n plays the next file, q quits, ? shows the \
      keys.

      MIDI files are rendered first, as by auricle render, with the General MIDI bank of the \
      system or the instrument of the chain. Several files are played one after the other.

      Plug-ins run in a separate process without the rights of the user (--sandbox). With exit \
      code 70, the message names the unit that crashed, exited or hung (--stall-limit).

      Exit codes: 65 the device refuses the format, 69 no such device, 70 a unit failed, 74 the \
      device was unplugged, 75 the device is busy, 77 no permission.

      EXAMPLES:
        auricle play song.flac
        auricle play album/*.flac
        auricle play song.mid
        auricle play song.flac --preset music-master-gentle --start 1:30
        auricle play talk.wav --device hw:1,0 --loop
        AURICLE_DEVICE=file:out.wav,clock=free auricle play song.flac
      """)

  @OptionGroup(title: "Chain") var chain: ChainArguments
  @OptionGroup(title: "Device") var device: DeviceArguments
  @OptionGroup(title: "Plug-ins") var isolation: IsolationArguments

  @Flag(help: "Repeat until stopped.")
  var loop = false

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Start position: 90, 1:30.", valueName: "time"))
  var start: String?

  @Argument(
    help: ArgumentHelp("Sound files and MIDI files; - for standard input.", valueName: "file"),
    completion: .anyFile)
  var files: [String]

  func check() throws {
    try chain.checkWords()
    try device.check()
    try StandardInput.checkOnce(in: files)
    if files.contains("") { throw ValidationError("The name of the file is empty.") }
    if loop, files.count > 1 {
      throw ValidationError("--loop plays one file again and again, and \(files.count) are named.")
    }
  }

  func run() throws {
    Interruption.install()
    // Typing errors are reported before the first sound.
    _ = try (chain.request(), startSeconds())
    try device.checkName()
    for file in files where file != "-" {
      _ = try StandardInput.path(of: file)
    }
    for file in files {
      guard try file == "-" ? playStandardInput() : play(file), !Interruption.isRequested else {
        return
      }
    }
  }

  /// Plays standard input; false when the user ended the program.
  private func playStandardInput() throws -> Bool {
    try PlayedFile.with { copy in
      try StandardInput.copy(to: copy)
      do { return try play(copy) } catch let error as AuricleError {
        throw AuricleError(
          error.category, status: error.status,
          error.message.replacing(copy, with: "standard input"))
      }
    }
  }

  /// Plays one file, or the sound of a MIDI file; false when the user ended the program.
  private func play(_ file: String) throws -> Bool {
    let chain = try chain.request()
    guard FileBeginning(path: file) == .notes else { return try play(file, through: chain) }
    return try PlayedFile.with { sound in
      var song = SingleFileRequest(
        chain: chain ?? RenderCommand.generalMIDI, input: .file(file), output: .file(sound))
      song.results.song = SongSettings()
      let printer = PlayedFile.printer
      try printer.end(AuricleInstallation().run(song, control: printer.control))
      return try play(sound, through: nil)
    }
  }

  private func play(_ file: String, through chain: ChainRequest?) throws -> Bool {
    var request = device.request(file)
    request.chain = chain
    request.loops = loop
    request.isolation = isolation.isolation
    request.start = try startSeconds()
    return try request.run()
  }

  private func startSeconds() throws(AuricleError) -> Double {
    guard let start else { return 0 }
    guard let time = TimePosition(text: start), !time.isFromEnd else {
      throw AuricleError(.usage, "--start takes a time such as 90 or 1:30, not '\(start)'")
    }
    return time.seconds
  }
}
