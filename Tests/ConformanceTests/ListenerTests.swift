// Notifications to the listeners of properties while rendering, and loops of units that pull each other.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

@Suite("Contract: notifications while rendering")
struct ListenerConformanceTests {
  /// Adds a listener for a property; its calls are in the object.
  private func listen(_ test: UnitUnderTest, _ id: UInt32) -> Seen {
    let seen = Seen()
    let reference = unsafe Unmanaged.passUnretained(seen).toOpaque()
    let listen: AudioUnitPropertyListenerProc = { reference, _, id, scope, element in
      guard let reference = unsafe reference, scope == 0, element == 0 else { return }
      unsafe Unmanaged<Seen>.fromOpaque(reference).takeUnretainedValue().add(id)
    }
    same(unsafe AudioUnitAddPropertyListener(test.handle, id, listen, reference), 0)
    return seen
  }

  @Test(
    "an error is reported once, until it was read; removed listeners receive nothing",
    arguments: Subject.allCases)
  func lastError(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    let seen = listen(test, kAudioUnitProperty_LastRenderError)
    try test.start()
    same(test.render(64), 0)
    same(seen.all.count, 0, "\(subject.rawValue), no error")
    test.sourceStatus = -1234
    same(test.render(64, at: 64), -1234)
    same(test.render(64, at: 128), -1234)
    same(seen.all.count, 1, "\(subject.rawValue), the same error again")
    same(test.get(kAudioUnitProperty_LastRenderError, OSStatus.self).value, -1234)
    same(test.render(64, at: 192), -1234)
    same(seen.all.count, 2, "\(subject.rawValue), after it was read")
    // Another kind of error, before anything is pulled.
    same(test.get(kAudioUnitProperty_LastRenderError, OSStatus.self).value, -1234)
    same(test.render(64, at: 256, bus: 9), kAudioUnitErr_InvalidElement)
    same(seen.all.count, 3, "\(subject.rawValue), an element that is not there")
    same(
      test.get(kAudioUnitProperty_LastRenderError, OSStatus.self).value,
      kAudioUnitErr_InvalidElement)
    test.sourceStatus = 0
    same(test.render(64, at: 320), 0)
    same(seen.all.count, 3, "\(subject.rawValue), no error any more")
  }

  @Test(
    "a listener that another one removes is not called for the same change",
    arguments: Subject.fed.filter { $0.isOnSDK || $0 == .plainC })
  func removed(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    let seen = Seen()
    let reference = unsafe Unmanaged.passUnretained(seen).toOpaque()
    let first: AudioUnitPropertyListenerProc = { reference, unit, id, _, _ in
      guard let reference = unsafe reference else { return }
      unsafe Unmanaged<Seen>.fromOpaque(reference).takeUnretainedValue().add(1)
      _ = unsafe AudioUnitRemovePropertyListenerWithUserData(unit, id, laterListener, reference)
    }
    let id = kAudioUnitProperty_MaximumFramesPerSlice
    same(unsafe AudioUnitAddPropertyListener(test.handle, id, first, reference), 0)
    same(unsafe AudioUnitAddPropertyListener(test.handle, id, laterListener, reference), 0)
    same(test.set(id, UInt32(200)), 0)
    same(seen.all, [1], subject.rawValue)
    _ = unsafe AudioUnitRemovePropertyListenerWithUserData(test.handle, id, first, reference)
  }

  @Test("units that pull each other in a circle fail, and go on when the circle is cut")
  func circle() throws {
    for subject in [Subject.shipped, .plainC, .lv2] {
      let first = try UnitUnderTest(subject)
      let second = try UnitUnderTest(.shipped)
      for (from, to) in [(first, second), (second, first)] {
        let connection = unsafe AudioUnitConnection(
          sourceAudioUnit: from.handle, sourceOutputNumber: 0, destInputNumber: 0)
        same(unsafe to.set(kAudioUnitProperty_MakeConnection, connection, 1), 0)
      }
      same(unsafe AudioUnitInitialize(first.handle), 0)
      same(unsafe AudioUnitInitialize(second.handle), 0)
      same(first.render(64), kAudioUnitErr_CannotDoInCurrentContext, subject.rawValue)
      same(second.render(64), kAudioUnitErr_CannotDoInCurrentContext, subject.rawValue)
      same(first.feed(), 0)
      same(second.render(64, at: 64), 0, "\(subject.rawValue), after the circle was cut")
    }
  }

