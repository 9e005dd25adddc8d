// The statements of one bundle, by subject.
// SPDX-License-Identifier: Apache-2.0

/// A small store of statements. A reference, because the reader's callback fills it.
final class LV2Facts {
  private struct Fact {
    var property: TurtleVocabulary
    var object: String
    var kind: TurtleStatement.Kind
    var isForeign: Bool
  }

  private var facts: [String: [Fact]] = [:]
  private var order: [String] = []
  /// An implausible port index; lilv allocates as many ports as the index says.
  var wildIndex: String?

  /// The limit of port indexes.
  static let indexLimit = 65_536

  /// Adds a statement, unless it exists already.
  func insert(_ statement: TurtleStatement) {
    if statement.predicate == .index, wildIndex == nil {
      let number = Double(statement.object) ?? -1
      if !(number >= 0 && number < Double(LV2Facts.indexLimit)) { wildIndex = statement.object }
    }
    let fact = Fact(
      property: statement.predicate,
      object: statement.kind == .name
        ? TurtleVocabulary.present(statement.object) : statement.object, kind: statement.kind,
      isForeign: statement.isForeign)
    if statement.predicate == .type, facts[statement.subject] == nil {
      order.append(statement.subject)
    } else if statement.predicate == .type {
      let isTyped = facts[statement.subject, default: []].contains { $0.property == .type }
      if !isTyped { order.append(statement.subject) }
    }
    facts[statement.subject, default: []].append(fact)
  }

  /// Removes all statements about a subject.
  func remove(_ subject: String) { facts[subject] = nil }

  /// Subjects that have a type, in the order in which their types were read.
  var typed: [String] { order.filter { facts[$0] != nil } }

  /// Subjects of a type, in the order in which their types were read.
  func subjects(ofType type: String) -> [String] {
    order.filter { subject in
      facts[subject, default: []].contains { $0.property == .type && $0.object == type }
    }
  }

  /// All objects of a property, once each, in the order of the data.
  func objects(_ subject: String, _ property: TurtleVocabulary) -> [String] {
    var found: [String] = []
    var seen: Set<String> = []
    for fact in facts[subject, default: []]
    where fact.property == property && seen.insert(fact.object).inserted {
      found.append(fact.object)
    }
    return found
  }

  /// The first object of a property.
  func first(_ subject: String, _ property: TurtleVocabulary) -> String? {
    facts[subject, default: []].first { $0.property == property }?.object
  }

  /// A text; untranslated or English if available.
  func text(_ subject: String, _ property: TurtleVocabulary) -> String? {
    let all = facts[subject, default: []].filter { $0.property == property }
    return (all.first { !$0.isForeign } ?? all.first)?.object
  }

  /// The first object that is a number; nil if not finite.
  func number(_ subject: String, _ property: TurtleVocabulary) -> Double? {
    let fact = facts[subject, default: []].first { $0.property == property && $0.kind == .number }
    return fact.flatMap { Double($0.object) }.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Objects that are names of things, in the order of the data.
  func resources(_ subject: String, _ property: TurtleVocabulary) -> [String] {
    var found: [String] = []
    var seen: Set<String> = []
    for fact in facts[subject, default: []]
    where fact.property == property && fact.kind == .name && seen.insert(fact.object).inserted {
      found.append(fact.object)
    }
    return found
  }
}
