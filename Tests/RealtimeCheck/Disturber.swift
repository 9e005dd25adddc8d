// A thread that sets every parameter and property of a unit that renders, as hosts may.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import CAudioToolbox
import Glibc
import Synchronization
import TestSupport

/// Disturbs one unit until stopped.
///
/// @unchecked Sendable because the unit is reached through its C functions, which may be called while
/// another thread renders, and `isRunning` is atomic.
@safe final class Disturber: @unchecked Sendable {
  private let record: UnsafeMutablePointer<ComponentInstanceRecord>
  private let parameters: [ParameterPlace]
  private let inputCount: Int
  private let source: NoiseSource
  private let isRunning = Atomic<Bool>(true)
  private var thread = pthread_t()

  /// Properties that are read, and set to the read value if they can be set.
  private static let properties: [AudioUnitPropertyID] =
    Array(0...66) + [
      1000, 1001, 1014, 2001, 2002, 2005, 2007, 3006, 3007, 3014,
    ] + Array(64000...64045)

  init(_ unit: AudioUnit, _ source: NoiseSource) throws {
    unsafe record = unit.instance
    parameters = try ParameterPlace.all(of: unit)
    inputCount = unit.busCount(scope: kAudioUnitScope_Input)
    self.source = source
  }

  func start() {
    unsafe pthread_create(
      &thread, nil,
      { disturber in
        guard let disturber = unsafe disturber else { return nil }
        unsafe Unmanaged<Disturber>.fromOpaque(disturber).takeUnretainedValue().disturb()
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func stop() {
    isRunning.store(false, ordering: .relaxed)
    pthread_join(thread, nil)
  }

  private func disturb() {
    var generator = SeededGenerator(seed: 5)
    var turn = 0
    while isRunning.load(ordering: .relaxed) {
      turn += 1
      if !parameters.isEmpty {
        let place = parameters[Int(generator.next() % UInt64(parameters.count))]
        let part = (generator.nextSample() + 1) / 2
        unsafe _ = record.pointee.setParameter?(
          record.pointee.plugIn, place.id, place.scope, place.element,
          place.minimum + (place.maximum - place.minimum) * part, 0)
      }
      let scope = AudioUnitScope(generator.next() % 3)
      setProperty(Self.properties[turn % Self.properties.count], scope)
      switch turn % 11 {
      case 0: switchProperty(kAudioUnitProperty_BypassEffect, generator.next() & 1)
      case 3: switchProperty(kAudioUnitProperty_InPlaceProcessing, generator.next() & 1)
      case 5: switchProperty(kAuricleProperty_NaNGuard, generator.next() & 1)
      case 7: replaceSource(Int(generator.next() % 64), generator.next() & 3 == 0)
      case 9: observe(turn)
      default: break
      }
      // A pace and no wait: without it the disturber would have a processor alone.
      usleep(30)
    }
  }

  /// Reads a property, and sets it to the same value where it can be set.
  private func setProperty(_ id: AudioUnitPropertyID, _ scope: AudioUnitScope) {
    guard id != kAudioUnitProperty_MakeConnection, id != kAudioUnitProperty_SetRenderCallback
    else { return }
    var size: UInt32 = 0
    var isWritable = false
    let known = unsafe record.pointee.getPropertyInfo?(
      record.pointee.plugIn, id, scope, 0, &size, &isWritable)
    guard known == 0, size > 0, size < 1 << 20 else { return }
    let data = UnsafeMutableRawPointer.allocate(byteCount: Int(size), alignment: 16)
    defer { unsafe data.deallocate() }
    unsafe data.initializeMemory(as: UInt8.self, repeating: 0, count: Int(size))
    let status = unsafe record.pointee.getProperty?(
      record.pointee.plugIn, id, scope, 0, data, &size)
    if status == 0, isWritable {
      unsafe _ = record.pointee.setProperty?(record.pointee.plugIn, id, scope, 0, data, size)
    }
  }

  private func switchProperty(_ id: AudioUnitPropertyID, _ value: UInt64) {
    var word = UInt32(value)
    unsafe _ = record.pointee.setProperty?(
      record.pointee.plugIn, id, kAudioUnitScope_Global, 0, &word, 4)
  }

  /// Swaps the callback of an input between noise and silence.
  private func replaceSource(_ bus: Int, _ isSilent: Bool) {
    guard bus < inputCount else { return }
    var callback = unsafe AURenderCallbackStruct(
      inputProc: isSilent ? silenceCallback : noiseCallback,
      inputProcRefCon: UnsafeMutableRawPointer(source.samples))
    unsafe _ = record.pointee.setProperty?(
      record.pointee.plugIn, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input,
      UInt32(bus), &callback, UInt32(MemoryLayout<AURenderCallbackStruct>.size))
  }

  /// Adds an observer of renders, or removes it.
  private func observe(_ turn: Int) {
    let selector =
      turn & 1 == 0 ? kAudioUnitAddRenderNotifySelect : kAudioUnitRemoveRenderNotifySelect
    guard let lookUp = unsafe record.pointee.plugIn?.pointee.Lookup,
      let method = unsafe lookUp(Int16(selector))
    else { return }
    let add = unsafe unsafeBitCast(method, to: AudioUnitAddRenderNotifyProc.self)
    unsafe _ = add(record.pointee.plugIn, observerCallback, nil)
  }
}

/// Observes and does nothing.
private let observerCallback: AURenderCallback = { _, _, _, _, _, _ in 0 }
