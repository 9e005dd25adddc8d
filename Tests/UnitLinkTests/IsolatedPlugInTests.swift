// The interface of a unit in another process: its values while there is no process.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import CUnitLink
import Testing

/// A process for one unit whose parameters all have the value 0.25, until it ends.
private final class Remote {
  var isGone = false
  var latency = 0.0
  var requestCount = 0
}

private let transact:
  @convention(c) (
    UnsafeMutableRawPointer, UInt16, UnsafePointer<UInt8>, Int,
    UnsafeMutablePointer<AuricleLinkBytes>
  ) -> Int32 = { context, _, _, _, reply in
    let remote = unsafe Unmanaged<Remote>.fromOpaque(context).takeUnretainedValue()
    guard !remote.isGone else { return kAudioComponentErr_InstanceInvalidated }
    remote.requestCount += 1
    var (status, latency, value): (Int32, Double, Float) = (0, remote.latency, 0.25)
    unsafe AuricleLinkBytesAdd(reply, &status, 4)
    unsafe AuricleLinkBytesAdd(reply, &latency, 8)
    unsafe AuricleLinkBytesAdd(reply, &value, 4)
    return 0
  }

@Suite struct IsolatedPlugInTests {
  private typealias Getter =
    @convention(c) (
      OpaquePointer, AudioUnitParameterID, AudioUnitScope, AudioUnitElement,
      UnsafeMutablePointer<AudioUnitParameterValue>
    ) -> OSStatus
  private typealias Setter =
    @convention(c) (
      OpaquePointer, AudioUnitParameterID, AudioUnitScope, AudioUnitElement,
      AudioUnitParameterValue, UInt32
    ) -> OSStatus

  @Test("Between two processes, a parameter has the value that was set, or else the last one read")
  func values() throws {
    let render = unsafe try #require(unsafe AuricleIsolatedMake(nil))
    defer { unsafe AuricleIsolatedFree(render) }
    let remote = Remote()
    let owner = unsafe AuricleIsolatedOwner(
      context: Unmanaged.passUnretained(remote).toOpaque(), transact: transact,
      initialize: { _ in 0 }, uninitialize: { _ in 0 }, noteProperty: { _, _, _ in },
      close: { _ in })
    let plugIn = unsafe try #require(unsafe AuricleIsolatedPlugInMake(render, 1, 0, owner))
    defer { unsafe AuricleIsolatedPlugInFree(plugIn) }
    let lookUp = unsafe try #require(
      unsafe UnsafeMutableRawPointer(plugIn).assumingMemoryBound(
        to: AudioComponentPlugInInterface.self
      ).pointee.Lookup)
    let get = unsafe unsafeBitCast(
      try #require(unsafe lookUp(Int16(kAudioUnitGetParameterSelect))), to: Getter.self)
    let set = unsafe unsafeBitCast(
      try #require(unsafe lookUp(Int16(kAudioUnitSetParameterSelect))), to: Setter.self)
    var value: Float = 0
    #expect(unsafe get(plugIn, 7, 0, 0, &value) == 0)
    #expect(value == 0.25)
    #expect(unsafe set(plugIn, 8, 0, 0, 0.75, 0) == 0)
    remote.isGone = true
    for (id, expected) in [(7, 0.25), (8, 0.75)] as [(UInt32, Float)] {
      value = 0
      #expect(unsafe get(plugIn, id, 0, 0, &value) == 0)
      #expect(value == expected)
    }
    #expect(unsafe get(plugIn, 9, 0, 0, &value) == kAudioComponentErr_InstanceInvalidated)
    unsafe AuricleIsolatedInvalidate(render)
    #expect(unsafe get(plugIn, 7, 0, 0, &value) == kAudioComponentErr_InstanceInvalidated)
  }

  @Test("The latency is asked for when the unit has reported another one, and else is known")
  func latency() throws {
    let render = unsafe try #require(unsafe AuricleIsolatedMake(nil))
    defer { unsafe AuricleIsolatedFree(render) }
    let remote = Remote()
    let owner = unsafe AuricleIsolatedOwner(
      context: Unmanaged.passUnretained(remote).toOpaque(), transact: transact,
      initialize: { _ in 0 }, uninitialize: { _ in 0 }, noteProperty: { _, _, _ in },
      close: { _ in })
    let plugIn = unsafe try #require(unsafe AuricleIsolatedPlugInMake(render, 1, 0, owner))
    defer { unsafe AuricleIsolatedPlugInFree(plugIn) }
    let interface = unsafe UnsafeMutableRawPointer(plugIn)
    let lookUp = unsafe try #require(
      unsafe interface.assumingMemoryBound(to: AudioComponentPlugInInterface.self).pointee.Lookup)
    let get = unsafe unsafeBitCast(
      try #require(unsafe lookUp(Int16(kAudioUnitGetPropertySelect))),
      to: AudioUnitGetPropertyProc.self)
    func read() -> Double {
      var (seconds, size) = (-1.0, UInt32(8))
      unsafe _ = get(interface, kAudioUnitProperty_Latency, 0, 0, &seconds, &size)
      return seconds
    }
    remote.latency = 0.5
    #expect(read() == 0)
    #expect(remote.requestCount == 0)
    unsafe AuricleIsolatedPlugInCallListeners(plugIn, kAudioUnitProperty_Latency, 0, 0)
    #expect(read() == 0.5)
    #expect(read() == 0.5)
    #expect(remote.requestCount == 1)
  }
}
