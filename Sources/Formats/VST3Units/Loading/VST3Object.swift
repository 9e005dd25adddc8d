// A plug-in of a module and the host that it sees; not set up for a format yet.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns
internal import Glibc

/// A plug-in: its component, its controller, and the host's objects for them.
///
/// All of it is called on the main thread of plug-ins, except rendering.
///
/// @unchecked Sendable because of that.
@safe final class VST3Object: PlugInLoopMember, @unchecked Sendable {
  let plugin: UnsafeMutablePointer<AuricleVST3PlugIn>
  /// Called when the plug-in has asked for a restart, on the main thread of plug-ins.
  var restartHandler: (() -> Void)?
  /// Whether timers follow the sound, and all that waits is done with after a slice: in files, not in live sound.
  private let isOffline: Bool
  private let application: UnsafeMutablePointer<AuricleVST3Application>

  /// Makes and initialises a plug-in. Context: the main thread of plug-ins.
  init(_ library: VST3Library, classID: String, isOffline: Bool) throws(PlugInFailure) {
    let application = unsafe VST3Applications.acquire()
    let plugin = UnsafeMutablePointer<AuricleVST3PlugIn>.allocate(capacity: 1)
    unsafe plugin.initialize(to: AuricleVST3PlugIn())
    unsafe plugin.pointee.application = unsafe application
    unsafe plugin.pointee.handler = unsafe auricle_vst3_make_handler(PlugInMainThread.bell)
    unsafe self.plugin = unsafe plugin
    unsafe self.application = unsafe application
    self.isOffline = isOffline
    unsafe application.pointee.time = isOffline ? 1 : 0
    var id = AuricleVST3ID()
    unsafe withUnsafeMutableBytes(of: &id) {
      unsafe $0.copyBytes(from: VST3ClassID.bytes(classID) ?? [])
    }
    let fault = unsafe auricle_vst3_open(plugin, library.factory, &id)
    guard fault == 0 else {
      // `deinit` ends the made objects.
      throw Self.failure(fault, classID)
    }
    PlugInMainThread.add(self)
  }

  private static func failure(_ fault: Int32, _ classID: String) -> PlugInFailure {
    switch fault {
    case Int32(kVST3Fault_Class):
      PlugInFailure(reason: "its file does not make the class \(classID)")
    case Int32(kVST3Fault_Processor):
      PlugInFailure(reason: "it processes no audio: it has no IAudioProcessor")
    case Int32(kVST3Fault_Controller):
      PlugInFailure(reason: "its file does not make the class of its controller")
    case Int32(kVST3Fault_ControllerInitialise):
      PlugInFailure(reason: "its controller refused to be initialised", isOfBinary: false)
    case Int32(kVST3Fault_Memory):
      PlugInFailure(reason: "there is no memory for it", isOfBinary: false)
    default: PlugInFailure(reason: "it refused to be initialised", isOfBinary: false)
    }
  }

  /// The controller; nil for a plug-in without parameters.
  var controller: UnsafeMutablePointer<AuricleVST3Controller>? { unsafe plugin.pointee.controller }

  var nextTime: UInt64? {
    guard !isOffline else { return nil }
    let time = unsafe auricle_vst3_next_time(application)
    return time == .max ? nil : time
  }

  var awaited: [(descriptor: Int32, events: Int16)] {
    let count = isOffline ? 0 : Int(unsafe application.pointee.file_count)
    return unsafe withUnsafeBytes(of: &application.pointee.files) { bytes in
      let files = unsafe bytes.bindMemory(to: AuricleVST3File.self)
      return unsafe files.prefix(count).map { unsafe ($0.descriptor, Int16(POLLIN)) }
    }
  }

  func turn(_ ready: [(descriptor: Int32, events: Int16)], time: UInt64) {
    if !isOffline { serve() }
  }

  /// Delivers what the processor sent: messages, and values to the controller. Context: the main thread of plug-ins.
  private func deliver() {
    unsafe auricle_vst3_deliver(plugin.pointee.handler)
    var report = AuricleVST3Edit()
    while unsafe auricle_vst3_next_report(plugin.pointee.handler, &report) {
      setValue(report.parameter, report.value)
    }
  }

  /// Calls waiting timers, descriptors, messages, restarts. Context: the main thread of plug-ins.
  ///
  /// - Parameter time: Nanoseconds by which the sound has gone on; 0 in live sound.
  func serve(time: UInt64 = 0) {
    unsafe application.pointee.time += time
    unsafe auricle_vst3_turn(application)
    deliver()
    if unsafe plugin.pointee.handler.pointee.restarts != 0 { restartHandler?() }
  }

  /// Serves messages, descriptors and the first run of each timer: a plug-in may load in them. At most 200 ms.
  func settle() {
    let end = unsafe auricle_vst3_time(application) + 200_000_000
    while true {
      unsafe auricle_vst3_turn(application)
      deliver()
      let now = unsafe auricle_vst3_time(application)
      guard now < end, unsafe auricle_vst3_awaits_timer(application) else { return }
      let next = unsafe min(max(auricle_vst3_next_time(application), now), end)
      if isOffline {
        unsafe application.pointee.time = next
      } else {
        // The timer is due by the clock; no event reports it.
        usleep(UInt32((next - now) / 1000 + 1))
      }
    }
  }

  /// The timers and descriptors of the plug-in.
  var loop: UnsafePointer<AuricleVST3Application> { unsafe UnsafePointer(application) }

  deinit {
    PlugInLifeCycle.performOnMainThread { () -> Void in
      unsafe auricle_vst3_close(plugin)
      unsafe VST3Applications.release(application)
    }
    unsafe plugin.deallocate()
  }

  /// Ends the part of the loop; the owner of the object calls it before the release.
  func leaveLoop() {
    restartHandler = nil
    PlugInMainThread.remove(self)
  }
}

/// The state of a plug-in as its own bytes.
struct VST3State: Equatable, Sendable {
  var component: [UInt8] = []
  /// The state of a controller apart; empty without one.
  var controller: [UInt8] = []
}

extension VST3Object {
  /// The present state; nil when the plug-in has none. Context: the main thread of plug-ins.
  func saveState() -> VST3State? {
    guard let component = unsafe auricle_vst3_component_state(plugin) else { return nil }
    var state = VST3State()
    state.component = unsafe Self.bytes(component)
    if let controller = unsafe auricle_vst3_controller_state(plugin) {
      state.controller = unsafe Self.bytes(controller)
    }
    return state
  }

  /// Restores a state; false when the plug-in refused it. Context: the main thread of plug-ins.
  ///
  /// - Parameter isProject: Whether it is one that a host saved; else a preset.
  func restoreState(_ state: VST3State, isProject: Bool) -> Bool {
    let isRestored = unsafe state.component.withUnsafeBytes { component in
      unsafe state.controller.withUnsafeBytes { controller in
        unsafe auricle_vst3_restore(
          plugin, component.baseAddress, Int64(component.count), controller.baseAddress,
          Int64(controller.count), isProject ? "Project" : nil)
      }
    }
    // One without anything to save may refuse what it saves itself.
    return isRestored || saveState()?.component == state.component
  }

  private static func bytes(_ memory: UnsafeMutablePointer<AuricleVST3Memory>) -> [UInt8] {
    defer { unsafe auricle_vst3_memory_drop(memory) }
    return unsafe Array(
      UnsafeBufferPointer(start: memory.pointee.bytes, count: Int(memory.pointee.size)))
  }
}
