// The format of a deliverable: that of the input, changed by the settings.
// SPDX-License-Identifier: Apache-2.0

package import AudioFiles
package import AudioTypes

extension DeliverableSettings {
  /// The format to write: the input's, changed by the settings.
  ///
  /// A wider chain for another deliverable does not change this one.
  ///
  /// - Parameter input: The bit rate in it is that of the input's sound; nil where it has none.
  package func format(for input: AudioFileFormat) throws(AuricleError) -> AudioFileFormat {
    var format = input
    format.bitRate = nil
    if let channelCount { format.channelCount = channelCount }
    if let sampleRate { format.sampleRate = sampleRate }
    if let container, container != input.container {
      format.container = container
      format.byteOrder = .standard
      guard let nearest = container.encoding(nearest: input.encoding) else {
        throw AuricleError(.usage, "\(container.name) files can only be read, not written")
      }
      format.encoding = nearest
    } else if container == .wav || container == .wavex {
      // WAV requested by name is the form that every program reads: RIFF, not RIFX.
      format.byteOrder = .standard
    }
    if let encoding {
      format.encoding = encoding
    } else {
      format = format.encodedAnew()
    }
    if bitRate != nil, !sharesBitRate || format.bitRates != nil {
      format.bitRate = bitRate
    }
    // A rate that the encoder does not support is converted, unless a rate was requested.
    if sampleRate == nil, let rate = format.nearestWritableRate {
      format.sampleRate = rate
    }
    let isVariable = encoder.strategy == .vbr || encoder.quality != nil
    if bitRate == nil, keepsBitRate, !isVariable, format.encoding == input.encoding,
      let same = input.bitRate,
      let range = format.bitRates
    {
      format.bitRate = min(max(same, range.lowerBound), range.upperBound)
    }
    if let problem = format.problem(with: encoder, bitRate: bitRate ?? format.bitRate) {
      throw AuricleError(.usage, problem)
    }
    try format.checkWritable()
    return format
  }
}
