// Written by Shared/CEmbedded/make.

#include "embedded.h"

// Of C23, which the compiler knows and warns of where another is asked for.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "../../Services/Gateway/Bell/client/served/belfry.d.ts"
};
static const unsigned char file_1[] = {
#embed "../../Services/Gateway/Bell/client/served/belfry.js"
};
static const unsigned char file_2[] = {
#embed "../../Services/Gateway/Bell/client/served/belfry.js.gz"
};
static const unsigned char file_3[] = {
#embed "../../Services/Gateway/Bell/client/served/event-stream-HLVIW3VO.js"
};
static const unsigned char file_4[] = {
#embed "../../Services/Gateway/Bell/client/served/event-stream-HLVIW3VO.js.gz"
};
static const unsigned char file_5[] = {
#embed "../../Services/Gateway/Bell/client/served/long-polling-VQSI5GQS.js"
};
static const unsigned char file_6[] = {
#embed "../../Services/Gateway/Bell/client/served/long-polling-VQSI5GQS.js.gz"
};
static const unsigned char file_7[] = {
#embed "../../Services/Gateway/Bell/served/belfry-bell.d.ts"
};
static const unsigned char file_8[] = {
#embed "../../Services/Gateway/Bell/served/belfry-bell.js"
};
static const unsigned char file_9[] = {
#embed "../../Services/Gateway/Bell/served/belfry-bell.js.gz"
};
static const unsigned char file_10[] = {
#embed "../../Services/Gateway/Bell/served/de-BL7EXBCE.js"
};
static const unsigned char file_11[] = {
#embed "../../Services/Gateway/Bell/served/de-BL7EXBCE.js.gz"
};
static const unsigned char file_12[] = {
#embed "../../Services/Gateway/Bell/served/event-stream-HLVIW3VO.js"
};
static const unsigned char file_13[] = {
#embed "../../Services/Gateway/Bell/served/event-stream-HLVIW3VO.js.gz"
};
static const unsigned char file_14[] = {
#embed "../../Services/Gateway/Bell/served/extras-ZUXPJOSR.js"
};
static const unsigned char file_15[] = {
#embed "../../Services/Gateway/Bell/served/extras-ZUXPJOSR.js.gz"
};
static const unsigned char file_16[] = {
#embed "../../Services/Gateway/Bell/served/long-polling-VQSI5GQS.js"
};
static const unsigned char file_17[] = {
#embed "../../Services/Gateway/Bell/served/long-polling-VQSI5GQS.js.gz"
};
static const unsigned char file_18[] = {
#embed "../../Services/Gateway/Bell/served/previous/de.js"
};
static const unsigned char file_19[] = {
#embed "../../Services/Gateway/Bell/served/previous/de.js.gz"
};
static const unsigned char file_20[] = {
#embed "../../Services/Gateway/Bell/served/previous/event-stream.js"
};
static const unsigned char file_21[] = {
#embed "../../Services/Gateway/Bell/served/previous/event-stream.js.gz"
};
static const unsigned char file_22[] = {
#embed "../../Services/Gateway/Bell/served/previous/extras.js"
};
static const unsigned char file_23[] = {
#embed "../../Services/Gateway/Bell/served/previous/extras.js.gz"
};
static const unsigned char file_24[] = {
#embed "../../Services/Gateway/Bell/served/previous/long-polling.js"
};
static const unsigned char file_25[] = {
#embed "../../Services/Gateway/Bell/served/previous/long-polling.js.gz"
};
static const unsigned char file_26[] = {
#embed "../../Services/Gateway/Bell/served/push-Y6WIN5K5.js"
};
static const unsigned char file_27[] = {
#embed "../../Services/Gateway/Bell/served/push-Y6WIN5K5.js.gz"
};
static const unsigned char file_28[] = {
#embed "../../Services/Gateway/Bell/served/push-worker.js"
};
static const unsigned char file_29[] = {
#embed "../../Services/Gateway/Bell/served/push-worker.js.gz"
};
static const unsigned char file_30[] = {
#embed "../../Services/Gateway/Description/asyncapi.yaml"
};
static const unsigned char file_31[] = {
#embed "../../Services/Gateway/Description/openapi.yaml"
};
static const unsigned char file_32[] = {
#embed "../../Shared/NotificationModel/catalogue.schema.json"
};
static const unsigned char file_33[] = {
#embed "../../Shared/NotificationModel/catalogue.yaml"
};
static const unsigned char file_34[] = {
#embed "../../Shared/NotificationModel/mail-layout.html"
};
static const unsigned char file_35[] = {
#embed "../../Shared/NotificationStore/Migrations/m0001_initial.sql"
};
static const unsigned char file_36[] = {
#embed "../../Shared/NotificationStore/Migrations/m0002_presence.sql"
};
static const unsigned char file_37[] = {
#embed "../../Shared/NotificationStore/Migrations/m0003_devices.sql"
};
static const unsigned char file_38[] = {
#embed "../../Shared/NotificationStore/Migrations/m0004_seq_order.sql"
};
static const unsigned char file_39[] = {
#embed "../../Shared/NotificationStore/Migrations/m0005_decisions.sql"
};
static const unsigned char file_40[] = {
#embed "../../Shared/NotificationStore/Migrations/m0006_reasons.sql"
};
static const unsigned char file_41[] = {
#embed "../../Shared/NotificationStore/Migrations/m0007_settings.sql"
};
static const unsigned char file_42[] = {
#embed "../../Shared/NotificationStore/Migrations/m0008_held.sql"
};
static const unsigned char file_43[] = {
#embed "../../Shared/NotificationStore/Migrations/m0009_schedules.sql"
};
static const unsigned char file_44[] = {
#embed "../../Shared/NotificationStore/Migrations/m0010_rules.sql"
};
static const unsigned char file_45[] = {
#embed "../../Shared/NotificationStore/Migrations/m0011_requests.sql"
};
static const unsigned char file_46[] = {
#embed "../../Shared/NotificationStore/Migrations/m0012_inbox.sql"
};
static const unsigned char file_47[] = {
#embed "../../Shared/NotificationStore/Migrations/m0013_devices.sql"
};
static const unsigned char file_48[] = {
#embed "../../Shared/NotificationStore/Migrations/m0014_directory.sql"
};
static const unsigned char file_49[] = {
#embed "../../Shared/NotificationStore/Migrations/m0015_erasure.sql"
};
static const unsigned char file_50[] = {
#embed "../../Shared/NotificationStore/Migrations/m0016_statistics.sql"
};
static const unsigned char file_51[] = {
#embed "../../Shared/NotificationStore/Migrations/m0017_api_keys.sql"
};
static const unsigned char file_52[] = {
#embed "../../Shared/NotificationStore/Migrations/m0018_schedules.sql"
};
static const unsigned char file_53[] = {
#embed "../../Shared/NotificationStore/Migrations/m0019_text_too_long.sql"
};
static const unsigned char file_54[] = {
#embed "../../Shared/NotificationStore/Migrations/m0020_due.sql"
};
static const unsigned char file_55[] = {
#embed "../../Shared/NotificationStore/Migrations/m0021_channels.sql"
};
static const unsigned char file_56[] = {
#embed "../../Shared/NotificationStore/Migrations/m0022_catalogue_versions.sql"
};
static const unsigned char file_57[] = {
#embed "../../Shared/NotificationStore/Migrations/m0023_user_identifiers.sql"
};
static const unsigned char file_58[] = {
#embed "../../Shared/NotificationStore/Migrations/m0024_device_addresses.sql"
};
static const unsigned char file_59[] = {
#embed "../../Shared/NotificationStore/Migrations/m0025_topics.sql"
};
static const unsigned char file_60[] = {
#embed "../../Shared/NotificationStore/Migrations/m0026_receipts.sql"
};
static const unsigned char file_61[] = {
#embed "../../Shared/NotificationStore/Migrations/m0027_suppressions.sql"
};
static const unsigned char file_62[] = {
#embed "../../Shared/NotificationStore/Migrations/m0028_unsubscriptions.sql"
};
static const unsigned char file_63[] = {
#embed "../../Shared/NotificationStore/Migrations/m0029_uncertain.sql"
};
static const unsigned char file_64[] = {
#embed "../../Shared/NotificationStore/Migrations/m0030_mail_reports.sql"
};
static const unsigned char file_65[] = {
#embed "../../Shared/NotificationStore/Statements/count.sql"
};
static const unsigned char file_66[] = {
#embed "../../Shared/NotificationStore/Statements/hold.sql"
};
static const unsigned char file_67[] = {
#embed "../../Shared/NotificationStore/Statements/record.sql"
};
static const unsigned char file_68[] = {
#embed "../../Shared/NotificationStore/Statements/store.sql"
};
static const unsigned char file_69[] = {
#embed "../../Shared/NotificationStore/Statements/withdraw.sql"
};

