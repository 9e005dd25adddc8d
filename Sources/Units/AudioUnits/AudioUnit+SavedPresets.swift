// Writing the state of a unit as a preset of its plug-in's own format, which other hosts read.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
internal import CAudioToolbox

extension AudioUnit {
  /// Whether `savePreset` can write a preset of the plug-in's own format.
  ///
  /// Context: control. The corresponding property is `kAuricleProperty_SavePreset`.
  public var savesPresets: Bool { hasProperty(kAuricleProperty_SavePreset) }

  /// Writes the present state as a preset of the plug-in's own format, with the files it needs.
  ///
  /// - Parameters:
  ///   - folder: A folder that is there; it becomes a bundle, or one preset more is put into it.
  ///   - file: The name of the data file, such as "Loud.ttl".
  ///   - label: The preset's name.
  ///   - bank: The bank it belongs to; nil for none.
  /// - Throws: When the unit has no such presets, is not initialized, or the folder cannot be written.
  ///
  /// Context: control. The corresponding property is `kAuricleProperty_SavePreset`.
  public func savePreset(
    to folder: String, file: String, label: String, bank: String? = nil
  ) throws(AuricleError) {
    let made = unsafe withUnsafePointer(to: kCFTypeDictionaryKeyCallBacks) { keys in
      unsafe withUnsafePointer(to: kCFTypeDictionaryValueCallBacks) {
        unsafe CFDictionaryCreateMutable(nil, 0, keys, $0)
      }
    }
    guard let dictionary = unsafe made else { throw AuricleError(.software, "out of memory") }
    defer { unsafe CFRelease(UnsafeRawPointer(dictionary)) }
    var values = [("folder", folder), ("file", file), ("label", label)]
    if let bank { values.append(("bank", bank)) }
    for (key, value) in values {
      let (name, text) = unsafe (makeCFString(key), makeCFString(value))
      if let name = unsafe name, let text = unsafe text {
        unsafe CFDictionarySetValue(dictionary, UnsafeRawPointer(name), UnsafeRawPointer(text))
      }
      if let name = unsafe name { unsafe CFRelease(UnsafeRawPointer(name)) }
      if let text = unsafe text { unsafe CFRelease(UnsafeRawPointer(text)) }
    }
    unsafe try setProperty(kAuricleProperty_SavePreset, dictionary as CFDictionaryRef?)
  }
}
