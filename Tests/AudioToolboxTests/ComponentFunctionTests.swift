// Finding, describing, registering, opening and closing through the C functions.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import CAudioToolbox
import Testing

/// A description with a subtype of four characters, of type and maker that nothing else uses.
func testDescription(_ subtype: String) -> AudioComponentDescription {
  AudioComponentDescription(
    componentType: kAudioUnitType_Effect,
    componentSubType: FourCharacterCode(subtype)?.rawValue ?? 0,
    componentManufacturer: FourCharacterCode("TsTb")?.rawValue ?? 0, componentFlags: 0,
    componentFlagsMask: 0)
}

/// Registers a unit and opens it.
func openUnit(
  _ subtype: String, factory: AudioComponentFactoryFunction
) throws -> AudioUnitHandle {
  var description = testDescription(subtype)
  let registered = unsafe withCFString("Test: \(subtype)") { name in
    unsafe AudioComponentRegister(&description, name, 0x0001_0203, factory)
  }
  var instance: AudioComponentInstance?
  let status = unsafe AudioComponentInstanceNew(registered, &instance)
  #expect(status == noErr)
  return try unsafe #require(instance)
}

extension ToolboxTests {
  @Suite struct Components {
    @Test("Registered components are found, counted and described")
    func registering() throws {
      var wanted = testDescription("reg1")
      same(unsafe AudioComponentCount(&wanted), 0)
      unsafe same(unsafe AudioComponentFindNext(nil, &wanted), nil)
      let registered = unsafe withCFString("Test: Registered") { name in
        unsafe AudioComponentRegister(&wanted, name, 0x0002_0304, { unsafe makeRecordingUnit($0) })
      }
      let component = try unsafe #require(registered)
      same(unsafe AudioComponentCount(&wanted), 1)
      unsafe same(unsafe AudioComponentFindNext(nil, &wanted), component)
      unsafe same(unsafe AudioComponentFindNext(component, &wanted), nil)

      var found = AudioComponentDescription()
      same(unsafe AudioComponentGetDescription(component, &found), noErr)
      #expect(found.triple == "aufx:reg1:TsTb")
      var version: UInt32 = 0
      same(unsafe AudioComponentGetVersion(component, &version), noErr)
      #expect(version == 0x0002_0304)
      var name: CFStringRef?
      same(unsafe AudioComponentCopyName(component, &name), noErr)
      same(unsafe String(consumingCFString: name), "Test: Registered")

      // The same description again is refused, and so is one with a part that is 0.
      let again = unsafe withCFString("Test: Again") { name in
        unsafe AudioComponentRegister(&wanted, name, 1, { unsafe makeRecordingUnit($0) })
      }
      unsafe same(unsafe again, nil)
      wanted.componentSubType = 0
      let partial = unsafe withCFString("Test: Partial") { name in
        unsafe AudioComponentRegister(&wanted, name, 1, { unsafe makeRecordingUnit($0) })
      }
      unsafe same(unsafe partial, nil)
      same(unsafe AudioComponentCount(&wanted) >= 1, true)
    }

    @Test(
      "A unit of macOS is found by its name there",
      arguments: [
        "AUDelay", "DLSMusicDevice", "AUNewTimePitch", "AUMixer", "SystemOutputUnit",
      ])
    func macNames(wanted: String) throws {
      var all = AudioComponentDescription()
      var found = 0
      var component = unsafe AudioComponentFindNext(nil, &all)
      while let next = unsafe component {
        var name: CFStringRef?
        same(unsafe AudioComponentCopyName(next, &name), noErr)
        if unsafe String(consumingCFString: name)?.contains("(\(wanted))") == true { found += 1 }
        unsafe component = AudioComponentFindNext(next, &all)
      }
      #expect(found == 1)
    }

