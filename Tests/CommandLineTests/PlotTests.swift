// plot: the drawing matches the unit's effect, in figures, files and characters.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import TestSupport
import Testing

@Suite struct PlotTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  private struct Figure: Decodable {
    struct Axis: Decodable {
      var low: Double
      var high: Double
    }
    struct Curve: Decodable {
      var name: String
      var x: [Double]
      var y: [Double]
    }
    struct Map: Decodable {
      var columns: Int
      var rows: Int
      var levels: [Double]
    }
    var title: String
    var x: Axis
    var y: Axis
    var curves: [Curve]
    var map: Map?
  }

  private func figure(_ arguments: String...) throws -> Figure {
    let result = try box.run(["plot"] + arguments + ["--format", "json"])
    #expect(result.exitCode == 0, "\(result.summary)")
    return try JSONDecoder().decode(Figure.self, from: Data(result.standardOutput.utf8))
  }

  /// The cookbook's bell of +12 dB at 1 kHz with Q = 2, at a frequency: gain in dB, phase in degrees.
  private func bell(_ frequency: Double) -> (gain: Double, phase: Double) {
    let (amplitude, turn) = (pow(10, 12.0 / 40), 2 * Double.pi * 1000 / 48_000)
    let alpha = sin(turn) / 4
    func value(_ b: (Double, Double, Double)) -> (Double, Double) {
      let w = 2 * Double.pi * frequency / 48_000
      return (b.0 + b.1 * cos(w) + b.2 * cos(2 * w), -b.1 * sin(w) - b.2 * sin(2 * w))
    }
    let top = value((1 + alpha * amplitude, -2 * cos(turn), 1 - alpha * amplitude))
    let bottom = value((1 + alpha / amplitude, -2 * cos(turn), 1 - alpha / amplitude))
    return (
      20 * log10(hypot(top.0, top.1) / hypot(bottom.0, bottom.1)),
      (atan2(top.1, top.0) - atan2(bottom.1, bottom.0)) * 180 / Double.pi
    )
  }

  private static let bellSettings = [
    "--set", "center frequency=1 kHz", "--set", "q=2", "--set", "gain=12 dB",
  ]

  @Test("a bell is drawn within 0.05 dB and a degree of its formula")
  func bellIsDrawn() throws {
    for kind in ["response", "phase"] {
      let result = try box.run(
        ["plot", "aufx:pmeq:appl", "--kind", kind, "--format", "json"] + Self.bellSettings)
      #expect(result.exitCode == 0, "\(result.summary)")
      let figure = try JSONDecoder().decode(Figure.self, from: Data(result.standardOutput.utf8))
      let curve = try #require(figure.curves.first)
      #expect(figure.curves.count == 1 && curve.x.count > 500)
      for (x, y) in zip(curve.x, curve.y) where x < 21_600 {
        let wanted = bell(x)
        if kind == "response" {
          #expect(abs(y - wanted.gain) < 0.05, "\(x) Hz: \(y), not \(wanted.gain)")
        } else {
          #expect(abs(y - wanted.phase) < 1, "\(x) Hz: \(y), not \(wanted.phase)")
        }
      }
    }
  }

  @Test("a compressor's curve is that of its description")
  func compressorCurve() throws {
    let figure = try figure(
      "aufx:dcmp:appl", "--kind", "curve", "--set", "threshold=-30 dB", "--set", "headroom=6 dB",
      "--set", "release time=0.1 s")
    let curve = try #require(figure.curves.first)
    for (x, y) in zip(curve.x, curve.y) {
      let over = x + 30
      let wanted = over > 0 ? -30 + 6 * (1 - exp(-over / 6)) : x
      #expect(abs(y - wanted) < 0.2, "\(x) dB: \(y), not \(wanted)")
    }
  }

  @Test("an echo's impulse comes at its time, and a step stays")
  func overTime() throws {
    let echo = try figure(
      "aufx:dely:appl", "--kind", "impulse", "--set", "delay time=25 ms", "--set",
      "wet/dry mix=100",
      "--set", "feedback=0")
    let curve = try #require(echo.curves.first)
    let peak = try #require(curve.y.indices.max { abs(curve.y[$0]) < abs(curve.y[$1]) })
    #expect(abs(curve.x[peak] - 25) < 0.2, "\(curve.x[peak]) ms")
    let step = try figure("aufx:lpas:appl", "--kind", "step", "--set", "cutoff frequency=500 Hz")
    let last = try #require(step.curves.first?.y.last)
    #expect(abs(last - 1) < 0.02, "\(last)")
  }

  @Test("the spectrogram of a chain that changes nothing has the sweep alone")
  func spectrogram() throws {
    let figure = try figure("aufx:pmeq:appl", "--kind", "spectrogram", "--set", "gain=0 dB")
    let map = try #require(figure.map)
    for column in [40, 240, 440] {
      let levels = (0..<map.rows).map { map.levels[$0 * map.columns + column] }
      let loudest = try #require(levels.indices.max { levels[$0] < levels[$1] })
      let wanted = map.rows - 1 - column * map.rows / map.columns
      #expect(abs(loudest - wanted) <= 1, "column \(column): row \(loudest)")
      for row in levels.indices where abs(row - wanted) > 12 { #expect(levels[row] < -75) }
    }
  }

  @Test("files are whole documents of their kind, and an existing one is kept")
  func files() throws {
    let drawn = try box.run(
      "plot", "--compare", "aufx:lpas:appl", "aufx:hpas:appl", "-o", "both.svg")
    #expect(drawn.exitCode == 0 && drawn.standardOutput.isEmpty, "\(drawn.summary)")
    let document = try Data(contentsOf: URL(fileURLWithPath: box("both.svg")))
    #expect(XMLParser(data: document).parse())
    let text = String(decoding: document, as: UTF8.self)
    #expect(text.contains("prefers-color-scheme:dark") && text.contains("class=\"curve c1\""))
    let again = try box.run("plot", "aufx:lpas:appl", "-o", "both.svg")
    #expect(again.exitCode == 74, "\(again.summary)")
    let png = try box.run(
      "plot", "aufx:lpas:appl", "-o", "one.png", "--theme", "dark", "--width", "1000")
    #expect(png.exitCode == 0, "\(png.summary)")
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: box("one.png"))))
    #expect(bytes.count > 5000 && bytes[16..<20].elementsEqual([0, 0, 3, 0xE8]))
  }

  @Test("where rsvg-convert is missing, the package is named")
  func noConverter() throws {
    let result = try box.run(
      "plot", "aufx:lpas:appl", "-o", "one.png", environment: ["PATH": "/nowhere"])
    #expect(result.exitCode == 69 && result.standardError.contains("librsvg2-bin"))
    #expect(box.names("").filter { $0.hasSuffix(".png") }.isEmpty)
  }

  @Test("a terminal gets characters, with names where there are two curves")
  func characters() throws {
    let result = try box.run(
      "plot", "--compare", "aufx:lpas:appl", "aufx:hpas:appl", environment: ["LC_ALL": "C.UTF-8"])
    #expect(result.exitCode == 0, "\(result.summary)")
    let lines = result.standardOutput.split(separator: "\n")
    #expect(lines.count >= 22 && lines.allSatisfy { $0.count <= 80 }, "\(result.summary)")
    #expect(result.standardOutput.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) })
    let plain = try box.run("plot", "aufx:lpas:appl", environment: ["LC_ALL": "C"])
    #expect(plain.standardOutput.contains("*") && !plain.standardOutput.contains("\u{1B}"))
  }

  @Test("a plot that cannot be drawn is refused in a sentence")
  func refusals() throws {
    for (arguments, code, part) in [
      (
        ["nothing-of-that-name"], Int32(69), "no preset has the name 'nothing-of-that-name', and no"
      ),
      (["podcast-voices"], 69, "did you mean 'podcast-voice'?"),
      (["podcast-voice", "--set", "gain=1"], 64, "brings its own values"),
      (["aufx:lpas:appl", "-o", "picture.gif"], 64, ".svg or .png"),
      ([], 64, "name a unit or a preset"),
      (["--compare", "aufx:lpas:appl"], 64, "2 to 8"),
      (["aufx:lpas:appl", "--frequency", "30000"], 64, "half the sample rate"),
    ] {
      let result = try box.run(["plot"] + arguments)
      #expect(result.exitCode == code && result.standardError.contains(part), "\(result.summary)")
    }
  }

  @Test("a unit that crashes is named, and costs nothing else")
  func crash() throws {
    let units = try TemporaryFolder("auricle-hostile")
    try ComponentFixture.makeBundle("HostileUnit", in: units)
    let result = try box.run(
      "plot", "aufx:gain:AuTe",
      environment: [
        "AURICLE_COMPONENT_PATH": units.path, "AURICLE_TEST_HOSTILE": "initialize segv",
      ])
    #expect(result.exitCode == 70, "\(result.summary)")
    #expect(
      result.standardError.contains("HostileUnit (aufx:gain:AuTe) crashed"), "\(result.summary)")
  }
}
