// A sample of `make census`: real plug-ins, equal to a bare host bit for bit.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct CensusSampleTests {
  /// Plug-ins of every family, with every kind of port; missing ones are left out, and reported.
  static let sample = [
    "http://breakfastquay.com/rdf/lv2-rubberband#mono",
    "http://breakfastquay.com/rdf/lv2-rubberband#r3mono",
    "http://calf.sourceforge.net/plugins/Compressor",
    "http://calf.sourceforge.net/plugins/SidechainGate",
    "http://calf.sourceforge.net/plugins/Organ",
    "http://calf.sourceforge.net/plugins/Analyzer", "http://distrho.sf.net/plugins/MVerb",
    "http://distrho.sf.net/plugins/3BandSplitter", "http://drobilla.net/plugins/blop/adsr",
    "http://drobilla.net/plugins/fomp/mvclpf2", "http://drobilla.net/plugins/mda/Ambience",
    "http://drobilla.net/plugins/mda/EPiano", "http://eq10q.sourceforge.net/eq/eq10qs",
    "http://gareus.org/oss/lv2/convoLV2#Stereo", "http://gareus.org/oss/lv2/dpl#stereo",
    "http://gareus.org/oss/lv2/meters#EBUr128", "http://gareus.org/oss/lv2/midifilter#quantize",
    "http://gareus.org/oss/lv2/matrixmixer#i8o8",
    "http://guitarix.sourceforge.net/plugins/gx_cabinet#CABINET",
    "http://invadarecords.com/plugins/lv2/erreverb/mono",
    "http://lsp-plug.in/plugins/lv2/sc_mb_compressor_stereo", "http://lv2plug.in/plugins/eg-amp",
    "http://lv2plug.in/plugins/eg-params", "http://lv2plug.in/plugins/eg-scope#Stereo",
    "http://plugin.org.uk/swh-plugins/fastLookaheadLimiter",
    "http://plugin.org.uk/swh-plugins/mbeq", "http://plugin.org.uk/swh-plugins/singlePara",
    "http://plugin.org.uk/swh-plugins/sc4", "urn:ardour:a-comp#stereo", "urn:zamaudio:ZamCompX2",
  ]

  /// The plug-ins with every test: every bus, jobs, slices, impulses.
  static let fully = [
    "http://plugin.org.uk/swh-plugins/lookaheadLimiter", "http://gareus.org/oss/lv2/dpl#stereo",
    "http://lsp-plug.in/plugins/lv2/sc_compressor_stereo", "http://drobilla.net/plugins/mda/Piano",
  ]

  static let hasTools = ["python3", "cc", "pkg-config"].allSatisfy { tool in
    (try? runProcess("sh", ["-c", "command -v \(tool)"]))?.exitCode == 0
  }

  @Test(.enabled(if: hasTools, "python3, cc or pkg-config is missing"), arguments: [true, false])
  func theyAreTheBareHosts(isQuick: Bool) throws {
    let folder = try TemporaryFolder("auricle-census-sample")
    let list = try folder.write(
      (isQuick ? Self.sample : Self.fully).joined(separator: "\n"), to: "uris.txt")
    let result = try runProcess(
      "python3",
      [Places.inPackage("Stress/lv2-census"), "--uris", list] + (isQuick ? ["--quick"] : []),
      environment: ["AURICLE": Places.auricle, "XDG_CACHE_HOME": Sandbox.cache])
    #expect(result.exitCode == 0, "\(result.summary)")
    for line in result.standardOutput.split(separator: "\n")
    where line.hasPrefix("not installed") {
      print(line)
    }
  }
}
