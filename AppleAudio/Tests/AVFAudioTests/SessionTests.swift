// The session of a program, and the list of components.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals

import AVFoundation
import Synchronization
import Testing

@Suite(.serialized) struct SessionTests {
  private let session = AVAudioSession.sharedInstance()

  @Test("Categories, modes and options are kept, alone and together")
  func categories() throws {
    try session.setCategory(.playAndRecord, mode: .measurement, options: [.defaultToSpeaker])
    #expect(session.category == .playAndRecord && session.mode == .measurement)
    #expect(session.categoryOptions == .defaultToSpeaker)
    try session.setMode(.spokenAudio)
    #expect(session.mode == .spokenAudio && session.category == .playAndRecord)
    try session.setCategory(.playback, options: .mixWithOthers)
    #expect(session.category == .playback && session.categoryOptions == .mixWithOthers)
    #expect(
      session.availableCategories.contains(.record) && session.availableModes.contains(.default))
    #expect(AVAudioSession.Category.playback.rawValue == "AVAudioSessionCategoryPlayback")
    #expect(AVAudioSession.Mode.default.rawValue == "AVAudioSessionModeDefault")
  }

  @Test("Another category is a change of the route, with its reason and the route before")
  func notices() throws {
    try session.setCategory(.ambient)
    let reasons = Mutex<[UInt]>([])
    let token = NotificationCenter.default.addObserver(
      forName: AVAudioSession.routeChangeNotification, object: session, queue: nil
    ) { notice in
      let reason = notice.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
      let before =
        notice.userInfo?[AVAudioSessionRouteChangePreviousRouteKey]
        as? AVAudioSessionRouteDescription
      reasons.withLock { $0.append(before == nil ? 99 : reason ?? 99) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try session.setCategory(.record)
    try session.setCategory(.record)
    #expect(
      reasons.withLock { $0 } == [AVAudioSession.RouteChangeReason.categoryChange.rawValue])
  }

  @Test("Wishes are kept, and the session can be used at once")
  func wishes() async throws {
    try session.setActive(true)
    try session.setPreferredSampleRate(96_000)
    try session.setPreferredIOBufferDuration(0.005)
    #expect(session.preferredSampleRate == 96_000 && session.preferredIOBufferDuration == 0.005)
    #expect(session.sampleRate > 0 && session.ioBufferDuration > 0)
    #expect(session.recordPermission == .granted)
    #expect(AVAudioApplication.shared.recordPermission == .granted)
    #expect(await AVAudioApplication.requestRecordPermission())
    #expect(AVCaptureDevice.authorizationStatus(for: .audio) == .authorized)
    try session.setActive(false, options: .notifyOthersOnDeactivation)
  }

  @Test(
    "The route has the devices with their channels, and an input stays chosen",
    .enabled(if: hasFileDevice))
  func route() throws {
    let output = try #require(session.currentRoute.outputs.first)
    #expect(output.channels?.count == session.outputNumberOfChannels && !output.uid.isEmpty)
    let input = try #require(session.availableInputs?.first)
    #expect(session.isInputAvailable && input.channels?.first?.owningPortUID == input.uid)
    try session.setPreferredInput(session.availableInputs?.first)
    #expect(session.preferredInput?.uid == input.uid)
    try session.setPreferredInput(nil)
    #expect(session.preferredInput == nil)
  }
}

@Suite struct ComponentManagerTests {
  private let manager = AVAudioUnitComponentManager.shared()
  private func lowPass() throws -> AVAudioUnitComponent {
    let description = AudioComponentDescription(
      componentType: kAudioUnitType_Effect, componentSubType: kAudioUnitSubType_LowPassFilter,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    let found = manager.components(matching: description)
    #expect(found.count == 1)
    return try #require(found.first)
  }

  @Test("A component has names, a version and the channels of its unit")
  func one() throws {
    let component = try lowPass()
    #expect(component.manufacturerName == "Auricle")
    #expect(component.typeName == AVAudioUnitTypeEffect && component.name.contains("Low"))
    #expect(component.versionString.split(separator: ".").count == 3)
    #expect(component.supportsNumberInputChannels(2, outputChannels: 2))
    #expect(!component.supportsNumberInputChannels(1, outputChannels: 2))
    #expect(!component.hasMIDIInput)
  }

  @Test("Zeros of a description fit all, and lists are ordered")
  func many() {
    let effects = manager.components(
      matching: AudioComponentDescription(
        componentType: kAudioUnitType_Effect, componentSubType: 0, componentManufacturer: 0,
        componentFlags: 0, componentFlagsMask: 0))
    #expect(effects.count > 10 && effects.allSatisfy { $0.typeName == AVAudioUnitTypeEffect })
    let names = effects.map { [$0.manufacturerName, $0.name] }
    #expect(names == names.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) })
  }

  @Test("A test ends the search; a predicate of a block chooses")
  func choices() {
    let first = manager.components { _, stop in
      stop.pointee = true
      return true
    }
    #expect(first.count == 1)
    let instruments = manager.components(
      matching: NSPredicate { component, _ in
        (component as? AVAudioUnitComponent)?.typeName == AVAudioUnitTypeMusicDevice
      })
    #expect(!instruments.isEmpty && instruments.allSatisfy(\.hasMIDIInput))
  }
}