    @Test("Zeros match everything, each component once, in the same order each time")
    func wildcards() throws {
      for subtype in ["wld1", "wld2", "wld3"] {
        var description = testDescription(subtype)
        _ = unsafe withCFString("Test: \(subtype)") { name in
          unsafe AudioComponentRegister(&description, name, 1, { unsafe makeRecordingUnit($0) })
        }
      }
      var wanted = AudioComponentDescription()
      wanted.componentManufacturer = testDescription("wld1").componentManufacturer
      func walk() -> [UInt] {
        var found: [UInt] = []
        var component: AudioComponentHandle?
        while let next = unsafe AudioComponentFindNext(component, &wanted), found.count < 1000 {
          found.append(UInt(bitPattern: next))
          unsafe component = next
        }
        return found
      }
      let first = walk()
      #expect(first.count >= 3)
      #expect(Set(first).count == first.count)
      #expect(Array(walk().prefix(first.count)) == first)
    }

    @Test("Opening and closing call the unit's Open and Close once; a unit knows its component")
    func opening() throws {
      _ = Calls.consume()
      let unit = try unsafe openUnit("open", factory: { unsafe makeRecordingUnit($0) })
      #expect(
        Calls.consume() == [
          "Open 0 \(testDescription("open").componentSubType)",
          "GetProperty \(kAuricleProperty_ContractVersion) 0 0 4",
        ])
      let component = unsafe AudioComponentInstanceGetComponent(unit)
      var wanted = testDescription("open")
      unsafe same(unsafe component, AudioComponentFindNext(nil, &wanted))
      same(unsafe AudioComponentInstanceCanDo(unit, kAudioUnitRenderSelect), true)
      same(unsafe AudioComponentInstanceCanDo(unit, kMusicDeviceMIDIEventSelect), true)
      same(unsafe AudioComponentInstanceCanDo(unit, kAudioUnitComplexRenderSelect), false)
      same(unsafe AudioComponentInstanceDispose(unit), noErr)
      #expect(Calls.consume() == ["Close"])
    }

    @Test("A unit that refuses to open returns its own status, and is not closed")
    func refusing() throws {
      var description = testDescription("refu")
      let component = unsafe withCFString("Test: Refusing") { name in
        unsafe AudioComponentRegister(&description, name, 1, { unsafe makeRecordingUnit($0) })
      }
      _ = Calls.consume()
      var instance: AudioComponentInstance?
      same(unsafe AudioComponentInstanceNew(component, &instance), recordedStatus)
      unsafe same(unsafe instance, nil)
      #expect(Calls.consume() == ["Open 0 \(refusedSubtype)"])
    }

    @Test("A factory that makes nothing is an error")
    func emptyFactory() throws {
      var description = testDescription("null")
      let component = unsafe withCFString("Test: Nothing") { name in
        unsafe AudioComponentRegister(&description, name, 1, { _ in nil })
      }
      var instance: AudioComponentInstance?
      let status = unsafe AudioComponentInstanceNew(component, &instance)
      #expect(status == kAudioUnitErr_FailedInitialization)
      unsafe same(unsafe instance, nil)
    }

    @Test("Null arguments are errors")
    func nullArguments() throws {
      unsafe same(unsafe AudioComponentFindNext(nil, nil), nil)
      same(AudioComponentCount(nil), 0)
      same(AudioComponentCopyName(nil, nil), kAudio_ParamError)
      same(AudioComponentGetDescription(nil, nil), kAudio_ParamError)
      same(AudioComponentGetVersion(nil, nil), kAudio_ParamError)
      same(AudioComponentInstanceNew(nil, nil), kAudio_ParamError)
      same(AudioComponentInstanceDispose(nil), kAudio_ParamError)
      unsafe same(unsafe AudioComponentInstanceGetComponent(nil), nil)
      same(AudioComponentInstanceCanDo(nil, 1), false)
      unsafe same(unsafe AudioComponentRegister(nil, nil, 0, nil), nil)
      var instance: AudioComponentInstance?
      same(unsafe AudioComponentInstanceNew(nil, &instance), kAudio_ParamError)
      // A record that no host made: its magic number is wrong.
      var record = unsafe ComponentInstanceRecord()
      same(unsafe AudioUnitInitialize(&record), kAudio_ParamError)
      same(unsafe AudioComponentInstanceDispose(&record), kAudio_ParamError)
    }
  }
}
