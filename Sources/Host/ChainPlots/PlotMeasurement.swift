// Measures chains for a picture.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleHost
import Glibc

/// The measurement for a picture. Context: one control thread.
struct PlotMeasurement {
  private let request: PlotRequest
  private let probes: [any PlotSubject]
  private let peak: Double

  /// Finds the chains, whose units run in this process.
  init(_ request: PlotRequest, _ host: HostPlaces) throws {
    let registry = host.makeRegistry()
    self.init(
      request, try request.sources.map { try ChainProbe($0, request, registry, host.presets) })
  }

  /// Measures subjects.
  init(_ request: PlotRequest, _ subjects: [any PlotSubject]) {
    (self.request, probes) = (request, subjects)
    peak = pow(10, request.level / 20)
  }

  /// The picture as figures.
  func figure() throws -> PlotFigure {
    switch request.kind {
    case .response, .phase: try overFrequency()
    case .curve: try levelCurve()
    case .impulse, .step: try overTime()
    case .spectrogram: try spectrogram()
    }
  }

  /// Chains that differ are named beside their curves.
  private func title(_ what: String) -> String {
    let names = Set(probes.map(\.name))
    return names.count == 1 ? "\(what) of \(names.first ?? "")" : what
  }

  private func overFrequency() throws -> PlotFigure {
    let response = FrequencyResponse.of(sampleRate: request.sampleRate, peak: peak)
    let isPhase = request.kind == .phase
    var curves: [PlotFigure.Curve] = []
    for probe in probes {
      for output in probe.distinct(try probe.run(response.signal)) {
        curves.append(
          PlotFigure.Curve(
            name: output.name, x: response.frequencies,
            y: isPhase ? response.phases(output.samples) : response.gains(output.samples)))
      }
    }
    let x = PlotFigure.Axis(
      label: "Frequency (Hz)", low: response.frequencies[0],
      high: response.frequencies[response.frequencies.count - 1], isLogarithmic: true)
    let y =
      isPhase
      ? PlotFigure.Axis.around(
        curves.flatMap(\.y), label: "Phase (degrees)", atLeast: 60, within: -7200...7200)
      : PlotFigure.Axis.around(
        curves.flatMap(\.y), label: "Gain (dB)", atLeast: 12,
        within: (max(-100, min(60, curves.flatMap(\.y).max() ?? 0) - 72))...60)
    return PlotFigure(
      title: title(isPhase ? "Phase" : "Response"), x: x, y: y, curves: curves,
      reference: PlotFigure.Curve(name: "unchanged", x: [x.low, x.high], y: [0, 0]))
  }

  /// Levels of a tone from −80 to 0 dBFS, 0.3 s each; the last 0.1 s is measured.
  private func levelCurve() throws -> PlotFigure {
    let levels = stride(from: -80.0, through: 0, by: 1).map(\.self)
    let (rate, frames) = (request.sampleRate, Int(request.sampleRate * 0.3))
    let signal = TestSignals.stairs(
      levels: levels, framesPerLevel: frames,
      frequency: (request.frequency / 10).rounded() * 10, sampleRate: rate)
    var curves: [PlotFigure.Curve] = []
    for probe in probes {
      for output in probe.distinct(try probe.run(signal)) {
        let measured = levels.indices.map { index in
          let end = (index + 1) * frames
          let part = output.samples[(end - Int(rate / 10))..<end]
          let power = part.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(part.count)
          return 10 * log10(max(2 * power, 1e-12))
        }
        curves.append(PlotFigure.Curve(name: output.name, x: levels, y: measured))
      }
    }
    return PlotFigure(
      title: title("Levels"),
      x: PlotFigure.Axis(label: "Level in (dBFS)", low: -80, high: 0),
      y: .around(
        curves.flatMap(\.y) + [0], label: "Level out (dBFS)", atLeast: 40, within: -100...40),
      curves: curves, reference: PlotFigure.Curve(name: "unchanged", x: [-80, 0], y: [-80, 0]))
  }

  private func overTime() throws -> PlotFigure {
    let isStep = request.kind == .step
    let rate = request.sampleRate
    let (frames, origin) = (Int(rate * 4), Int(rate / 10))
    let signal =
      isStep
      ? TestSignals.step(frames: frames, at: origin, peak: peak)
      : TestSignals.impulse(frames: frames, at: origin, peak: peak)
    var responses: [(String, TimeResponse)] = []
    for probe in probes {
      for output in probe.distinct(try probe.run(signal)) {
        let samples = output.samples.map { $0 / Float(peak) }
        responses.append((output.name, TimeResponse(samples: samples, origin: origin)))
      }
    }
    let ranges = responses.map {
      $0.1.interesting(sampleRate: rate, threshold: isStep ? 0.005 : 0.001)
    }
    let first = ranges.map(\.lowerBound).min() ?? origin
    let last = max(first + 1, ranges.map(\.upperBound).max() ?? origin)
    let isLong = last - first > Int(rate)
    let unit = isLong ? 1 / rate : 1000 / rate
    let curves = responses.map { $0.1.curve($0.0, first...last, unit: unit) }
    return PlotFigure(
      title: title(isStep ? "Step" : "Impulse"),
      x: PlotFigure.Axis(
        label: isLong ? "Time (s)" : "Time (ms)", low: Double(first - origin) * unit,
        high: Double(last - origin) * unit),
      y: .around(
        curves.flatMap(\.y) + [0], label: "Part of the \(isStep ? "step" : "impulse")",
        atLeast: 1e-3, within: -1000...1000),
      curves: curves)
  }

  private func spectrogram() throws -> PlotFigure {
    guard let probe = probes.first, probes.count == 1 else {
      throw AuricleError(.usage, "a spectrogram shows one chain: draw each by itself")
    }
    let seconds = 5.0
    let signal = TestSignals.linearSweep(frames: Int(request.sampleRate * seconds), peak: peak)
    let outputs = try probe.run(signal)
    return PlotFigure(
      title: title("Sweep"),
      x: PlotFigure.Axis(label: "Time (s)", low: 0, high: seconds),
      y: PlotFigure.Axis(label: "Frequency (Hz)", low: 0, high: request.sampleRate / 2),
      map: SweepMap().map(outputs[0], peak: peak))
  }
}
