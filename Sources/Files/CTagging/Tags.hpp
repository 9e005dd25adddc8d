// What the parts of the tagging door share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "Tagging.h"

struct AuricleTags {
  struct Text {
    std::string key, value, name;
  };
  struct Part {
    bool isFrame;
    std::string name, bytes;
  };
  struct Picture {
    int kind;
    std::string type, text, bytes;
  };
  struct Chapter {
    uint32_t start, end;
    std::string name, address;
  };
  std::vector<Text> texts;
  std::vector<Picture> pictures;
  std::vector<Chapter> chapters;
  std::vector<Part> parts;
  std::vector<std::string> unread;
};
