// `auricle live`: an input through a chain to an output.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import CommandOutput
import DeviceSound
import LiveSound

/// Runs a chain live.
struct LiveCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Run live input through a chain to an output.",
    discussion: """
      The delay of the sound is that of the device's buffer and of the chain. Keys on a terminal: \
      b bypasses the chain, p selects the next preset that can be live, + and - change the volume, \
      space mutes, q quits, ? shows the keys. New values, presets and bypasses fade in.

      With --control unix:PATH other programs of the same user send commands to a socket, one per \
      line, and receive one line for each: set STAGE PARAMETER VALUE, get STAGE PARAMETER, ramp \
      STAGE PARAMETER VALUE SECONDS, bypass [STAGE] on|off, preset NAME, gain DB, map CONTROLLER \
      STAGE PARAMETER [FROM TO], unmap CONTROLLER, learn STAGE PARAMETER, maps, panic, list, \
      stats, help, quit, and those of "auricle show". Names of several words need no quotation \
      marks if they are unique; a parameter that only one stage has needs no stage.

      With --midi a keyboard plays the instruments of the preset, or a chain that begins with one, \
      and no input is needed. Program changes, pedals and MPE go to the instruments. Controllers \
      move the parameters that the preset's midi block or --learn binds them to. When a source is \
      unplugged, its notes end; it plays again when it is back.

      Plug-ins run in separate processes without the rights of the user (--sandbox). One that \
      crashes, exits, hangs or is late is bypassed with a fade, named and restarted; after three \
      times in ten minutes it stays bypassed. With --isolate none it ends the command: with exit \
      code 70, the message names the unit that crashed, exited or hung (--stall-limit).

      Exit codes: 65 the device refuses the format, 69 no such device, 70 a unit failed, 74 the \
      device was unplugged, 75 the device is busy, 77 no permission.

      EXAMPLES:
        auricle live --preset podcast-voice
        auricle live --preset guitar.yaml --input hw:1,0 --period 64 --restart
        auricle live --unit aufx:mrev:appl --control unix:/tmp/reverb
        auricle live --preset band.yaml --midi Keystation --output hw:1,0
        auricle live --unit 'dls ' --midi Keystation --learn '1 volume'
        auricle live --preset guitar.yaml --input hw:1,0 --output net:192.168.1.7
        auricle live --input net:,listen=0.0.0.0,from=192.168.1.5 --output hw:0
        echo 'set dry/wet mix 20' | socat - unix:/tmp/reverb
      """)

  @OptionGroup(title: "Chain") var chain: ChainArguments

  @Option(
    help: ArgumentHelp(
      "The input device. Default: AURICLE_DEVICE, else ALSA's default.",
      valueName: "name"), completion: .devices)
  var input: String?

  @Option(
    help: ArgumentHelp(
      "The output device. Default: that of --input.", valueName: "name"), completion: .devices)
  var output: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The period of the device in frames. Default: 128.", valueName: "frames"),
    transform: DeviceArguments.periods)
  var period = 128

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Periods in the device's buffer. Default: 2.", valueName: "number"),
    transform: NumberRange.whole(2...16))
  var periods = 2

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Channels of the chain. Default: 2.", valueName: "number"),
    transform: NumberRange.whole(1...64))
  var channels = 2

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The sample rate: 48000, 48k. Default: that of an input file, else 48 kHz or the nearest.",
      valueName: "rate"))
  var sampleRate: String?

  @Flag(help: "Bypass a unit that is too slow three times.")
  var `guard` = false

  @OptionGroup(title: "Plug-ins") var isolation: IsolationArguments

  @Option(
    help: ArgumentHelp(
      "Processes of units that are not Auricle's: one for all, one for each, none. Default: chain, or the preset's.",
      valueName: "chain|unit|none"), completion: .list(LiveIsolation.allCases.map(\.rawValue)))
  var isolate: String?

  @Flag(help: "Restart with the same values when a unit crashes or hangs.")
  var restart = false

  @Option(help: ArgumentHelp("A socket that accepts commands.", valueName: "unix:path"))
  var control: String?

  @Option(
    help: ArgumentHelp(
      "A MIDI source: its name, part of it, or its number. Repeat for more.",
      valueName: "name"))
  var midi: [String] = []

  @Option(
    help: ArgumentHelp(
      "Bind the next moved controller to a parameter: STAGE PARAMETER. Repeat for more.",
      valueName: "stage parameter"))
  var learn: [String] = []

  func check() throws {
    try chain.checkWords()
    if input?.isEmpty == true || output?.isEmpty == true {
      throw ValidationError("The name of the device is empty.")
    }
    if let isolate, LiveIsolation(rawValue: isolate) == nil {
      throw ValidationError("--isolate takes chain, unit or none, not '\(isolate)'.")
    }
    guard !midi.contains("") else { throw ValidationError("The name of the MIDI source is empty.") }
    guard learn.isEmpty || !midi.isEmpty else {
      throw ValidationError("--learn needs a MIDI source to learn from: --midi NAME.")
    }
    if let control, !control.hasPrefix("unix:") || control.utf8.count < 6 {
      throw ValidationError("--control takes unix:PATH, not '\(control)'.")
    }
  }

  private func request() throws -> LiveRequest {
    var request = LiveRequest()
    request.chain = try chain.request()
    (request.input, request.output) = (input, output)
    (request.periodFrames, request.periodCount) = (period, periods)
    request.channelCount = channels
    request.guards = `guard`
    request.restarts = restart
    request.isolate = isolate.flatMap(LiveIsolation.init)
    request.isolation = isolation.isolation
    request.controlPath = control.map { String($0.dropFirst(5)) }
    request.keyboards = midi
    request.lessons = try learn.map { try LiveRequest.lesson($0) }
    request.sampleRate = try SignalArguments.rate(sampleRate)
    return request
  }

  func run() throws {
    let request = try request()
    Interruption.install()
    try SoundScreen.show(isPlaying: true, isLive: true) { control in
      try AuricleInstallation().live(request, control: control)
    }
  }
}
