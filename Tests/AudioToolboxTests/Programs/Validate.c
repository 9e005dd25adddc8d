// A host that has a unit validated, and prints the status and the result.
// SPDX-License-Identifier: Apache-2.0

#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>

static OSType code(const char *text) {
  return (OSType)text[0] << 24 | (OSType)text[1] << 16 | (OSType)text[2] << 8 | (OSType)text[3];
}

int main(int argc, char **argv) {
  if (argc < 4) return 64;
  const AudioComponentDescription wanted = {code(argv[1]), code(argv[2]), code(argv[3]), 0, 0};
  const AudioComponent component = AudioComponentFindNext(NULL, &wanted);
  if (component == NULL) return 69;
  AudioComponentValidationResult result = kAudioComponentValidationResult_Unknown;
  const OSStatus status = AudioComponentValidate(component, NULL, &result);
  printf("%d %u\n", (int)status, (unsigned)result);
  return 0;
}
