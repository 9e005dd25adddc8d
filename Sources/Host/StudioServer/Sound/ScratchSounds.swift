// Sounds that are rendered ahead, in a folder of this server that goes with it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CHostSystem
import Glibc
import HostSystem
import Synchronization

/// The folder for rendered sounds; files that were not asked for longest go first.
final class ScratchSounds: Sendable {
  private struct State {
    var next = 0
    /// Decoded inputs by their path and stamp, the newest last.
    var inputs: [(key: String, sound: FloatSound)] = []
  }

  let folder: String
  private let program: String
  private let state = Mutex(State())
  private let decoding = Mutex(())
  /// Inputs that are kept decoded.
  private static let mostInputs = 6

  init(program: String) throws {
    self.program = program
    let base = RuntimeFolder.environmentVariable("TMPDIR") ?? "/tmp"
    var template = Array((base + "/auricle-studio-XXXXXX").utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw systemError(errno, "write into", base) }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Removes the folder.
  func remove() { _ = unsafe AuricleRemoveFolder(folder) }

  /// A path in the folder that was not used yet.
  func newPath(_ ending: String) -> String {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    return "\(folder)/\(number)\(ending)"
  }

  /// Writes a text into a new file.
  func write(_ text: String, _ ending: String) throws -> String {
    let path = newPath(ending)
    try store(Array(text.utf8), at: path)
    return path
  }

  /// Removes a file.
  func remove(_ path: String) { _ = unsafe path.withFileName { unsafe unlink($0) } }

  /// Writes bytes into a new file.
  func store(_ bytes: [UInt8], at path: String) throws {
    let descriptor = unsafe path.withFileName {
      unsafe open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }
    guard descriptor >= 0 else { throw systemError(errno, "write", path) }
    defer { close(descriptor) }
    let failure = FileTransfer.writeAll(bytes, to: descriptor)
    guard failure == 0 else { throw systemError(failure, "write", path) }
  }

  /// The sound of a file as it comes to the chain, decoded by a worker in its sandbox.
  ///
  /// - Throws: The failure of the decoder.
  func input(_ path: String) throws -> FloatSound {
    guard let stamp = FileStamp(path: path) else {
      throw StudioFault(.notFound, "there is no file \(path)")
    }
    let key = "\(stamp.byteCount) \(stamp.modified) \(path)"
    func known() -> FloatSound? {
      state.withLock { state in
        guard let index = state.inputs.firstIndex(where: { $0.key == key }) else { return nil }
        let found = state.inputs.remove(at: index)
        state.inputs.append(found)
        return found.sound
      }
    }
    if let sound = known() { return sound }
    return try decoding.withLock { _ in
      if let sound = known() { return sound }
      let output = newPath(".wav")
      let end = ProgramCommand().run(
        program,
        [
          "process", "--no-config", "--quiet", "--output-file", output, "--container", "wav",
          "--encoding", "float32", "--tail", "none", "--", path,
        ])
      guard end.code == 0 else { throw end.fault }
      let sound = try FloatSound(output)
      // The mapping keeps the samples; the name is for answers.
      state.withLock { state in
        state.inputs.append((key, sound))
        while state.inputs.count > Self.mostInputs {
          unsafe unlink(state.inputs.removeFirst().sound.path)
        }
      }
      return sound
    }
  }
}
