// The bad presets of side chains: one defect each.
// SPDX-License-Identifier: Apache-2.0

private let head = "auricle: 1\nname: x\n"

/// One defect each, with the exact text of the report.
let badSideChainPresets: [BadPreset] = [
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
    p.yaml:4:38: error: the side chain of 'Duck' comes from 'Peaks', which itself depends on 'Duck': \
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
    p.yaml:5:47: error: the side chain of 'A' comes from 'B', which itself depends on 'A': 'A' → 'B' → \
    'A'
          - units: [{unit: u, name: A, sidechain: B}]
                                                  ^
    p.yaml:6:47: error: the side chain of 'B' comes from 'A', which itself depends on 'B': 'B' → 'A' → \
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
    p.yaml:6:47: error: the side chain of 'A' comes from 'Sum', which itself depends on 'A': 'A' → \
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
]
