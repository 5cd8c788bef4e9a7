// Written by Shared/CEmbedded/make.

#include "embedded.h"

// Of C23, which the compiler knows and warns of where another is asked for.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "../../Services/Gateway/Bell/served/belfry-bell.d.ts"
};
static const unsigned char file_1[] = {
#embed "../../Services/Gateway/Bell/served/belfry-bell.js"
};
static const unsigned char file_2[] = {
#embed "../../Services/Gateway/Bell/served/belfry-bell.js.gz"
};
static const unsigned char file_3[] = {
#embed "../../Services/Gateway/Bell/served/de.js"
};
static const unsigned char file_4[] = {
#embed "../../Services/Gateway/Bell/served/de.js.gz"
};
static const unsigned char file_5[] = {
#embed "../../Services/Gateway/Bell/served/event-stream.js"
};
static const unsigned char file_6[] = {
#embed "../../Services/Gateway/Bell/served/event-stream.js.gz"
};
static const unsigned char file_7[] = {
#embed "../../Services/Gateway/Bell/served/extras.js"
};
static const unsigned char file_8[] = {
#embed "../../Services/Gateway/Bell/served/extras.js.gz"
};
static const unsigned char file_9[] = {
#embed "../../Services/Gateway/Bell/served/long-polling.js"
};
static const unsigned char file_10[] = {
#embed "../../Services/Gateway/Bell/served/long-polling.js.gz"
};
static const unsigned char file_11[] = {
#embed "../../Services/Gateway/Description/asyncapi.yaml"
};
static const unsigned char file_12[] = {
#embed "../../Services/Gateway/Description/openapi.yaml"
};
static const unsigned char file_13[] = {
#embed "../../Services/Simulator/Page/api.js"
};
static const unsigned char file_14[] = {
#embed "../../Services/Simulator/Page/balance.js"
};
static const unsigned char file_15[] = {
#embed "../../Services/Simulator/Page/bell.js"
};
static const unsigned char file_16[] = {
#embed "../../Services/Simulator/Page/bell.svg"
};
static const unsigned char file_17[] = {
#embed "../../Services/Simulator/Page/dom.js"
};
static const unsigned char file_18[] = {
#embed "../../Services/Simulator/Page/flow.css"
};
static const unsigned char file_19[] = {
#embed "../../Services/Simulator/Page/flow.js"
};
static const unsigned char file_20[] = {
#embed "../../Services/Simulator/Page/index.html"
};
static const unsigned char file_21[] = {
#embed "../../Services/Simulator/Page/ladder.js"
};
static const unsigned char file_22[] = {
#embed "../../Services/Simulator/Page/mailbox.js"
};
static const unsigned char file_23[] = {
#embed "../../Services/Simulator/Page/model.js"
};
static const unsigned char file_24[] = {
#embed "../../Services/Simulator/Page/outcome.js"
};
static const unsigned char file_25[] = {
#embed "../../Services/Simulator/Page/page.css"
};
static const unsigned char file_26[] = {
#embed "../../Services/Simulator/Page/page.js"
};
static const unsigned char file_27[] = {
#embed "../../Services/Simulator/Page/people.css"
};
static const unsigned char file_28[] = {
#embed "../../Services/Simulator/Page/people.js"
};
static const unsigned char file_29[] = {
#embed "../../Services/Simulator/Page/phone.js"
};
static const unsigned char file_30[] = {
#embed "../../Services/Simulator/Page/sending.js"
};
static const unsigned char file_31[] = {
#embed "../../Services/Simulator/Page/story.js"
};
static const unsigned char file_32[] = {
#embed "../../Services/Simulator/Page/stream.js"
};
static const unsigned char file_33[] = {
#embed "../../Services/Simulator/Page/switches.js"
};
static const unsigned char file_34[] = {
#embed "../../Services/Simulator/Page/traces.js"
};
static const unsigned char file_35[] = {
#embed "../../Shared/NotificationModel/catalogue.schema.json"
};
static const unsigned char file_36[] = {
#embed "../../Shared/NotificationModel/catalogue.yaml"
};
static const unsigned char file_37[] = {
#embed "../../Shared/NotificationStore/Migrations/m0001_initial.sql"
};
static const unsigned char file_38[] = {
#embed "../../Shared/NotificationStore/Migrations/m0002_presence.sql"
};
static const unsigned char file_39[] = {
#embed "../../Shared/NotificationStore/Migrations/m0003_devices.sql"
};
static const unsigned char file_40[] = {
#embed "../../Shared/NotificationStore/Migrations/m0004_seq_order.sql"
};
static const unsigned char file_41[] = {
#embed "../../Shared/NotificationStore/Migrations/m0005_decisions.sql"
};
static const unsigned char file_42[] = {
#embed "../../Shared/NotificationStore/Migrations/m0006_reasons.sql"
};
static const unsigned char file_43[] = {
#embed "../../Shared/NotificationStore/Migrations/m0007_settings.sql"
};
static const unsigned char file_44[] = {
#embed "../../Shared/NotificationStore/Migrations/m0008_held.sql"
};
static const unsigned char file_45[] = {
#embed "../../Shared/NotificationStore/Migrations/m0009_schedules.sql"
};
static const unsigned char file_46[] = {
#embed "../../Shared/NotificationStore/Migrations/m0010_rules.sql"
};
static const unsigned char file_47[] = {
#embed "../../Shared/NotificationStore/Migrations/m0011_requests.sql"
};
static const unsigned char file_48[] = {
#embed "../../Shared/NotificationStore/Migrations/m0012_inbox.sql"
};
static const unsigned char file_49[] = {
#embed "../../Shared/NotificationStore/Migrations/m0013_devices.sql"
};
static const unsigned char file_50[] = {
#embed "../../Shared/NotificationStore/Migrations/m0014_directory.sql"
};
static const unsigned char file_51[] = {
#embed "../../Shared/NotificationStore/Migrations/m0015_erasure.sql"
};
static const unsigned char file_52[] = {
#embed "../../Shared/NotificationStore/Migrations/m0016_statistics.sql"
};
static const unsigned char file_53[] = {
#embed "../../Shared/NotificationStore/Migrations/m0017_api_keys.sql"
};
static const unsigned char file_54[] = {
#embed "../../Shared/NotificationStore/Migrations/m0018_schedules.sql"
};
static const unsigned char file_55[] = {
#embed "../../Shared/NotificationStore/Migrations/m0019_text_too_long.sql"
};
static const unsigned char file_56[] = {
#embed "../../Shared/NotificationStore/Migrations/m0020_due.sql"
};
static const unsigned char file_57[] = {
#embed "../../compose/postgresql/postgresql.conf"
};
static const unsigned char file_58[] = {
#embed "../../compose/rabbitmq/rabbitmq.conf"
};

