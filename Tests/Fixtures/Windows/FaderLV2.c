// Windows of the LV2 example amplifier for kinds that few packages have: GTK 3, ui:showInterface and external-ui.
// SPDX-License-Identifier: Apache-2.0
//
// Compiled with one of -DGTK3, -DSHOW and -DEXTERNAL. The window's name is the gain's place within 0 to 24 dB.
#include <lv2/ui/ui.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "FaderView.h"

enum { kMost = 24 };
typedef struct External {
  void (*run)(struct External*);
  void (*show)(struct External*);
  void (*hide)(struct External*);
} External;
typedef struct {
  void (*ended)(void* controller);
  const char* title;
} ExternalHost;

typedef struct {
  External external;
  const ExternalHost* host;
  LV2UI_Write_Function write;
  LV2UI_Controller controller;
  FaderView view;
  double level;
  void* button;
} Fader;

static void send_level(Fader* fader) {
  const float gain = (float)(fader->level * kMost);
  fader->write(fader->controller, 0, sizeof gain, 0, &gain);
}

#ifdef GTK3
// Few machines have GTK's headers.
void* gtk_button_new_with_label(const char*);
void* gtk_widget_get_toplevel(void*);
void gtk_widget_set_size_request(void*, int, int);
void gtk_window_set_title(void*, const char*);
void* gtk_message_dialog_new(void* parent, int flags, int type, int buttons, const char* format, ...);
int gtk_dialog_run(void*);
void gtk_widget_destroy(void*);
unsigned long g_signal_connect_data(void*, const char*, void (*)(void), void*, void*, int);

static void show_level(Fader* fader) {
  char name[64];
  snprintf(name, sizeof name, "level %.2f", fader->level);
  gtk_window_set_title(gtk_widget_get_toplevel(fader->button), name);
}

// A click adds a quarter; at three quarters it opens a dialog, which returns when it is closed.
static void click(void* button, Fader* fader) {
  (void)button;
  if (fader->level >= 0.75) {
    void* dialog = gtk_message_dialog_new(gtk_widget_get_toplevel(fader->button), 1, 0, 1, "as loud as it is");
    gtk_dialog_run(dialog);
    gtk_widget_destroy(dialog);
    return;
  }
  fader->level += 0.25;
  send_level(fader);
  show_level(fader);
}
#else
static void show_level(Fader* fader) { (void)fader; }
#endif

static int turn(LV2UI_Handle handle) {
  Fader* fader = handle;
  if (fader->view.display && fader_turn(&fader->view, &fader->level)) send_level(fader);
  return fader->view.is_closed;
}

static int show(LV2UI_Handle handle) {
  Fader* fader = handle;
  if (!fader_open(&fader->view, 0)) return 1;
  Atom atom = XInternAtom(fader->view.display, "WM_DELETE_WINDOW", False);
  XSetWMProtocols(fader->view.display, fader->view.window, &atom, 1);
  return 0;
}

static int hide(LV2UI_Handle handle) {
  fader_close(&((Fader*)handle)->view);
  return 0;
}

static void external_run(External* external) {
  Fader* fader = (Fader*)external;
  if (turn(fader)) fader->host->ended(fader->controller);
}
static void external_show(External* external) { show(external); }
static void external_hide(External* external) { hide(external); }

static LV2UI_Handle make(
  const LV2UI_Descriptor* descriptor, const char* plugin, const char* bundle, LV2UI_Write_Function write,
  LV2UI_Controller controller, LV2UI_Widget* widget, const LV2_Feature* const* features) {
  Fader* fader = calloc(1, sizeof *fader);
  (void)descriptor, (void)plugin, (void)bundle;
  fader->write = write;
  fader->controller = controller;
  fader->external = (External){external_run, external_show, external_hide};
  for (; features && *features; ++features)
    if (!strcmp((*features)->URI, "http://kxstudio.sf.net/ns/lv2ext/external-ui#Host")) fader->host = (*features)->data;
#ifdef GTK3
  fader->button = gtk_button_new_with_label("louder");
  gtk_widget_set_size_request(fader->button, kFaderWidth, kFaderHeight);
  g_signal_connect_data(fader->button, "clicked", (void (*)(void))click, fader, NULL, 0);
  *widget = fader->button;
#elif defined EXTERNAL
  if (!fader->host) abort();
  *widget = fader;
#else
  *widget = NULL;
#endif
  return fader;
}

static void end(LV2UI_Handle handle) {
  fader_close(&((Fader*)handle)->view);
  free(handle);
}

static void receive(LV2UI_Handle handle, uint32_t port, uint32_t size, uint32_t format, const void* buffer) {
  Fader* fader = handle;
  if (port != 0 || format != 0 || size != sizeof(float)) return;
  fader->level = *(const float*)buffer / kMost;
  show_level(fader);
}

static const void* extension(const char* uri) {
  static const LV2UI_Idle_Interface idle = {turn};
  static const LV2UI_Show_Interface showing = {show, hide};
  (void)idle, (void)showing;
#ifdef SHOW
  if (!strcmp(uri, LV2_UI__idleInterface)) return &idle;
  if (!strcmp(uri, LV2_UI__showInterface)) return &showing;
#endif
  return NULL;
}

const LV2UI_Descriptor* lv2ui_descriptor(uint32_t index) {
  static const LV2UI_Descriptor descriptor = {"urn:auricle:window", make, end, receive, extension};
  return index == 0 ? &descriptor : NULL;
}
