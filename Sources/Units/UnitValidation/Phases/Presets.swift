// Presets that come with a unit.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Glibc

extension UnitValidation {
  /// The most presets that are chosen.
  private static let limit = 200

  /// Checks that factory presets have names, can be chosen, and are then reported as present.
  func checkPresets() {
    guard unit.hasProperty(kAudioUnitProperty_PresentPreset) else { return }
    let presets = unit.factoryPresets
    let numbers = presets.map(\.number)
    expect(
      Set(numbers).count == numbers.count && !numbers.contains { $0 < 0 }, .presetNumber,
      "its factory presets have the numbers \(numbers.prefix(20).map(String.init).joined(separator: ", "))"
    )
    checkNameOfPresent()
    for preset in presets.prefix(Self.limit) {
      let seen: [UnitFault.Evidence] = [.count("preset", preset.number)]
      expect(
        !preset.name.isEmpty, .presetName, "factory preset \(preset.number) has no name", seen)
      do throws(AuricleError) {
        try unit.selectPreset(number: preset.number)
      } catch {
        fault(
          .presetSelect,
          "factory preset \(preset.number) cannot be chosen: \(error.message)", seen)
        continue
      }
      let present = unit.presentPreset?.number
      expect(
        present == preset.number, .presetPresent,
        "factory preset \(preset.number) was set, and the unit reports another",
        seen + [.count("found", present ?? -1)])
      checkRange(of: preset.number)
    }
  }

  private func checkRange(of preset: Int) {
    for parameter in settable(of: unit) where parameter.minimum < parameter.maximum {
      guard let value = value(of: parameter, in: unit) else { continue }
      let room = 1e-4 * (parameter.maximum - parameter.minimum)
      if value < parameter.minimum - room || value > parameter.maximum + room {
        return fault(
          .presetRange,
          "factory preset \(preset) sets \(parameter.id), \"\(parameter.name)\", to \(value), which "
            + "is outside of \(parameter.minimum) to \(parameter.maximum)",
          [.count("preset", preset), .value("value", value)])
      }
    }
  }

  /// Checks that the name of the present preset is retained each time it is returned: the host releases it.
  private func checkNameOfPresent() {
    var counts: [Int] = []
    var places: Set<UInt> = []
    // The references stay: one that was never retained must not be released.
    for _ in 0..<3 {
      guard
        let preset = unsafe try? unit.property(
          kAudioUnitProperty_PresentPreset, initial: AUPreset()),
        let name = unsafe preset.presetName
      else { return }
      unsafe places.insert(UInt(bitPattern: UnsafeRawPointer(name)))
      guard let count = unsafe Self.retainCount(UnsafeRawPointer(name)) else { return }
      // A constant (CFSTR) lives for ever, retained or not, and its count never changes.
      _ = unsafe CFRetain(UnsafeRawPointer(name))
      let raised = unsafe Self.retainCount(UnsafeRawPointer(name))
      unsafe CFRelease(UnsafeRawPointer(name))
      guard raised != count else { return }
      counts.append(count)
    }
    // One made anew each time is the host's.
    guard places.count == 1, counts.count == 3 else { return }
    expect(
      counts[0] != counts[1] || counts[1] != counts[2], .presetRetain,
      "the name in PresentPreset is not retained: a host that releases it frees what the unit uses",
      [.count("retainCount", counts[0])])
  }

  /// The number of references to an object; nil where the runtime does not report it.
  private static func retainCount(_ object: UnsafeRawPointer) -> Int? {
    typealias Count = @convention(c) (UnsafeRawPointer) -> Int
    guard let symbol = unsafe dlsym(nil, "swift_retainCount") else { return nil }
    return unsafe unsafeBitCast(symbol, to: Count.self)(object)
  }
}
