// Behaviour of a unit: values that stay, presets, state, listeners, one render a time, bypass, connections.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox
import Synchronization
import Testing

@Suite("Contract: behaviour")
struct BehaviourConformanceTests {
  @Test("plain properties keep their values", arguments: Subject.allCases)
  func plainProperties(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    for (id, value) in [
      (kAudioUnitProperty_MaximumFramesPerSlice, UInt32(300)),
      (kAudioUnitProperty_BypassEffect, 1), (kAudioUnitProperty_OfflineRender, 1),
    ] where test.info(id).status == 0 {
      same(test.set(id, value), 0, "\(subject.rawValue), property \(id)")
      same(test.get(id, UInt32.self).value, value, "\(subject.rawValue), property \(id)")
    }
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      same(test.set(kAudioUnitProperty_SampleRate, 96_000.0, scope), 0, "\(subject.rawValue), rate")
      let format = test.get(
        kAudioUnitProperty_StreamFormat, AudioStreamBasicDescription.self, scope)
      same(format.value?.mSampleRate, 96_000, "\(subject.rawValue), rate in the format")
    }
  }

  @Test(
    "parameters: described well, and each keeps its ends and its default",
    arguments: Subject.allCases)
  func parameters(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    for scope: UInt32 in 0...2 {
      for parameter in (try? test.unit.parameters(scope: scope, element: 0)) ?? [] {
        let place = "\(subject.rawValue), scope \(scope), \(parameter.name)"
        #expect(!parameter.name.isEmpty, "\(place): name")
        #expect(parameter.minimum < parameter.maximum, "\(place): range")
        #expect(
          (parameter.minimum...parameter.maximum).contains(parameter.defaultValue),
          "\(place): default")
        guard parameter.isWritable else { continue }
        for value in [parameter.minimum, parameter.maximum, parameter.defaultValue] {
          same(
            unsafe AudioUnitSetParameter(test.handle, parameter.id, scope, 0, value, 0), 0, place)
          var kept: Float = .nan
          same(
            unsafe AudioUnitGetParameter(test.handle, parameter.id, scope, 0, &kept), 0, place)
          #expect(abs(kept - value) <= max(abs(value), 1) * 1e-6, "\(place): \(kept), not \(value)")
        }
      }
    }
  }

  @Test("parameters keep their values over Initialize and Reset", arguments: Subject.allCases)
  func parametersStay(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    let parameter = try test.firstParameter()
    let value = parameter.minimum + (parameter.maximum - parameter.minimum) * 0.5
    same(
      unsafe AudioUnitSetParameter(
        test.handle, parameter.id, parameter.scope, parameter.element, value, 0), 0)
    var before: Float = 0
    same(
      unsafe AudioUnitGetParameter(
        test.handle, parameter.id, parameter.scope, parameter.element, &before), 0)
    try test.start()
    same(unsafe AudioUnitReset(test.handle, 0, 0), 0)
    var after: Float = 0
    same(
      unsafe AudioUnitGetParameter(
        test.handle, parameter.id, parameter.scope, parameter.element, &after), 0)
    same(after, before, subject.rawValue)
  }

  @Test("factory presets can be chosen, and read back", arguments: Subject.allCases)
  func presets(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    for preset in test.unit.factoryPresets {
      #expect(!preset.name.isEmpty)
      try test.unit.selectPreset(number: preset.number)
      same(test.unit.presentPreset?.number, preset.number, subject.rawValue)
      same(test.unit.presentPreset?.name, preset.name, subject.rawValue)
    }
  }

  @Test("the same sample time is rendered once", arguments: Subject.fed)
  func onceATime(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    try test.start()
    same(test.render(64, at: 0), 0)
    same(test.render(64, at: 0), 0)
    same(test.pullCount, 1, "\(subject.rawValue), pulls")
    same(test.render(64, at: 64), 0)
    same(test.pullCount, 2, "\(subject.rawValue), pulls at the next time")
  }

  @Test("without memory the unit provides its own", arguments: Subject.fed)
  func ownBuffers(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    try test.start()
    same(test.render(64, at: 0), 0)
    let expected = test.output(1, 64)
    let other = try UnitUnderTest(subject)
    try other.start()
    other.buffers.setFrameCount(64)
    for channel in 0..<2 { unsafe other.buffers.list.buffer(channel).pointee.mData = nil }
    var flags: AudioUnitRenderActionFlags = 0
    var stamp = AudioTimeStamp(sampleTime: 0)
    same(unsafe AudioUnitRender(other.handle, &flags, &stamp, 0, 64, other.buffers.list), 0)
    let supplied = unsafe try #require(unsafe other.buffers.list.samples(1))
    let samples = unsafe Array(UnsafeBufferPointer(start: supplied, count: 64))
    same(samples, expected, subject.rawValue)
  }

  @Test("slices of any length make the same sound", arguments: Subject.fed)
  func slicing(_ subject: Subject) throws {
    func run(_ lengths: [Int]) throws -> [Float] {
      let test = try UnitUnderTest(subject)
      try test.start()
      var output: [Float] = []
      var turn = 0
      while output.count < 1200 {
        let count = min(lengths[turn % lengths.count], 1200 - output.count)
        same(test.render(count, at: Double(output.count)), 0, subject.rawValue)
        output += test.output(0, count)
        turn += 1
      }
      return output
    }
    let whole = try run([512])
    for lengths in [[64], [1, 7, 250], [300, 13]] {
      let other = try run(lengths)
      let difference = zip(whole, other).map { abs($0 - $1) }.max() ?? 0
      #expect(difference < 1e-6, "\(subject.rawValue), slices of \(lengths): \(difference)")
    }
  }

  @Test("observers are called before and after, and at errors", arguments: Subject.fed)
  func observers(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    try test.start()
    let seen = Seen()
    let reference = unsafe Unmanaged.passUnretained(seen).toOpaque()
    let observe: AURenderCallback = { reference, flags, _, _, _, _ in
      guard let reference = unsafe reference else { return 0 }
      let seen = unsafe Unmanaged<Seen>.fromOpaque(reference).takeUnretainedValue()
      seen.add(unsafe flags?.pointee ?? 0)
      return 0
    }
    same(unsafe AudioUnitAddRenderNotify(test.handle, observe, reference), 0)
    same(test.render(64, at: 0), 0)
    test.sourceStatus = -1234
    same(test.render(64, at: 64), -1234)
    same(unsafe AudioUnitRemoveRenderNotify(test.handle, observe, reference), 0)
    test.sourceStatus = 0
    same(test.render(64, at: 128), 0)
    let interesting = seen.all.map { $0 & (4 | 8 | 0x100) }
    same(interesting, [4, 8, 4, 8 | 0x100], subject.rawValue)
  }

  @Test("property listeners receive changes until they are removed", arguments: Subject.fed)
  func listeners(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    let seen = Seen()
    let reference = unsafe Unmanaged.passUnretained(seen).toOpaque()
    let listen: AudioUnitPropertyListenerProc = { reference, _, id, _, _ in
      let seen = unsafe Unmanaged<Seen>.fromOpaque(reference!).takeUnretainedValue()
      seen.add(id)
    }
    let id = kAudioUnitProperty_MaximumFramesPerSlice
    same(unsafe AudioUnitAddPropertyListener(test.handle, id, listen, reference), 0)
    same(test.set(id, UInt32(200)), 0)
    same(
      unsafe AudioUnitRemovePropertyListenerWithUserData(test.handle, id, listen, nil), 0)
    same(test.set(id, UInt32(201)), 0)
    same(
      unsafe AudioUnitRemovePropertyListenerWithUserData(test.handle, id, listen, reference), 0)
    same(test.set(id, UInt32(202)), 0)
    same(seen.all, [id, id], subject.rawValue)
  }

  @Test(
    "a unit connected to another pulls it, until it is disconnected", arguments: Subject.effects)
  func connection(_ subject: Subject) throws {
    let source = try UnitUnderTest(.shipped)
    try source.start()
    let test = try UnitUnderTest(subject)
    let connection = unsafe AudioUnitConnection(
      sourceAudioUnit: source.handle, sourceOutputNumber: 0, destInputNumber: 0)
    same(
      unsafe test.set(kAudioUnitProperty_MakeConnection, connection, kAudioUnitScope_Input), 0)
    same(unsafe AudioUnitInitialize(test.handle), 0)
    same(test.render(128), 0, subject.rawValue)
    same(source.pullCount, 1, subject.rawValue)
    let none = unsafe AudioUnitConnection(
      sourceAudioUnit: nil, sourceOutputNumber: 0, destInputNumber: 0)
    same(unsafe test.set(kAudioUnitProperty_MakeConnection, none, kAudioUnitScope_Input), 0)
    same(test.render(128, at: 128), kAudioUnitErr_NoConnection, subject.rawValue)
  }

  @Test("bypass lets the input through, late by the latency", arguments: Subject.effects)
  func bypass(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    try test.start()
    let latency = Int(
      ((test.get(kAudioUnitProperty_Latency, Double.self).value ?? 0) * 44_100).rounded())
    same(test.set(kAudioUnitProperty_BypassEffect, UInt32(1)), 0)
    var output: [Float] = []
    while output.count < 4096 {
      same(test.render(512, at: Double(output.count)), 0)
      output += test.output(0, 512)
    }
    for frame in 2048..<4096 where output[frame] != test.source(frame - latency, 0) {
      Issue.record("\(subject.rawValue): frame \(frame) is \(output[frame])")
      break
    }
  }
}

/// The calls of a C callback, in order.
final class Seen: Sendable {
  private let values = Mutex<[UInt32]>([])
  var all: [UInt32] { values.withLock { $0 } }
  func add(_ value: UInt32) { values.withLock { $0.append(value) } }
}
