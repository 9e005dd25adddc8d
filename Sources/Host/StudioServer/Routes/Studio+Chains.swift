// Routes to chains: opened, edited, checked, compared, saved.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleHost
import ChainPresets
import Glibc
import HostSystem

extension Studio {
  func addChains(_ router: inout Router) {
    router.add("GET", "chains") { [self] _, _ in
      .json(.members([("chains", .array(chains.all.map(summary)))]))
    }
    router.add("POST", "chains") { [self] question, _ in
      .json(json(try open(question.json())), status: 201)
    }
    router.add("GET", "chains/*") { [self] _, words in
      .json(json(try chains.document(words[0])))
    }
    router.add("DELETE", "chains/*") { [self] _, words in
      try chains.remove(words[0])
      return .json(.object([]))
    }
    router.add("POST", "chains/*/operations") { [self] question, words in
      .json(try edit(words[0], question.json()))
    }
    for (word, isBack) in [("undo", true), ("redo", false)] {
      router.add("POST", "chains/*/\(word)") { [self] question, words in
        let client = try question.json()["client"]?.text
        let document = try chains.change(words[0], by: client) { try $0.step(back: isBack) }
          .document
        return .json(answer(document, []))
      }
    }
    router.add("POST", "chains/*/setting") { [self] question, words in
      .json(json(try changeSetting(words[0], question.json())))
    }
    router.add("GET", "chains/*/stages/*") { [self] _, words in
      .json(try stage(words[0], words[1]))
    }
    router.add("GET", "chains/*/check") { [self] _, words in .json(try check(words[0])) }
    router.add("GET", "chains/*/text") { [self] _, words in
      let document = try chains.document(words[0])
      return .json(.members([("yaml", .string(ChainText(document.state).text))]))
    }
    router.add("GET", "chains/*/diff") { [self] question, words in
      .json(try difference(words[0], question.required("file")))
    }
    router.add("POST", "chains/*/save", changes: true) { [self] question, words in
      .json(json(try save(words[0], question.json())))
    }
  }

  private func summary(_ document: ChainDocument) -> JSONValue {
    .members([
      ("id", .string(document.id)), ("name", .string(document.state.name)),
      ("revision", JSONValue(document.revision)),
      ("file", document.path.flatMap(folders.reference).map(JSONValue.string) ?? .null),
      ("preset", document.preset.map(JSONValue.string) ?? .null),
      ("isSaved", .boolean(document.isSaved)), ("stages", JSONValue(document.state.units.count)),
    ])
  }

  // MARK: Opening

  private func open(_ request: JSONValue) throws -> ChainDocument {
    if let name = request["preset"]?.text {
      guard !name.contains("/") else {
        throw StudioFault(.forbidden, "a preset is opened by its name, or as a file of a folder")
      }
      let path = try installation.host.presets.path(of: name)
      return add(try ChainPreset(path: path)) { document in
        (document.preset, document.folder) = (name, Path.folder(of: path))
      }
    }
    if let reference = request["file"]?.text {
      let path = try folders.path(reference)
      let stamp = FileStamp(path: path)
      let preset = try ChainPreset(path: path)
      try Self.state(preset).checkFiles(folders, relativeTo: Path.folder(of: path))
      return add(preset) { document in
        (document.path, document.folder) = (path, Path.folder(of: path))
        (document.savedState, document.savedStamp) = (document.state, stamp)
      }
    }
    if let text = request["text"]?.text {
      let preset = try ChainPreset(text: text, name: "text")
      try Self.state(preset).checkFiles(folders, relativeTo: nil)
      return add(preset)
    }
    if let id = request["copyOf"]?.text {
      let source = try chains.document(id)
      return chains.add { numbers in
        numbers = source.numbers
        var state = source.state
        state.name += " copy"
        return state
      } adjust: {
        $0.folder = source.folder
      }
    }
    let units = try (request["units"]?.elements ?? []).map { unit -> String in
      guard let text = unit.text, !text.isEmpty else {
        throw StudioFault(.usage, "units are a list of names")
      }
      return text
    }
    return chains.add { numbers in
      var state = ChainState()
      state.name = request["name"]?.text.flatMap { $0.isEmpty ? nil : $0 } ?? "Untitled"
      state.entries = units.map {
        ChainStage(id: numbers.next("s"), kind: .unit(UnitStage(unit: $0)))
      }
      return state
    } adjust: { _ in
    }
  }

  private static func state(_ preset: ChainPreset) -> ChainState {
    var numbers = StageNumbers()
    return ChainState(preset, numbers: &numbers)
  }

  private func add(
    _ preset: ChainPreset, adjust: (inout ChainDocument) -> Void = { _ in }
  ) -> ChainDocument {
    chains.add {
      ChainState(preset, numbers: &$0)
    } adjust: {
      adjust(&$0)
    }
  }

  // MARK: Edits

