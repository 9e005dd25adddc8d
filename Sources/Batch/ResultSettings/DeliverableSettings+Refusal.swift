// Settings that no input can satisfy: reported before a run starts, not for every file.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes

extension DeliverableSettings {
  /// A sentence why no input can become such a file; nil if one can.
  ///
  /// Without a container this depends on the input. Encoding, sample rate (Hz), number of channels and bit
  /// rate (bits a second) are checked if set.
  ///
  /// Context: any.
  public var refusal: String? {
    guard let container, isSetFurther else { return nil }
    let used = container.encodings
    guard !used.isEmpty else { return nil }
    if let encoding, !used.contains(encoding) {
      return "\(container.name) files do not take the encoding \(encoding.name); they take "
        + used.map(\.name).joined(separator: ", ")
    }
    var problem: String?
    var encoderProblem: String?
    var isWritable = false
    var bitRates: ClosedRange<Int>?
    for encoding in encoding.map({ [$0] }) ?? used {
      for rate in sampleRate.map({ [$0] }) ?? [48_000, 24_000, 8_000] {
        for channels in channelCount.map({ [$0] }) ?? Array(1...8) {
          var format = AudioFileFormat(
            container: container, encoding: encoding, sampleRate: rate, channelCount: channels)
          if sampleRate == nil, let other = format.nearestWritableRate { format.sampleRate = other }
          if let found = format.writingProblem {
            problem = problem ?? found
            continue
          }
          if let found = format.problem(
            with: encoder, bitRate: bitRate, namesEncoding: self.encoding != nil)
          {
            encoderProblem = encoderProblem ?? found
            continue
          }
          isWritable = true
          guard let bitRate, !sharesBitRate else { return nil }
          guard let range = format.bitRates else { continue }
          if range.contains(bitRate) { return nil }
          let widest = bitRates ?? range
          bitRates =
            min(widest.lowerBound, range.lowerBound)...max(widest.upperBound, range.upperBound)
        }
      }
    }
    if let bitRate, let bitRates {
      return "\(container.name) files take bit rates from \(bitRates.lowerBound) to "
        + "\(bitRates.upperBound), not \(bitRate)"
    }
    if let encoderProblem, !isWritable { return encoderProblem }
    guard let problem, !isWritable else {
      return "\(container.name) files take no bit rate: leave it out"
    }
    let rate = sampleRate.map { " at \($0 == $0.rounded() ? "\(Int($0))" : "\($0)") Hz" } ?? ""
    let channels = channelCount.map { $0 == 1 ? " of one channel" : " of \($0) channels" } ?? ""
    return "there are no \(container.name) files\(rate)\(channels): \(problem)"
  }

  /// Whether anything is set that a kind of file may refuse. The kind alone refuses nothing, and the list of its
  /// encodings is dear.
  private var isSetFurther: Bool {
    encoding != nil || sampleRate != nil || channelCount != nil || bitRate != nil
      || encoder != EncoderChoice()
  }
}
