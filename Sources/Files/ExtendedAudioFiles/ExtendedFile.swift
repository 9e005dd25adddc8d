// A sound file of any format, read and written as linear PCM of the client's choice.
// SPDX-License-Identifier: Apache-2.0

package import AudioFilePackets
package import AudioFormats
package import CAudioToolbox
import RealtimeSupport
import Synchronization

/// The object behind an `ExtAudioFileRef`: a sound file, a converter, and a place in the sound.
///
/// Context: control. One caller at a time, by `locked`.
@safe package final class ExtendedFile {
  /// The file.
  package let file: any SharedPacketFile
  /// Whether sound is written.
  package let isWriting: Bool
  /// The converter; nil where the client's format is the file's.
  package internal(set) var converter: (any FileConverter)?
  /// The format in the file.
  package internal(set) var fileFormat: AudioStreamBasicDescription
  /// The format of the client's buffers.
  package internal(set) var clientFormat: AudioStreamBasicDescription
  /// The channels of the file; nil where nobody said.
  package internal(set) var fileLayout: ChannelLayout?
  /// The channels of the client; nil where nobody said.
  package internal(set) var clientLayout: ChannelLayout?
  /// The maker of the codec to be used; 0 for any.
  package var codecManufacturer: UInt32 = 0
  /// The client's replacement of the file's packet table.
  package internal(set) var tableOverride: AudioFilePacketTableInfo?

  let makeConverter: FileConverterMaker
  /// The layout of the client's samples in memory; nil where its format is not linear PCM.
  var clientSamples: SampleFormat?
  let buffer: TransferBuffer
  private let lock = Mutex<Void>(())

  /// The frame of the file at which reading began last.
  var base: Int64 = 0
  /// Frames of the client that were read since, or written.
  var clientFrames: Int64 = 0
  /// Frames of the client that are still to be left out.
  var droppedFrames: Int64 = 0
  /// Frames of the client from `base` to the end of the sound; nil where it ends with the packets.
  var frameLimit: Int64?
  /// The next packet to read or write.
  var nextPacket: Int64 = 0
  /// A failure to be thrown once all frames before it were returned.
  var pendingFailure: AudioFileFailure?
  /// The client's frames for the converter while it writes.
  var input: (list: UnsafeMutablePointer<AudioBufferList>, frameCount: UInt32)?
  /// Whether the converter learns that nothing more comes.
  var isFlushing = false

  /// Reads or writes a file.
  ///
  /// - Parameters:
  ///   - file: The file, which is released when this is closed.
  ///   - isWriting: Whether sound is written; the file is new then.
  ///   - makeConverter: Makes converters.
  package init(
    _ file: any SharedPacketFile, isWriting: Bool, makeConverter: @escaping FileConverterMaker
  ) throws(AudioFileFailure) {
    self.file = file
    self.isWriting = isWriting
    self.makeConverter = makeConverter
    let (format, layout) = try file.value { (file) throws(AudioFileFailure) in
      guard file.isWritable || !isWriting else { throw .permission }
      return (file.format, file.layout)
    }
    fileFormat = format
    clientFormat = format
    clientSamples = SampleFormat(format)
    fileLayout = layout.flatMap { layout in
      unsafe layout.withUnsafeBytes { unsafe ChannelLayout($0) }
    }
    buffer = TransferBuffer()
  }

  /// Runs a body while nobody else uses this.
  package func locked(
    _ body: (ExtendedFile) throws(AudioFileFailure) -> Void
  ) throws(AudioFileFailure) {
    let failure: AudioFileFailure? = lock.withLock { _ in
      do throws(AudioFileFailure) {
        try body(self)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  /// Frames of the client for a frame of the file.
  var ratio: Double {
    clientFormat.mSampleRate > 0 && fileFormat.mSampleRate > 0
      ? clientFormat.mSampleRate / fileFormat.mSampleRate : 1
  }

  /// The frame of the file that is read or written next.
  package var position: Int64 { base + Int64((Double(clientFrames) / ratio).rounded()) }

  /// Frames of sound at the file's rate. May read the file to its end.
  package func frameCount() throws(AudioFileFailure) -> Int64 {
    if isWriting, fileFormat.mFormatID != kAudioFormatLinearPCM { return position }
    let table = try packetTable()
    return try file.value { (file) throws(AudioFileFailure) in
      if let table { return table.mNumberValidFrames }
      return try file.totalFrameCount()
    }
  }

  /// Cuts the sound of a file of linear PCM that is written, or lengthens it by silence.
  package func setFrameCount(_ count: Int64) throws(AudioFileFailure) {
    guard isWriting, fileFormat.mFormatID == kAudioFormatLinearPCM, converter == nil || !isRated
    else { throw .order }
    guard count >= 0 else { throw .parameter }
    let (size, isUnsigned) = (
      Int64(fileFormat.mBytesPerFrame),
      fileFormat.mFormatFlags & (kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsFloat) == 0
    )
    try file.use { (file) throws(AudioFileFailure) in
      var present = try file.packetCount()
      if count < present { return try file.cut(toPacketCount: count) }
      let silence = [UInt8](
        repeating: isUnsigned ? 0x80 : 0, count: Int(size * min(4096, count - present)))
      while present < count {
        let frames = min(4096, count - present)
        try unsafe silence.span.withUnsafeBytes { (bytes) throws(AudioFileFailure) in
          try unsafe file.writeBytes(
            UnsafeRawBufferPointer(rebasing: bytes[..<Int(frames * size)]), at: present * size)
        }
        present += frames
      }
    }
    if nextPacket > count { (nextPacket, clientFrames) = (count, count) }
  }

  private var isRated: Bool { clientFormat.mSampleRate != fileFormat.mSampleRate }

  /// Writes the rest of the sound, and releases the file.
  package func close() throws(AudioFileFailure) {
    var failure: AudioFileFailure?
    if isWriting {
      do throws(AudioFileFailure) { try finish() } catch { failure = error }
    }
    converter = nil
    do throws(AudioFileFailure) { try file.release() } catch { failure = failure ?? error }
    if let failure { throw failure }
  }
}
