// What a file is to be: the format of the input, but for what is asked for.
// SPDX-License-Identifier: Apache-2.0

package import AudioFiles
package import AudioTypes

extension DeliverableSettings {
  /// What to write: the input's format, but for what the settings change.
  ///
  /// A chain that was made wider for another file of the rendering changes nothing in this one.
  package func format(for input: AudioFileFormat) throws(AuricleError) -> AudioFileFormat {
    var format = input
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
      // Who asks for WAV by name gets what every program reads: RIFF, not RIFX.
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
    // What the encoder has no place for is converted, unless a rate was asked for.
    if sampleRate == nil, let rate = format.nearestWritableRate {
      format.sampleRate = rate
    }
    try format.checkWritable()
    return format
  }
}
