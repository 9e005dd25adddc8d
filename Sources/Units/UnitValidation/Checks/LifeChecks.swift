// The rules of a unit's life and of its component.
// SPDX-License-Identifier: Apache-2.0

extension ValidationCheck {
  package static let crash = ValidationCheck(
    "life.crash", level: 1, .error, "Nothing that hosts do makes it crash.",
    remedy: "run it under a debugger with the same seed, and mend what the phase names")
  package static let hang = ValidationCheck(
    "life.hang", level: 1, .error, "Everything that hosts do comes to an end in time.",
    remedy: "find what it waits for; give a slow unit more time with --timeout")
  package static let exit = ValidationCheck(
    "life.exit", level: 1, .error, "It never ends its process.",
    remedy: "return an error instead of calling exit")
  package static let memory = ValidationCheck(
    "life.memory", level: 1, .error, "It needs less memory than 2 GiB.",
    remedy: "bound what it allocates by the format and the slice")
  package static let output = ValidationCheck(
    "life.output", level: 1, .error, "It prints less than a megabyte.",
    remedy: "print nothing outside of debug builds")
  package static let open = ValidationCheck(
    "life.open", level: 1, .error, "It can be opened.",
    remedy:
      "make sure that the binary loads (ldd -r), and that its factory function returns an instance")
  package static let initialize = ValidationCheck(
    "life.initialize", level: 1, .error, "It can be initialized in the formats it comes with.",
    remedy: "return noErr from Initialize for the formats that the unit begins with")
  package static let again = ValidationCheck(
    "life.again", level: 1, .error,
    "It can be uninitialized and initialized again, and opened twice.",
    remedy: "free in Uninitialize what Initialize made, and keep no state outside of the instance")
  package static let reset = ValidationCheck(
    "life.reset", level: 2, .error, "It can be reset at any time.",
    remedy: "return noErr from Reset, initialized or not, between any two slices")
  package static let process = ValidationCheck(
    "life.process", level: 5, .error,
    "It leaves locale, signals, working directory, file mask, open descriptors and floating-point mode as they are.",
    remedy: "put back what it changes of the process before it returns")
  package static let threads = ValidationCheck(
    "life.threads", level: 9, .warning, "Its threads, processes and open files end with it.",
    remedy: "join threads, end processes and close files in Close")
  package static let leaks = ValidationCheck(
    "life.leaks", level: 10, .warning, "A hundred lives need no more memory than a few.",
    remedy: "free in Close what Open made, and in Uninitialize what Initialize made")

  static let ofLife = [
    crash, hang, exit, memory, output, open, initialize, again, reset, process, threads, leaks,
  ]

  package static let type = ValidationCheck(
    "component.type", level: 1, .error, "Its type is one that audio units have.",
    remedy: "use a type of AUComponent.h, such as aufx")
  package static let manufacturer = ValidationCheck(
    "component.manufacturer", level: 1, .error,
    "Its manufacturer has a capital letter: codes without belong to Apple.",
    remedy: "choose a code with at least one capital letter")
  package static let name = ValidationCheck(
    "component.name", level: 1, .warning, "Its name is \"Maker: Unit\".",
    remedy: "write the maker, a colon, a space and the name of the unit")
  package static let duplicate = ValidationCheck(
    "component.duplicate", level: 1, .warning, "No other component has its identity.",
    remedy: "choose a subtype of its own; until then each is reached by --path")
  package static let bundle = ValidationCheck(
    "component.bundle", level: 1, .error, "Its bundle and all entries of it can be read.",
    remedy: "correct Contents/Info.plist, or build the binary that it names")

  static let ofComponent = [type, manufacturer, name, duplicate, bundle]
}
