// `.aupreset` files: reading, writing, and the folder that a user keeps them in.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits
import HostSystem
import PropertyLists

extension UnitPreset {
  /// The form of the property list in a file.
  public enum FileForm: Sendable {
    /// As XML, which every program reads.
    case xml
    /// In the binary form.
    case binary
  }

  /// Reads an `.aupreset` file, XML or binary.
  ///
  /// - Throws: `.noInput` when it cannot be read, `.badData` when it is no preset.
  public init(contentsOf path: String) throws(AuricleError) {
    let list: PropertyListValue
    do throws(PropertyListError) {
      list = try PropertyListReader().read(contentsOf: path)
    } catch {
      if case .unreadable = error.kind {
        throw AuricleError(.noInput, "cannot read the preset \(path): \(error)")
      }
      throw AuricleError(.badData, "\(path) is no preset: \(error)")
    }
    try self.init(list, path: path)
  }

  /// The bytes of an `.aupreset` file.
  ///
  /// Context: any.
  public func bytes(form: FileForm = .xml) throws(AuricleError) -> [UInt8] {
    do throws(PropertyListError) {
      switch form {
      case .xml: return Array(try PropertyListWriter.xml(.dictionary(entries)).utf8)
      case .binary: return try PropertyListWriter.binary(.dictionary(entries))
      }
    } catch {
      throw AuricleError(.badData, "the preset \"\(name)\" cannot be written: \(error)")
    }
  }

  /// Writes an `.aupreset` file, whole or not at all.
  ///
  /// - Parameter overwrite: Whether a file that is there is replaced; else it is an error.
  public func write(
    to path: String, form: FileForm = .xml, overwrite: Bool = false
  ) throws(AuricleError) {
    let bytes = try bytes(form: form)
    let file = try AtomicFile(path: path, overwrite: overwrite)
    let failure = FileTransfer.writeAll(bytes, to: file.descriptor)
    guard failure == 0 else { throw systemError(failure, "write the preset", path) }
    try file.commit()
  }
}

extension AudioUnit {
  /// Puts the unit into the state that an `.aupreset` file holds.
  ///
  /// - Throws: `.noInput` when it cannot be read, `.badData` when it is no preset or one of another
  ///   unit.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_ClassInfo`.
  public func loadPresetFile(_ path: String) throws(AuricleError) {
    try UnitPreset(contentsOf: path).apply(to: self)
  }

  /// Writes the unit's state to an `.aupreset` file.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_ClassInfo`.
  public func savePresetFile(
    _ path: String, name: String? = nil, overwrite: Bool = false
  ) throws(AuricleError) {
    try UnitPreset(of: self, name: name).write(to: path, overwrite: overwrite)
  }
}
