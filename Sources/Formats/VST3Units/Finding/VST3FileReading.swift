// Reads a module of plug-ins by its code.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns
internal import HostSystem

/// The reading of one bundle: runs its code, so that it belongs in a process that may be lost.
enum VST3FileReading {
  /// Reads a bundle; defects become problems of the record.
  static func read(_ path: String) -> PlugInFileRecord {
    let bundle = VST3Bundle(path: path)
    var record = PlugInFileRecord(path: path)
    record.stamps = bundle.stampedPaths.map { PathStamp(of: $0) }
    if let obstacle = bundle.obstacle {
      record.problems.append(obstacle)
      return record
    }
    let information = bundle.information { record.problems.append($0) }
    PlugInLifeCycle.performOnMainThread { () -> Void in
      do throws(PlugInFailure) {
        let library = try VST3Library(path: bundle.binary)
        let components = try library.components()
        for component in components {
          add(component.info, component.index, of: library, information, to: &record)
        }
        if components.isEmpty {
          record.problems.append("it holds no plug-in: its factory has no class of a component")
        }
        check(information, against: record)
          .forEach { record.problems.append($0) }
      } catch {
        record.problems.append(error.reason)
      }
    }
    return record
  }

  /// The classes of the data that the factory does not have.
  private static func check(
    _ information: VST3Information?, against record: PlugInFileRecord
  ) -> [String] {
    guard let classes = information?.classes, !record.plugIns.isEmpty else { return [] }
    let known = record.plugIns.map { String($0.identifier.dropFirst(VST3ClassID.scheme.count)) }
    return known.filter { !classes.contains($0) }.map {
      "its moduleinfo.json does not have the class \($0) of its factory: it is older than the binary"
    }
  }

  private static func add(
    _ info: AuricleVST3Class2, _ index: Int32, of library: VST3Library,
    _ information: VST3Information?, to record: inout PlugInFileRecord
  ) {
    var unicode = AuricleVST3ClassUnicode()
    let hasUnicode = unsafe auricle_vst3_class_unicode(library.factory, index, &unicode)
    let id = unsafe withUnsafeBytes(of: info.id) { unsafe VST3ClassID.text($0) }
    let name = hasUnicode ? VST3Text.line(unicode.name) : VST3Text.bytes(info.name)
    do throws(PlugInFailure) {
      guard id.contains(where: { $0 != "0" }) else {
        throw PlugInFailure(reason: "it has no class")
      }
      let identifier = VST3ClassID.scheme + id
      guard !record.plugIns.contains(where: { $0.identifier == identifier }) else {
        throw PlugInFailure(
          reason: "its class \(id) is in the file more than once: the first is used")
      }
      let object = try VST3Object(library, classID: id, isOffline: true)
      defer { object.leaveLoop() }
      object.settle()
      var description = try VST3Describing.describe(object)
      description.classID = id
      description.name = name.isEmpty ? id : name
      description.formerClasses = information?.former[id] ?? []
      description.categories = VST3Text.bytes(info.sub_categories).split(separator: "|")
        .map(String.init)
      let vendor = hasUnicode ? VST3Text.line(unicode.vendor) : VST3Text.bytes(info.vendor)
      description.vendor = vendor.isEmpty ? factoryVendor(of: library) : vendor
      let version = hasUnicode ? VST3Text.line(unicode.version) : VST3Text.bytes(info.version)
      record.plugIns.append(
        plugIn(description, identifier: identifier, version: version))
    } catch {
      record.addProblem("its plug-in \"\(name.isEmpty ? id : name)\": \(error.reason)")
    }
  }

  private static func plugIn(
    _ description: VST3Description, identifier: String, version: String
  ) -> PlugInRecord {
    var plugIn = PlugInRecord()
    plugIn.identifier = identifier
    plugIn.name = description.name
    let maker = PlugInText.maker(description.vendor)
    plugIn.maker = maker.isEmpty ? "VST3" : maker
    plugIn.version = number(ofVersion: version)
    plugIn.tags = description.categories
    plugIn.componentType = description.componentType
    plugIn.hasLatencyToMeasure = true
    plugIn.remarks = description.remarks
    plugIn.details = description.encoded[...]
    return plugIn
  }

  private static func factoryVendor(of library: VST3Library) -> String {
    var info = AuricleVST3FactoryInfo()
    let factory = unsafe library.factory
    guard unsafe factory.pointee.table.pointee.info(factory, &info) == 0 else { return "" }
    return VST3Text.bytes(info.vendor)
  }

  /// 0xMMMMmmbb of "1.2.3"; numbers that do not fit are cut.
  private static func number(ofVersion text: String) -> UInt32 {
    let parts = text.split { !$0.isNumber }.prefix(3).map { UInt32($0) ?? 0 } + [0, 0, 0]
    return min(parts[0], 0xFFFF) << 16 | min(parts[1], 0xFF) << 8 | min(parts[2], 0xFF)
  }
}
