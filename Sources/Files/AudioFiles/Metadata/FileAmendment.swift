// Corrections of a written file after the file library has closed it.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing

/// The changes to written files that the library cannot be asked for.
enum FileAmendment {
  /// Makes the same sound have the same bytes, and the header the length that was written.
  ///
  /// Returns 0, or an error number.
  static func apply(to stream: FileStream, _ format: AudioFileFormat, frameCount: Int) -> Int32 {
    switch format.container {
    case .ogg, .opus:
      let cut = OpusEnd.cut(stream, format, frameCount: frameCount)
      if cut != 0 { return cut }
      let number = OggPages(stream).makeSerialReproducible()
      if number != 0 { return number }
    case .wav where format.encoding.hasBlockLength:
      BlockLength(stream).correct(frameCount: frameCount)
    case .rf64: PeakTime.clear(stream)
    case .mat5: MatrixTime.clear(stream)
    case .aiff where format.bytesPerFrame == 1 && frameCount % 2 == 1:
      AIFFLength(stream).correct(frameCount: frameCount)
    case .voc where format.bytesPerFrame == 1:
      VoiceLength.correct(stream, frameCount: frameCount)
    case .mp3 where format.bitRate != nil:
      MP3Information.complete(stream, bitRate: format.bitRate ?? 0, frameCount: frameCount)
    case .sds: SampleDump.correct(stream, frameCount: frameCount)
    default: break
    }
    return stream.failure
  }
}
