// The bad presets of branches, side chains and automation: one defect each.
// SPDX-License-Identifier: Apache-2.0

private let head = "auricle: 1\nname: x\n"
private let body = "units: [{unit: u}]\n"

/// One defect each, with the exact text that is told.
let badGraphPresets: [BadPreset] = [
  BadPreset(
    "parallel is text",
    head + "units: [{parallel: dry}]\n",
    """
    p.yaml:3:20: error: 'parallel' must be a list of branches such as [{gain: -6 dB}, {units: \
    [{unit: NAME}]}], not text
    units: [{parallel: dry}]
                       ^
    """),
  BadPreset(
    "parallel without branches",
    head + "units: [{parallel: []}]\n",
    """
    p.yaml:3:20: error: 'parallel' is empty; it has at least one branch
    units: [{parallel: []}]
                       ^
    """),
  BadPreset(
    "branch is text",
    head + "units: [{parallel: [dry]}]\n",
    """
    p.yaml:3:21: error: a branch is a mapping such as {gain: -6 dB, units: [{unit: NAME}]}, not \
    text
    units: [{parallel: [dry]}]
                        ^
    """),
  BadPreset(
    "parallel and unit",
    head + "units: [{unit: u, parallel: [{}]}]\n",
    """
    p.yaml:3:10: error: an entry is either a unit or 'parallel', not both
    units: [{unit: u, parallel: [{}]}]
             ^
    """),
  BadPreset(
    "misspelt parallel",
    head + "units: [{paralel: [{}]}]\n",
    """
    p.yaml:3:9: error: the entry has no key 'unit'
    units: [{paralel: [{}]}]
            ^
    p.yaml:3:10: error: unknown key 'paralel' in an entry of 'units'; did you mean 'parallel'?
    units: [{paralel: [{}]}]
             ^
    """),
  BadPreset(
    "unknown key of parallel",
    head + "units: [{parallel: [{}], gain: 1 dB}]\n",
    """
    p.yaml:3:26: error: unknown key 'gain' in an entry with 'parallel'; the keys of an entry with \
    'parallel' are parallel, name and bypass
    units: [{parallel: [{}], gain: 1 dB}]
                             ^
    """),
  BadPreset(
    "unknown key of a branch",
    head + "units: [{parallel: [{gian: 1 dB}]}]\n",
    """
    p.yaml:3:22: error: unknown key 'gian' in a branch; did you mean 'gain'?
    units: [{parallel: [{gian: 1 dB}]}]
                         ^
    """),
  BadPreset(
    "branch with an empty list of units",
    head + "units: [{parallel: [{units: []}]}]\n",
    """
    p.yaml:3:29: error: 'units' is empty; leave it out for a branch without units
    units: [{parallel: [{units: []}]}]
                                ^
    """),
  BadPreset(
    "gain in Hz",
    head + "units: [{parallel: [{gain: 1 Hz}]}]\n",
    """
    p.yaml:3:28: error: 'gain' is a number of decibels such as -6 dB, not '1 Hz'
    units: [{parallel: [{gain: 1 Hz}]}]
                               ^
    """),
  BadPreset(
    "gain too high",
    head + "units: [{parallel: [{gain: 40 dB}]}]\n",
    """
    p.yaml:3:28: error: 'gain' lies between -120 dB and 24 dB; 40 dB is outside
    units: [{parallel: [{gain: 40 dB}]}]
                               ^
    """),
  BadPreset(
    "pan outside",
    head + "units: [{parallel: [{pan: 2}]}]\n",
    """
    p.yaml:3:27: error: 'pan' lies between -1 (left) and 1 (right), or between -100 % and 100 %; 2 \
    is outside
    units: [{parallel: [{pan: 2}]}]
                              ^
    """),
  BadPreset(
    "pan in words",
    head + "units: [{parallel: [{pan: left}]}]\n",
    """
    p.yaml:3:27: error: 'pan' lies between -1 (left) and 1 (right), or between -100 % and 100 %, \
    not 'left'
    units: [{parallel: [{pan: left}]}]
                              ^
    """),
  BadPreset(
    "nested too deep",
    head + "units: [" + String(repeating: "{parallel: [{units: [", count: 7) + "{unit: u}"
      + String(repeating: "]}]}", count: 7) + "]\n",
    """
    p.yaml:3:136: error: 'parallel' stands more than 6 deep in itself
    …arallel: [{units: [{parallel: [{units: [{parallel: [{units: [{parallel: [{units: [{unit: \
    u}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]
                                                                   ^
    """),
  BadPreset(
    "65 branches",
    head + "units: [{parallel: [" + Array(repeating: "{}", count: 65).joined(separator: ", ")
      + "]}]\n",
    """
    p.yaml:3:20: error: 'parallel' has 65 branches; there may be 64
    units: [{parallel: [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, \
    {}, {}, {}, {}, {}, {}, {}, …
                       ^
    """),
  BadPreset(
    "two branches of one name",
    head + """
      units:
        - parallel: [{name: A}, {name: A}]

      """,
    """
    p.yaml:4:34: error: 'A' is the name of two branches
      - parallel: [{name: A}, {name: A}]
                                     ^
    """),
  BadPreset(
    "unknown stage",
    head + """
      units:
        - {unit: u, name: Level}
        - {unit: v, sidechain: Levl}

      """,
    """
    p.yaml:5:26: error: there is no stage with the name 'Levl'; did you mean 'Level'?
      - {unit: v, sidechain: Levl}
                             ^
    """),
  BadPreset(
    "unknown stage, nothing near",
    head + """
      units:
        - {unit: u, name: Level}
        - {unit: v, sidechain: Quark}

      """,
    """
    p.yaml:5:26: error: there is no stage with the name 'Quark'; there are 'input' and 'Level'
      - {unit: v, sidechain: Quark}
                             ^
    """),
  BadPreset(
    "unknown stage, no names",
    head + "units: [{unit: u, sidechain: Quark}]\n",
    """
    p.yaml:3:30: error: there is no stage with the name 'Quark'; no stage has a 'name'
    units: [{unit: u, sidechain: Quark}]
                                 ^
    """),
  BadPreset(
    "side chain of itself",
    head + "units: [{unit: u, name: Duck, sidechain: Duck}]\n",
    """
    p.yaml:3:42: error: 'Duck' cannot be its own side chain
    units: [{unit: u, name: Duck, sidechain: Duck}]
                                             ^
    """),
  BadPreset(
    "stage of two places",
    head + """
      units:
        - {unit: u, name: A}
        - {unit: v, name: A}
        - {unit: w, sidechain: A}

      """,
    """
    p.yaml:6:26: error: 'A' is the name of 2 stages (lines 4 and 5); give each its own
      - {unit: w, sidechain: A}
                             ^
    """),
  BadPreset(
    "side chain from behind",
    head + """
      units:
        - {unit: u, name: Duck, sidechain: Peaks}
        - {unit: v}
        - {unit: w, name: Peaks}

      """,
    """
    p.yaml:4:38: error: the side chain of 'Duck' comes from 'Peaks', which itself hears 'Duck': \
    'Duck' → 'v' → 'Peaks' → 'Duck'
      - {unit: u, name: Duck, sidechain: Peaks}
                                         ^
    """),
  BadPreset(
    "circle between branches",
    head + """
      units:
        - parallel:
            - units: [{unit: u, name: A, sidechain: B}]
            - units: [{unit: v, name: B, sidechain: A}]

      """,
    """
    p.yaml:5:47: error: the side chain of 'A' comes from 'B', which itself hears 'A': 'A' → 'B' → \
    'A'
          - units: [{unit: u, name: A, sidechain: B}]
                                                  ^
    p.yaml:6:47: error: the side chain of 'B' comes from 'A', which itself hears 'B': 'B' → 'A' → \
    'B'
          - units: [{unit: v, name: B, sidechain: A}]
                                                  ^
    """),
  BadPreset(
    "side chain from the sum around it",
    head + """
      units:
        - name: Sum
          parallel:
            - units: [{unit: u, name: A, sidechain: Sum}]

      """,
    """
    p.yaml:6:47: error: the side chain of 'A' comes from 'Sum', which itself hears 'A': 'A' → \
    'Sum' → 'A'
          - units: [{unit: u, name: A, sidechain: Sum}]
                                                  ^
    """),
  BadPreset(
    "side chain without a source",
    head + "units: [{unit: u, sidechain: {gain: 3 dB}}]\n",
    """
    p.yaml:3:30: error: 'sidechain' has no source; write {from: input}, {from: NAME} or {file: \
    PATH}
    units: [{unit: u, sidechain: {gain: 3 dB}}]
                                 ^
    """),
  BadPreset(
    "side chain of two sources",
    head + "units: [{unit: u, sidechain: {from: input, file: a.wav}}]\n",
    """
    p.yaml:3:30: error: 'sidechain' has two sources; give either 'from' or 'file'
    units: [{unit: u, sidechain: {from: input, file: a.wav}}]
                                 ^
    """),
  BadPreset(
    "side chain is a number",
    head + "units: [{unit: u, sidechain: 1}]\n",
    """
    p.yaml:3:30: error: 'sidechain' must be text; '1' is read as a number: put it in quotes
    units: [{unit: u, sidechain: 1}]
                                 ^
    """),
  BadPreset(
    "empty list of side chains",
    head + "units: [{unit: u, sidechain: []}]\n",
    """
    p.yaml:3:30: error: 'sidechain' is empty
    units: [{unit: u, sidechain: []}]
                                 ^
    """),
  BadPreset(
    "bus fed twice",
    head + "units: [{unit: u, sidechain: [input, {file: a.wav}]}]\n",
    """
    p.yaml:3:38: error: the input bus 1 is fed twice; give each its own 'bus'
    units: [{unit: u, sidechain: [input, {file: a.wav}]}]
                                         ^
    """),
  BadPreset(
    "loop without a file",
    head + "units: [{unit: u, sidechain: {from: input, loop: true}}]\n",
    """
    p.yaml:3:44: error: 'loop' is for a file
    units: [{unit: u, sidechain: {from: input, loop: true}}]
                                               ^
    """),
  BadPreset(
    "output of a file",
    head + "units: [{unit: u, sidechain: {file: a.wav, output: 1}}]\n",
    """
    p.yaml:3:52: error: 'output' is a bus of a stage; a file has none
    units: [{unit: u, sidechain: {file: a.wav, output: 1}}]
                                                       ^
    """),
  BadPreset(
    "unknown key of a side chain",
    head + "units: [{unit: u, sidechain: {form: input}}]\n",
    """
    p.yaml:3:30: error: 'sidechain' has no source; write {from: input}, {from: NAME} or {file: \
    PATH}
    units: [{unit: u, sidechain: {form: input}}]
                                 ^
    p.yaml:3:31: error: unknown key 'form' in 'sidechain'; did you mean 'from'?
    units: [{unit: u, sidechain: {form: input}}]
                                  ^
    """),
  BadPreset(
    "input is a stage too",
    head + """
      units:
        - {unit: u, name: input}
        - {unit: v, sidechain: input}

      """,
    """
    p.yaml:5:26: error: 'input' is both the input of the chain and the name of a stage (line 4); \
    give the stage another name
      - {unit: v, sidechain: input}
                             ^
    """),
  BadPreset(
    "automation is a list",
    head + "units: [{unit: u, automation: [a]}]\n",
    """
    p.yaml:3:31: error: 'automation' must be a mapping such as {gain: [[0 s, 0 dB], [2 s, -6 \
    dB]]}, not a list
    units: [{unit: u, automation: [a]}]
                                  ^
    """),
  BadPreset(
    "automation of one value",
    head + "units: [{unit: u, automation: {gain: 3 dB}}]\n",
    """
    p.yaml:3:38: error: 'gain' takes a list of breakpoints such as [[0 s, 0 dB], [2 s, -6 dB]], \
    not text
    units: [{unit: u, automation: {gain: 3 dB}}]
                                         ^
    """),
  BadPreset(
    "automation without breakpoints",
    head + "units: [{unit: u, automation: {gain: []}}]\n",
    """
    p.yaml:3:38: error: 'gain' has no breakpoints
    units: [{unit: u, automation: {gain: []}}]
                                         ^
    """),
  BadPreset(
    "breakpoint is a number",
    head + "units: [{unit: u, automation: {gain: [3]}}]\n",
    """
    p.yaml:3:39: error: a breakpoint is [TIME, VALUE], [TIME, VALUE, CURVE] or {at: TIME, value: \
    VALUE}, not a number
    units: [{unit: u, automation: {gain: [3]}}]
                                          ^
    """),
  BadPreset(
    "breakpoint of one value",
    head + "units: [{unit: u, automation: {gain: [[3 s]]}}]\n",
    """
    p.yaml:3:39: error: a breakpoint is [TIME, VALUE], [TIME, VALUE, CURVE] or {at: TIME, value: \
    VALUE}, not 1 value
    units: [{unit: u, automation: {gain: [[3 s]]}}]
                                          ^
    """),
  BadPreset(
    "breakpoint without a value",
    head + "units: [{unit: u, automation: {gain: [{at: 3 s}]}}]\n",
    """
    p.yaml:3:39: error: a breakpoint has the keys 'at' and 'value'
    units: [{unit: u, automation: {gain: [{at: 3 s}]}}]
                                          ^
    """),
  BadPreset(
    "unknown key of a breakpoint",
    head + "units: [{unit: u, automation: {gain: [{at: 3 s, value: 1, curv: step}]}}]\n",
    """
    p.yaml:3:59: error: unknown key 'curv' in a breakpoint; did you mean 'curve'?
    units: [{unit: u, automation: {gain: [{at: 3 s, value: 1, curv: step}]}}]
                                                              ^
    """),
  BadPreset(
    "time in Hz",
    head + "units: [{unit: u, automation: {gain: [[3 Hz, 1]]}}]\n",
    """
    p.yaml:3:40: error: a time is a number of seconds, or written such as 2.5 s, 300 ms or 480 \
    frames, not '3 Hz'
    units: [{unit: u, automation: {gain: [[3 Hz, 1]]}}]
                                           ^
    """),
  BadPreset(
    "time before the start",
    head + "units: [{unit: u, automation: {gain: [[-1 s, 1]]}}]\n",
    """
    p.yaml:3:40: error: a time counts from the start of the file; -1 s is outside
    units: [{unit: u, automation: {gain: [[-1 s, 1]]}}]
                                           ^
    """),
  BadPreset(
    "breakpoints out of order",
    head + "units: [{unit: u, automation: {gain: [[1 s, 1], [500 ms, 2]]}}]\n",
    """
    p.yaml:3:50: error: breakpoints stand in the order of time, and 0.5 s comes after 1 s
    units: [{unit: u, automation: {gain: [[1 s, 1], [500 ms, 2]]}}]
                                                     ^
    """),
  BadPreset(
    "two breakpoints at one time",
    head + "units: [{unit: u, automation: {gain: [[1 s, 1], [1000 ms, 2]]}}]\n",
    """
    p.yaml:3:50: error: breakpoints stand in the order of time, and 1 s comes after 1 s
    units: [{unit: u, automation: {gain: [[1 s, 1], [1000 ms, 2]]}}]
                                                     ^
    """),
  BadPreset(
    "seconds and frames",
    head + "units: [{unit: u, automation: {gain: [[0 s, 1], [480 frames, 2]]}}]\n",
    """
    p.yaml:3:50: error: the times of one parameter are all in seconds or all in frames
    units: [{unit: u, automation: {gain: [[0 s, 1], [480 frames, 2]]}}]
                                                     ^
    """),
  BadPreset(
    "unknown curve",
    head + "units: [{unit: u, automation: {gain: [[0 s, 1], [1 s, 2, exponental]]}}]\n",
    """
    p.yaml:3:58: error: a curve is linear, exponential or step, not 'exponental'; did you mean \
    'exponential'?
    units: [{unit: u, automation: {gain: [[0 s, 1], [1 s, 2, exponental]]}}]
                                                             ^
    """),
]
