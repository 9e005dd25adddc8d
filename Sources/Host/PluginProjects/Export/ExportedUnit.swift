// A unit to be exported: its entry in the Info.plist of its bundle, and its binary.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import CAudioToolbox
import HostSystem
import PropertyLists

/// One unit of a `.component` bundle.
package struct ExportedUnit: Sendable {
  /// Type, subtype and manufacturer.
  let codes: [FourCharacterCode]
  /// "Maker: Unit".
  let name: String
  /// The binary.
  let binary: String
  /// The bundle's folder of resources; nil for none.
  let resources: String?
  private let version: Int
  private let factory: String
  private let tags: [String]
  private let summary: String

  /// Reads the entry of a unit.
  ///
  /// - Parameters:
  ///   - bundle: The `.component` folder.
  ///   - identity: `TYPE:SUBTYPE:MANUFACTURER`.
  /// - Throws: `.badData` with the reason why the unit cannot be exported.
  ///
  /// Context: control.
  package init(bundle: String, identity: String) throws(AuricleError) {
    let list: PropertyListValue
    do throws(PropertyListError) {
      list = try PropertyListReader().read(contentsOf: bundle + "/Contents/Info.plist")
    } catch {
      throw AuricleError(.badData, "the Info.plist of \(bundle) cannot be read: \(error)")
    }
    let entries = list["AudioComponents"]?.arrayValue ?? []
    guard let entry = entries.first(where: { Self.identity(of: $0) == identity }),
      let factory = entry["factoryFunction"]?.stringValue,
      let name = entry["name"]?.stringValue
    else { throw AuricleError(.badData, "\(bundle) has no unit \(identity)") }
    codes = Self.codes(of: entry)
    self.name = Self.line(name)
    self.factory = factory
    version = Self.number(entry["version"])
    tags = (entry["tags"]?.arrayValue ?? []).compactMap { $0.stringValue.map(Self.line) }
    summary = Self.line(entry["description"]?.stringValue ?? "")
    let stem = Path.lastComponent(Path.withoutExtension(bundle))
    let executable = list["CFBundleExecutable"]?.stringValue ?? stem
    let places = [
      "Contents/Linux/\(executable)", "Contents/Linux/lib\(executable).so",
      "Contents/\(executable)",
    ]
    guard let place = places.first(where: { FileIdentity.of("\(bundle)/\($0)")?.kind == .file })
    else {
      throw AuricleError(
        .badData, "the binary of \(bundle) is missing: install the component again")
    }
    binary = "\(bundle)/\(place)"
    let resources = bundle + "/Contents/Resources"
    self.resources = FileIdentity.of(resources)?.kind == .folder ? resources : nil
    try checkType(identity)
  }

  /// The title: the name without its maker.
  package var title: String {
    name.firstRange(of: ": ").map { String(name[$0.upperBound...]) } ?? name
  }

  /// The lines of the unit in the list of contents.
  ///
  /// - Parameter kind: "unit", or "stage" of a chain.
  func lines(binary: String, as kind: String = "unit") -> String {
    var lines = ["\(kind) \(codes.map(Self.word).joined(separator: " "))", "name \(name)"]
    lines += ["version \(version)", "binary \(binary)", "factory \(factory)"]
    if !tags.isEmpty { lines.append("tags \(tags.joined(separator: ","))") }
    if !summary.isEmpty { lines.append("description \(summary.prefix(1000))") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Refuses units that a host of plug-ins has no place for.
  private func checkType(_ identity: String) throws(AuricleError) {
    let reason: String? =
      switch codes[0].rawValue {
      case kAudioUnitType_Effect, kAudioUnitType_MusicEffect, kAudioUnitType_MusicDevice,
        kAudioUnitType_Generator, kAudioUnitType_MIDIProcessor, kAudioUnitType_Panner:
        nil
      case kAudioUnitType_FormatConverter:
        "it is a converter (aufc), which may make more or less sound than it reads, and a plug-in of other hosts may not"
      case kAudioUnitType_OfflineEffect:
        "it is an offline effect (auol), which reads a whole sound before it makes one, and other hosts play on"
      case kAudioUnitType_Mixer:
        "it is a mixer (aumx), whose inputs are channels of its host, and a plug-in of other hosts has one"
      case kAudioUnitType_Output:
        "it is an output unit (auou), which has the clock of a device, and a plug-in follows its host"
      default:
        "only effects, instruments, generators and MIDI processors can be plug-ins of other hosts"
      }
    guard let reason else { return }
    throw AuricleError(.badData, "\(name) (\(identity)) cannot be exported: \(reason)")
  }

  private static func codes(of entry: PropertyListValue) -> [FourCharacterCode] {
    ["type", "subtype", "manufacturer"].compactMap { key in
      switch entry[key] {
      case .string(let text): FourCharacterCode(text)
      case .integer(let number): UInt32(exactly: number).map(FourCharacterCode.init(rawValue:))
      default: nil
      }
    }
  }

  private static func identity(of entry: PropertyListValue) -> String {
    codes(of: entry).map(\.description).joined(separator: ":")
  }

  private static func number(_ value: PropertyListValue?) -> Int {
    switch value {
    case .integer(let number): Int(clamping: number)
    case .real(let number): UInt32(exactly: number).map(Int.init) ?? 0
    default: 0
    }
  }

  /// A code without spaces and control characters.
  static func word(_ code: FourCharacterCode) -> String {
    (0..<4).map { place in
      let byte = UInt8(truncatingIfNeeded: code.rawValue >> UInt32(24 - 8 * place))
      let isPlain = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "%")
      return isPlain
        ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// A text on one line.
  static func line(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) })
  }
}
