// The programs extension of KXStudio: a plug-in's own list of presets, known once it is loaded.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import RealtimeSupport

/// One program of a plug-in.
struct LV2Program: Equatable, Sendable {
  var bank: UInt32
  var program: UInt32
  var name: String
}

extension LV2Instance {
  private var programInterface: UnsafePointer<AuriclePrograms>? {
    unsafe render.pointee.descriptor.pointee.extension_data?(LV2Names.programs + "Interface")?
      .assumingMemoryBound(to: AuriclePrograms.self)
  }

  /// The plug-in's programs. Context: control.
  var programs: [LV2Program] {
    guard let interface = unsafe programInterface, let get = unsafe interface.pointee.get_program
    else { return [] }
    let handle = unsafe render.pointee.handle
    return LV2LifeCycle.perform {
      var found: [LV2Program] = []
      while found.count < 4096,
        let program = unsafe get(handle, UInt32(found.count))
      {
        let name = unsafe program.pointee.name.map { unsafe String(cString: $0) } ?? ""
        found.append(
          LV2Program(
            bank: unsafe program.pointee.bank, program: unsafe program.pointee.program,
            name: LV2Text.line(name)))
      }
      return found
    }
  }

  /// Selects a program. Context: control, while nothing runs the instance.
  func select(bank: UInt32, program: UInt32) {
    guard let interface = unsafe programInterface,
      let select = unsafe interface.pointee.select_program
    else { return }
    let handle = unsafe render.pointee.handle
    LV2LifeCycle.perform { () -> Void in
      unsafe select(handle, bank, program)
      unsafe LV2WorkQueue.drain(features.workQueue)
    }
  }

  /// Values of the control ports as they are now; a program may have changed them.
  func controlValue(place: Int) -> Float { unsafe render.pointee.controls[place] }
}
