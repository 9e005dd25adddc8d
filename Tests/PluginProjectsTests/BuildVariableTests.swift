// Build variables in property lists, and refusals if one has no value.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import PluginProjects
import PropertyLists
import Testing

@Suite("Build variables of Xcode")
struct BuildVariableTests {
  private let variables = XcodeVariables(
    product: "Warm Tremolo", executable: "WarmTremolo",
    definitions: ["ORGANIZATION": "com.example", "SUFFIX": "Factory", "PART": "NAME"])

  private func expanded(_ text: String) -> (text: String, missing: Set<String>) {
    var missing: Set<String> = []
    return (variables.expanding(text, missing: &missing), missing)
  }

  @Test(arguments: [
    ("plain", "plain"), ("a $ b $1 $(", "a $ b $1 $("), ("$(EXECUTABLE_NAME)", "WarmTremolo"),
    ("${EXECUTABLE_NAME}Factory", "WarmTremoloFactory"),
    ("${ORGANIZATION}.${PRODUCT_NAME:rfc1034identifier}", "com.example.Warm-Tremolo"),
    ("$(PRODUCT_NAME:c99extidentifier)", "Warm_Tremolo"), ("$(PRODUCT_NAME:lower)", "warm tremolo"),
    ("$(PRODUCT_NAME:c99extidentifier:upper)", "WARM_TREMOLO"),
    ("$(PRODUCT_$(PART))", "Warm Tremolo"), ("$(NONE:default=kept)", "kept"),
    ("$(WRAPPER_NAME)", "Warm Tremolo.component"), ("$(PRODUCT_MODULE_NAME)", "Warm_Tremolo"),
    ("${PROJECTNAMEASIDENTIFIER}", "Warm_Tremolo"),
  ]) func expands(text: String, expected: String) {
    let result = expanded(text)
    #expect(result.text == expected)
    #expect(result.missing.isEmpty)
  }

  @Test func namesWhatHasNoValueAndEndsWhereOneIsItself() {
    #expect(expanded("$(ONE) ${TWO:lower}").missing == ["ONE", "TWO"])
    #expect(expanded("$(ONE) ${TWO:lower}").text == "$(ONE) ${TWO:lower}")
    var missing: Set<String> = []
    let loop = XcodeVariables(
      product: "x", executable: "x", definitions: ["A": "$(B)", "B": "$(A)"])
    _ = loop.expanding("$(A)", missing: &missing)
    #expect(!missing.isEmpty)
  }

  private func list(_ entry: [String: PropertyListValue]) -> PropertyListValue {
    let base: [String: PropertyListValue] = [
      "type": .string("aufx"), "subtype": .string("wtrm"), "manufacturer": .string("Demo"),
      "name": .string("Demo: $(PRODUCT_NAME)"),
      "factoryFunction": .string("$(EXECUTABLE_NAME)$(SUFFIX)"),
    ]
    return .dictionary([
      "CFBundleIdentifier": .string("$(PRODUCT_BUNDLE_IDENTIFIER)"),
      "AudioComponents": .array([.dictionary(base.merging(entry) { $1 })]),
    ])
  }

  @Test func readsEntriesAsXcodeWritesThem() throws {
    let known = XcodeVariables(
      product: "Unit", executable: "Unit",
      definitions: ["SUFFIX": "Factory", "PRODUCT_BUNDLE_IDENTIFIER": "com.example.unit"])
    let read = try InfoPropertyList(
      list(["version": .string("1.2.3"), "sandboxSafe": .string("YES")]), variables: known,
      name: "Info.plist")
    let entry = try #require(read.value["AudioComponents"]?.arrayValue?.first)
    #expect(entry["factoryFunction"] == .string("UnitFactory"))
    #expect(entry["version"] == .integer(66_051))
    #expect(entry["sandboxSafe"] == .boolean(true))
    #expect(read.value["CFBundleIdentifier"] == .string("com.example.unit"))
  }

  @Test func refusesWhatRemainsByName() {
    let error = #expect(throws: AuricleError.self) {
      try InfoPropertyList(list([:]), variables: variables, name: "Info.plist")
    }
    #expect(error?.message.contains("PRODUCT_BUNDLE_IDENTIFIER (in CFBundleIdentifier)") == true)
    #expect(error?.message.contains("--define PRODUCT_BUNDLE_IDENTIFIER=") == true)
  }

  @Test(arguments: [
    ("subtype", PropertyListValue.string("toolong"), "has the subtype 'toolong'"),
    ("name", .string(""), "has no name"), ("version", .string("new"), "has the version 'new'"),
  ]) func refusesBadEntries(key: String, value: PropertyListValue, expected: String) {
    let known = XcodeVariables(
      product: "U", executable: "U",
      definitions: ["SUFFIX": "", "PRODUCT_BUNDLE_IDENTIFIER": "com.example.u"])
    let error = #expect(throws: AuricleError.self) {
      try InfoPropertyList(list([key: value]), variables: known, name: "Info.plist")
    }
    #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
  }
}
