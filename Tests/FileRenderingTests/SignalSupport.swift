// Runs of one file through a unit that changes nothing, for tests of the steps behind the chain.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import FileRendering
import FileTestSupport
import Foundation
import ResultSettings
import RunLedgers
import TestSupport
import TestUnits
import Testing
import UnitChains

/// A folder with a way to process a sound in it.
struct SignalBench {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("auricle-signal") }

  /// Processes a sound; returns its figures and the contents of the (first) file.
  func process(
    _ sound: Sound, encoding: AudioEncoding = .float32, delays: Bool = false,
    units: [ChainStage]? = nil, metadata: AudioFileMetadata = .init(),
    _ change: (inout JobSettings) -> Void
  ) throws -> (result: FileResult, sound: Sound) {
    try sound.write(to: folder("in.wav"), encoding: encoding, metadata: metadata)
    var settings = JobSettings()
    settings.tail = .none
    change(&settings)
    var request = PlanRequest(inputs: [folder("in.wav")], destination: .folder(folder("out")))
    request.fileExtension = settings.container?.fileExtension
    request.renders = settings.plannedRenders
    if settings.deliverables.count > 1 {
      request.template = OutputTemplate.standard(hasRenders: true, hasVariants: false)
    }
    request.existing = .overwrite
    let entry = try #require(try BatchPlan(request).entries.first)
    let stage = ChainStage(label: "unit") { () throws(AuricleError) in
      delays ? try TestUnits.lookAhead() : try TestUnits.gain()
    }
    let result = try FileBench.run(
      entry.input, to: entry.outputs, settings: settings, units: units ?? [stage])
    return (result, try Sound(path: result.output))
  }
}

extension [Float] {
  /// The highest magnitude of the signal between its samples, eight times oversampled with a sinc of
  /// 128 samples, in dB.
  var truePeakDecibels: Double {
    let half = 64
    var highest = 0.0
    var taps: [[Double]] = []
    for phase in 0..<8 {
      taps.append(
        (0..<(2 * half)).map { tap in
          let distance = Double(phase) / 8 - Double(tap - (half - 1))
          let sinc = distance == 0 ? 1 : sin(.pi * distance) / (.pi * distance)
          let place = distance / Double(half)
          return abs(place) < 1 ? sinc * (0.5 + 0.5 * cos(.pi * place)) : 0
        })
    }
    let padded =
      [Double](repeating: 0, count: half) + map(Double.init)
      + [Double](repeating: 0, count: half)
    // Only where the signal is loud: a peak has a high sample beside it.
    let loudest = padded.map { abs($0) }.max() ?? 0
    for start in 0..<(padded.count - 2 * half)
    where abs(padded[start + half - 1]) > 0.75 * loudest
      || abs(padded[start + half]) > 0.75 * loudest
    {
      for phase in 0..<8 {
        var sum = 0.0
        for tap in 0..<(2 * half) { sum += taps[phase][tap] * padded[start + tap] }
        highest = Swift.max(highest, abs(sum))
      }
    }
    return 20 * log10(highest)
  }
}
