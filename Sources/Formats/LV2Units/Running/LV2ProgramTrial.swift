// Finds the programs of a plug-in by opening it and selecting each.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import ForeignPlugIns
internal import LV2Bundles

/// Opens a plug-in for its programs alone, without running it.
///
/// Context: control. Code of the plug-in is run.
@safe struct LV2ProgramTrial {
  private static let sampleRate = 48_000.0
  private static let frames = 1024
  /// The time limit for finding the settings of programs; further ones are listed by name only.
  private static let graceTime = Duration.seconds(4)

  private let description: LV2PluginDescription
  private let interface: LV2ProgramInterface
  private let features: LV2FeatureSet
  private let memory: LV2PortMemory

  /// The programs of a plug-in with their settings; empty when it cannot be opened or has none.
  static func programs(of plugin: LV2Plugin) -> [LV2Program] {
    let description = plugin.description
    let paths = LV2StatePaths()
    let log = LV2Log(name: description.name, thread: nil)
    let needsFixed = LV2Instance.blockFrames(of: description, maximumFrames: frames) > 0
    let features = LV2FeatureSet(
      sampleRate: sampleRate,
      blocks: LV2BlockLengths(
        minimum: needsFixed ? Int32(frames) : 1, maximum: Int32(frames), nominal: Int32(frames),
        isFixed: needsFixed), log: log, paths: paths)
    let memory = LV2PortMemory(
      description, LV2BusLayout(description), sampleRate: sampleRate, isOffline: true,
      blockFrames: needsFixed ? frames : 0, longest: frames)
    defer { memory.atoms.forEach { $0.free() } }
    return withExtendedLifetime((paths, log)) {
      guard (try? LV2Instance.check(description)) != nil,
        let (descriptor, handle) = unsafe try? LV2Instance.instantiate(
          description, sampleRate: sampleRate, isOffline: true, features.array)
      else { return [] }
      unsafe features.setInstance(descriptor, handle)
      unsafe memory.connect(descriptor, handle)
      defer { PlugInLifeCycle.perform { () -> Void in unsafe descriptor.pointee.cleanup?(handle) } }
      guard let interface = unsafe LV2ProgramInterface(descriptor, handle) else { return [] }
      unsafe features.workQueue.pointee.interface = unsafe descriptor.pointee.extension_data?(
        LV2Names.worker + "interface")?.assumingMemoryBound(to: LV2_Worker_Interface.self)
      unsafe features.workQueue.pointee.instance = unsafe handle
      PlugInLifeCycle.perform { () -> Void in unsafe descriptor.pointee.activate?(handle) }
      defer {
        PlugInLifeCycle.perform { () -> Void in unsafe descriptor.pointee.deactivate?(handle) }
      }
      return LV2ProgramTrial(
        description: description, interface: interface, features: features, memory: memory
      ).run()
    }
  }

  private func run() -> [LV2Program] {
    var programs = interface.all
    let start = ContinuousClock.now
    for index in programs.indices {
      guard ContinuousClock.now - start < Self.graceTime else { break }
      programs[index].settings = settings(of: programs[index])
    }
    return programs
  }

  /// Returns the ports that a program writes to: the ones that keep neither the minimum nor the maximum.
  private func settings(of program: LV2Program) -> [LV2Program.Setting] {
    let ports = description.parameterPorts.enumerated().filter {
      $0.element.isInput && $0.element.kind == .control
    }
    func select(_ value: (LV2Port) -> Float) -> [(before: Float, after: Float)] {
      for (place, port) in ports { unsafe memory.controls[place] = value(port) }
      interface.select(program)
      PlugInLifeCycle.perform { () -> Void in unsafe LV2WorkQueue.drain(features.workQueue) }
      return ports.map { (value($0.element), unsafe memory.controls[$0.offset]) }
    }
    let low = select { $0.completeRange.minimum }
    let high = select { $0.completeRange.maximum }
    return ports.indices.compactMap { index in
      let isKept = low[index].before == low[index].after && high[index].before == high[index].after
      guard !isKept, high[index].after.isFinite else { return nil }
      return LV2Program.Setting(
        symbol: ports[index].element.symbol, value: high[index].after)
    }
  }
}
