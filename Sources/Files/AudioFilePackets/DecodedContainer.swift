// Files of kinds without packets here: their decoded sound as linear PCM.
// SPDX-License-Identifier: Apache-2.0

package import AudioFileSyntax
package import CAudioToolbox

/// The sound of a file as a decoder makes it, and the facts beside it.
package struct DecodedSound {
  /// Interleaved 32-bit floats in the byte order of the machine, `frameCount` frames.
  package var store: any ByteStore
  /// Frames a second.
  package var sampleRate: Double
  /// The number of channels.
  package var channelCount: Int
  /// The number of frames.
  package var frameCount: Int64
  /// The loudspeakers as in extensible WAV, in this order; 0 where they are unknown.
  package var channelMask: UInt32 = 0
  /// Bits a sample before encoding; 0 where the file does not say.
  package var sourceBitDepth: Int32 = 0
  /// The texts.
  package var info = SoundInfo()
  /// The marks.
  package var marks = SoundMarks()

  /// A sound without texts and marks.
  package init(
    _ store: any ByteStore, sampleRate: Double, channelCount: Int, frameCount: Int64
  ) {
    self.store = store
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.frameCount = frameCount
  }
}

/// The container of decoded sound: nothing but samples.
enum DecodedContainer: Container {
  static let types: [AudioFileTypeID] = []

  static func type(of head: [UInt8]) -> AudioFileTypeID? { nil }

  static func read(_ file: PacketFile) throws(AudioFileFailure) {}

  static func info(_ file: PacketFile) throws(AudioFileFailure) -> SoundInfo {
    file.decoded?.info ?? SoundInfo()
  }

  static func marks(_ file: PacketFile) throws(AudioFileFailure) -> SoundMarks {
    guard let marks = file.decoded?.marks, !marks.marks.isEmpty else { throw .property }
    return marks
  }
}

extension PacketFile {
  /// The type of files without a number of their own, which are decoded: `????`.
  package static let decodedType = AudioFileTypeID(0x3F3F_3F3F)

  /// A file of a kind without packets here: its packets are decoded frames. It cannot be changed.
  ///
  /// Context: control.
  package convenience init(_ decoded: DecodedSound) {
    let size = UInt32(4 * decoded.channelCount)
    self.init(
      Self.decodedType, DecodedContainer.self, BufferedStore(decoded.store),
      format: AudioStreamBasicDescription(
        mSampleRate: decoded.sampleRate, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagsNativeFloatPacked, mBytesPerPacket: size,
        mFramesPerPacket: 1, mBytesPerFrame: size,
        mChannelsPerFrame: UInt32(decoded.channelCount), mBitsPerChannel: 32, mReserved: 0),
      isWritable: false)
    self.decoded = decoded
    soundByteCount = decoded.frameCount * Int64(size)
    sourceBitDepth = decoded.sourceBitDepth
    if decoded.channelMask != 0 { layout = ChannelLayoutBytes.bitmap(decoded.channelMask) }
  }
}
