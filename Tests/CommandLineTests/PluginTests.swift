// `auricle plugin`: new projects build and play; bundles name the faults of their parts.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct PluginTests {
  private let box: Sandbox

  init() throws { box = try Sandbox() }

  private func new(_ name: String, _ more: String...) throws -> ProcessResult {
    try box.run(["plugin", "new", name, "--manufacturer", "Demo"] + more)
  }

  private func make(_ folder: String, _ targets: String...) throws -> ProcessResult {
    try runProcess(
      "make", ["-C", folder] + targets, environment: box.environment, in: box.folder.path)
  }

  @Test(arguments: ["c", "c++"]) func aNewEffectIsBuiltInstalledAndPlays(language: String) throws {
    let made = try new("Warm Tremolo", "--language", language, "--subtype", "wtrm")
    #expect(made.exitCode == 0, "\(made.summary)")
    #expect(made.lines.contains("warm-tremolo/Makefile"), "\(made.summary)")
    let built = try make("warm-tremolo", "all", "install")
    try #require(built.exitCode == 0, "\(built.summary)")
    #expect(!built.standardError.contains("warning"), "\(built.summary)")
    let listed = try box.run("list", "aufx:wtrm")
    #expect(listed.standardOutput == "aufx  wtrm  Demo  native  Demo: Warm Tremolo\n")
    try Sound([[Float](repeating: 0.5, count: 48_000)]).write(to: box("in.wav"))
    let run = try box.run(
      "process", "--unit", "aufx:wtrm:Demo", "--set", "depth=100", "--set", "rate=1",
      "--output-file", "out.wav", "in.wav")
    #expect(run.exitCode == 0, "\(run.summary)")
    let output = try Sound(path: box("out.wav")).channels[0]
    #expect(abs(output[0] - 0.5) < 1e-3 && abs(output[24_000]) < 1e-3)
    let info = try box.run("info", "aufx:wtrm:Demo")
    #expect(info.standardOutput.contains("Fast and deep"), "\(info.summary)")
    let removed = try make("warm-tremolo", "uninstall", "clean")
    #expect(removed.exitCode == 0, "\(removed.summary)")
    #expect(try box.run("list", "aufx:wtrm").standardOutput.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: box("warm-tremolo/build")))
  }

  @Test("a new instrument is built without a warning, and sound", arguments: ["c", "c++"])
  func aNewInstrumentIsSound(language: String) throws {
    let made = try new("Warm Organ", "--language", language, "--subtype", "orgn", "--type", "aumu")
    #expect(made.exitCode == 0, "\(made.summary)")
    let built = try make("warm-organ", "all", "check")
    try #require(built.exitCode == 0, "\(built.summary)")
    #expect(!built.standardError.contains("warning"), "\(built.summary)")
    let checked = try box.run(
      "validate", "--path", "warm-organ/build/WarmOrgan.component", "--level", "10")
    #expect(checked.exitCode == 0, "\(checked.summary)")
    #expect(
      checked.standardOutput.hasSuffix("1 unit: 1 passed (level 10, seed 1)\n"),
      "\(checked.summary)")
  }

  @Test(arguments: ["c", "c++"]) func aNewGeneratorCanBeScanned(language: String) throws {
    let made = try new("Tone", "--language", language, "--subtype", "tone", "--type", "augn")
    #expect(made.exitCode == 0, "\(made.summary)")
    let built = try make("tone", "install")
    try #require(built.exitCode == 0, "\(built.summary)")
    let scanned = try box.run("scan", "augn:tone:Demo")
    #expect(scanned.exitCode == 0, "\(scanned.summary)")
  }

  @Test(arguments: [
    (["Warm \"Tremolo\"", "--language", "c", "--subtype", "wtrm"], "must be letters, digits"),
    (["1st", "--language", "c", "--subtype", "wtrm"], "must begin with a letter"),
    (["A", "--language", "rust", "--subtype", "wtrm"], "audiounitsdk, auv3, c, c++, swift"),
    (["A", "--language", "c", "--subtype", "wt"], "must be four letters or digits"),
    (
      ["A", "--language", "c", "--subtype", "wtrm", "--type", "aumi"],
      "the types are aufx, augn, aumu"
    ),
    (
      ["A", "--language", "audiounitsdk", "--subtype", "wtrm", "--type", "augn"], "the type is aufx"
    ),
    (
      ["A", "--language", "c", "--subtype", "wtrm", "--manufacturer", "demo"],
      "is all in lower case"
    ),
  ]) func refusesWhatCannotBe(arguments: [String], expected: String) throws {
    let own = arguments.contains("--manufacturer") ? [] : ["--manufacturer", "Demo"]
    let result = try box.run(["plugin", "new"] + arguments + own)
    #expect(result.exitCode == 64 && result.standardError.contains(expected), "\(result.summary)")
    #expect(box.names(".").allSatisfy { $0 == "home" })
  }

  @Test func aNameThatTheSourceNeedsItselfIsPreceded() throws {
    let made = try new("Effect Unit", "--language", "swift", "--subtype", "efun")
    #expect(made.lines.contains("effect-unit/MyEffectUnit.swift"), "\(made.summary)")
    let source = try String(
      contentsOfFile: box("effect-unit/MyEffectUnit.swift"), encoding: .utf8)
    #expect(source.contains("struct MyEffectUnit: EffectUnit"))
    #expect(source.contains("\"Demo: Effect Unit\""))
  }

  @Test(
    "letters lose their marks where sources are named after them",
    arguments: [
      ("Ünï Cöde", "uni-code/UniCode.c", "UniCodeFactory"),
      ("U\u{308}ni\u{308} Code", "uni-code/UniCode.c", "UniCodeFactory"),
      ("Ærø Łódź Straße", "aero-lodz-strasse/AeroLodzStrasse.c", "AeroLodzStrasseFactory"),
      ("日本 Reverb", "reverb/Reverb.c", "ReverbFactory"),
      ("日本", "unit-nihn/UnitNihn.c", "UnitNihnFactory"),
    ])
  func foldsLetters(name: String, source: String, factory: String) throws {
    let made = try new(name, "--language", "c", "--subtype", "nihn")
    #expect(made.exitCode == 0 && made.lines.contains(source), "\(made.summary)")
    #expect(
      made.standardError.contains("has no letter from A to Z, so its sources are named UnitNihn")
        == (name == "日本"), "\(made.summary)")
    #expect(try String(contentsOfFile: box(source), encoding: .utf8).contains(factory))
    guard name == "日本" else { return }
    let built = try make("unit-nihn", "install")
    #expect(built.exitCode == 0, "\(built.summary)")
    let listed = try box.run("list", "aufx:nihn")
    #expect(listed.standardOutput == "aufx  nihn  Demo  native  Demo: 日本\n")
  }

  /// The template needs little of Apple's classes to be compiled: substitutes print its compile settings.
  @Test(arguments: ["g++", "clang++"])
  func aProjectOnAudioUnitSDKIsCompiledWithoutNoise(compiler: String) throws {
    try box.folder.write(Self.substitute, to: "SDK/include/AudioUnitSDK/AudioUnitSDK.h")
    try box.folder.write("", to: "SDK/src/AudioUnitSDK/AUBase.cpp")
    _ = try new("Warm Tremolo", "--language", "audiounitsdk", "--subtype", "wtrm")
    let none = try make("warm-tremolo")
    #expect(none.exitCode == 2 && none.standardError.contains("There is no AudioUnitSDK"))
    let built = try make("warm-tremolo", "AUDIOUNITSDK=../SDK", "CXX=\(compiler)")
    try #require(built.exitCode == 0, "\(built.summary)")
    #expect(!built.standardError.contains("WarmTremolo.cpp"), "\(built.summary)")
    #expect(built.standardError.contains("aufx:wtrm:Demo"), "\(built.summary)")
  }

  private static let substitute = """
    #include <AudioToolbox/AudioToolbox.h>
    #include <memory>
    #ifndef AUSDK_EXPORT
    #define AUSDK_EXPORT __attribute__((visibility("default")))
    #endif
    namespace ausdk {
    struct Element {
      void UseIndexedParameters(int) {}
      void SetParameter(AudioUnitParameterID, float) {}
    };
    struct AUEffectBase;
    struct AUKernelBase {
      explicit AUKernelBase(AUEffectBase &) {}
      virtual ~AUKernelBase() = default;
      virtual void Reset() noexcept {}
      virtual void Process(const Float32 *, Float32 *, UInt32, bool &) noexcept {}
      float GetParameter(AudioUnitParameterID) const { return 0; }
      double GetSampleRate() const { return 44100; }
    };
    struct AUEffectBase {
      explicit AUEffectBase(AudioComponentInstance) {}
      virtual ~AUEffectBase() = default;
      void CreateElements() {}
      Element *Globals() { return &element; }
      virtual std::unique_ptr<AUKernelBase> NewKernel() { return nullptr; }
      virtual bool SupportsTail() noexcept { return false; }
      virtual OSStatus GetParameterInfo(
          AudioUnitScope, AudioUnitParameterID, AudioUnitParameterInfo &) { return noErr; }
      static void FillInParameterName(AudioUnitParameterInfo &info, CFStringRef name, bool) {
        info.cfNameString = name;
      }
      Element element;
    };
    template <class Unit> struct AUBaseProcessFactory {
      static void *Factory(const AudioComponentDescription *) { return new Unit(nullptr); }
    };
    }  // namespace ausdk
    #define AUSDK_COMPONENT_ENTRY(FactoryType, Class)                     \\
      AUSDK_EXPORT extern "C" void *Class##Factory(const AudioComponentDescription *request); \\
      extern "C" void *Class##Factory(const AudioComponentDescription *request) {             \\
        return FactoryType<Class>::Factory(request);                                          \\
      }
    """

  @Test func aFolderWithSomethingInItIsLeftAlone() throws {
    try box.folder.write("mine", to: "warm-tremolo/notes")
    let result = try new("Warm Tremolo", "--language", "c", "--subtype", "wtrm")
    #expect(result.exitCode == 74 && result.standardError.contains("is there already"))
    #expect(box.names("warm-tremolo") == ["notes"])
  }

  @Test func aBundleReportsWhatItsPartsLack() throws {
    let binary = try ComponentFixture.binary("GainUnit")
    try box.folder.write(binary, to: "unit.so")
    try box.folder.write(ComponentFixture.info("GainUnit"), to: "Info.plist")
    func bundle(_ more: String...) throws -> ProcessResult {
      try box.run(
        ["plugin", "bundle", "--binary", "unit.so", "--output", "GainUnit.component"] + more)
    }
    let good = try bundle("--plist", "Info.plist")
    #expect(good.exitCode == 0, "\(good.summary)")
    #expect(good.standardError.contains("aufx:gain:AuTe"))
    let scan = try box.run(
      "scan", "aufx:gain:AuTe", environment: ["AURICLE_COMPONENT_PATH": box.folder.path])
    #expect(scan.exitCode == 0, "\(scan.summary)")
    try box.folder.write(ComponentFixture.info("Other"), to: "Other.plist")
    let other = try bundle("--plist", "Other.plist")
    #expect(other.exitCode == 65 && other.standardError.contains("it exports GainUnitFactory"))
    let none = try bundle()
    #expect(none.exitCode == 65 && none.standardError.contains("--plist"), "\(none.summary)")
    try box.folder.write("text", to: "unit.so")
    let text = try bundle("--plist", "Info.plist")
    #expect(text.exitCode == 65 && text.standardError.contains("no shared object"))
  }

  @Test func aBundleWithVariablesIsReportedByName() throws {
    let info = ComponentFixture.info("GainUnit").replacing(
      "<string>GainUnitFactory</string>", with: "<string>${PRODUCT_NAME}Factory</string>")
    try ComponentFixture.makeBundle("GainUnit", info: info, in: box.folder)
    let listed = try box.run("list", environment: ["AURICLE_COMPONENT_PATH": box.folder.path])
    #expect(
      listed.standardError.contains(
        "its factoryFunction still holds the build variable ${PRODUCT_NAME}"), "\(listed.summary)")
  }

  @Test func devReportsHowARoundEnded() throws {
    _ = try new("Warm Tremolo", "--language", "c", "--subtype", "wtrm")
    let nothing = try box.run("plugin", "dev", "--once")
    #expect(nothing.exitCode == 66, "\(nothing.summary)")
    try box.folder.write("not C", to: "warm-tremolo/WarmTremolo.c")
    let broken = try box.run("plugin", "dev", "warm-tremolo", "--once")
    #expect(broken.exitCode == 1 && broken.lines == ["build     failed"], "\(broken.summary)")
  }
}
