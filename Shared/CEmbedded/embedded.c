// Written by Shared/CEmbedded/make.

#include "embedded.h"

static const unsigned char file_0[] = {
#embed "../../Services/Gateway/Description/asyncapi.yaml"
};
static const unsigned char file_1[] = {
#embed "../../Services/Gateway/Description/openapi.yaml"
};
static const unsigned char file_2[] = {
#embed "../../Shared/NotificationModel/catalogue.schema.json"
};
static const unsigned char file_3[] = {
#embed "../../Shared/NotificationModel/catalogue.yaml"
};
static const unsigned char file_4[] = {
#embed "../../Shared/NotificationStore/Migrations/m0001_initial.sql"
};
static const unsigned char file_5[] = {
#embed "../../Shared/NotificationStore/Migrations/m0002_presence.sql"
};
static const unsigned char file_6[] = {
#embed "../../Shared/NotificationStore/Migrations/m0003_devices.sql"
};
static const unsigned char file_7[] = {
#embed "../../Shared/NotificationStore/Migrations/m0004_seq_order.sql"
};
static const unsigned char file_8[] = {
#embed "../../Shared/NotificationStore/Migrations/m0005_decisions.sql"
};
static const unsigned char file_9[] = {
#embed "../../Shared/NotificationStore/Migrations/m0006_reasons.sql"
};
static const unsigned char file_10[] = {
#embed "../../Shared/NotificationStore/Migrations/m0007_settings.sql"
};
static const unsigned char file_11[] = {
#embed "../../Shared/NotificationStore/Migrations/m0008_held.sql"
};
static const unsigned char file_12[] = {
#embed "../../Shared/NotificationStore/Migrations/m0009_schedules.sql"
};
static const unsigned char file_13[] = {
#embed "../../Shared/NotificationStore/Migrations/m0010_rules.sql"
};
static const unsigned char file_14[] = {
#embed "../../Shared/NotificationStore/Migrations/m0011_requests.sql"
};
static const unsigned char file_15[] = {
#embed "../../Shared/NotificationStore/Migrations/m0012_inbox.sql"
};
static const unsigned char file_16[] = {
#embed "../../Shared/NotificationStore/Migrations/m0013_devices.sql"
};
static const unsigned char file_17[] = {
#embed "../../Shared/NotificationStore/Migrations/m0014_directory.sql"
};
static const unsigned char file_18[] = {
#embed "../../Shared/NotificationStore/Migrations/m0015_erasure.sql"
};
static const unsigned char file_19[] = {
#embed "../../Shared/NotificationStore/Migrations/m0016_statistics.sql"
};
static const unsigned char file_20[] = {
#embed "../../Shared/NotificationStore/Migrations/m0017_api_keys.sql"
};
static const unsigned char file_21[] = {
#embed "../../compose/postgresql/postgresql.conf"
};
static const unsigned char file_22[] = {
#embed "../../compose/rabbitmq/rabbitmq.conf"
};

static const struct embedded_file files[] = {
  {"Services/Gateway/Description/asyncapi.yaml", file_0, sizeof file_0},
  {"Services/Gateway/Description/openapi.yaml", file_1, sizeof file_1},
  {"Shared/NotificationModel/catalogue.schema.json", file_2, sizeof file_2},
  {"Shared/NotificationModel/catalogue.yaml", file_3, sizeof file_3},
  {"Shared/NotificationStore/Migrations/m0001_initial.sql", file_4, sizeof file_4},
  {"Shared/NotificationStore/Migrations/m0002_presence.sql", file_5, sizeof file_5},
  {"Shared/NotificationStore/Migrations/m0003_devices.sql", file_6, sizeof file_6},
  {"Shared/NotificationStore/Migrations/m0004_seq_order.sql", file_7, sizeof file_7},
  {"Shared/NotificationStore/Migrations/m0005_decisions.sql", file_8, sizeof file_8},
  {"Shared/NotificationStore/Migrations/m0006_reasons.sql", file_9, sizeof file_9},
  {"Shared/NotificationStore/Migrations/m0007_settings.sql", file_10, sizeof file_10},
  {"Shared/NotificationStore/Migrations/m0008_held.sql", file_11, sizeof file_11},
  {"Shared/NotificationStore/Migrations/m0009_schedules.sql", file_12, sizeof file_12},
  {"Shared/NotificationStore/Migrations/m0010_rules.sql", file_13, sizeof file_13},
  {"Shared/NotificationStore/Migrations/m0011_requests.sql", file_14, sizeof file_14},
  {"Shared/NotificationStore/Migrations/m0012_inbox.sql", file_15, sizeof file_15},
  {"Shared/NotificationStore/Migrations/m0013_devices.sql", file_16, sizeof file_16},
  {"Shared/NotificationStore/Migrations/m0014_directory.sql", file_17, sizeof file_17},
  {"Shared/NotificationStore/Migrations/m0015_erasure.sql", file_18, sizeof file_18},
  {"Shared/NotificationStore/Migrations/m0016_statistics.sql", file_19, sizeof file_19},
  {"Shared/NotificationStore/Migrations/m0017_api_keys.sql", file_20, sizeof file_20},
  {"compose/postgresql/postgresql.conf", file_21, sizeof file_21},
  {"compose/rabbitmq/rabbitmq.conf", file_22, sizeof file_22},
};

const struct embedded_file *embedded_files(void) { return files; }

size_t embedded_file_count(void) { return sizeof files / sizeof files[0]; }
