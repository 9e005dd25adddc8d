// An instance of a plug-in: makes, connects and frees it.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CForeignPlugIns
internal import ForeignPlugIns
internal import PlugInGuard
internal import RealtimeSupport

/// An instantiated plug-in: owns the render state and all memory of the plug-in's ports.
@safe final class LADSPAInstance {
  /// The state of the render thread.
  let render: UnsafeMutablePointer<LADSPARenderState>
  /// Memory of the audio ports that no slice has connected yet.
  private let silence: UnsafeMutablePointer<Float>
  private let scratch: UnsafeMutablePointer<Float>

  /// Loads, instantiates, connects and activates.
  ///
  /// Context: control. Other plug-ins wait meanwhile.
  init(
    _ description: LADSPADescription, path: String, _ buses: LADSPABuses, _ format: RenderFormat
  ) throws(PlugInFailure) {
    if format.isOffline { Repeatability.seedRandomNumbers() }
    let (descriptor, handle) = unsafe try LADSPAInstance.instantiate(description, path, format)
    let frames = max(format.maximumFrames, 64)
    unsafe silence = LADSPAInstance.block(frames)
    unsafe scratch = LADSPAInstance.block(frames)
    unsafe render = .allocate(capacity: 1)
    unsafe render.initialize(
      to: LADSPARenderState(descriptor, handle, description, buses, format))
    for (index, port) in description.ports.enumerated() where port.isAudio {
      unsafe auricle_ladspa_connect(
        descriptor, handle, UInt(index), port.isInput ? silence : scratch)
    }
    PlugInLifeCycle.perform { () -> Void in
      if let activate = unsafe descriptor.pointee.activate {
        FreshMemory.during { unsafe activate(handle) }
      }
    }
  }

  private static func block(_ frames: Int) -> UnsafeMutablePointer<Float> {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: frames)
    unsafe memory.initialize(repeating: 0, count: frames)
    return unsafe memory
  }

  /// Loads the file and makes the handle.
  private static func instantiate(
    _ description: LADSPADescription, _ path: String, _ format: RenderFormat
  ) throws(PlugInFailure) -> (UnsafePointer<AuricleLADSPADescriptor>, UnsafeMutableRawPointer) {
    unsafe try PlugInLifeCycle.perform {
      () throws(PlugInFailure)
        -> (UnsafePointer<AuricleLADSPADescriptor>, UnsafeMutableRawPointer) in
      let library = try Heartbeat.during(.load) { () throws(PlugInFailure) in
        try LADSPALibrary(path: path)
      }
      let descriptor = unsafe try library.descriptor(of: description.label)
      LibraryMemory.note()
      guard let instantiate = unsafe descriptor.pointee.instantiate,
        unsafe descriptor.pointee.connect_port != nil, unsafe descriptor.pointee.run != nil,
        unsafe descriptor.pointee.port_count == UInt(description.ports.count)
      else {
        throw PlugInFailure(
          reason: "its file has changed since it was read: read it again with auricle scan")
      }
      if format.isOffline { Repeatability.estimatePlans() }
      let rate = UInt(format.sampleRate.rounded())
      guard
        let handle = unsafe FreshMemory.during({
          unsafe Heartbeat.during(.instantiate) { unsafe instantiate(descriptor, rate) }
        })
      else {
        throw PlugInFailure(
          reason: "it refused to be instantiated at \(format.sampleRate) Hz", isOfBinary: false)
      }
      return unsafe (descriptor, handle)
    }
  }

  deinit {
    let (descriptor, handle) = unsafe (render.pointee.descriptor, render.pointee.handle)
    PlugInLifeCycle.perform { () -> Void in
      unsafe descriptor.pointee.deactivate?(handle)
      ZeroedMemory.pausing { () -> Void in unsafe descriptor.pointee.cleanup?(handle) }
    }
    unsafe render.pointee.free()
    unsafe render.deinitialize(count: 1)
    unsafe render.deallocate()
    unsafe silence.deallocate()
    unsafe scratch.deallocate()
  }
}
