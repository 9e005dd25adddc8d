// The subject of a picture: whatever answers a test signal.
// SPDX-License-Identifier: Apache-2.0

/// A chain that signals are sent through, in this process or in another.
public protocol PlotSubject {
  /// The preset's name, or the unit's with its settings.
  var name: String { get }
  /// The words that distinguish it from others of the picture.
  var label: String { get }

  /// Returns the output of every channel for one signal in all of them; as long as the signal, without latency.
  ///
  /// - Throws: The failure of the chain.
  func run(_ signal: [Float]) throws -> [[Float]]
}

extension PlotSubject {
  /// The outputs that are to be shown: one where all channels are alike, else each with its name.
  func distinct(_ outputs: [[Float]]) -> [(name: String, samples: [Float])] {
    guard let first = outputs.first else { return [] }
    let peak = first.reduce(Float(0)) { max($0, abs($1)) }
    let areAlike = outputs.dropFirst().allSatisfy { other in
      zip(first, other).allSatisfy { abs($0 - $1) <= max(peak, 1e-6) * 1e-3 }
    }
    if areAlike { return [(label, first)] }
    return outputs.enumerated().map { index, samples in
      let channel = outputs.count == 2 ? ["left", "right"][index] : "channel \(index + 1)"
      return ("\(label), \(channel)", samples)
    }
  }
}

extension PlotFigure {
  /// Draws what a subject does.
  ///
  /// - Parameter request: The kind of picture and its signal; its sources are not read.
  /// - Throws: The failure of the subject.
  ///
  /// Context: control.
  public init(_ request: PlotRequest, of subject: some PlotSubject) throws {
    self = try PlotMeasurement(request, [subject]).figure()
  }
}
