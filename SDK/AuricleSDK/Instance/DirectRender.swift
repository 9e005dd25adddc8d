// The functions behind kAuricleProperty_DirectRender.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Synchronization

extension UnitInstance {
  /// The function and state that let a host render the unit directly. Context: control.
  var directRender: AuricleDirectRender {
    unsafe AuricleDirectRender(
      unit: UnsafeMutableRawPointer(render), memory: UnsafeRawPointer(render.pointee.report),
      owner: Unmanaged.passUnretained(self).toOpaque(), stand: claimSource,
      render: renderDirectly, begin: beginDirectly, end: endDirectly)
  }

  /// Records that the host provides the samples of input bus 0's current source. Context: control.
  fileprivate func noteDirectSource() {
    locked {
      unsafe render.pointee.directSource = unsafe render.pointee.sources[0].load(ordering: .relaxed)
      unsafe render.pointee.updateFastPaths()
    }
  }
}

private typealias Channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>

private let claimSource: @convention(c) (UnsafeMutableRawPointer?) -> Void = { owner in
  guard let owner = unsafe owner else { return }
  unsafe Unmanaged<UnitInstance>.fromOpaque(owner)._withUnsafeGuaranteedRef {
    $0.noteDirectSource()
  }
}

private let renderDirectly:
  @convention(c) (
    UnsafeMutableRawPointer?, UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    UnsafePointer<AudioTimeStamp>?, UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
  ) -> OSStatus = { unit, flags, stamp, frameCount, inputs, outputs in
    guard let unit = unsafe unit, let flags = unsafe flags, let stamp = unsafe stamp,
      let inputs = unsafe inputs, let outputs = unsafe outputs
    else { return kAudio_ParamError }
    return unsafe unit.assumingMemoryBound(to: RenderState.self).pointee.renderDirect(
      flags, stamp, Int(frameCount), Channels(OpaquePointer(inputs)),
      Channels(OpaquePointer(outputs)))
  }

private let beginDirectly:
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<AudioTimeStamp>?, UInt32) -> OSStatus = {
    unit, stamp, frameCount in
    guard let unit = unsafe unit, let stamp = unsafe stamp else { return kAudio_ParamError }
    let begins = unsafe unit.assumingMemoryBound(to: RenderState.self).pointee.beginDirect(
      stamp, Int(frameCount))
    return begins ? 0 : OSStatus(kAuricleErr_NotDirect)
  }

private let endDirectly:
  @convention(c) (
    UnsafeMutableRawPointer?, OSStatus, UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    UnsafePointer<AudioTimeStamp>?, UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
  ) -> OSStatus = { unit, status, flags, stamp, frameCount, inputs, outputs in
    guard let unit = unsafe unit, let flags = unsafe flags, let stamp = unsafe stamp,
      let inputs = unsafe inputs, let outputs = unsafe outputs
    else { return kAudio_ParamError }
    return unsafe unit.assumingMemoryBound(to: RenderState.self).pointee.endDirect(
      status, flags, stamp, Int(frameCount), Channels(OpaquePointer(inputs)),
      Channels(OpaquePointer(outputs)))
  }
