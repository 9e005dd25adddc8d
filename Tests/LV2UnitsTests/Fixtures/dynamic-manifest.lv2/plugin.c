// Its plug-in and a preset are described by code alone.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <lv2/dynmanifest/dynmanifest.h>
#include <stdio.h>
#include <unistd.h>

#define URI "urn:auricle:test:dynamic-manifest"
#define PRESET URI "-preset"

static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i] * *self->control[2];
}

FIXTURE(URI, fixture_instantiate, NULL)

// Leaves a line about each process that opens it in the file that the environment names.
LV2_SYMBOL_EXPORT int lv2_dyn_manifest_open(
  LV2_Dyn_Manifest_Handle* handle, const LV2_Feature* const* features) {
  (void)features;
  *handle = NULL;
  const char* log = getenv("AURICLE_TEST_LOG");
  FILE* file = log ? fopen(log, "a") : NULL;
  FILE* command = fopen("/proc/self/cmdline", "r");
  char line[512] = "";
  const size_t count = command ? fread(line, 1, sizeof line - 1, command) : 0;
  for (size_t i = 0; i < count; ++i) if (!line[i]) line[i] = ' ';
  if (file) fprintf(file, "%s\n", line), fclose(file);
  if (command) fclose(command);
  // A crash on demand.
  if (getenv("AURICLE_TEST_CRASH")) abort();
  return 0;
}
LV2_SYMBOL_EXPORT int lv2_dyn_manifest_get_subjects(LV2_Dyn_Manifest_Handle handle, FILE* fp) {
  (void)handle;
  puts("a word on standard output, which is the host's");
  fputs(
    "@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n"
    "@prefix pset: <http://lv2plug.in/ns/ext/presets#> .\n"
    "<" URI "> a lv2:Plugin .\n"
    "<" PRESET "> a pset:Preset ; lv2:appliesTo <" URI "> .\n",
    fp);
  return 0;
}
LV2_SYMBOL_EXPORT int lv2_dyn_manifest_get_data(
  LV2_Dyn_Manifest_Handle handle, FILE* fp, const char* uri) {
  (void)handle;
  fputs(
    "@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n"
    "@prefix doap: <http://usefulinc.com/ns/doap#> .\n"
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    "@prefix pset: <http://lv2plug.in/ns/ext/presets#> .\n",
    fp);
  if (!strcmp(uri, PRESET)) {
    fputs(
      "<" PRESET "> rdfs:label \"Three\" ;"
      " lv2:port [ lv2:symbol \"gain\" ; pset:value 3.0 ] .\n",
      fp);
    return 0;
  }
  fputs(
    "<" URI "> a lv2:Plugin , lv2:UtilityPlugin ; lv2:binary <plugin.so> ;"
    " doap:name \"dynamic-manifest\" ;"
    " lv2:port [ a lv2:InputPort , lv2:AudioPort ; lv2:index 0 ; lv2:symbol \"in\" ; lv2:name \"In\" ] ,"
    " [ a lv2:OutputPort , lv2:AudioPort ; lv2:index 1 ; lv2:symbol \"out\" ; lv2:name \"Out\" ] ,"
    " [ a lv2:InputPort , lv2:ControlPort ; lv2:index 2 ; lv2:symbol \"gain\" ; lv2:name \"Gain\" ;"
    " lv2:minimum 0.0 ; lv2:maximum 8.0 ; lv2:default 1.0 ] .\n",
    fp);
  return 0;
}
LV2_SYMBOL_EXPORT void lv2_dyn_manifest_close(LV2_Dyn_Manifest_Handle handle) { (void)handle; }
