// The input of a job: an audio file, or another source of frames, such as instruments that play a song.
// SPDX-License-Identifier: Apache-2.0

public import AudioFiles
public import AudioTypes
public import ResultSettings

/// A source of planar sound, read once from its beginning to its end. Context: control.
public protocol SoundInput: AnyObject {
  /// Its name in messages.
  var path: String { get }
  /// Container, encoding, sample rate and channels.
  var format: AudioFileFormat { get }
  /// The number of frames that it promises; nil when it is unknown.
  var frameCount: Int? { get }
  /// The number of frames that it will hardly have less of, for progress and time limits; nil if unknown.
  var likelyFrameCount: Int? { get }
  /// Texts, marks and other things beside the sound.
  var metadata: AudioFileMetadata { get }
  /// The notes on the frames that were read.
  var notes: [String] { get }
  /// Damage that was passed over: ends of sentences.
  var toleratedDamage: [String] { get }
  /// The picture tracks beside the sound; nil for none.
  var video: VideoTracks? { get }

  /// Bits a second of the sound; nil where it is not compressed, or unknown.
  func soundBitRate() -> Int?

  /// Reads the next frames into one row a channel; returns how many came, 0 at the end.
  ///
  /// - Throws: `.badData` for damage; errors of its parts.
  func read(
    into channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AuricleError) -> Int
}

extension AudioFileReader: SoundInput {
  /// The promised number of frames.
  public var likelyFrameCount: Int? { frameCount }
}

/// Makes the sound of an input that is no audio file: of an open file, which it closes, its path for messages, the
/// settings, and the variant that is wanted.
public typealias SoundOpener = (Int32, String, JobSettings, VariantRequest?) throws(AuricleError) ->
  any SoundInput
