// Files at the far end of a port: one is written with played frames, another is read as the recording.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
import HostSystem

/// A file that receives played frames.
package final class FileSink: PortEnd {
  private let path: String
  private let wanted: PCMFormat
  private let continues: Bool
  private var agreed: PCMConfiguration?
  private var writer: WaveWriter?

  /// Names the file, which is made when the device starts.
  ///
  /// - Parameter continues: Whether a file of the same format is gone on with.
  package init(path: String, format: PCMFormat, continues: Bool = false) {
    self.path = path
    self.continues = continues
    wanted = format
  }

  /// The format of the file.
  package var format: PCMFormat? { wanted }

  /// Checks that the file can be written; a device that does not start leaves none.
  package func begin(_ configuration: PCMConfiguration) throws(AuricleError) {
    guard path.lowercased().hasSuffix(".wav") else {
      throw AuricleError(
        .badData,
        "a device writes WAVE files, and \(path) is named like another kind: choose a name that ends in .wav"
      )
    }
    writer?.close()
    writer = nil
    agreed = configuration
    let isThere = unsafe access(path, F_OK) == 0
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw systemError(errno, "write", path) }
    defer { close(descriptor) }
    guard !isThere else {
      try WaveWriter.holdsWave(descriptor, path)
      return
    }
    // Made here a moment ago: a device that does not start leaves no file.
    unsafe unlink(path)
  }

  /// Makes the file.
  package func start() -> Int32 {
    guard writer == nil, let agreed else { return writer == nil ? -EBADF : 0 }
    do throws(AuricleError) {
      writer = try WaveWriter(
        path: path, format: agreed.format, sampleRate: agreed.sampleRate,
        channelCount: agreed.channelCount, continues ? .continues : .replaces, keepsHeader: true)
      return 0
    } catch {
      guard case .errno(let number)? = error.cause else { return -EIO }
      return -number
    }
  }

  /// Writes frames.
  package func consume(_ bytes: UnsafeRawPointer, frameCount: Int, time: UInt64) -> Int32 {
    let status = unsafe writer?.write(bytes, frameCount: frameCount) ?? EBADF
    return -status
  }

  /// Closes the file.
  package func finish() { writer?.close() }
}

/// A file that is read as the recording.
package final class FileSource: PortEnd {
  private let reader: WaveReader

  /// Opens the file.
  ///
  /// - Throws: As `WaveReader`.
  package init(path: String) throws(AuricleError) { reader = try WaveReader(path: path) }

  /// Format of the file.
  package var format: PCMFormat? { reader.format }
  /// Sample rate of the file.
  package var sampleRate: Double? { reader.sampleRate }
  /// Number of channels of the file.
  package var channelCount: Int? { reader.channelCount }

  /// Reads frames.
  package func produce(_ bytes: UnsafeMutableRawPointer, frameCount: Int, time: UInt64) -> Int {
    unsafe reader.read(bytes, frameCount: frameCount)
  }
}
