// A program over libauricle.so: lists, runs a chain over a tone in blocks, and a file through a preset.
// SPDX-License-Identifier: Apache-2.0
#include <Auricle/AuricleHost.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int told(const char *what, OSStatus status) {
  char *text = AuricleHostCopyErrorText();
  printf("%s: %d: %s\n", what, (int)status, status != 0 ? text : "");
  AuricleHostFreeText(text);
  return status != 0;
}

#define CHECK(call) \
  do { \
    const OSStatus status = (call); \
    if (status != 0) return told(#call, status); \
  } while (0)

enum { kBlock = 512, kBlocks = 100 };

// The level of a 1 kHz tone behind the chain, in dB of the tone.
static int level(AuricleChain chain, double *decibels) {
  static float left[kBlock], right[kBlock];
  const float *const in[2] = {left, right};
  float *const out[2] = {left, right};
  double power = 0;
  for (int block = 0; block < kBlocks; block++) {
    for (int i = 0; i < kBlock; i++)
      left[i] = right[i] = (float)(0.1 * sin(2 * 3.14159265358979 * 1000 / 48000 * (block * kBlock + i)));
    CHECK(AuricleChainRender(chain, in, out, kBlock));
    for (int i = 0; block >= kBlocks / 2 && i < kBlock; i++) power += right[i] * right[i];
  }
  *decibels = 10 * log10(power / (kBlocks / 2 * kBlock) / 0.005);
  return 0;
}

static const char kText[] =
    "auricle: 1\nname: bell\nunits:\n  - unit: aufx:pmeq:appl\n    parameters: {center frequency: 1 kHz, gain: 6 dB}\n";

int main(int count, char **arguments) {
  char *json = NULL;
  CHECK(AuricleHostCopyUnits("aufx", NULL, &json));
  printf("lists: %s\n", strstr(json, "\"lpas\"") ? "yes" : "no");
  AuricleHostFreeText(json);
  CHECK(AuricleHostCopyUnitDescription("aufx:lpas:appl", &json));
  printf("describes: %s\n", strstr(json, "cutoff frequency") ? "yes" : "no");
  AuricleHostFreeText(json);
  CHECK(AuricleHostCopyPresetNames(&json));
  printf("presets: %s\n", strstr(json, "\"podcast-voice\"") ? "yes" : "no");
  AuricleHostFreeText(json);

  AuricleChain chain = NULL;
  CHECK(AuricleChainNew(kText, 48000, 2, kBlock, &chain));
  double decibels = 0;
  if (level(chain, &decibels)) return 1;
  printf("gain: %.2f\n", decibels);
  CHECK(AuricleChainSetParameter(chain, 0, "gain", "-3 dB"));
  CHECK(AuricleChainReset(chain));
  if (level(chain, &decibels)) return 1;
  Float32 value = 0;
  CHECK(AuricleChainGetParameter(chain, 0, "gain", &value));
  printf("gain: %.2f of %.2f\n", decibels, value);
  UInt32 frames = 1;
  Float64 tail = -2;
  CHECK(AuricleChainGetLatency(chain, &frames));
  CHECK(AuricleChainGetTail(chain, &tail));
  CHECK(AuricleChainCopyStages(chain, &json));
  printf("latency: %u, tail: %s, stages: %s\n", frames, tail >= 0 ? "told" : "unknown",
         strstr(json, "Parametric") ? "yes" : "no");
  AuricleHostFreeText(json);

  told("no frames", AuricleChainRender(chain, NULL, NULL, 0));
  told("no rows", AuricleChainRender(chain, NULL, NULL, 1));
  told("no stage", AuricleChainSetParameter(chain, 7, "gain", "1"));
  told("no parameter", AuricleChainSetParameter(chain, 0, "gian", "1"));
  CHECK(AuricleChainDispose(chain));
  told("disposed of", AuricleChainDispose(chain));
  told("no preset", AuricleChainNew("nothing-of-that-name", 48000, 2, kBlock, &chain));
  told("no unit", AuricleChainNew("auricle: 1\nname: none\nunits:\n  - unit: aufx:none:None\n", 48000, 2, kBlock, &chain));
  told("bad rate", AuricleChainNew(kText, 0, 2, kBlock, &chain));
  if (count < 3) return 0;
  told("file", AuricleHostProcessFile("podcast-voice", arguments[1], arguments[2]));
  told("no file", AuricleHostProcessFile("podcast-voice", "/nowhere/a.wav", "/nowhere/b.wav"));
  return 0;
}