static const struct embedded_file files[] = {
  {"Services/Gateway/Bell/served/belfry-bell.d.ts", file_0, sizeof file_0},
  {"Services/Gateway/Bell/served/belfry-bell.js", file_1, sizeof file_1},
  {"Services/Gateway/Bell/served/belfry-bell.js.gz", file_2, sizeof file_2},
  {"Services/Gateway/Bell/served/de.js", file_3, sizeof file_3},
  {"Services/Gateway/Bell/served/de.js.gz", file_4, sizeof file_4},
  {"Services/Gateway/Bell/served/event-stream.js", file_5, sizeof file_5},
  {"Services/Gateway/Bell/served/event-stream.js.gz", file_6, sizeof file_6},
  {"Services/Gateway/Bell/served/extras.js", file_7, sizeof file_7},
  {"Services/Gateway/Bell/served/extras.js.gz", file_8, sizeof file_8},
  {"Services/Gateway/Bell/served/long-polling.js", file_9, sizeof file_9},
  {"Services/Gateway/Bell/served/long-polling.js.gz", file_10, sizeof file_10},
  {"Services/Gateway/Description/asyncapi.yaml", file_11, sizeof file_11},
  {"Services/Gateway/Description/openapi.yaml", file_12, sizeof file_12},
  {"Services/Simulator/Page/api.js", file_13, sizeof file_13},
  {"Services/Simulator/Page/balance.js", file_14, sizeof file_14},
  {"Services/Simulator/Page/bell.js", file_15, sizeof file_15},
  {"Services/Simulator/Page/bell.svg", file_16, sizeof file_16},
  {"Services/Simulator/Page/dom.js", file_17, sizeof file_17},
  {"Services/Simulator/Page/flow.css", file_18, sizeof file_18},
  {"Services/Simulator/Page/flow.js", file_19, sizeof file_19},
  {"Services/Simulator/Page/index.html", file_20, sizeof file_20},
  {"Services/Simulator/Page/ladder.js", file_21, sizeof file_21},
  {"Services/Simulator/Page/mailbox.js", file_22, sizeof file_22},
  {"Services/Simulator/Page/model.js", file_23, sizeof file_23},
  {"Services/Simulator/Page/outcome.js", file_24, sizeof file_24},
  {"Services/Simulator/Page/page.css", file_25, sizeof file_25},
  {"Services/Simulator/Page/page.js", file_26, sizeof file_26},
  {"Services/Simulator/Page/people.css", file_27, sizeof file_27},
  {"Services/Simulator/Page/people.js", file_28, sizeof file_28},
  {"Services/Simulator/Page/phone.js", file_29, sizeof file_29},
  {"Services/Simulator/Page/sending.js", file_30, sizeof file_30},
  {"Services/Simulator/Page/story.js", file_31, sizeof file_31},
  {"Services/Simulator/Page/stream.js", file_32, sizeof file_32},
  {"Services/Simulator/Page/switches.js", file_33, sizeof file_33},
  {"Services/Simulator/Page/traces.js", file_34, sizeof file_34},
  {"Shared/NotificationModel/catalogue.schema.json", file_35, sizeof file_35},
  {"Shared/NotificationModel/catalogue.yaml", file_36, sizeof file_36},
  {"Shared/NotificationStore/Migrations/m0001_initial.sql", file_37, sizeof file_37},
  {"Shared/NotificationStore/Migrations/m0002_presence.sql", file_38, sizeof file_38},
  {"Shared/NotificationStore/Migrations/m0003_devices.sql", file_39, sizeof file_39},
  {"Shared/NotificationStore/Migrations/m0004_seq_order.sql", file_40, sizeof file_40},
  {"Shared/NotificationStore/Migrations/m0005_decisions.sql", file_41, sizeof file_41},
  {"Shared/NotificationStore/Migrations/m0006_reasons.sql", file_42, sizeof file_42},
  {"Shared/NotificationStore/Migrations/m0007_settings.sql", file_43, sizeof file_43},
  {"Shared/NotificationStore/Migrations/m0008_held.sql", file_44, sizeof file_44},
  {"Shared/NotificationStore/Migrations/m0009_schedules.sql", file_45, sizeof file_45},
  {"Shared/NotificationStore/Migrations/m0010_rules.sql", file_46, sizeof file_46},
  {"Shared/NotificationStore/Migrations/m0011_requests.sql", file_47, sizeof file_47},
  {"Shared/NotificationStore/Migrations/m0012_inbox.sql", file_48, sizeof file_48},
  {"Shared/NotificationStore/Migrations/m0013_devices.sql", file_49, sizeof file_49},
  {"Shared/NotificationStore/Migrations/m0014_directory.sql", file_50, sizeof file_50},
  {"Shared/NotificationStore/Migrations/m0015_erasure.sql", file_51, sizeof file_51},
  {"Shared/NotificationStore/Migrations/m0016_statistics.sql", file_52, sizeof file_52},
  {"Shared/NotificationStore/Migrations/m0017_api_keys.sql", file_53, sizeof file_53},
  {"Shared/NotificationStore/Migrations/m0018_schedules.sql", file_54, sizeof file_54},
  {"Shared/NotificationStore/Migrations/m0019_text_too_long.sql", file_55, sizeof file_55},
  {"Shared/NotificationStore/Migrations/m0020_due.sql", file_56, sizeof file_56},
  {"compose/postgresql/postgresql.conf", file_57, sizeof file_57},
  {"compose/rabbitmq/rabbitmq.conf", file_58, sizeof file_58},
};

const struct embedded_file *embedded_files(void) { return files; }

size_t embedded_file_count(void) { return sizeof files / sizeof files[0]; }