  @Test(
    "listeners of parameters and events receive changes of every kind of unit",
    arguments: Subject.allCases)
  func events(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    let first = try test.firstParameter()
    let seen = Seen()
    let reference = unsafe Unmanaged.passUnretained(seen).toOpaque()
    let spatialize: AUEventListenerProc = { reference, _, event, _, value in
      guard let reference = unsafe reference, let event = unsafe event else { return }
      let seen = unsafe Unmanaged<Seen>.fromOpaque(reference).takeUnretainedValue()
      seen.add(unsafe event.pointee.mEventType)
      seen.add(value.bitPattern)
    }
    var listener: OpaquePointer?
    same(unsafe AUEventListenerCreate(spatialize, reference, nil, nil, 0, 0, &listener), 0)
    var parameter = unsafe AudioUnitParameter(
      mAudioUnit: test.handle, mParameterID: first.id, mScope: first.scope,
      mElement: first.element)
    var event = unsafe AudioUnitEvent()
    unsafe event.mArgument.mParameter = unsafe parameter
    for kind in [
      kAudioUnitEvent_ParameterValueChange, kAudioUnitEvent_BeginParameterChangeGesture,
    ] {
      unsafe event.mEventType = kind
      same(unsafe AUEventListenerAddEventType(listener, nil, &event), 0)
    }
    same(unsafe AUEventListenerNotify(nil, nil, &event), 0)
    same(unsafe AUParameterSet(nil, nil, &parameter, first.maximum, 0), 0)
    var kept: Float = 0
    same(
      unsafe AudioUnitGetParameter(test.handle, first.id, first.scope, first.element, &kept), 0)
    // The sender is not notified, and a setting of the unit alone notifies no listener.
    same(unsafe AUParameterSet(listener, nil, &parameter, first.minimum, 0), 0)
    same(
      unsafe AudioUnitSetParameter(
        test.handle, first.id, first.scope, first.element, first.maximum, 0), 0)
    unsafe event.mEventType = kAudioUnitEvent_PropertyChange
    unsafe event.mArgument.mProperty = unsafe AudioUnitProperty(
      mAudioUnit: test.handle, mPropertyID: kAudioUnitProperty_MaximumFramesPerSlice, mScope: 0,
      mElement: 0)
    same(unsafe AUEventListenerAddEventType(listener, nil, &event), 0)
    same(test.set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(77)), 0)
    same(unsafe AUEventListenerRemoveEventType(listener, nil, &event), 0)
    same(test.set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(78)), 0)
    same(
      seen.all,
      [
        kAudioUnitEvent_BeginParameterChangeGesture, Float(0).bitPattern,
        kAudioUnitEvent_ParameterValueChange, kept.bitPattern, kAudioUnitEvent_PropertyChange,
        Float(0).bitPattern,
      ], subject.rawValue)
    same(unsafe AUListenerDispose(listener), 0)
  }

  @Test("a latency that differs after Initialize is reported; the unit without one posts nothing")
  func latency() throws {
    let registry = try SubjectComponents.shipped.get()
    for (name, isLate) in [("aufx:lmtr:appl", true), ("aufx:lpas:appl", false)] {
      let unit = try registry.resolve(name).instantiate()
      let seen = Seen()
      let reference = unsafe Unmanaged.passUnretained(seen).toOpaque()
      let listen: AudioUnitPropertyListenerProc = { reference, _, id, _, _ in
        guard let reference = unsafe reference else { return }
        unsafe Unmanaged<Seen>.fromOpaque(reference).takeUnretainedValue().add(id)
      }
      same(unsafe AudioUnitAddPropertyListener(unit.instance, 12, listen, reference), 0)
      try unit.initialize()
      same(seen.all.count, isLate && unit.latency > 0 ? 1 : 0, name)
    }
  }
}

/// The listener that another one removes.
private let laterListener: AudioUnitPropertyListenerProc = { reference, _, _, _, _ in
  guard let reference = unsafe reference else { return }
  unsafe Unmanaged<Seen>.fromOpaque(reference).takeUnretainedValue().add(2)
}
