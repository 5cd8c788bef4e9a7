// Written by Shared/CEmbedded/make.

#include "workshop_files.h"

// Of C23, which the compiler knows and warns of where another is asked for.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "../../../Services/Workshop/Simulator/Page/api.js"
};
static const unsigned char file_1[] = {
#embed "../../../Services/Workshop/Simulator/Page/balance.js"
};
static const unsigned char file_2[] = {
#embed "../../../Services/Workshop/Simulator/Page/bell.js"
};
static const unsigned char file_3[] = {
#embed "../../../Services/Workshop/Simulator/Page/bell.svg"
};
static const unsigned char file_4[] = {
#embed "../../../Services/Workshop/Simulator/Page/documents.html"
};
static const unsigned char file_5[] = {
#embed "../../../Services/Workshop/Simulator/Page/dom.js"
};
static const unsigned char file_6[] = {
#embed "../../../Services/Workshop/Simulator/Page/flow.css"
};
static const unsigned char file_7[] = {
#embed "../../../Services/Workshop/Simulator/Page/flow.js"
};
static const unsigned char file_8[] = {
#embed "../../../Services/Workshop/Simulator/Page/index.html"
};
static const unsigned char file_9[] = {
#embed "../../../Services/Workshop/Simulator/Page/ladder.js"
};
static const unsigned char file_10[] = {
#embed "../../../Services/Workshop/Simulator/Page/mailbox.js"
};
static const unsigned char file_11[] = {
#embed "../../../Services/Workshop/Simulator/Page/model.js"
};
static const unsigned char file_12[] = {
#embed "../../../Services/Workshop/Simulator/Page/outcome.js"
};
static const unsigned char file_13[] = {
#embed "../../../Services/Workshop/Simulator/Page/page.css"
};
static const unsigned char file_14[] = {
#embed "../../../Services/Workshop/Simulator/Page/page.js"
};
static const unsigned char file_15[] = {
#embed "../../../Services/Workshop/Simulator/Page/people.css"
};
static const unsigned char file_16[] = {
#embed "../../../Services/Workshop/Simulator/Page/people.js"
};
static const unsigned char file_17[] = {
#embed "../../../Services/Workshop/Simulator/Page/phone.js"
};
static const unsigned char file_18[] = {
#embed "../../../Services/Workshop/Simulator/Page/sending.js"
};
static const unsigned char file_19[] = {
#embed "../../../Services/Workshop/Simulator/Page/story.js"
};
static const unsigned char file_20[] = {
#embed "../../../Services/Workshop/Simulator/Page/stream.js"
};
static const unsigned char file_21[] = {
#embed "../../../Services/Workshop/Simulator/Page/switches.js"
};
static const unsigned char file_22[] = {
#embed "../../../Services/Workshop/Simulator/Page/traces.js"
};
static const unsigned char file_23[] = {
#embed "../../../compose/postgresql/postgresql.conf"
};
static const unsigned char file_24[] = {
#embed "../../../compose/rabbitmq/rabbitmq.conf"
};

static const struct embedded_file files[] = {
  {"Services/Workshop/Simulator/Page/api.js", file_0, sizeof file_0},
  {"Services/Workshop/Simulator/Page/balance.js", file_1, sizeof file_1},
  {"Services/Workshop/Simulator/Page/bell.js", file_2, sizeof file_2},
  {"Services/Workshop/Simulator/Page/bell.svg", file_3, sizeof file_3},
  {"Services/Workshop/Simulator/Page/documents.html", file_4, sizeof file_4},
  {"Services/Workshop/Simulator/Page/dom.js", file_5, sizeof file_5},
  {"Services/Workshop/Simulator/Page/flow.css", file_6, sizeof file_6},
  {"Services/Workshop/Simulator/Page/flow.js", file_7, sizeof file_7},
  {"Services/Workshop/Simulator/Page/index.html", file_8, sizeof file_8},
  {"Services/Workshop/Simulator/Page/ladder.js", file_9, sizeof file_9},
  {"Services/Workshop/Simulator/Page/mailbox.js", file_10, sizeof file_10},
  {"Services/Workshop/Simulator/Page/model.js", file_11, sizeof file_11},
  {"Services/Workshop/Simulator/Page/outcome.js", file_12, sizeof file_12},
  {"Services/Workshop/Simulator/Page/page.css", file_13, sizeof file_13},
  {"Services/Workshop/Simulator/Page/page.js", file_14, sizeof file_14},
  {"Services/Workshop/Simulator/Page/people.css", file_15, sizeof file_15},
  {"Services/Workshop/Simulator/Page/people.js", file_16, sizeof file_16},
  {"Services/Workshop/Simulator/Page/phone.js", file_17, sizeof file_17},
  {"Services/Workshop/Simulator/Page/sending.js", file_18, sizeof file_18},
  {"Services/Workshop/Simulator/Page/story.js", file_19, sizeof file_19},
  {"Services/Workshop/Simulator/Page/stream.js", file_20, sizeof file_20},
  {"Services/Workshop/Simulator/Page/switches.js", file_21, sizeof file_21},
  {"Services/Workshop/Simulator/Page/traces.js", file_22, sizeof file_22},
  {"compose/postgresql/postgresql.conf", file_23, sizeof file_23},
  {"compose/rabbitmq/rabbitmq.conf", file_24, sizeof file_24},
};

struct embedded_files workshop_files(void) {
  return (struct embedded_files){files, sizeof files / sizeof files[0]};
}
