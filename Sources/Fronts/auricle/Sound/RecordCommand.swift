// `auricle record`: from a sound device into a file.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import CommandOutput
import DeviceSound
import ResultSettings

/// Records a file.
struct RecordCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record from a sound device into a WAVE file.",
    discussion: """
      The file can be played at every moment, however the recording ends: Ctrl-C, an unplugged \
      device, kill -9. It has the bit depth of the device, or 32-bit float after a chain, and \
      becomes RF64 beyond 4 GiB.

      Plug-ins run in a separate process without the rights of the user (--sandbox). With exit \
      code 70, the message names the unit that crashed, exited or hung (--stall-limit).

      Exit codes: 65 the device refuses the format, 69 no such device, 70 a unit failed, 74 the \
      device was unplugged or the disk is full, 75 the device is busy, 77 no permission.

      EXAMPLES:
        auricle record take.wav --duration 10
        auricle record take.wav --device hw:1,0 --channels 2 --sample-rate 48000
        auricle record voice.wav --preset podcast-voice
      """)

  @OptionGroup(title: "Chain") var chain: ChainArguments
  @OptionGroup(title: "Device") var device: DeviceArguments
  @OptionGroup(title: "Plug-ins") var isolation: IsolationArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Channels to record. Default: all of the device.", valueName: "number"),
    transform: NumberRange.whole(1...64))
  var channels: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The sample rate: 48000, 48k. Default: 48 kHz or the nearest.", valueName: "rate"))
  var sampleRate: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Duration of the recording: 10, 1:30.", valueName: "time"))
  var duration: String?

  @Option(
    help: ArgumentHelp(
      "The encoding of the file.", valueName: "pcm16|pcm24|pcm32|float32"),
    completion: .list(["pcm16", "pcm24", "pcm32", "float32"]))
  var encoding: String?

  @Flag(help: "Replace an existing file.")
  var overwrite = false

  @Argument(help: ArgumentHelp("The file to record into.", valueName: "file"), completion: .anyFile)
  var file: String

  func check() throws {
    try chain.checkWords()
    try device.check()
    if file.isEmpty { throw ValidationError("The name of the file is empty.") }
  }

  func run() throws {
    var request = RecordRequest(output: file)
    request.chain = try chain.request()
    request.device = device.device
    request.periodFrames = device.period
    request.waits = device.wait
    request.channelCount = channels
    request.encoding = encoding
    request.overwrites = overwrite
    request.isolation = isolation.isolation
    request.sampleRate = try SignalArguments.rate(sampleRate)
    if let duration {
      guard let time = TimePosition(text: duration), !time.isFromEnd, time.seconds > 0 else {
        throw AuricleError(.usage, "--duration takes a time such as 10 or 1:30, not '\(duration)'")
      }
      request.duration = time.seconds
    }
    Interruption.install()
    try SoundScreen.show(isPlaying: false) { control in
      try AuricleInstallation().record(request, control: control)
    }
  }
}
