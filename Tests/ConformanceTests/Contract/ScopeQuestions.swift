// Every scope, and elements that are there and not: the answer of each call that has a scope.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox

extension Question {
  /// Rows for every scope of the headers and for two that no header has.
  static let scopes: [Question] = {
    let known = HeaderConstant.family { $0.hasPrefix("kAudioUnitScope_") }
    var rows = known.sorted { $0.value < $1.value }.flatMap {
      ofScope(UInt32($0.value), [$0.name])
    }
    rows += ofScope(8, []) + ofScope(1024, [])
    return rows + buses
  }()

  /// Elements: the first, the one after the last, and one far beyond.
  private static func elements(_ scope: UInt32, _ test: UnitUnderTest) -> [UInt32] {
    let count = test.get(kAudioUnitProperty_ElementCount, UInt32.self, scope).value ?? 0
    return [0, max(count, 1), 4_000_000]
  }

  private static func ofScope(_ scope: UInt32, _ names: [String]) -> [Question] {
    /// A row that asks for each of the elements.
    func row(
      _ call: String, _ ask: @escaping @Sendable (UnitUnderTest, UInt32) throws -> OSStatus
    ) -> Question {
      Question("scope \(scope): \(call)", names) { test in
        try elements(scope, test).map { String(try ask(test, $0)) }.joined(separator: " ")
      }
    }
    return [
      Question("scope \(scope): elements", names) { test in
        let count = test.get(kAudioUnitProperty_ElementCount, UInt32.self, scope)
        return count.value.map(String.init) ?? String(count.status)
      },
      Question("scope \(scope): parameters", names) { test in
        let list = test.read(kAudioUnitProperty_ParameterList, scope, 0, room: 4096)
        return list.status == 0 ? "\(list.bytes.count / 4)" : String(list.status)
      },
      row("get the first parameter") { test, element in
        let id = (try? test.firstParameter())?.id ?? 0
        var value: Float = 0
        return unsafe AudioUnitGetParameter(test.handle, id, scope, element, &value)
      },
      row("set the first parameter") { test, element in
        let first = try? test.firstParameter()
        return unsafe AudioUnitSetParameter(
          test.handle, first?.id ?? 0, scope, element, first?.minimum ?? 0, 0)
      },
      row("schedule the first parameter") { test, element in
        var event = AudioUnitParameterEvent()
        event.scope = scope
        event.element = element
        event.parameter = (try? test.firstParameter())?.id ?? 0
        event.eventType = kParameterEvent_Immediate
        unsafe event.eventValues.immediate.value = (try? test.firstParameter())?.minimum ?? 0
        return unsafe AudioUnitScheduleParameters(test.handle, &event, 1)
      },
      row("reset") { test, element in
        unsafe AudioUnitReset(test.handle, scope, element)
      },
      row("read the format") { test, element in
        test.read(kAudioUnitProperty_StreamFormat, scope, element, room: 40).status
      },
      row("set the callback") { test, element in
        let none = unsafe AURenderCallbackStruct(inputProc: nil, inputProcRefCon: nil)
        return unsafe test.set(kAudioUnitProperty_SetRenderCallback, none, scope, element)
      },
      row("read the name of the element") { test, element in
        test.read(kAudioUnitProperty_ElementName, scope, element, room: 8).status
      },
    ]
  }

  /// The element of a render is an output.
  private static let buses: [Question] = ([0, 1, 7, 4_000_000] as [UInt32]).map { bus in
    Question("render output \(bus)", ["kAudioUnitScope_Output"]) { test in
      try test.start()
      return String(test.render(64, bus: bus))
    }
  }
}
