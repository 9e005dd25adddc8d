// Reads a file of plug-ins by its code.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns
internal import Glibc

/// The reading of one file: runs its code, so that it belongs in a process that may be lost.
enum CLAPFileReading {
  /// A file, or a plug-in, of more is damaged.
  private static let (mostPlugIns, mostPorts, mostParameters): (UInt32, UInt32, UInt32) = (
    4096, 1024, 65_536
  )
  /// The most values of a stepped parameter that are read as texts.
  private static let mostNames = 64.0

  /// Reads a file; defects become problems of the record.
  static func read(_ path: String) -> PlugInFileRecord {
    var record = PlugInFileRecord(path: path)
    PlugInLifeCycle.perform { () -> Void in
      do throws(PlugInFailure) {
        let library = try CLAPLibrary(path: path)
        let factory = unsafe library.factory
        let count = unsafe min(factory.pointee.count(factory), mostPlugIns)
        for index in 0..<count {
          guard let descriptor = unsafe factory.pointee.descriptor(factory, index) else {
            record.problems.append("its factory has no descriptor \(index)")
            continue
          }
          unsafe add(descriptor.pointee, of: library, to: &record)
        }
        if count == 0 { record.problems.append("it holds no plug-in: its factory counts none") }
      } catch {
        record.problems.append(error.reason)
      }
    }
    return record
  }

  private static func add(
    _ descriptor: AuricleCLAPDescriptor, of library: CLAPLibrary,
    to record: inout PlugInFileRecord
  ) {
    let id = unsafe PlugInText.of(descriptor.id)
    do throws(PlugInFailure) {
      guard !id.isEmpty else { throw PlugInFailure(reason: "has no id") }
      let identifier = "clap:\(id)"
      guard !record.plugIns.contains(where: { $0.identifier == identifier }) else {
        throw PlugInFailure(reason: "is in it twice: the first is used")
      }
      var description = try describe(CLAPObject(library, id: id))
      description.id = id
      description.features = unsafe texts(descriptor.features)
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
      plugIn.details = description.encoded
      record.plugIns.append(plugIn)
    } catch {
      record.problems.append("its plug-in \"\(PlugInText.line(id))\" \(error.reason)")
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

  private static func describe(_ object: CLAPObject) throws(PlugInFailure) -> CLAPDescription {
    var description = CLAPDescription()
    if let table = unsafe object.table("clap.audio-ports", AuricleCLAPAudioPorts.self),
      let count = unsafe table.pointee.count, let get = unsafe table.pointee.get
    {
      for isInput in [true, false] {
        for index in 0..<(unsafe min(count(object.plugin, isInput), mostPorts)) {
          var port = unsafe AuricleCLAPAudioPort()
          guard unsafe get(object.plugin, index, isInput, &port) else { continue }
          guard unsafe port.channel_count <= 256 else {
            throw unsafe PlugInFailure(reason: "has a port of \(port.channel_count) channels")
          }
          let bus = unsafe CLAPBus(name: text(port.name), channelCount: port.channel_count)
          if isInput { description.inputs.append(bus) } else { description.outputs.append(bus) }
        }
      }
    }
    if let table = unsafe object.table("clap.note-ports", AuricleCLAPNotePorts.self),
      let count = unsafe table.pointee.count, let get = unsafe table.pointee.get
    {
      for isInput in [true, false] {
        for index in 0..<(unsafe min(count(object.plugin, isInput), mostPorts)) {
          var port = AuricleCLAPNotePort()
          guard unsafe get(object.plugin, index, isInput, &port) else { continue }
          let known = CLAPNotePort(
            name: text(port.name), dialects: port.supported, preferred: port.preferred)
          if isInput {
            description.noteInputs.append(known)
          } else {
            description.noteOutputs.append(known)
          }
        }
      }
    }
    try addParameters(of: object, to: &description)
    description.hasState = unsafe object.table("clap.state", AuricleCLAPState.self) != nil
    description.hasTail = unsafe object.table("clap.tail", AuricleCLAPFrames.self) != nil
    return description
  }

  private static func addParameters(
    of object: CLAPObject, to description: inout CLAPDescription
  ) throws(PlugInFailure) {
    guard let table = unsafe object.table("clap.params", AuricleCLAPParameters.self),
      let count = unsafe table.pointee.count, let get = unsafe table.pointee.get_info
    else { return }
    var seen: Set<UInt32> = []
    for index in 0..<(unsafe min(count(object.plugin), mostParameters)) {
      var info = unsafe AuricleCLAPParameter()
      guard unsafe get(object.plugin, index, &info) else { continue }
      guard unsafe seen.insert(info.id).inserted else {
        throw unsafe PlugInFailure(reason: "has two parameters of the id \(info.id)")
      }
      var parameter = CLAPParameter()
      parameter.id = unsafe info.id
      parameter.flags = unsafe info.flags
      parameter.name = unsafe text(info.name)
      parameter.module = unsafe text(info.module)
      parameter.minimum = unsafe info.minimum
      parameter.maximum = unsafe info.maximum
      parameter.defaultValue = unsafe info.default_value
      unsafe addTexts(of: object, table, to: &parameter)
      description.parameters.append(parameter)
    }
  }

  /// Adds the text of the default, and those of all values where they are few.
  private static func addTexts(
    of object: CLAPObject, _ table: UnsafePointer<AuricleCLAPParameters>,
    to parameter: inout CLAPParameter
  ) {
    guard let write = unsafe table.pointee.value_to_text else { return }
    let id = parameter.id
    func text(_ value: Double) -> String? {
      var bytes = [CChar](repeating: 0, count: 256)
      guard unsafe write(object.plugin, id, value, &bytes, 255) else { return nil }
      return unsafe PlugInText.line(PlugInText.of(bytes))
    }
    parameter.text = text(parameter.defaultValue) ?? ""
    let span = parameter.maximum - parameter.minimum
    guard parameter.has(kCLAPParameter_Stepped), span >= 1, span < mostNames else { return }
    let names = (0...Int(span)).compactMap { text(parameter.minimum + Double($0)) }
    // Texts that are the numbers themselves say nothing.
    let areNumbers = names.allSatisfy { Double($0) != nil }
    if names.count == Int(span) + 1, !areNumbers { parameter.valueNames = names }
  }

  /// The text in an array of characters.
  private static func text<Characters>(_ characters: Characters) -> String {
    unsafe withUnsafeBytes(of: characters) { bytes in
      unsafe PlugInText.line(PlugInText.decoded(bytes.prefix { $0 != 0 }))
    }
  }
}
