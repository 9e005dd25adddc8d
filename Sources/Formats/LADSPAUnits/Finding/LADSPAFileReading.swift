// Reads a file of plug-ins by its code.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns
internal import PlugInGuard

/// The reading of one file: runs its code, so that it belongs in a process that may be lost.
enum LADSPAFileReading {
  /// A plug-in of more ports has a damaged descriptor.
  private static let mostPorts = UInt(4096)

  /// Reads a file; defects become problems of the record.
  static func read(_ path: String) -> PlugInFileRecord {
    var record = PlugInFileRecord(path: path)
    PlugInLifeCycle.perform { () -> Void in
      do throws(PlugInFailure) {
        let library = try LADSPALibrary(path: path)
        unsafe try library.descriptors().forEach { unsafe add($0.pointee, to: &record) }
        if record.plugIns.isEmpty, record.problems.isEmpty {
          record.problems.append("it holds no plug-in: its ladspa_descriptor returns none")
        }
      } catch {
        record.problems.append(error.reason)
      }
    }
    return record
  }

  private static func add(
    _ descriptor: AuricleLADSPADescriptor, to record: inout PlugInFileRecord
  ) {
    let label = unsafe PlugInText.of(descriptor.label)
    do throws(PlugInFailure) {
      let description = unsafe try description(descriptor, label: label)
      let identifier = LADSPAName.identifier(file: record.path, label: label)
      guard !record.plugIns.contains(where: { $0.identifier == identifier }) else {
        throw PlugInFailure(reason: "its label is in the file more than once: the first is used")
      }
      let maker = unsafe PlugInText.maker(PlugInText.of(descriptor.maker))
      record.plugIns.append(
        plugIn(description, identifier: identifier, maker: maker, path: record.path))
    } catch {
      record.addProblem("its plug-in \"\(PlugInText.line(label))\": \(error.reason)")
    }
  }

  private static func plugIn(
    _ read: LADSPADescription, identifier: String, maker: String, path: String
  ) -> PlugInRecord {
    let notes = LADSPANoteFiles.notes[read.uniqueID] ?? LADSPANotes()
    let description = read.adding(notes)
    var plugIn = PlugInRecord()
    plugIn.identifier = identifier
    plugIn.name = PlugInText.line(description.name.isEmpty ? description.label : description.name)
    plugIn.maker = maker.isEmpty || maker == "None" ? LADSPAName.stem(of: path) : maker
    plugIn.version = 1 << 16
    plugIn.componentType = LADSPABuses(description).componentType
    plugIn.tags = notes.classes
    plugIn.remarks = description.remarks
    plugIn.hasLatencyToMeasure = description.latencyPort != nil
    plugIn.details = description.encoded[...]
    return plugIn
  }

  private static func description(
    _ descriptor: AuricleLADSPADescriptor, label: String
  ) throws(PlugInFailure) -> LADSPADescription {
    guard !label.isEmpty else { throw PlugInFailure(reason: "it has no label") }
    let missing = unsafe [
      ("instantiate", descriptor.instantiate == nil),
      ("connect_port", descriptor.connect_port == nil), ("run", descriptor.run == nil),
      ("cleanup", descriptor.cleanup == nil),
    ].filter(\.1).map(\.0)
    guard missing.isEmpty else {
      throw PlugInFailure(
        reason: "it lacks the function\(missing.count > 1 ? "s" : "") "
          + missing.joined(separator: ", "))
    }
    let count = unsafe try DeclaredCount.checked(
      descriptor.port_count, of: "ports", atMost: mostPorts)
    var description = LADSPADescription()
    description.label = label
    description.uniqueID = unsafe UInt64(descriptor.unique_id)
    description.name = unsafe PlugInText.of(descriptor.name)
    description.properties = unsafe descriptor.properties
    guard count > 0 else { return description }
    guard let kinds = unsafe descriptor.port_descriptors, let names = unsafe descriptor.port_names,
      let ranges = unsafe descriptor.port_ranges
    else { throw PlugInFailure(reason: "it lacks the list of its ports") }
    for index in 0..<Int(count) {
      let name = unsafe PlugInText.of(names[index])
      let port = unsafe LADSPAPort(kind: kinds[index], name: name, ranges[index])
      guard let port else {
        throw PlugInFailure(reason: "it has a port \(index) of no kind that LADSPA has")
      }
      description.ports.append(port)
    }
    return description
  }
}

extension LADSPAPort {
  /// A port as the code describes it; nil unless it has one direction and is audio or control.
  fileprivate init?(kind: Int32, name: String, _ range: AuricleLADSPARange) {
    let directions = [kLADSPAPort_Input, kLADSPAPort_Output].count { kind & Int32($0) != 0 }
    let kinds = [kLADSPAPort_Control, kLADSPAPort_Audio].count { kind & Int32($0) != 0 }
    guard directions == 1, kinds == 1 else { return nil }
    self.init()
    self.kind = kind
    self.name = PlugInText.line(name)
    (hint, lower, upper) = (range.hint, range.lower, range.upper)
  }
}

extension LADSPADescription {
  /// Returns the description with the data files' facts on the plug-in.
  func adding(_ notes: LADSPANotes) -> LADSPADescription {
    var full = self
    for index in full.ports.indices where full.ports[index].isControl {
      full.ports[index].unit = notes.units[index] ?? ""
      full.ports[index].points = notes.points[index] ?? []
    }
    full.settings = notes.settings.map { setting in
      var kept = setting
      kept.values = setting.values.filter { value in
        let index = Int(value.port)
        return full.ports.indices.contains(index) && full.ports[index].isControl
          && full.ports[index].isInput
      }
      return kept
    }.filter { !$0.values.isEmpty }
    return full
  }
}

/// The names of plug-ins.
enum LADSPAName {
  /// `ladspa:FILE:LABEL`, of the file's name without its ending and the plug-in's label.
  ///
  /// A colon and a percent sign in the file's name are written as %3A and %25, so that no two names are alike.
  static func identifier(file path: String, label: String) -> String {
    let file = stem(of: path).replacing("%", with: "%25").replacing(":", with: "%3A")
    return "ladspa:\(file):\(label)"
  }

  /// The name of a file without its folder and ending.
  static func stem(of path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.hasSuffix(".so") ? String(name.dropLast(3)) : name
  }
}
