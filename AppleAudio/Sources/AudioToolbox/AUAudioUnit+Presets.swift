// User presets of units, and the state of program-made units.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension AUAudioUnit {
  /// Code, as in the names of folders.
  private static func code(_ number: UInt32) -> String {
    withUnsafeBytes(of: number.bigEndian) { String(decoding: $0, as: UTF8.self) }
  }
  private var presetFolder: URL {
    let environment = ProcessInfo.processInfo.environment
    let base = environment["XDG_DATA_HOME"] ?? NSHomeDirectory() + "/.local/share"
    let d = componentDescription
    let name = [d.componentType, d.componentSubType, d.componentManufacturer].map(AUAudioUnit.code)
      .joined(separator: "-")
    return URL(fileURLWithPath: base).appendingPathComponent("auricle/unit-presets")
      .appendingPathComponent(name.replacingOccurrences(of: "/", with: "_"))
  }
  private func presetFile(_ preset: AUAudioUnitPreset) -> URL {
    presetFolder.appendingPathComponent(
      preset.name.replacingOccurrences(of: "/", with: "_") + ".aupreset")
  }

  /// Whether user presets are kept: always.
  public var supportsUserPresets: Bool { true }
  /// The presets that the user saved, in order of name.
  public var userPresets: [AUAudioUnitPreset] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: presetFolder.path)) ?? []
    return files.filter { $0.hasSuffix(".aupreset") }.sorted().enumerated().map { index, file in
      let preset = AUAudioUnitPreset()
      preset.number = -1 - index
      preset.name = String(file.dropLast(9))
      return preset
    }
  }
  /// Saves the state as a preset of the user, whose number is negative.
  public func saveUserPreset(_ preset: AUAudioUnitPreset) throws {
    guard preset.number < 0, !preset.name.isEmpty, let state = fullState else {
      throw auricleError(kAudioUnitErr_InvalidPropertyValue)
    }
    var named = state
    named[kAUPresetNameKey] = preset.name
    let data = try PropertyListSerialization.data(fromPropertyList: named, format: .xml, options: 0)
    try FileManager.default.createDirectory(at: presetFolder, withIntermediateDirectories: true)
    try data.write(to: presetFile(preset), options: .atomic)
  }
  /// Removes a preset of the user.
  public func deleteUserPreset(_ preset: AUAudioUnitPreset) throws {
    try FileManager.default.removeItem(at: presetFile(preset))
  }
  /// The state that a preset of the user has.
  public func presetState(for preset: AUAudioUnitPreset) throws -> [String: Any] {
    let list = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: presetFile(preset)), format: nil)
    guard let state = list as? [String: Any] else {
      throw auricleError(kAudioUnitErr_InvalidPropertyValue)
    }
    return state
  }

  /// The state of a program-made unit: its identity, and the values of its parameters.
  var ownState: [String: Any] {
    let d = componentDescription
    var data = Data()
    for parameter in parameterTree?.allParameters ?? [] {
      withUnsafeBytes(of: parameter.address.bigEndian) { data.append(contentsOf: $0) }
      withUnsafeBytes(of: parameter.value.bitPattern.bigEndian) { data.append(contentsOf: $0) }
    }
    return [
      kAUPresetVersionKey: 0, kAUPresetTypeKey: Int(d.componentType),
      kAUPresetSubtypeKey: Int(d.componentSubType),
      kAUPresetManufacturerKey: Int(d.componentManufacturer),
      kAUPresetNameKey: currentPreset?.name ?? "Untitled",
      kAUPresetDataKey: data,
    ]
  }
  func readOwnState(_ state: [String: Any]?) {
    guard let data = state?[kAUPresetDataKey] as? Data else { return }
    let bytes = [UInt8](data)
    for start in stride(from: 0, to: bytes.count - bytes.count % 12, by: 12) {
      let address = bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let value = bytes[start + 8..<start + 12].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      parameterTree?.parameter(withAddress: address)?.value = AUValue(bitPattern: value)
    }
  }
}

extension AUAudioUnit {
  /// Returns the object of a unit that a program opened.
  package static func auricleFace(_ unit: AudioUnit) -> AUAudioUnit {
    PlugInInstance.object(unit) ?? AUAudioUnit(auricleUnit: unit)
  }
}
