// Writing the state of an LV2 unit as a preset that other hosts read.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
internal import CAudioToolbox

extension AudioUnit {
  /// Writes the present state of an LV2 unit as an LV2 preset, with the files it needs.
  ///
  /// - Parameters:
  ///   - folder: A folder that is there; it becomes a bundle, or one preset more is put into it.
  ///   - file: The name of the data file, such as "Loud.ttl".
  ///   - label: What the preset is called.
  /// - Throws: When the unit is none of LV2, is not initialized, or the folder cannot be written.
  ///
  /// Context: control. The corresponding property is `kAuricleProperty_LV2SavePreset`.
  public func saveLV2Preset(
    to folder: String, file: String, label: String
  ) throws(AuricleError) {
    let made = unsafe withUnsafePointer(to: kCFTypeDictionaryKeyCallBacks) { keys in
      unsafe withUnsafePointer(to: kCFTypeDictionaryValueCallBacks) {
        unsafe CFDictionaryCreateMutable(nil, 0, keys, $0)
      }
    }
    guard let dictionary = unsafe made else { throw AuricleError(.software, "out of memory") }
    defer { unsafe CFRelease(UnsafeRawPointer(dictionary)) }
    for (key, value) in [("folder", folder), ("file", file), ("label", label)] {
      let (name, text) = unsafe (makeCFString(key), makeCFString(value))
      if let name = unsafe name, let text = unsafe text {
        unsafe CFDictionarySetValue(dictionary, UnsafeRawPointer(name), UnsafeRawPointer(text))
      }
      if let name = unsafe name { unsafe CFRelease(UnsafeRawPointer(name)) }
      if let text = unsafe text { unsafe CFRelease(UnsafeRawPointer(text)) }
    }
    unsafe try setProperty(kAuricleProperty_LV2SavePreset, dictionary as CFDictionaryRef?)
  }
}
