// A WAVE file that is whole at any moment: a writer that is stopped leaves a file that can be read.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
import HostSystem

/// Writes samples as they are stored, and keeps the header true.
///
/// The header is written anew after each write, or ten times a second by a thread of the writer. So it never
/// promises more than the file has: not after a signal, and not after the power went. Beyond 4 GiB the file becomes RF64,
/// for which there is room from the beginning. Context: one thread.
package final class WaveWriter {
  /// The path.
  package let path: String
  /// The format of the samples, one of WAVE's: least significant byte first.
  package let format: PCMFormat
  /// Frames written.
  package private(set) var frameCount: Int64 = 0
  private let header: WaveHeader
  private var descriptor: Int32
  private var unsynced: Int64 = 0
  private var keeper: WaveHeaderKeeper?

  /// The treatment of a file that has the name already.
  package enum Present: Sendable {
    /// It is refused.
    case refuses
    /// Another file replaces it.
    case replaces
    /// One of the same format, rate and channels is continued; others are replaced.
    case continues
  }

  /// Creates the file.
  ///
  /// - Parameter keepsHeader: Whether a thread of the writer writes the headers, for the thread of a device.
  /// - Throws: `.inputOutput` where it cannot be written, or is there already.
  package init(
    path: String, format: PCMFormat, sampleRate: Double, channelCount: Int, _ present: Present,
    keepsHeader: Bool = false
  ) throws(AuricleError) {
    self.path = path
    self.format = format
    header = WaveHeader(
      format: format, sampleRate: Int(sampleRate.rounded()), channelCount: channelCount)
    descriptor = -1
    frameCount = present == .continues ? earlierFrames : 0
    let flags = present == .refuses ? O_EXCL : 0
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | flags, 0o666)
    guard descriptor >= 0 else {
      if errno == EEXIST { throw Self.alreadyThere(path) }
      throw systemError(errno, "write", path)
    }
    if frameCount == 0 { try empty() }
    let status = header.write(to: descriptor, frameCount: frameCount)
    guard status == 0 else { throw systemError(status, "write", path) }
    if keepsHeader { keeper = WaveHeaderKeeper(header, descriptor, frameCount: frameCount) }
  }

  deinit { close() }

  /// The error about a name that is in use.
  package static func alreadyThere(_ path: String) -> AuricleError {
    AuricleError(
      .inputOutput, "\(path) is there already: choose another name, or give --overwrite")
  }

  /// Empties the open file; refuses a file that is no WAVE file.
  private func empty() throws(AuricleError) {
    guard try Self.holdsWave(descriptor, path) else { return }
    guard ftruncate(descriptor, 0) == 0 else { throw systemError(errno, "write", path) }
  }

  /// Whether an open file holds a WAVE file; false for an empty one, and for other than regular files.
  ///
  /// - Throws: `.inputOutput` for a file of another kind.
  @discardableResult
  static func holdsWave(_ descriptor: Int32, _ path: String) throws(AuricleError) -> Bool {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw systemError(errno, "write", path) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return false }
    var head = [UInt8](repeating: 0, count: 12)
    let count = unsafe pread(descriptor, &head, head.count, 0)
    let isWave =
      count == head.count && head[8...].elementsEqual("WAVE".utf8)
      && ["RIFF", "RF64", "BW64"].contains(String(decoding: head[..<4], as: UTF8.self))
    guard isWave else {
      throw AuricleError(
        .inputOutput, "\(path) is there already, and no WAVE file: choose another name")
    }
    return true
  }

  /// Frames of a file of this writer's that is there already; 0 for any other.
  private var earlierFrames: Int64 {
    guard let reader = try? WaveReader(path: path), reader.format == format,
      Int(reader.sampleRate) == header.sampleRate,
      reader.channelCount == header.channelCount, reader.firstByte == header.byteCount
    else { return 0 }
    return reader.frameCount
  }

  /// Appends frames; 0, or an `errno`.
  package func write(_ bytes: UnsafeRawPointer, frameCount count: Int) -> Int32 {
    let size = count * header.frameBytes
    var done = 0
    while done < size {
      let place = header.byteCount + Int(frameCount) * header.frameBytes + done
      let part = unsafe pwrite(descriptor, bytes + done, size - done, off_t(place))
      if part < 0, errno == EINTR { continue }
      guard part > 0 else { return part < 0 ? errno : EIO }
      done += part
    }
    frameCount += Int64(count)
    if let keeper { return keeper.note(frameCount: frameCount) }
    unsynced += Int64(size)
    let status = header.write(to: descriptor, frameCount: frameCount)
    guard status == 0 else { return status }
    // Brought to the disk now and then, in the order of sound, then header.
    if unsynced > 4 << 20 {
      unsynced = 0
      if fdatasync(descriptor) != 0, errno != EINVAL, errno != EROFS { return errno }
    }
    return 0
  }

  /// Ends it: an odd number of bytes gets its pad.
  package func close() {
    guard descriptor >= 0 else { return }
    keeper?.stop()
    keeper = nil
    let end = Int(frameCount) * header.frameBytes
    if end % 2 == 1 {
      var pad: UInt8 = 0
      _ = unsafe pwrite(descriptor, &pad, 1, off_t(header.byteCount + end))
    }
    fsync(descriptor)
    Glibc.close(descriptor)
    descriptor = -1
  }
}
