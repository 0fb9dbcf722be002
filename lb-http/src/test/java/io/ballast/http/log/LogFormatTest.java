package io.ballast.http.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.log.RecordRing;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LogFormatTest {

    /** 21 November 2026, 12:34:56.789 UTC. */
    private static final long TIME = 1795264496789L;

    private final AccessLogEntry exchange = new AccessLogEntry();

    @Test
    void jsonHasAllFields() {
        everything();

        assertThat(line(new JsonLogFormat("w\"eb")))
                .isEqualTo(
                        "{\"time\":\"2026-11-21T12:34:56.789Z\",\"listener\":\"w\\\"eb\",\"client\":\"192.0.2.1\","
                                + "\"request_id\":\"id\",\"method\":\"GET\",\"host\":\"a.example:81\",\"path\":\"/a?b=\\\"c\","
                                + "\"protocol\":\"HTTP/1.1\",\"status\":200,\"bytes_in\":100,\"bytes_out\":250,\"head_ms\":0.000,"
                                + "\"queue_ms\":0.001,\"connect_ms\":1.234,\"first_byte_ms\":56.000,\"total_ms\":1234.567,"
                                + "\"backend\":\"10.0.0.1:80\",\"attempts\":2,\"end\":\"ok\",\"reason\":null,\"upgrade\":\"h2c\",\"tls_version\":\"TLSv1.3\","
                                + "\"tls_cipher\":\"TLS_AES_128_GCM_SHA256\",\"tls_server_name\":\"a.example\",\"tls_alpn\":\"h2\","
                                + "\"tls_client_subject\":\"CN=c\\\\\\\\C3\",\"policy\":null,\"dry_run\":\"strict\",\"identity\":\"al ice\",\"trace_id\":null,\"user_agent\":\"curl\",\"referer\":\"http://b/\"}\n");
    }

    @Test
    void jsonWritesNullForUnknownValues() {
        exchange.start(0);

        assertThat(line(new JsonLogFormat("web")))
                .isEqualTo(
                        "{\"time\":\"2026-11-21T12:34:56.789Z\",\"listener\":\"web\",\"client\":null,"
                                + "\"request_id\":null,\"method\":null,\"host\":null,\"path\":null,\"protocol\":null,\"status\":0,"
                                + "\"bytes_in\":0,\"bytes_out\":0,\"head_ms\":null,\"queue_ms\":null,\"connect_ms\":null,\"first_byte_ms\":null,\"total_ms\":null,\"backend\":null,\"attempts\":0,\"end\":null,\"reason\":null,\"upgrade\":null,\"tls_version\":null,\"tls_cipher\":null,"
                                + "\"tls_server_name\":null,\"tls_alpn\":null,\"tls_client_subject\":null,\"policy\":null,\"dry_run\":null,\"identity\":null,\"trace_id\":null,\"user_agent\":null,\"referer\":null}\n");
    }

    @Test
    void commonAndCombinedMatchOtherServers() {
        everything();
        String common = "192.0.2.1 - al\\x20ice [21/Nov/2026:12:34:56 +0000] \"GET /a?b=\\\"c HTTP/1.1\" 200 150";

        assertThat(line(CommonLogFormat.common())).isEqualTo(common + "\n");
        assertThat(line(CommonLogFormat.combined())).isEqualTo(common + " \"http://b/\" \"curl\"\n");
        assertThat(line(CommonLogFormat.combinedTls()))
                .isEqualTo(common + " \"http://b/\" \"curl\" TLSv1.3 TLS_AES_128_GCM_SHA256 a.example h2\n");
    }

    @Test
    void textWritesHyphenForUnknownValues() {
        exchange.start(0);

        assertThat(line(CommonLogFormat.combined()))
                .isEqualTo("- - - [21/Nov/2026:12:34:56 +0000] \"-\" - - \"-\" \"-\"\n");
        assertThat(line(CommonLogFormat.combinedTls()))
                .isEqualTo("- - - [21/Nov/2026:12:34:56 +0000] \"-\" - - \"-\" \"-\" - - - -\n");
    }

    @Test
    void sessionsHaveOwnFields() {
        session();

        assertThat(line(new SessionJsonLogFormat("sql", "tcp")))
                .isEqualTo("{\"time\":\"2026-11-21T12:34:56.789Z\",\"listener\":\"sql\",\"protocol\":\"tcp\","
                        + "\"client\":\"2001:db8::1\",\"client_port\":50123,\"pool\":\"db\",\"backend\":\"10.0.0.1:3306\","
                        + "\"attempts\":1,\"bytes_in\":100,\"bytes_out\":250,\"queue_ms\":0.001,\"connect_ms\":1.234,"
                        + "\"total_ms\":1234.567,\"end\":\"ok\",\"reason\":null,\"tls_version\":\"TLSv1.3\",\"tls_cipher\":null,"
                        + "\"tls_server_name\":\"db.example\",\"tls_alpn\":null,\"tls_client_subject\":null}\n");
        assertThat(line(new SessionTextLogFormat("sql")))
                .isEqualTo(
                        "[2001:db8::1]:50123 [21/Nov/2026:12:34:56.789 +0000] sql db/10.0.0.1:3306 0/1/1234 100/250 ok"
                                + " TLSv1.3 db.example\n");
    }

    @Test
    void emptySessionsAreLogged() {
        exchange.start(0);
        keep(AccessLogField.CLIENT, "unix:");

        assertThat(line(new SessionTextLogFormat("sql")))
                .isEqualTo("unix: [21/Nov/2026:12:34:56.789 +0000] sql -/- -/-/- 0/0 - - -\n");
        assertThat(line(new SessionJsonLogFormat("sql", "udp")))
                .contains(
                        "\"protocol\":\"udp\",\"client\":\"unix:\",\"client_port\":null,\"pool\":null,\"backend\":null");
    }

    private void session() {
        exchange.start(0);
        keep(AccessLogField.CLIENT, "2001:db8::1");
        keep(AccessLogField.POOL, "db");
        keep(AccessLogField.BACKEND, "10.0.0.1:3306");
        keep(AccessLogField.TLS_VERSION, "TLSv1.3");
        keep(AccessLogField.TLS_SERVER_NAME, "db.example");
        exchange.store(AccessLogField.END, "ok");
        exchange.clientPort = 50_123;
        exchange.attempts = 1;
        exchange.bytesIn = 100;
        exchange.bytesOut = 250;
        exchange.queueNanos = 1_999;
        exchange.connectNanos = 1_234_000;
        exchange.totalNanos = 1_234_567_890;
    }

    @Test
    void longTextsAreTruncatedVisibly() {
        exchange.start(0);
        keep(AccessLogField.TARGET, "/" + "x".repeat(2047));
        assertThat(line(new JsonLogFormat("web"))).contains("\"path\":\"/" + "x".repeat(2047) + "\"");

        keep(AccessLogField.TARGET, "/" + "x".repeat(2048));
        keep(AccessLogField.USER_AGENT, "y".repeat(10_000));
        assertThat(line(new JsonLogFormat("web")))
                .contains("\"path\":\"/" + "x".repeat(2047) + "[...]\"")
                .contains("\"user_agent\":\"" + "y".repeat(512) + "[...]\"");
    }

    @Test
    void stateIsResetForEachExchange() {
        everything();
        line(new JsonLogFormat("web"));
        exchange.start(0);

        assertThat(line(new JsonLogFormat("web"))).contains("\"path\":null").contains("\"attempts\":0");
    }

    private void everything() {
        exchange.start(0);
        keep(AccessLogField.CLIENT, "192.0.2.1");
        keep(AccessLogField.REQUEST_ID, "id");
        keep(AccessLogField.METHOD, "GET");
        keep(AccessLogField.HOST, "a.example:81");
        keep(AccessLogField.TARGET, "/a?b=\"c");
        keep(AccessLogField.REFERER, "http://b/");
        keep(AccessLogField.USER_AGENT, "curl");
        keep(AccessLogField.BACKEND, "10.0.0.1:80");
        exchange.store(AccessLogField.END, "ok");
        keep(AccessLogField.UPGRADE, "h2c");
        keep(AccessLogField.TLS_VERSION, "TLSv1.3");
        keep(AccessLogField.TLS_CIPHER, "TLS_AES_128_GCM_SHA256");
        keep(AccessLogField.TLS_SERVER_NAME, "a.example");
        keep(AccessLogField.TLS_ALPN, "h2");
        keep(AccessLogField.TLS_CLIENT, "CN=c\\C3");
        keep(AccessLogField.DRY_RUN, "strict");
        keep(AccessLogField.IDENTITY, "al ice");
        exchange.version = 1;
        exchange.status = 200;
        exchange.bytesIn = 100;
        exchange.bytesOut = 250;
        exchange.bodyBytesOut = 150;
        exchange.attempts = 2;
        exchange.headNanos = 0;
        exchange.queueNanos = 1_999;
        exchange.connectNanos = 1_234_000;
        exchange.firstByteNanos = 56_000_000;
        exchange.totalNanos = 1_234_567_890;
    }

    private void keep(AccessLogField field, String text) {
        byte[] bytes = ("<" + text + ">").getBytes(StandardCharsets.UTF_8);
        exchange.store(field, bytes, 1, bytes.length - 1);
    }

    private String line(LogFormat format) {
        RecordRing ring = new RecordRing(64 * 1024);
        assertThat(exchange.offerTo(ring)).isTrue();
        assertThat(ring.peek()).isTrue();
        LogRecord entry = new LogRecord();
        entry.read(ring);
        LogLine line = new LogLine();
        format.append(entry, TIME, line);
        return new String(line.bytes(), 0, line.length(), StandardCharsets.UTF_8);
    }
}
