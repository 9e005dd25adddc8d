// Reads the description that a plug-in has of itself: ports, parameters, names and extensions.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns

/// The reading of one plug-in that is made, and not active.
struct CLAPObjectReading {
  /// The description by the plug-in.
  private(set) var description = CLAPDescription()
  private let object: CLAPObject

  /// A plug-in of more ports or layouts is damaged.
  private static let (mostPorts, mostLayouts): (UInt32, UInt32) = (256, 256)
  /// A plug-in of more parameters or names of keys is damaged.
  private static let (mostParameters, mostNames): (UInt32, UInt32) = (16_384, 65_536)
  /// The most values of a stepped parameter that are read as texts.
  private static let mostTexts = 64.0

  /// The extensions that this host knows, each by its name and the one it had as a draft.
  private static let known = [
    ("clap.ambisonic/3", "clap.ambisonic.draft/3"), ("clap.audio-ports", ""),
    ("clap.audio-ports-activation/2", "clap.audio-ports-activation/draft-2"),
    ("clap.audio-ports-config", ""),
    ("clap.audio-ports-config-info/1", "clap.audio-ports-config-info/draft-0"), ("clap.gui", ""),
    ("clap.latency", ""), ("clap.note-name", ""), ("clap.note-ports", ""), ("clap.params", ""),
    ("clap.posix-fd-support", ""), ("clap.preset-load/2", "clap.preset-load.draft/2"),
    ("clap.render", ""), ("clap.state", ""), ("clap.state-context/2", ""),
    ("clap.surround/4", "clap.surround.draft/4"), ("clap.tail", ""), ("clap.thread-pool", ""),
    ("clap.timer-support", ""), ("clap.voice-info", ""),
  ]

  /// Reads a plug-in.
  ///
  /// Context: the main thread of plug-ins, in a process that may be lost.
  init(_ object: CLAPObject) throws(PlugInFailure) {
    self.object = object
    description.extensions = Self.known.filter { name, draft in
      unsafe object.plugin.pointee.get_extension(object.plugin, name) != nil
        || (!draft.isEmpty && object.plugin.pointee.get_extension(object.plugin, draft) != nil)
    }.map(\.0)
    description.ports = try audioPorts()
    try readConfigurations()
    try readNotePorts()
    try readParameters()
    try readKeyNames()
    readVoices()
  }

  // Audio ports.

  private func audioPorts() throws(PlugInFailure) -> CLAPPorts {
    var ports = CLAPPorts()
    guard let table = unsafe object.table("clap.audio-ports", AuricleCLAPAudioPorts.self),
      let count = unsafe table.pointee.count, let get = unsafe table.pointee.get
    else { return ports }
    for isInput in [true, false] {
      let side = isInput ? "inputs" : "outputs"
      var buses: [CLAPBus] = []
      let declared = unsafe try DeclaredCount.checked(
        count(object.plugin, isInput), of: "audio \(side)", atMost: Self.mostPorts)
      for index in 0..<declared {
        var port = unsafe AuricleCLAPAudioPort()
        guard unsafe get(object.plugin, index, isInput, &port) else { continue }
        guard unsafe port.channel_count <= 256 else {
          throw unsafe PlugInFailure(reason: "it has a port of \(port.channel_count) channels")
        }
        unsafe buses.append(bus(port, index: index, isInput: isInput))
      }
      if Set(buses.map(\.id)).count < buses.count {
        throw PlugInFailure(reason: "it has two audio \(side) of the same id")
      }
      if isInput { ports.inputs = buses } else { ports.outputs = buses }
    }
    return ports
  }

  private func bus(_ port: AuricleCLAPAudioPort, index: UInt32, isInput: Bool) -> CLAPBus {
    var bus = CLAPBus()
    unsafe bus.id = port.id
    bus.name = unsafe Self.text(port.name)
    unsafe bus.channelCount = port.channel_count
    bus.isMain = unsafe port.flags & UInt32(kCLAPPort_Main) != 0
    unsafe bus.pair = port.in_place_pair
    bus.layoutTag = unsafe layoutTag(
      PlugInText.of(port.port_type), index: index, isInput: isInput, port.channel_count)
    return bus
  }

  private func layoutTag(
    _ type: String, index: UInt32, isInput: Bool, _ channelCount: UInt32
  ) -> UInt32 {
    if type == "surround",
      let table = unsafe object.table(
        "clap.surround/4", draft: "clap.surround.draft/4", AuricleCLAPSurround.self),
      let get = unsafe table.pointee.get_map
    {
      var map = [UInt8](repeating: 0, count: 256)
      let count = unsafe get(object.plugin, isInput, index, &map, 256)
      if count == channelCount { return CLAPLayouts.tag(ofMap: Array(map.prefix(Int(count)))) }
    }
    if type == "ambisonic",
      let table = unsafe object.table(
        "clap.ambisonic/3", draft: "clap.ambisonic.draft/3", AuricleCLAPAmbisonic.self),
      let get = unsafe table.pointee.get
    {
      var form = AuricleCLAPAmbisonicForm()
      if unsafe get(object.plugin, isInput, index, &form) {
        return CLAPLayouts.tag(
          ordering: form.ordering, normalization: form.normalization, channelCount: channelCount)
      }
    }
    return 0
  }

