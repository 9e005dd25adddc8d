// The module of plug-ins: opens it, enters it once, and keeps its factory.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns
internal import Synchronization

/// A module. It is entered once in a process, and never left.
@safe struct VST3Library {
  let factory: UnsafeMutablePointer<AuricleVST3Factory>

  /// The addresses of the factories of modules that this process has entered, by their paths.
  private static let entered = Mutex<[String: UInt]>([:])

  /// Opens a binary. Context: the main thread of plug-ins.
  init(path: String) throws(PlugInFailure) {
    let known = Self.entered.withLock { $0[path] }
    if let known, let factory = unsafe UnsafeMutablePointer<AuricleVST3Factory>(bitPattern: known) {
      unsafe self.factory = unsafe factory
      return
    }
    let handle = unsafe try PlugInLibrary.open(path)
    let module = unsafe auricle_vst3_module(handle)
    guard let enter = unsafe module.enter else { throw Self.lacking("ModuleEntry") }
    guard module.leave != nil else { throw Self.lacking("ModuleExit") }
    guard let getFactory = unsafe module.get_factory else {
      throw Self.lacking("GetPluginFactory")
    }
    guard unsafe enter(handle) else {
      throw PlugInFailure(reason: "its ModuleEntry refused to start")
    }
    guard let factory = unsafe getFactory() else {
      throw PlugInFailure(reason: "it holds no plug-in: its GetPluginFactory returns none")
    }
    unsafe auricle_vst3_set_factory_context(factory, VST3Applications.ofFactories)
    unsafe self.factory = unsafe factory
    Self.entered.withLock { $0[path] = UInt(bitPattern: factory) }
  }

  private static func lacking(_ symbol: String) -> PlugInFailure {
    PlugInFailure(reason: "its file has no symbol \(symbol), which every module of Linux has")
  }

  /// The classes of components, with their place in the factory.
  func components() throws(PlugInFailure) -> [(index: Int32, info: AuricleVST3Class2)] {
    let count = unsafe try DeclaredCount.checked(
      factory.pointee.table.pointee.count(factory), of: "classes", by: "its factory", atMost: 4096)
    var found: [(index: Int32, info: AuricleVST3Class2)] = []
    for index in 0..<count {
      var info = AuricleVST3Class2()
      guard unsafe auricle_vst3_class(factory, index, &info),
        VST3Text.bytes(info.category) == "Audio Module Class"
      else { continue }
      found.append((index, info))
    }
    return found
  }
}

/// The objects that plug-ins have as their host.
enum VST3Applications {
  /// The address of the one that factories have.
  private static let addressOfFactories = UInt(bitPattern: unsafe make())

  /// The one that factories have.
  static var ofFactories: UnsafeMutablePointer<AuricleVST3Application>? {
    unsafe UnsafeMutablePointer(bitPattern: addressOfFactories)
  }

  /// Libraries that no plug-in uses any more; their memory may still be known to one.
  private static let unused = Mutex<[UInt]>([])

  /// An application for a plug-in.
  static func acquire() -> UnsafeMutablePointer<AuricleVST3Application> {
    let known = unused.withLock { $0.popLast() }
    return unsafe known.flatMap { unsafe UnsafeMutablePointer(bitPattern: $0) } ?? make()
  }

  /// Keeps an application for another plug-in; it has no listeners any more.
  static func release(_ application: UnsafeMutablePointer<AuricleVST3Application>) {
    unused.withLock { $0.append(UInt(bitPattern: application)) }
  }

  private static func make() -> UnsafeMutablePointer<AuricleVST3Application> {
    let made = UnsafeMutablePointer<AuricleVST3Application>.allocate(capacity: 1)
    unsafe auricle_vst3_prepare_application(made, PlugInMainThread.bell)
    return unsafe made
  }
}
