// FluidSynth's work of one thread without the runtime of OpenMP, which allocates for each block.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Glibc

/// FluidSynth mixes each block in a parallel region. A synth of one core asks for one thread there, and the runtime
/// allocates memory for a team and frees it, 750 times a second. The call leads through a slot of the library. Here a
/// function replaces that slot: it runs a region of one thread at once, and forwards any other.
enum OneThread {
  private typealias Region = @convention(c) (UnsafeMutableRawPointer?) -> Void
  private typealias Parallel =
    @convention(c) (Region?, UnsafeMutableRawPointer?, UInt32, UInt32) -> Void

  nonisolated(unsafe) private static var original: Parallel?

  private static let run: Parallel = { region, data, threads, flags in
    if threads == 1 {
      unsafe region?(data)
    } else {
      unsafe original?(region, data, threads, flags)
    }
  }

  /// Changes the slot; where it is not found, nothing changes. Context: control, once, before the library is used.
  ///
  /// - Parameter library: The result of `dlopen`: glibc's record of the library, whose first members are its address,
  ///   its name and its dynamic section.
  static func arrange(_ library: UnsafeMutableRawPointer) {
    guard unsafe original == nil, let found = unsafe dlsym(library, "GOMP_parallel") else { return }
    let base = unsafe library.load(as: UInt.self)
    guard
      let section = unsafe library.load(fromByteOffset: 16, as: UnsafePointer<(Int, UInt)>?.self)
    else { return }
    var entries: [Int: UInt] = [:]
    var place = 0
    while unsafe section[place].0 != 0, place < 200 {
      unsafe entries[section[place].0] = unsafe section[place].1
      place += 1
    }
    let (sizeOfCalls, texts, symbols, calls) = (2, 5, 6, 23)
    guard let size = entries[sizeOfCalls],
      let text = unsafe entries[texts].flatMap({ unsafe UnsafePointer<CChar>(bitPattern: $0) }),
      let symbol = unsafe entries[symbols].flatMap({ unsafe UnsafeRawPointer(bitPattern: $0) }),
      let call = unsafe entries[calls].flatMap({ unsafe UnsafeRawPointer(bitPattern: $0) })
    else { return }
    // For each call: the place of its slot, and its symbol; 24 bytes, as symbols have.
    for index in 0..<Int(size / 24) {
      let information = unsafe call.load(fromByteOffset: index * 24 + 8, as: UInt.self)
      let name = unsafe symbol.load(fromByteOffset: Int(information >> 32) * 24, as: UInt32.self)
      guard unsafe strcmp(text + Int(name), "GOMP_parallel") == 0 else { continue }
      let slot = unsafe base + call.load(fromByteOffset: index * 24, as: UInt.self)
      let page = slot & ~UInt(4095)
      guard
        unsafe mprotect(
          UnsafeMutableRawPointer(bitPattern: page), 4096, PROT_READ | PROT_WRITE) == 0,
        let memory = unsafe UnsafeMutableRawPointer(bitPattern: slot)
      else { return }
      unsafe original = unsafe unsafeBitCast(found, to: Parallel.self)
      unsafe memory.storeBytes(of: run, as: Parallel.self)
      return
    }
  }
}