  /// Reads the layouts of ports: each is selected, and the ports are read.
  private mutating func readConfigurations() throws(PlugInFailure) {
    guard
      let table = unsafe object.table(
        "clap.audio-ports-config", AuricleCLAPConfigurations.self),
      let count = unsafe table.pointee.count, let get = unsafe table.pointee.get,
      let select = unsafe table.pointee.select
    else { return }
    var known: [CLAPPorts] = []
    let declared = unsafe try DeclaredCount.checked(
      count(object.plugin), of: "layouts of ports", atMost: Self.mostLayouts)
    for index in 0..<declared {
      var configuration = unsafe AuricleCLAPConfiguration()
      guard unsafe get(object.plugin, index, &configuration) else { continue }
      let id = unsafe configuration.id
      guard !known.contains(where: { $0.id == id }) else {
        throw PlugInFailure(reason: "it has two layouts of ports of the id \(id)")
      }
      guard unsafe select(object.plugin, id) else { continue }
      var ports = try audioPorts()
      ports.id = id
      known.append(ports)
    }
    // The layout that it had is one of them where their ports are the same.
    description.ports.id =
      known.first {
        $0.inputs == description.ports.inputs && $0.outputs == description.ports.outputs
      }?.id
    description.configurations = known.count > 1 || description.ports.id == nil ? known : []
  }

  // Notes.

  private mutating func readNotePorts() throws(PlugInFailure) {
    guard let table = unsafe object.table("clap.note-ports", AuricleCLAPNotePorts.self),
      let count = unsafe table.pointee.count, let get = unsafe table.pointee.get
    else { return }
    for isInput in [true, false] {
      let declared = unsafe try DeclaredCount.checked(
        count(object.plugin, isInput), of: "ports for notes", atMost: Self.mostPorts)
      for index in 0..<declared {
        var port = AuricleCLAPNotePort()
        guard unsafe get(object.plugin, index, isInput, &port) else { continue }
        let known = CLAPNotePort(
          name: Self.text(port.name), dialects: port.supported, preferred: port.preferred)
        if isInput {
          description.noteInputs.append(known)
        } else {
          description.noteOutputs.append(known)
        }
      }
    }
  }

  private mutating func readKeyNames() throws(PlugInFailure) {
    guard let table = unsafe object.table("clap.note-name", AuricleCLAPNoteNames.self),
      let count = unsafe table.pointee.count, let get = unsafe table.pointee.get
    else { return }
    let declared = unsafe try DeclaredCount.checked(
      count(object.plugin), of: "names of keys", atMost: Self.mostNames)
    for index in 0..<declared {
      var name = AuricleCLAPNoteName()
      guard unsafe get(object.plugin, index, &name) else { continue }
      description.keyNames.append(
        CLAPKeyName(
          name: Self.text(name.name), port: name.port, channel: name.channel, key: name.key))
    }
  }

  /// Reads the number of voices, which an active plug-in alone knows.
  private mutating func readVoices() {
    guard let table = unsafe object.table("clap.voice-info", AuricleCLAPVoiceInfo.self),
      let get = unsafe table.pointee.get,
      object.activate(sampleRate: 48_000, maximumFrames: 1024)
    else { return }
    var voices = AuricleCLAPVoices()
    if unsafe get(object.plugin, &voices) { description.voiceCapacity = voices.capacity }
    object.deactivate()
  }

  // Parameters.

  private mutating func readParameters() throws(PlugInFailure) {
    guard let table = unsafe object.table("clap.params", AuricleCLAPParameters.self),
      let count = unsafe table.pointee.count, let get = unsafe table.pointee.get_info
    else { return }
    var seen: Set<UInt32> = []
    let declared = unsafe try DeclaredCount.checked(
      count(object.plugin), of: "parameters", atMost: Self.mostParameters)
    for index in 0..<declared {
      var info = unsafe AuricleCLAPParameter()
      guard unsafe get(object.plugin, index, &info) else { continue }
      guard unsafe seen.insert(info.id).inserted else {
        throw unsafe PlugInFailure(reason: "it has two parameters of the id \(info.id)")
      }
      var parameter = CLAPParameter()
      unsafe parameter.id = info.id
      unsafe parameter.flags = info.flags
      parameter.name = unsafe Self.text(info.name)
      parameter.module = unsafe Self.text(info.module)
      unsafe parameter.minimum = info.minimum
      unsafe parameter.maximum = info.maximum
      unsafe parameter.defaultValue = info.default_value
      parameter.initialValue =
        object.values(of: [parameter])[parameter.id] ?? parameter.defaultValue
      addTexts(to: &parameter)
      description.parameters.append(parameter)
    }
  }

  /// Adds the text of the default, and those of all values where they are few.
  private func addTexts(to parameter: inout CLAPParameter) {
    let id = parameter.id
    parameter.text = object.text(of: parameter.defaultValue, parameter: id) ?? ""
    let span = parameter.maximum - parameter.minimum
    guard parameter.has(kCLAPParameter_Stepped), span >= 1, span < Self.mostTexts else { return }
    let least = parameter.minimum
    let names = (0...Int(span)).compactMap { object.text(of: least + Double($0), parameter: id) }
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
