// The output of `devices` about devices that cannot be opened, and silence of all others meanwhile.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite struct DeviceListTests {
  /// PCMs with JACK behind them, each in another way, and some that lead nowhere.
  private static let configuration = """
    pcm.graph { type jack playback_ports { 0 system:playback_1 } hint { show on description Graph } }
    pcm_slave.graph { pcm graph }
    pcm.named { type plug slave graph hint { show on description Named } }
    pcm.inside { type plug slave.pcm { type jack playback_ports { 0 system:playback_1 } } hint { show on description Inside } }
    pcm.half { type asym playback.pcm graph capture.pcm card hint { show on description Half } }
    pcm.cardless { type hw card Elsewhere hint { show on description Cardless } }
    pcm.hollow { type plug slave.pcm cardless hint { show on description Hollow } }
    """

  @Test(
    "Each device that cannot be opened says why, other entries are left out, and stderr is ours alone"
  )
  func reasons() throws {
    let bench = try CardBench(frameCount: 16)
    for name in ["card", "denied"] { try bench.cards.add(name) }
    try bench.cards.configure(Self.configuration)
    bench.cards.notify("denied", "deny")
    bench.cards.notify("denied", "deny", side: .input)
    let list = try bench.run("devices", "--probe")
    #expect(list.exitCode == 0 && list.standardError.isEmpty, "\(list.summary)")
    #expect(list.standardOutput.contains("denied may not be used: add yourself to the group audio"))
    for name in ["graph", "named", "inside", "half"] {
      #expect(
        list.standardOutput.contains("\(name) needs a sound server that does not run"),
        "\(list.summary)")
    }
    #expect(!list.standardOutput.contains("cardless") && !list.standardOutput.contains("hollow"))
    #expect(!list.standardOutput.contains(" 0 channels"), "\(list.summary)")
  }

  @Test(
    "Messages of JACK are not printed, however deep in a configuration it is",
    arguments: ["named", "inside", "half"])
  func silence(name: String) throws {
    let bench = try CardBench(frameCount: 16)
    try bench.cards.add("card")
    try bench.cards.configure(Self.configuration)
    let result = try bench.run("play", "--device", name, "in.wav")
    #expect(result.exitCode == 69, "\(result.summary)")
    #expect(
      result.standardError
        == "auricle: \(name) needs a sound server that does not run: start it, or choose a device of auricle devices\n",
      "\(result.summary)")
    let absent = try bench.run("play", "--device", "hollow", "in.wav")
    #expect(absent.exitCode == 69, "\(absent.summary)")
    #expect(absent.standardError.contains("there is no card behind it"), "\(absent.summary)")
  }
}