  private func answer(_ document: ChainDocument, _ created: [String]) -> JSONValue {
    .members([
      ("revision", JSONValue(document.revision)),
      ("created", .array(created.map(JSONValue.string))), ("document", json(document)),
    ])
  }

  func edit(_ id: String, _ request: JSONValue) throws -> JSONValue {
    guard let operations = request["operations"]?.elements, !operations.isEmpty,
      operations.count <= 1000
    else { throw StudioFault(.usage, "the request has no 'operations', 1 to 1000 of them") }
    let client = request["client"]?.text
    let gesture = request["gesture"]?.text.map { "\(client ?? "") \($0)" }
    // Units are described before the chain is held: that may take a while.
    let before = try chains.document(id)
    for operation in operations where operation["op"]?.text == "set" {
      if let stage = operation["stage"]?.text,
        case .unit(let unit)? = before.state.stage(stage)?.kind
      {
        _ = try? shelf.shapes(unit.unit)
      }
    }
    let (document, created) = try chains.change(id, by: client) { document -> [String] in
      var editor = ChainEditor(
        state: document.state, numbers: document.numbers, solo: document.solo, locate: located,
        spell: spell)
      for operation in operations { try editor.apply(operation) }
      if operations.count > 1, Set(operations.compactMap { $0["op"]?.text }).count > 1 {
        editor.label = "Change the chain"
      }
      document.adopt(editor, gesture: gesture)
      return editor.created
    }
    return answer(document, created)
  }

  /// The text of a value as presets have it; files of folders by their references.
  private func spell(_ unit: String, _ parameter: String, _ value: JSONValue) throws -> JSONValue {
    guard let shapes = try? shelf.shapes(unit).shapes else {
      return value.text != nil ? value : .string(value.compactText)
    }
    let wanted = SettingNames.comparable(parameter)
    let property = shapes.report.texts.first {
      $0.symbol == parameter || $0.uri == parameter || SettingNames.comparable($0.name) == wanted
    }
    guard let property, property.kind == "path", let text = value.text else {
      return try shapes.spelled(parameter, value)
    }
    return .string(try located(text))
  }

  /// The path of a file that a page names, by its reference or its path.
  private func located(_ text: String) throws -> String {
    if let digit = text.first, digit.isNumber, text.contains("/") { return try folders.path(text) }
    guard let real = FileIdentity.realPath(text), folders.contains(real) else {
      throw StudioFault(.forbidden, "\(text) lies in no folder of the studio")
    }
    return real
  }

  private func changeSetting(_ id: String, _ request: JSONValue) throws -> ChainDocument {
    if let copy = request["copy"]?.text {
      guard ["AtoB", "BtoA"].contains(copy) else {
        throw StudioFault(.usage, "copy takes AtoB or BtoA, not '\(copy)'")
      }
      return try chains.change(id) { document in
        let source = String(copy.prefix(1))
        let content = document.content(of: source)
        if document.setting == source {
          document.otherSetting = content
        } else {
          document.undo.append(ChainDocument.Step(label: "Copy \(source)", state: document.state))
          document.state = content
        }
        document.revision += 1
      }.document
    }
    guard let name = request["setting"]?.text, ["A", "B"].contains(name) else {
      throw StudioFault(.usage, "setting takes A or B")
    }
    return try chains.change(id) { $0.use(name) }.document
  }

  private func stage(_ id: String, _ stage: String) throws -> JSONValue {
    let document = try chains.document(id)
    guard case .unit(let unit)? = document.state.stage(stage)?.kind else {
      throw StudioFault(.notFound, "the chain \(id) has no unit \(stage)")
    }
    let (shapes, problem) = try shelf.shapes(unit.unit)
    var known: [UInt32: Float] = [:]
    var trouble = problem
    if let preset = unit.preset {
      do { known = try values.values(unit.unit, preset: preset) } catch {
        trouble = StudioFault(error).message
      }
    }
    let set = Dictionary(
      unit.parameters.map { (SettingNames.comparable($0.name), $0.value) }, uniquingKeysWith: { $1 }
    )
    let properties = shapes.report.texts.map { property in
      let value =
        set[SettingNames.comparable(property.symbol)]
        ?? set[SettingNames.comparable(property.name)]
      return ParameterShapes.json(
        property,
        more: [
          ("text", value ?? property.defaultValue.map(JSONValue.string) ?? .null),
          ("isSet", .boolean(value != nil)),
        ])
    }
    return .members([
      ("stage", .string(stage)), ("revision", JSONValue(document.revision)),
      ("unit", .string(shelf.title(unit.unit).component ?? unit.unit)),
      ("title", .string(shelf.title(unit.unit).title)),
      ("problem", trouble.map(JSONValue.string) ?? .null),
      ("parameters", .array(shapes.values(unit, known: known))),
      ("properties", .array(properties)),
      ("presets", .array(shapes.report.presets.map(UnitShelf.json))),
      ("inputBuses", .array(shapes.report.inputBuses.map(UnitShelf.json))),
      ("outputBuses", .array(shapes.report.outputBuses.map(UnitShelf.json))),
      ("canOpenWindow", .boolean(UnitWindows.canOpen)),
    ])
  }

