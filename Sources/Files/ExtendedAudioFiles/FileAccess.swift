// The base of an extended file: a sound file, and a converter, of any owner.
// SPDX-License-Identifier: Apache-2.0

package import AudioFilePackets
package import CAudioToolbox

/// A sound file that others may use as well, from other threads.
package protocol SharedPacketFile: AnyObject {
  /// Runs a body on the file; nobody else uses it meanwhile.
  func use(_ body: (PacketFile) throws(AudioFileFailure) -> Void) throws(AudioFileFailure)
  /// Releases the file: closes it, where it was opened for this, or writes open data.
  func release() throws(AudioFileFailure)
}

extension SharedPacketFile {
  /// A value that a body finds in the file.
  func value<Value>(
    _ body: (PacketFile) throws(AudioFileFailure) -> Value
  ) throws(AudioFileFailure) -> Value {
    var value: Value?
    try use { (file) throws(AudioFileFailure) in value = try body(file) }
    guard let value else { throw .unspecified }
    return value
  }
}

/// A converter, with the properties and the protocol of AudioConverter.h.
package protocol FileConverter: AnyObject {
  /// Forgets sound and the end of the stream.
  func reset() -> OSStatus
  /// The bytes of a property; nil where it has none.
  func value(of property: AudioConverterPropertyID) -> [UInt8]?
  /// Sets a property.
  func set(_ property: AudioConverterPropertyID, to bytes: [UInt8]) -> OSStatus
  /// Fills a list with packets from a procedure.
  func fill(
    _ list: UnsafeMutablePointer<AudioBufferList>, packetCount: inout UInt32,
    descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
    from procedure: AudioConverterComplexInputDataProc, _ userData: UnsafeMutableRawPointer
  ) -> OSStatus
}

/// Makes a converter from a format to another, of a codec's manufacturer, or of any for 0.
package typealias FileConverterMaker = (
  _ source: AudioStreamBasicDescription, _ destination: AudioStreamBasicDescription,
  _ manufacturer: UInt32
) throws(AudioFileFailure) -> any FileConverter

extension AudioFileFailure {
  /// The value of a property has not its size.
  static let extendedSize = AudioFileFailure(kExtAudioFileError_InvalidPropertySize)
  /// A client reads and writes linear PCM alone.
  static let clientFormat = AudioFileFailure(kExtAudioFileError_NonPCMClientFormat)
  /// The channels of a layout are not those of the format.
  static let channels = AudioFileFailure(kExtAudioFileError_InvalidChannelMap)
  /// Not now: reading a file that is written, or a format after sound.
  static let order = AudioFileFailure(kExtAudioFileError_InvalidOperationOrder)
  /// The format makes no sense.
  static let extendedFormat = AudioFileFailure(kExtAudioFileError_InvalidDataFormat)
  /// No place to read from.
  static let seek = AudioFileFailure(kExtAudioFileError_InvalidSeek)

  /// Throws for a status that is no success.
  static func check(_ status: OSStatus) throws(AudioFileFailure) {
    guard status == noErr else { throw AudioFileFailure(status) }
  }
}
