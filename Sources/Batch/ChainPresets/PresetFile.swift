// Reads preset files of limited size, and reports the system's errors.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

extension PresetSource {
  /// Reads and checks a file.
  ///
  /// - Parameter path: The file; its name in diagnostics is this path.
  /// - Throws: One diagnostic: `input` when the file cannot be read, otherwise `preset`.
  ///
  /// Context: control.
  public init(path: String) throws(PresetErrors) {
    let bytes = try readPresetFile(path)
    try self.init(name: path, bytes: bytes)
  }
}

extension ChainPreset {
  /// Reads a preset file, YAML or JSON.
  ///
  /// - Throws: All mistakes at once.
  ///
  /// Context: control.
  public init(path: String) throws(PresetErrors) {
    try self.init(source: PresetSource(path: path))
  }
}

private func readPresetFile(_ path: String) throws(PresetErrors) -> [UInt8] {
  func refuse(_ reason: String) -> PresetErrors {
    PresetErrors([
      PresetDiagnostic("cannot read \(quoted(path)): \(reason)", kind: .input)
    ])
  }
  guard !path.utf8.contains(0) else { throw refuse("a path cannot hold a NUL character") }
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw refuse(systemMessage(errno)) }
  defer { close(descriptor) }
  var status = stat()
  guard unsafe fstat(descriptor, &status) == 0 else { throw refuse(systemMessage(errno)) }
  if status.st_mode & S_IFMT == S_IFDIR { throw refuse("it is a folder") }
  // One byte more than allowed shows that a file is too long.
  guard let bytes = FileTransfer.readAll(descriptor, limit: PresetSource.maximumByteCount + 1)
  else {
    throw refuse(systemMessage(errno))
  }
  return bytes
}

/// The system's message for an error number.
func systemMessage(_ number: Int32) -> String {
  guard let text = unsafe strerror(number) else { return "error \(number)" }
  return unsafe String(cString: text)
}
