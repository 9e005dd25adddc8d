// The table of the contract: every row put to every kind of unit, and every constant of the headers in some row.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Foundation
import TestSupport
import Testing

/// The answers of each kind, as in the table.
struct ContractTable: Sendable {
  /// Answers by row, in the order of `Question.columns`.
  var answers: [String: [String]] = [:]
  static let path = Places.inPackage("Tests/ConformanceTests/Table/contract.tsv")

  static let written: ContractTable = {
    var table = ContractTable()
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    for line in text.split(separator: "\n").dropFirst() {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard cells.count == Question.columns.count + 2 else { continue }
      // A ditto mark repeats the first column.
      table.answers[cells[0]] = cells[2...].map { $0 == "\"" ? cells[2] : $0 }
    }
    return table
  }()

  /// Writes the present answers of the units, for review.
  static func record(_ answers: [String: [String]]) throws {
    var text = "row\tconstants\t" + Question.columns.map(\.name).joined(separator: "\t") + "\n"
    for question in Question.all {
      var cells = answers[question.row] ?? []
      for place in cells.indices.dropFirst() where cells[place] == cells[0] { cells[place] = "\"" }
      text +=
        ([question.row, question.constants.joined(separator: " ")] + cells)
        .joined(separator: "\t") + "\n"
    }
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }
}

@Suite("Contract: the table")
struct ContractTableTests {
  /// The answers of one kind of unit to every row, each asked of a new instance.
  private func answers(_ subject: Subject) throws -> [String] {
    try Question.all.map { question in
      let test = try UnitUnderTest(subject)
      let answer = try question.ask(test)
      _ = unsafe AudioUnitUninitialize(test.handle)
      return answer
    }
  }

  @Test(
    "every kind of unit answers every row as it is written",
    arguments: Question.columns.indices)
  func everyRow(_ column: Int) throws {
    guard !isRecording else { return }
    let subject = Question.columns[column].subject
    let table = ContractTable.written
    for (question, answer) in zip(Question.all, try answers(subject)) {
      guard let expected = table.answers[question.row] else {
        Issue.record("the table has no row '\(question.row)' (\(question.constants)): add it")
        continue
      }
      if expected[column] != answer {
        Issue.record(
          "\(subject.rawValue), \(question.row): answers '\(answer)', not '\(expected[column])'")
      }
    }
  }

  private var isRecording: Bool {
    ProcessInfo.processInfo.environment["AURICLE_UPDATE_SNAPSHOTS"] == "1"
  }

  @Test("the table can be written anew with AURICLE_UPDATE_SNAPSHOTS=1")
  func recording() throws {
    guard isRecording else { return }
    let columns = try Question.columns.map { try answers($0.subject) }
    var found: [String: [String]] = [:]
    for (row, question) in Question.all.enumerated() {
      found[question.row] = columns.map { $0[row] }
    }
    try ContractTable.record(found)
  }

  @Test("no row is there twice, none is left over, and their number is the documented one")
  func rows() {
    let rows = Question.all.map(\.row)
    #expect(Set(rows).count == rows.count)
    let leftOver = Set(ContractTable.written.answers.keys).subtracting(rows)
    #expect(leftOver.isEmpty, "\(leftOver.sorted())")
    print("contract: \(rows.count) rows, \(rows.count * Question.columns.count) proofs")
  }

  @Test("every selector, property, scope, code, key, unit, flag of the headers has a row")
  func constants() {
    let wanted = HeaderConstant.family { name in
      name.hasSuffix("Select") || name.contains("Property_") || name.hasPrefix("kAudioUnitScope_")
        || (name.contains("Err_") && !name.hasPrefix("kAuricle")) || name.hasPrefix("kAudio_")
        || name.hasPrefix("kAUPreset") || name.contains("RenderAction_")
        || name.hasPrefix("kAudioUnitParameterUnit_") || name.hasPrefix("kAudioUnitParameterFlag_")
    }.map(\.name)
    #expect(wanted.count > 300, "the headers were not read: \(wanted.count) constants")
    let covered = Set(Question.all.flatMap(\.constants))
    for name in wanted where !covered.contains(name) {
      Issue.record("\(name) has no row")
    }
    // A property has a line with its scopes, its size and its access; a selector has its call.
    for (id, names) in Question.propertyNames where id < 64_000 {
      #expect(Question.limits[id] != nil, "\(names) have no line in PropertyRow")
    }
    for code in Question.codeNames where code.code != 0 {
      #expect(ErrorRow.codes.contains(code.code), "\(code.names) is not in ErrorRow.codes")
      let isSupplied = ErrorRow.all.contains { $0.code == code.code }
      #expect(
        isSupplied != (Question.returnedElsewhere[code.code] != nil),
        "\(code.names): a situation, or the sentence why there is none")
    }
  }
}
