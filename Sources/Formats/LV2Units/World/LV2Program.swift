// The programs extension of KXStudio: a plug-in's own list of presets, and their settings.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import ForeignPlugIns
internal import LV2Bundles

/// One program of a plug-in.
struct LV2Program: Equatable, Sendable {
  /// A value that a program sets in a control port.
  struct Setting: Equatable, Sendable {
    var symbol: String
    var value: Float
  }

  var bank: UInt32 = 0
  var program: UInt32 = 0
  var name = ""
  /// The ports it sets; empty if that was not tried.
  var settings: [Setting] = []
}

extension LV2Program {
  /// Bank and number, as stored in a saved state.
  var identity: String { "\(bank):\(program)" }

  /// The program with an identity; nil for a malformed one.
  init?(identity: String) {
    let numbers = identity.split(separator: ":").map { UInt32($0) }
    guard numbers.count == 2, let bank = numbers[0], let program = numbers[1] else { return nil }
    self.init(bank: bank, program: program)
  }
}

/// The interface to the programs of one instance. Context: control, while nothing runs the instance.
@safe struct LV2ProgramInterface {
  private static let maximumCount = 4096
  private let functions: UnsafePointer<AuriclePrograms>
  private let handle: LV2_Handle

  /// Nil when the plug-in has no programs.
  init?(_ descriptor: UnsafePointer<LV2_Descriptor>, _ handle: LV2_Handle) {
    guard
      let functions = unsafe descriptor.pointee.extension_data?(LV2Names.programs + "Interface")?
        .assumingMemoryBound(to: AuriclePrograms.self)
    else { return nil }
    unsafe self.functions = functions
    unsafe self.handle = unsafe handle
  }

  /// The programs, in the plug-in's own order.
  var all: [LV2Program] {
    guard let get = unsafe functions.pointee.get_program else { return [] }
    return PlugInLifeCycle.perform {
      var found: [LV2Program] = []
      while found.count < Self.maximumCount, let program = unsafe get(handle, UInt32(found.count)) {
        let name = unsafe program.pointee.name.map { unsafe String(cString: $0) } ?? ""
        found.append(
          LV2Program(
            bank: unsafe program.pointee.bank, program: unsafe program.pointee.program,
            name: LV2Text.line(name)))
      }
      return found
    }
  }

  /// Selects a program; the plug-in may write to its control ports meanwhile.
  func select(_ program: LV2Program) {
    guard let select = unsafe functions.pointee.select_program else { return }
    PlugInLifeCycle.perform { () -> Void in
      unsafe select(handle, program.bank, program.program)
    }
  }
}
