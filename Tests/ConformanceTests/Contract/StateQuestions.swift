// The keys of a saved state, the traits of parameters, and the flags of rendering: one row for each constant.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation

extension Question {
  /// The state as Foundation sees it.
  private static func state(_ test: UnitUnderTest) -> [String: Any] {
    guard let address = test.get(kAudioUnitProperty_ClassInfo, UInt.self).value,
      let pointer = unsafe UnsafeRawPointer(bitPattern: address)
    else { return [:] }
    let object = unsafe Unmanaged<AnyObject>.fromOpaque(pointer).takeRetainedValue()
    return object as? NSDictionary as? [String: Any] ?? [:]
  }

  private static func restore(_ test: UnitUnderTest, _ state: [String: Any]) -> OSStatus {
    test.setObject(kAudioUnitProperty_ClassInfo, state as NSDictionary)
  }

  /// A row for every key: its value, and the effect of a state without it or with nonsense there.
  static let states: [Question] = HeaderConstant.family { $0.hasPrefix("kAUPreset") }
    .compactMap { constant in
      guard let key = constant.text else { return nil }
      return Question("state key \(key)", [constant.name]) { test in
        let present = state(test)
        let kind: String
        switch present[key] {
        case is String: kind = "text"
        case is Data: kind = "data"
        case is NSNumber: kind = "number"
        case is NSDictionary: kind = "dictionary"
        case nil: kind = "none"
        default: kind = "something else"
        }
        var without = present
        without[key] = nil
        var wrong = present
        wrong[key] = [1, 2] as NSArray
        return "\(kind), without it \(restore(test, without)), an array \(restore(test, wrong))"
      }
    }

  /// Parameters that have a trait, by scope and id.
  private static func parameters(
    _ test: UnitUnderTest, where has: (AudioUnitParameterInfo) -> Bool
  ) -> String {
    var found: [String] = []
    for scope: UInt32 in 0...3 {
      let list = test.read(kAudioUnitProperty_ParameterList, scope, 0, room: 4096).bytes
      for place in stride(from: 0, to: list.count - 3, by: 4) {
        let id = list[place..<place + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard
          let info = unsafe test.get(
            kAudioUnitProperty_ParameterInfo, AudioUnitParameterInfo.self, scope, id
          ).value
        else { continue }
        if unsafe has(info) { found.append("\(letter(scope))\(id)") }
        if unsafe info.flags & kAudioUnitParameterFlag_CFNameRelease != 0,
          let name = unsafe info.cfNameString
        {
          unsafe CFRelease(UnsafeRawPointer(name))
        }
      }
    }
    return found.isEmpty ? "none" : found.joined(separator: " ")
  }

  /// Rows for every unit of parameters and every flag: which parameters have it.
  static let parameterTraits: [Question] =
    HeaderConstant.family { $0.hasPrefix("kAudioUnitParameterUnit_") }
    .sorted { $0.value < $1.value }.map { constant in
      Question("parameters in unit \(constant.value)", [constant.name]) { test in
        unsafe parameters(test) { unsafe $0.unit == UInt32(constant.value) }
      }
    }
    + HeaderConstant.family { $0.hasPrefix("kAudioUnitParameterFlag_") }.map { constant in
      Question("parameters with \(constant.name.dropFirst(24))", [constant.name]) { test in
        let mask = UInt32(truncatingIfNeeded: constant.value)
        let curves = UInt32(kAudioUnitParameterFlag_DisplayMask)
        // A curve is a number in some bits, not a bit.
        let isCurve = mask & curves != 0 && mask != curves
        return unsafe parameters(test) {
          unsafe isCurve ? $0.flags & curves == mask : $0.flags & mask != 0
        }
      }
    }

  /// Rows for the flags of rendering: which ones observers and callers see.
  static let renderFlags: [Question] = HeaderConstant.family { $0.contains("RenderAction_") }
    .sorted { $0.value < $1.value }.map { constant in
      Question("render flag \(constant.value)", [constant.name]) { test in
        let flag = UInt32(constant.value)
        try test.start()
        let seen = Seen()
        let reference = unsafe Unmanaged.passUnretained(seen).toOpaque()
        let observe: AURenderCallback = { reference, flags, _, _, _, _ in
          guard let reference = unsafe reference else { return 0 }
          unsafe Unmanaged<Seen>.fromOpaque(reference).takeUnretainedValue()
            .add(flags?.pointee ?? 0)
          return 0
        }
        _ = unsafe AudioUnitAddRenderNotify(test.handle, observe, reference)
        var answers: [String] = []
        for (name, isSilent, status) in [
          ("sound", false, 0), ("silence", true, 0), ("error", false, -1234 as OSStatus),
        ] {
          (test.sourceIsSilent, test.sourceStatus) = (isSilent, status)
          let before = seen.all.count
          var flags: AudioUnitRenderActionFlags = 0
          let time = Double(64 * before)
          let result = test.render(64, at: time, flags: &flags)
          let reported = seen.all.dropFirst(before).map { $0 & flag == flag ? "1" : "0" }.joined()
          answers.append("\(name) \(result) told \(reported) back \(flags & flag == flag ? 1 : 0)")
        }
        return answers.joined(separator: "; ")
      }
    }
}
