import NotificationModel
import Postgres

/// What erasing takes from the tables, kept for whoever counts again: counts stay when users are erased.
enum StatMemory {
  /// Keeps each row that is deleted in the transaction that deletes it, and with each act what its notification was then: as
  /// the statement saw it that wrote the act down (a stable function sees no more), for what waits is decided later.
  static func begin(_ client: PostgresClient) async throws {
    try await client.withConnection { session in
      try await session.script(
        """
        ALTER TABLE engagement ADD COLUMN type int2, ADD COLUMN is_pushed bool, ADD COLUMN is_mailed bool;
        CREATE FUNCTION note_how_it_was() RETURNS trigger STABLE LANGUAGE plpgsql AS $$ BEGIN
          SELECT n.type, n.push = 0, n.email = 0 INTO NEW.type, NEW.is_pushed, NEW.is_mailed
          FROM notifications n WHERE n.user_id = NEW.user_id AND n.id = NEW.notification_id;
          RETURN NEW;
        END $$;
        CREATE TRIGGER note_how_it_was BEFORE INSERT ON engagement FOR EACH ROW EXECUTE FUNCTION note_how_it_was();

        CREATE TABLE gone_notifications AS SELECT id, request_id, type, in_app, push, email FROM notifications LIMIT 0;
        CREATE TABLE gone_deliveries AS SELECT notification_id, channel, outcome, former, type FROM deliveries LIMIT 0;
        CREATE TABLE gone_engagement AS
          SELECT notification_id, action, type, is_pushed, is_mailed FROM engagement LIMIT 0;
        CREATE FUNCTION keep_notification() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO gone_notifications
          VALUES (OLD.id, OLD.request_id, OLD.type, OLD.in_app, OLD.push, OLD.email);
          RETURN NULL;
        END $$;
        CREATE FUNCTION keep_delivery() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO gone_deliveries VALUES (OLD.notification_id, OLD.channel, OLD.outcome, OLD.former, OLD.type);
          RETURN NULL;
        END $$;
        CREATE FUNCTION keep_engagement() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO gone_engagement VALUES (OLD.notification_id, OLD.action, OLD.type, OLD.is_pushed, OLD.is_mailed);
          RETURN NULL;
        END $$;
        CREATE TRIGGER keep AFTER DELETE ON notifications FOR EACH ROW EXECUTE FUNCTION keep_notification();
        CREATE TRIGGER keep AFTER DELETE ON deliveries FOR EACH ROW EXECUTE FUNCTION keep_delivery();
        CREATE TRIGGER keep AFTER DELETE ON engagement FOR EACH ROW EXECUTE FUNCTION keep_engagement();

        CREATE VIEW all_notifications AS
          SELECT id, request_id, type, in_app, push, email FROM notifications
          UNION ALL SELECT * FROM gone_notifications;
        CREATE VIEW all_deliveries AS
          SELECT notification_id, channel, outcome, former, type FROM deliveries
          UNION ALL SELECT * FROM gone_deliveries;
        CREATE VIEW all_engagement AS
          SELECT notification_id, action, type, is_pushed, is_mailed FROM engagement
          UNION ALL SELECT * FROM gone_engagement
        """
      )
    }
  }

  /// By the rows, those of erased users included. A composition is not counted as a notification: its request's id is its own.
  /// Of an outcome whose notification was never stored, for its user was erased before, there is no other type than its own.
  static func recounted(_ client: PostgresClient) async throws -> StatSums {
    let inInbox = InboxState.allCases.map(\.rawValue)
    let rows = try await client.query(
      """
      WITH facts AS (
        SELECT id, type, 0 AS channel, 1 AS sent, (in_app = ANY (\(inInbox)))::int AS delivered, 0 AS failed,
          0 AS opened, 0 AS acted
        FROM all_notifications WHERE request_id <> id
        UNION ALL
        SELECT d.notification_id,
          coalesce((SELECT n.type FROM all_notifications n WHERE n.id = d.notification_id LIMIT 1), d.type),
          d.channel, 1, (d.outcome = 1)::int, (d.outcome <> 1)::int, 0, 0
        FROM all_deliveries d
        UNION ALL
        SELECT e.notification_id, e.type, c.channel, 0, 0, 0, (e.action = '(opened)')::int, (e.action <> '(opened)')::int
        FROM all_engagement e
          CROSS JOIN LATERAL (VALUES (0, true), (2, e.is_pushed), (3, e.is_mailed)) AS c(channel, was_sent)
        WHERE c.was_sent
      ), dated AS (
        SELECT (to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::int8 / 1000.0) AT TIME ZONE 'UTC')::date
          - date '1970-01-01' AS day, *
        FROM facts
      )
      SELECT day, type, channel, sum(sent) AS sent, sum(delivered) AS delivered, sum(failed) AS failed,
        sum(opened) AS opened, sum(acted) AS acted
      FROM dated GROUP BY day, type, channel
      """
    )
    return try StatSums(rows, [.sent, .delivered, .failed, .opened, .acted])
  }
}