static const struct embedded_file files[] = {
  {"Services/Gateway/Bell/client/served/belfry.d.ts", file_0, sizeof file_0},
  {"Services/Gateway/Bell/client/served/belfry.js", file_1, sizeof file_1},
  {"Services/Gateway/Bell/client/served/belfry.js.gz", file_2, sizeof file_2},
  {"Services/Gateway/Bell/client/served/event-stream-HLVIW3VO.js", file_3, sizeof file_3},
  {"Services/Gateway/Bell/client/served/event-stream-HLVIW3VO.js.gz", file_4, sizeof file_4},
  {"Services/Gateway/Bell/client/served/long-polling-VQSI5GQS.js", file_5, sizeof file_5},
  {"Services/Gateway/Bell/client/served/long-polling-VQSI5GQS.js.gz", file_6, sizeof file_6},
  {"Services/Gateway/Bell/served/belfry-bell.d.ts", file_7, sizeof file_7},
  {"Services/Gateway/Bell/served/belfry-bell.js", file_8, sizeof file_8},
  {"Services/Gateway/Bell/served/belfry-bell.js.gz", file_9, sizeof file_9},
  {"Services/Gateway/Bell/served/de-BL7EXBCE.js", file_10, sizeof file_10},
  {"Services/Gateway/Bell/served/de-BL7EXBCE.js.gz", file_11, sizeof file_11},
  {"Services/Gateway/Bell/served/event-stream-HLVIW3VO.js", file_12, sizeof file_12},
  {"Services/Gateway/Bell/served/event-stream-HLVIW3VO.js.gz", file_13, sizeof file_13},
  {"Services/Gateway/Bell/served/extras-ZUXPJOSR.js", file_14, sizeof file_14},
  {"Services/Gateway/Bell/served/extras-ZUXPJOSR.js.gz", file_15, sizeof file_15},
  {"Services/Gateway/Bell/served/long-polling-VQSI5GQS.js", file_16, sizeof file_16},
  {"Services/Gateway/Bell/served/long-polling-VQSI5GQS.js.gz", file_17, sizeof file_17},
  {"Services/Gateway/Bell/served/previous/de.js", file_18, sizeof file_18},
  {"Services/Gateway/Bell/served/previous/de.js.gz", file_19, sizeof file_19},
  {"Services/Gateway/Bell/served/previous/event-stream.js", file_20, sizeof file_20},
  {"Services/Gateway/Bell/served/previous/event-stream.js.gz", file_21, sizeof file_21},
  {"Services/Gateway/Bell/served/previous/extras.js", file_22, sizeof file_22},
  {"Services/Gateway/Bell/served/previous/extras.js.gz", file_23, sizeof file_23},
  {"Services/Gateway/Bell/served/previous/long-polling.js", file_24, sizeof file_24},
  {"Services/Gateway/Bell/served/previous/long-polling.js.gz", file_25, sizeof file_25},
  {"Services/Gateway/Bell/served/push-Y6WIN5K5.js", file_26, sizeof file_26},
  {"Services/Gateway/Bell/served/push-Y6WIN5K5.js.gz", file_27, sizeof file_27},
  {"Services/Gateway/Bell/served/push-worker.js", file_28, sizeof file_28},
  {"Services/Gateway/Bell/served/push-worker.js.gz", file_29, sizeof file_29},
  {"Services/Gateway/Description/asyncapi.yaml", file_30, sizeof file_30},
  {"Services/Gateway/Description/openapi.yaml", file_31, sizeof file_31},
  {"Shared/NotificationModel/catalogue.schema.json", file_32, sizeof file_32},
  {"Shared/NotificationModel/catalogue.yaml", file_33, sizeof file_33},
  {"Shared/NotificationModel/mail-layout.html", file_34, sizeof file_34},
  {"Shared/NotificationStore/Migrations/m0001_initial.sql", file_35, sizeof file_35},
  {"Shared/NotificationStore/Migrations/m0002_presence.sql", file_36, sizeof file_36},
  {"Shared/NotificationStore/Migrations/m0003_devices.sql", file_37, sizeof file_37},
  {"Shared/NotificationStore/Migrations/m0004_seq_order.sql", file_38, sizeof file_38},
  {"Shared/NotificationStore/Migrations/m0005_decisions.sql", file_39, sizeof file_39},
  {"Shared/NotificationStore/Migrations/m0006_reasons.sql", file_40, sizeof file_40},
  {"Shared/NotificationStore/Migrations/m0007_settings.sql", file_41, sizeof file_41},
  {"Shared/NotificationStore/Migrations/m0008_held.sql", file_42, sizeof file_42},
  {"Shared/NotificationStore/Migrations/m0009_schedules.sql", file_43, sizeof file_43},
  {"Shared/NotificationStore/Migrations/m0010_rules.sql", file_44, sizeof file_44},
  {"Shared/NotificationStore/Migrations/m0011_requests.sql", file_45, sizeof file_45},
  {"Shared/NotificationStore/Migrations/m0012_inbox.sql", file_46, sizeof file_46},
  {"Shared/NotificationStore/Migrations/m0013_devices.sql", file_47, sizeof file_47},
  {"Shared/NotificationStore/Migrations/m0014_directory.sql", file_48, sizeof file_48},
  {"Shared/NotificationStore/Migrations/m0015_erasure.sql", file_49, sizeof file_49},
  {"Shared/NotificationStore/Migrations/m0016_statistics.sql", file_50, sizeof file_50},
  {"Shared/NotificationStore/Migrations/m0017_api_keys.sql", file_51, sizeof file_51},
  {"Shared/NotificationStore/Migrations/m0018_schedules.sql", file_52, sizeof file_52},
  {"Shared/NotificationStore/Migrations/m0019_text_too_long.sql", file_53, sizeof file_53},
  {"Shared/NotificationStore/Migrations/m0020_due.sql", file_54, sizeof file_54},
  {"Shared/NotificationStore/Migrations/m0021_channels.sql", file_55, sizeof file_55},
  {"Shared/NotificationStore/Migrations/m0022_catalogue_versions.sql", file_56, sizeof file_56},
  {"Shared/NotificationStore/Migrations/m0023_user_identifiers.sql", file_57, sizeof file_57},
  {"Shared/NotificationStore/Migrations/m0024_device_addresses.sql", file_58, sizeof file_58},
  {"Shared/NotificationStore/Migrations/m0025_topics.sql", file_59, sizeof file_59},
  {"Shared/NotificationStore/Migrations/m0026_receipts.sql", file_60, sizeof file_60},
  {"Shared/NotificationStore/Migrations/m0027_suppressions.sql", file_61, sizeof file_61},
  {"Shared/NotificationStore/Migrations/m0028_unsubscriptions.sql", file_62, sizeof file_62},
  {"Shared/NotificationStore/Migrations/m0029_uncertain.sql", file_63, sizeof file_63},
  {"Shared/NotificationStore/Migrations/m0030_mail_reports.sql", file_64, sizeof file_64},
  {"Shared/NotificationStore/Statements/count.sql", file_65, sizeof file_65},
  {"Shared/NotificationStore/Statements/hold.sql", file_66, sizeof file_66},
  {"Shared/NotificationStore/Statements/record.sql", file_67, sizeof file_67},
  {"Shared/NotificationStore/Statements/store.sql", file_68, sizeof file_68},
  {"Shared/NotificationStore/Statements/withdraw.sql", file_69, sizeof file_69},
};

struct embedded_files product_files(void) {
  return (struct embedded_files){files, sizeof files / sizeof files[0]};
}