  // MARK: Checking

  private func check(_ id: String) throws -> JSONValue {
    let document = try chains.document(id)
    let text = ChainText(document.state, ChainText.Options(folder: document.folder))
    guard !document.state.entries.isEmpty || !document.state.output.isEmpty else {
      return .members([
        ("ok", true), ("faults", .array([])), ("revision", JSONValue(document.revision)),
      ])
    }
    let path = try scratch.write(text.text, ".yaml")
    defer { unsafe unlink(path) }
    let end = ProgramCommand().run(program, ["preset", "check", "--format", "json", "--", path])
    var faults: [JSONValue] = []
    if let list = JSONValue(end.output)?.elements {
      faults = (list.first?["errors"]?.elements ?? []).map { fault in
        var members = fault["line"]?.integer.flatMap { text.place(ofLine: $0)?.json.members } ?? []
        if let line = fault["line"] { members.append(JSONValue.Member("line", line)) }
        if let column = fault["column"] { members.append(JSONValue.Member("column", column)) }
        return .members([
          ("severity", "error"), ("message", fault["message"] ?? ""), ("place", .object(members)),
        ])
      }
    } else if end.code != 0 {
      let fault = StageFinder.placed(end.fault, text, document.state)
      faults = [
        .members([
          ("severity", "error"), ("message", .string(fault.message)),
          ("place", fault.place ?? .object([])),
        ])
      ]
    }
    return .members([
      ("ok", .boolean(faults.isEmpty)), ("faults", .array(faults)),
      ("revision", JSONValue(document.revision)),
    ])
  }

  // MARK: Saving

  private static func isPreset(_ path: String) -> Bool {
    PresetLibrary.fileEndings.contains { path.hasSuffix($0) }
  }

  /// The text of a file that is to be replaced, and its stamp; nil where it is not there.
  private func present(_ path: String) -> (text: String, stamp: String)? {
    guard let file = try? HostSystem.FileDescriptor(opening: path),
      let stamp = FileStamp(path: path),
      let bytes = FileTransfer.readAll(file.number, limit: 4 << 20)
    else { return nil }
    return (String(decoding: bytes, as: UTF8.self), "\(stamp.byteCount)-\(stamp.modified)")
  }

  private func difference(_ id: String, _ reference: String) throws -> JSONValue {
    let document = try chains.document(id)
    let path = try folders.path(reference, mayBeNew: true)
    let old = present(path)
    let lines = TextDifference.lines(old?.text ?? "", ChainText(document.state).text)
    return .members([
      ("exists", .boolean(old != nil)), ("same", .boolean(lines.allSatisfy { $0.mark == " " })),
      ("diff", .string(lines.map { "\($0.mark)\($0.text)\n" }.joined())),
      (
        "lines",
        .array(lines.map { .members([("mark", .string($0.mark)), ("text", .string($0.text))]) })
      ), ("stamp", old.map { .string($0.stamp) } ?? .null),
    ])
  }

  private func save(_ id: String, _ request: JSONValue) throws -> ChainDocument {
    let document = try chains.document(id)
    let path: String
    if let reference = request["file"]?.text {
      path = try folders.path(reference, mayBeNew: true)
    } else if let known = document.path {
      path = known
    } else {
      throw StudioFault(.usage, "the request has no 'file' to save in")
    }
    guard Self.isPreset(path) else {
      throw StudioFault(.usage, "a preset's file ends in .yaml, .yml or .json")
    }
    if let old = present(path) {
      guard request["overwrite"]?.boolean == true else {
        throw StudioFault(
          .conflict, "\(Path.lastComponent(path)) is there already: compare, then overwrite")
      }
      let seen =
        request["stamp"]?.text
        ?? (document.path == path
          ? document.savedStamp.map { "\($0.byteCount)-\($0.modified)" } : nil)
      if let seen, seen != old.stamp {
        throw StudioFault(
          .conflict, "\(Path.lastComponent(path)) has changed meanwhile: compare again")
      }
    } else if FileIdentity.exists(path) {
      throw StudioFault(.conflict, "\(path) is no file that can be replaced")
    }
    // Files that the preset names by relative paths lie where they did.
    let options = ChainText.Options(
      folder: document.folder == Path.folder(of: path) ? nil : document.folder)
    let text = ChainText(document.state, options).text
    _ = try ChainPreset(text: text, name: path)
    let file = try AtomicFile(path: path, overwrite: true)
    guard FileTransfer.writeAll(Array(text.utf8), to: file.descriptor) == 0 else {
      throw StudioFault(.inputOutput, "\(path) cannot be written")
    }
    try file.commit()
    let saved = document.state
    return try chains.change(id) { document in
      (document.path, document.folder) = (path, Path.folder(of: path))
      (document.savedState, document.savedStamp) = (saved, FileStamp(path: path))
      document.revision += 1
    }.document
  }
}
