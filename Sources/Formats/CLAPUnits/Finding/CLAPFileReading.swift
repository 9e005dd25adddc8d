// Reads a file of plug-ins by its code.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns
internal import HostSystem

/// The reading of one file: runs its code, so that it belongs in a process that may be lost.
enum CLAPFileReading {
  /// A file of more plug-ins is damaged.
  private static let mostPlugIns: UInt32 = 4096

  /// Reads a file; defects become problems of the record.
  static func read(_ path: String) -> PlugInFileRecord {
    var record = PlugInFileRecord(path: path)
    PlugInLifeCycle.performOnMainThread { () -> Void in
      do throws(PlugInFailure) {
        let library = try CLAPLibrary(path: path)
        let presets = CLAPPresetReading.read(library)
        record.stamps += presets.stamps + CLAPSourceReading.stamps(of: library)
        record.problems += presets.problems
        let factory = unsafe library.factory
        let count = unsafe try DeclaredCount.checked(
          factory.pointee.count(factory), of: "plug-ins", by: "its factory", atMost: mostPlugIns)
        for index in 0..<count {
          guard let descriptor = unsafe factory.pointee.descriptor(factory, index) else {
            record.problems.append("its factory has no descriptor \(index)")
            continue
          }
          unsafe add(
            descriptor.pointee, of: library, presets, isOnly: count == 1, to: &record)
        }
        if count == 0 { record.problems.append("it holds no plug-in: its factory counts none") }
      } catch {
        record.problems.append(error.reason)
      }
    }
    return record
  }

  private static func add(
    _ descriptor: AuricleCLAPDescriptor, of library: CLAPLibrary, _ presets: CLAPPresetReading,
    isOnly: Bool, to record: inout PlugInFileRecord
  ) {
    let id = unsafe PlugInText.of(descriptor.id)
    do throws(PlugInFailure) {
      guard !id.isEmpty else { throw PlugInFailure(reason: "it has no id") }
      let identifier = "clap:\(id)"
      guard !record.plugIns.contains(where: { $0.identifier == identifier }) else {
        throw PlugInFailure(reason: "its id is in the file more than once: the first is used")
      }
      let object = try CLAPObject(library, id: id)
      var description = try CLAPObjectReading(object).description
      description.id = id
      description.features = unsafe texts(descriptor.features)
      if description.has("clap.preset-load/2") {
        description.presets = presets.presets(of: id, isOnly: isOnly)
      }
      var plugIn = PlugInRecord()
      plugIn.identifier = identifier
      let name = unsafe PlugInText.line(PlugInText.of(descriptor.name))
      plugIn.name = name.isEmpty ? id : name
      let vendor = unsafe PlugInText.maker(PlugInText.of(descriptor.vendor))
      plugIn.maker = vendor.isEmpty ? "CLAP" : vendor
      plugIn.summary = unsafe PlugInText.line(
        PlugInText.of(descriptor.description), limit: 240)
      plugIn.version = unsafe version(PlugInText.of(descriptor.plugin_version))
      plugIn.tags = description.features
      plugIn.componentType = description.componentType
      plugIn.hasLatencyToMeasure = true
      plugIn.remarks = description.remarks
      plugIn.details = description.encoded[...]
      record.plugIns.append(plugIn)
    } catch {
      record.addProblem("its plug-in \"\(PlugInText.line(id))\": \(error.reason)")
    }
  }

  /// 0xMMMMmmbb of "1.2.3"; numbers that do not fit are cut.
  private static func version(_ text: String) -> UInt32 {
    let parts = text.split { !$0.isNumber }.prefix(3).map { UInt32($0) ?? 0 } + [0, 0, 0]
    return min(parts[0], 0xFFFF) << 16 | min(parts[1], 0xFF) << 8 | min(parts[2], 0xFF)
  }

  private static func texts(_ list: UnsafePointer<UnsafePointer<CChar>?>?) -> [String] {
    guard let list = unsafe list else { return [] }
    var texts: [String] = []
    for index in 0..<256 {
      guard let text = unsafe list[index] else { break }
      texts.append(unsafe PlugInText.line(PlugInText.of(text)))
    }
    return texts
  }
}

/// The files beside a file of plug-ins on which its plug-ins depend.
enum CLAPSourceReading {
  /// The most places that are watched.
  static let mostStamps = 1024

  /// The stamps of the places that the file's own factory names.
  ///
  /// Context: the main thread of plug-ins.
  static func stamps(of library: CLAPLibrary) -> [PathStamp] {
    guard
      let factory: UnsafePointer<AuricleCLAPInvalidationFactory> = unsafe library.factory([
        "clap.plugin-invalidation-factory/1", "clap.plugin-invalidation-factory/draft0",
      ]), let count = unsafe factory.pointee.count, let get = unsafe factory.pointee.get
    else { return [] }
    var stamps: [PathStamp] = []
    for index in 0..<(unsafe min(count(factory), 256)) {
      guard let source = unsafe get(factory, index) else { continue }
      let folder = unsafe PlugInText.of(source.pointee.folder)
      guard folder.hasPrefix("/") else { continue }
      let pattern = unsafe PlugInText.of(source.pointee.pattern)
      let isDeep = unsafe source.pointee.is_deep
      CLAPFolderWalk.visit(folder, isDeep: isDeep) { path, isFolder in
        if isFolder || CLAPFolderWalk.matches(path, pattern) { stamps.append(PathStamp(of: path)) }
        return stamps.count < mostStamps
      }
    }
    return Array(stamps.prefix(mostStamps))
  }
}
