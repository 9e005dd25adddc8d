// Real plug-ins, one or more of each family that is installed: they open, run and make finite sound.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioUnits
import CAudioToolbox
import Foundation
import LV2Units
import TestSupport
import Testing

@Suite struct LV2SampleTests {
  /// Families of plug-ins; missing ones are left out.
  static let sample = [
    "http://breakfastquay.com/rdf/lv2-rubberband#mono",
    "http://calf.sourceforge.net/plugins/Compressor", "http://calf.sourceforge.net/plugins/Reverb",
    "http://calf.sourceforge.net/plugins/Vocoder", "http://calf.sourceforge.net/plugins/Organ",
    "http://calf.sourceforge.net/plugins/Analyzer",
    "http://distrho.sf.net/plugins/MVerb", "http://distrho.sf.net/plugins/3BandEQ",
    "http://drobilla.net/plugins/blop/adsr", "http://drobilla.net/plugins/blop/tracker",
    "http://drobilla.net/plugins/fomp/reverb", "http://drobilla.net/plugins/fomp/mvclpf2",
    "http://drobilla.net/plugins/mda/Ambience", "http://drobilla.net/plugins/mda/EPiano",
    "http://drobilla.net/plugins/mda/Vocoder", "http://eq10q.sourceforge.net/eq/eq10qs",
    "http://eq10q.sourceforge.net/compressor_stereo_sc",
    "http://gareus.org/oss/lv2/convoLV2#Stereo", "http://gareus.org/oss/lv2/dpl#stereo",
    "http://gareus.org/oss/lv2/fil4#mono", "http://gareus.org/oss/lv2/meters#EBUr128",
    "http://gareus.org/oss/lv2/midifilter#quantize", "http://gareus.org/oss/lv2/matrixmixer#i8o8",
    "http://guitarix.sourceforge.net/plugins/gx_cabinet#CABINET",
    "http://guitarix.sourceforge.net/plugins/gx_amp_stereo#GUITARIX_ST",
    "http://hippie.lt/lv2/gate", "http://invadarecords.com/plugins/lv2/erreverb/mono",
    "http://lsp-plug.in/plugins/lv2/compressor_ms",
    "http://lsp-plug.in/plugins/lv2/sc_mb_compressor_stereo",
    "http://lsp-plug.in/plugins/lv2/impulse_reverb_stereo",
    "http://lsp-plug.in/plugins/lv2/multisampler_x24_do",
    "http://lv2plug.in/plugins/eg-amp", "http://lv2plug.in/plugins/eg-params",
    "http://lv2plug.in/plugins/eg-sampler", "http://lv2plug.in/plugins/eg-scope#Stereo",
    "http://plugin.org.uk/swh-plugins/plate", "http://plugin.org.uk/swh-plugins/sc4",
    "http://plugin.org.uk/swh-plugins/highpass_iir", "http://plugin.org.uk/swh-plugins/const",
    "http://www.niallmoody.com/ndcplugs/soulforce.htm",
    "https://github.com/michaelwillis/dragonfly-reverb", "urn:ardour:a-comp#stereo",
    "urn:ardour:a-fluidsynth", "urn:dragonfly:plate", "urn:zamaudio:ZamCompX2",
    "urn:zamaudio:ZamHeadX2",
  ]

  static func installed() -> [AudioComponent] {
    let all = LV2ComponentSource(cacheFolder: "").discover().components
    return all.filter { $0.location.identifier.map(sample.contains) == true }
  }

  /// In a child process, so that a plug-in that crashes is a failure with a name.
  @Test func theyRun() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      var failures: [String] = []
      for component in LV2SampleTests.installed() {
        let uri = component.location.identifier ?? ""
        FileHandle.standardError.write(Data("begin \(uri)\n".utf8))
        do {
          let host = try LV2TestHost(component)
          var inputs: [[[Float]]?] = []
          for bus in 0..<host.unit.busCount(scope: kAudioUnitScope_Input) {
            let count = try host.channelCount(kAudioUnitScope_Input, bus)
            inputs.append(
              (0..<count).map {
                TestSignal.noise(seed: UInt64($0), amplitude: 0.25, frameCount: 24000)
              })
          }
          try host.unit.initialize()
          let output = try host.render(inputs, frameCount: 24000)
          if !output.joined().allSatisfy(\.isFinite) { failures.append("\(uri): not finite") }
          if output.joined().contains(where: { abs($0) > 1000 }) { failures.append("\(uri): huge") }
        } catch { failures.append("\(uri): \(error)") }
      }
      for failure in failures { FileHandle.standardError.write(Data("FAILED \(failure)\n".utf8)) }
      exit(failures.isEmpty ? 0 : 1)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n")
    let failed = lines.filter { $0.hasPrefix("FAILED") }
    #expect(failed.isEmpty)
    if result == nil { Issue.record("last was: \(lines.last { $0.hasPrefix("begin") } ?? "")") }
  }

  @Test(.enabled(if: LV2SampleTests.isInstalled("swh-plugins/fastLookaheadLimiter")))
  func latencyOfALookaheadLimiter() throws {
    let uri = "http://plugin.org.uk/swh-plugins/fastLookaheadLimiter"
    let component = try #require(
      LV2ComponentSource(cacheFolder: "").discover().components.first {
        $0.location.identifier == uri
      })
    let host = try LV2TestHost(component)
    try host.unit.initialize()
    let impulse = TestSignal.impulse(at: 1000, amplitude: 0.5, frameCount: 4096)
    let output = try host.render([[impulse, impulse]], frameCount: 4096)
    #expect((host.unit.latency * 48000).rounded() == 240)
    #expect(peakIndex(output[0]) == 1240)
  }

  static func isInstalled(_ end: String) -> Bool {
    LV2ComponentSource(cacheFolder: "").discover().components.contains {
      $0.location.identifier?.hasSuffix(end) == true
    }
  }
}
