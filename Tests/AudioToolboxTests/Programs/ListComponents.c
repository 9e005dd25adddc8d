// Lists the names of all components, as a host in C begins.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>

int main(void) {
  const AudioComponentDescription any = {0};
  AudioComponent component = NULL;
  while ((component = AudioComponentFindNext(component, &any))) {
    CFStringRef name = NULL;
    char text[512] = "";
    if (AudioComponentCopyName(component, &name) != noErr) return 1;
    CFStringGetCString(name, text, sizeof text, kCFStringEncodingUTF8);
    CFRelease(name);
    puts(text);
  }
  return 0;
}
