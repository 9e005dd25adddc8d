// `auricle devices`: the sound devices of this machine.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuricleHost
import CommandOutput
import RunReports

/// Lists devices.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List the sound devices, and what they can do.",
    discussion: """
      Lists sound cards, and the devices in alsa-lib's configuration. A star marks the default \
      device: that of AURICLE_DEVICE, or ALSA's default. --probe opens each device, and shows its \
      channels, rates, formats, periods and latency.

      A file can replace a sound card: file:OUT.wav[,in=IN.wav][,clock=real|free|counted]\
      [,format=s16|s24|s32|float][,rate=HZ][,channels=N][,period=FRAMES]. With clock=free it runs as \
      fast as possible, with clock=counted while the other threads of its program sleep.

      Another machine can replace it, too: net:HOST[:PORT] calls it, net: waits for a call. Options: \
      listen=ADDRESS[:PORT], from=HOST, format=float|s24|s16|ulaw|…, latency=MS, \
      password-file=FILE, name=NAME, rate=HZ, channels=N; plain and sdp=FILE are for RTP of other \
      programs.

      EXAMPLES:
        auricle devices
        auricle devices --probe
        auricle devices --probe --format json
      """)

  @Flag(help: "Open each device, and show its formats.")
  var probe = false

  @Option(help: ArgumentHelp("Print columns, or one JSON array.", valueName: "text|json"))
  var format = OutputFormat.text

  func run() throws {
    let devices = AuricleInstallation().devices(probes: probe)
    switch format {
    case .json: try JSONResult.write(devices)
    case .text:
      StandardStreams.writeResult(table(devices))
      if devices.isEmpty {
        StandardStreams.writeMessage(
          "auricle: there is no sound device; a file can replace one: AURICLE_DEVICE=file:OUT.wav"
        )
      }
    }
  }

  private func table(_ devices: [DeviceReport]) -> String {
    var table = TextTable([.left, .left, .left, .left])
    for device in devices {
      let sides = [device.plays ? "plays" : nil, device.records ? "records" : nil]
      let holder = device.heldBy.map { ", held by \($0)" } ?? ""
      table.add([
        device.isDefault ? "*" : " ", TerminalText.plain(device.name),
        sides.compactMap(\.self).joined(separator: ", "),
        TerminalText.plain(device.title + holder),
      ])
      if let problem = device.problem { table.add(["", "", "", TerminalText.plain(problem)]) }
      if let side = device.output { table.add(["", "", "plays", Self.text(side)]) }
      if let side = device.input { table.add(["", "", "records", Self.text(side)]) }
    }
    return table.text()
  }

  private static func text(_ side: DeviceReport.Side) -> String {
    func range(_ values: [Int]) -> String {
      guard let first = values.first, let last = values.last, first != last else {
        return "\(values.first ?? 0)"
      }
      return "\(first) to \(last)"
    }
    let rates =
      side.anySampleRate.map { "\(Int($0[0])) to \(Int($0[1]))" }
      ?? side.sampleRates.map { "\(Int($0))" }.joined(separator: " ")
    var parts = [
      "\(range(side.channels)) channels", "\(rates) Hz", side.formats.joined(separator: " "),
      "periods of \(range(side.periods)) frames",
    ]
    if let latency = side.latencyMilliseconds { parts.append("\(Figures.level(latency)) ms") }
    return parts.joined(separator: "; ")
  }
}
